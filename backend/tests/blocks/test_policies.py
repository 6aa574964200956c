"""Which entry a full cache gives up (ED10)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling import share
from wavescope.blocks.cache.memory import OVERHEAD, MemoryCache
from wavescope.blocks.cache.policies import POLICIES, Fifo, Lru, Policy, Random, Sieve

Operations = st.lists(st.tuples(st.sampled_from(("add", "use", "remove", "evict")), st.integers(0, 12)), max_size=80)


def run(policy: Policy[int], operations: list[tuple[str, int]]) -> list[int]:
    """What is given up, in order; every operation on a key that fits it."""
    present: set[int] = set()
    evicted = []
    for name, key in operations:
        if name == "add" and key not in present:
            policy.add(key)
            present.add(key)
        elif name == "evict" and present:
            evicted.append(policy.evict())
            present.remove(evicted[-1])
        elif name in ("use", "remove") and key in present:
            getattr(policy, name)(key)
            present -= {key} if name == "remove" else set()
    while present:
        evicted.append(policy.evict())
        present.remove(evicted[-1])
    return evicted


@pytest.mark.parametrize("name", POLICIES)
@given(operations=Operations)
@settings(max_examples=share(60))
def test_only_entries_that_are_there_are_given_up_ed10(name: str, operations: list[tuple[str, int]]) -> None:
    policy: Policy[int] = POLICIES[name]()  # type: ignore[assignment]
    run(policy, operations)
    with pytest.raises(KeyError):
        policy.evict()


class Queue:
    """SIEVE as in its paper: a queue, a bit of each entry, a hand that moves from the tail to the head."""

    def __init__(self) -> None:
        self.queue: list[int] = []  # the oldest first
        self.used: dict[int, bool] = {}
        self.hand = 0

    def add(self, key: int) -> None:
        self.queue.append(key)
        self.used[key] = False

    def use(self, key: int) -> None:
        self.used[key] = True

    def remove(self, key: int) -> None:
        at = self.queue.index(key)
        del self.queue[at]
        self.hand -= at < self.hand
        self._begin_again()

    def evict(self) -> int:
        while True:
            if self.hand >= len(self.queue):
                self.hand = 0
            key = self.queue[self.hand]
            if not self.used[key]:
                del self.queue[self.hand]
                self._begin_again()
                return key
            self.used[key] = False
            self.hand += 1

    def _begin_again(self) -> None:
        """The hand is nowhere after the newest entry: it goes on at the oldest, also if one is added meanwhile."""
        if self.hand >= len(self.queue):
            self.hand = 0


@given(operations=Operations)
@settings(max_examples=share(200))
def test_sieve_is_that_of_the_paper_ed10(operations: list[tuple[str, int]]) -> None:
    assert run(Sieve[int](), operations) == run(Queue(), operations)


def test_each_policy_gives_up_what_it_says_ed10() -> None:
    steps = [("add", 1), ("add", 2), ("add", 3), ("use", 1), ("evict", 0)]
    assert run(Fifo[int](), steps)[0] == 1
    assert run(Lru[int](), steps)[0] == 2
    assert run(Sieve[int](), steps)[0] == 2
    assert run(Random[int](1), steps) == run(Random[int](1), steps)
    assert len({run(Random[int](seed), steps)[0] for seed in range(40)}) == 3


@given(sizes=st.lists(st.integers(0, 400), max_size=60), budget=st.integers(0, 3000))
@settings(max_examples=share(60))
def test_the_budget_of_memory_holds_ed6(sizes: list[int], budget: int) -> None:
    cache = MemoryCache(budget, Sieve())
    for number, size in enumerate(sizes):
        cache.put(b"%d" % number, bytes(size))
        assert cache.bytes <= budget
        assert (cache.find(b"%d" % number) is not None) == (size + OVERHEAD <= budget)
    cache.clear()
    assert cache.bytes == len(cache) == 0
