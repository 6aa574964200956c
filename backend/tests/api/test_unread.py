"""Which answers that nobody reads are ended (PR67)."""

from __future__ import annotations

from wavescope.api.servers.unread import Budget, Unread, too_many

BUDGET = Budget(client=100, service=200)


def unread(client: str, left: int, since: float = 0.0, first: int | None = None) -> Unread:
    return Unread(client, since, left if first is None else first, left)


def test_nothing_ends_within_the_budget_pr67() -> None:
    assert too_many([unread("a", 60), unread("a", 40), unread("b", 100)], BUDGET, 10) == []


def test_the_slowest_answer_of_a_client_ends_and_of_equals_the_oldest_pr67() -> None:
    reading, old, young = unread("a", 50, 0.0, 5000), unread("a", 50, 2.0), unread("a", 50, 9.0)
    assert too_many([reading, young, old], BUDGET, 10) == [2]
    assert too_many([reading, young, old, unread("b", 99)], BUDGET, 10) == [2]


def test_of_many_clients_the_one_with_most_bytes_gives_way_pr67() -> None:
    many = [unread("quiet", 50), *(unread("greedy", 40, n) for n in range(2)), unread("other", 50), unread("third", 50)]
    assert too_many(many, BUDGET, 10) == [1]


def test_a_single_answer_may_be_larger_than_the_budget_pr67() -> None:
    assert too_many([unread("a", 1000)], BUDGET, 10) == []
    assert too_many([unread("a", 1000), unread("b", 10)], BUDGET, 10) == [0]
