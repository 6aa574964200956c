"""The states that are folded over what happens to an origin: measures, breaker, limits. All without a clock."""

from __future__ import annotations

import pytest

from wavescope.blocks.replicated import breaker as breakers
from wavescope.blocks.replicated.breaker import Breaker
from wavescope.blocks.replicated.error_kinds import classify, error_for_caller
from wavescope.blocks.replicated.limits import (
    HedgeBudget,
    ReplicationLimits,
    credit,
    debit,
    hedge_after,
    timeout_after,
)
from wavescope.blocks.replicated.measures import (
    START_BANDWIDTH,
    Answered,
    Dropped,
    Event,
    Measures,
    Probed,
    Sent,
    fold,
)
from wavescope.errors import (
    CorruptBlock,
    CorruptStore,
    Forbidden,
    OutOfRange,
    StaleVersion,
    Unavailable,
    UnknownSlide,
    UnsupportedVersion,
    WavescopeError,
)
from wavescope.geometry import Address


def after(*events: Event) -> Measures:
    measures = Measures()
    for event in events:
        measures = fold(measures, event)
    return measures


def batch(begin: float, delay: float, size: int, count: int, rate: float) -> list[Event]:
    """A request and its answers, which stream at ``rate`` bytes per second."""
    events: list[Event] = [Sent(size * count)]
    for n in range(count):
        first = n == 0
        at = begin + delay + n * size / rate
        events.append(Answered(at, size, size, first, n == count - 1, delay if first else None))
    return events


def test_bandwidth_is_measured_while_answers_stream_not_while_they_are_awaited() -> None:
    measures = after(*batch(0, 0.5, 1000, 101, 1e5), *batch(9, 0.5, 1000, 101, 1e5))
    assert measures.bandwidth == pytest.approx(1e5)
    assert measures.latency == 0.5
    assert (measures.in_flight, measures.requests, measures.streams) == (0, 0, 0)
    assert (measures.answers, measures.bytes) == (202, 202_000)


def test_single_blocks_tell_the_latency_and_nothing_of_the_bandwidth() -> None:
    measures = after(*batch(0, 0.1, 1000, 1, 1), *batch(1, 0.3, 1000, 1, 1))
    assert (measures.latency, measures.samples, measures.bandwidth) == (0.1, 0, START_BANDWIDTH)
    assert after(Probed(0.02)).latency == 0.02


def test_the_latency_does_not_grow_with_the_queue_that_it_allows() -> None:
    measures = after(Sent(1), Answered(0.1, 1, 1, True, True, 0.1, alone=True))
    for n in range(100):
        measures = fold(fold(measures, Sent(1)), Answered(n, 1, 1, True, True, 0.5))
    assert (measures.latency, measures.slow()) == (0.1, 0.5)
    for n in range(8):
        measures = fold(fold(measures, Sent(1)), Answered(n, 1, 1, True, True, 0.2, alone=True))
    assert measures.latency == 0.2
    assert fold(fold(measures, Sent(1)), Answered(1, 1, 1, True, True, 0.15)).latency == 0.15


def test_a_link_that_becomes_slow_is_noticed_within_a_second() -> None:
    measures = after(*batch(0, 0.1, 1000, 1001, 1e6), *batch(10, 0.1, 1000, 101, 1e5))
    assert measures.bandwidth < 1.5e5


def test_what_is_dropped_is_in_flight_no_more() -> None:
    measures = after(Sent(5000), Answered(1, 1000, 900, True, False, 0.1), Dropped(4000, True))
    assert (measures.in_flight, measures.requests, measures.streams, measures.bytes) == (0, 0, 0, 900)


def test_the_window_is_bandwidth_times_delay_with_a_queue_of_one_round_trip_og3() -> None:
    assert Measures(latency=0.1, bandwidth=1e6).window(4096) == 200_000
    assert Measures(latency=0.001, bandwidth=1e6).window(4096) == 100_000  # what arrives in a tenth of a second
    assert Measures(latency=0.001, bandwidth=1e3).window(9000) == 36_000  # four blocks
    assert Measures(latency=9, bandwidth=1e9).window(4096) == 1 << 24


def test_two_failures_in_succession_open_the_breaker_and_a_trial_closes_it_og7() -> None:
    once = breakers.failed(Breaker(), 10, "refused")
    assert once.state == "closed"
    twice = breakers.failed(once, 10, "refused")
    assert (twice.state, twice.until, twice.reason) == ("open", 11, "refused")
    assert breakers.at(twice, 10.9).state == "open"
    assert breakers.succeeded(twice, trial=False).state == "open"  # a late answer of before
    half = breakers.at(twice, 11)
    assert half.state == "half-open"
    assert breakers.succeeded(half, trial=True) == Breaker()


def test_each_trial_that_fails_doubles_the_rest_up_to_its_limit_og7() -> None:
    breaker, rests = breakers.timed_out(Breaker(), 0), []
    for _ in range(8):
        rests.append(breaker.rest)
        breaker = breakers.failed(breakers.at(breaker, breaker.until), breaker.until, "refused")
    assert rests == [1, 2, 4, 8, 16, 30, 30, 30]


def test_a_silence_opens_at_once() -> None:
    assert breakers.timed_out(Breaker(), 5).state == "open"


def test_every_second_request_that_fails_opens_it_in_the_end() -> None:
    breaker, requests = Breaker(), 0
    while breaker.state == "closed" and requests < 100:
        requests += 3
        breaker = breakers.failed(breakers.succeeded(breaker, trial=False), requests, "500")
        breaker = breakers.failed(breaker, requests, "500") if requests % 9 == 0 else breaker
    assert breaker.state == "open"
    steady = Breaker()
    for n in range(200):
        steady = breakers.failed(steady, n, "500") if n % 10 == 0 else breakers.succeeded(steady, trial=False)
    assert steady.state == "closed"


def test_persistent_corruption_opens_for_long_and_a_single_block_does_not_og8() -> None:
    breaker = breakers.corrupted(Breaker(), 0)
    for _ in range(150):
        breaker = breakers.verified(breaker)
    assert breaker == Breaker()
    for _ in range(3):
        breaker = breakers.corrupted(breaker, 7)
    assert (breaker.state, breaker.until, breaker.reason) == ("open", 37, "corrupt")
    again = breakers.corrupted(breakers.at(breaker, 37), 37)
    assert (again.state, again.rest) == ("open", 60)


def test_a_straggler_is_later_than_most_answers_of_its_origin() -> None:
    limits = ReplicationLimits()
    assert hedge_after(limits, Measures()) == limits.first_hedge
    known = Measures(delays=(0.1,) * 60 + (0.2,) * 4)
    assert hedge_after(limits, known) == pytest.approx(0.3)
    assert hedge_after(limits, Measures(delays=(0.001,) * 20)) == limits.min_hedge


def test_an_origin_is_left_within_a_second_only_where_another_can_answer_og6() -> None:
    limits = ReplicationLimits()
    assert timeout_after(limits, Measures(delays=(0.05,) * 20), replaceable=True) < 1
    assert timeout_after(limits, Measures(delays=(0.6,) * 20), replaceable=True) == pytest.approx(1.2)
    assert timeout_after(limits, Measures(), replaceable=False) == limits.last_resort_timeout


def test_hedges_have_a_budget_that_useful_bytes_earn_og9() -> None:
    limits = ReplicationLimits(hedge_burst=1000, hedge_share=0.1)
    assert debit(HedgeBudget(500), 501) is None
    assert debit(HedgeBudget(500), 500) == HedgeBudget(0)
    assert credit(limits, HedgeBudget(0), 500) == HedgeBudget(50)
    assert credit(limits, HedgeBudget(990), 500) == HedgeBudget(1000)


BLOCK = Address(0, 0, 0, 0, 0)
VERDICTS: list[tuple[Exception, str]] = [
    (OutOfRange("x", 9, "0 to 3"), "final"),
    (StaleVersion("s", "d"), "missing"),
    (UnknownSlide("s"), "missing"),
    (CorruptBlock(BLOCK, "x"), "corrupt"),
    (CorruptStore("d", "the manifest", "x"), "corrupt"),
    (UnsupportedVersion("d", "x"), "refused"),
    (Forbidden("x"), "refused"),
    (Unavailable("x", "y"), "failed"),
    (ConnectionResetError(), "failed"),
    (TimeoutError(), "failed"),
]


@pytest.mark.parametrize(("error", "expected"), VERDICTS, ids=lambda value: type(value).__name__)
def test_an_error_has_one_meaning(error: Exception, expected: str) -> None:
    assert classify(error) == expected


def test_the_caller_gets_the_error_that_leaves_most_hope_og4() -> None:
    stale, corrupt, away = StaleVersion("s", "d"), CorruptBlock(BLOCK, "x"), Unavailable("a", "b")
    assert error_for_caller([stale, corrupt, away]) is away
    assert error_for_caller([stale, corrupt]) is corrupt
    assert error_for_caller([stale]) is stale
    lost = error_for_caller([stale, ConnectionResetError("gone")])
    assert isinstance(lost, Unavailable)
    assert isinstance(lost.__cause__, ConnectionResetError)
    assert isinstance(error_for_caller([]), WavescopeError)
