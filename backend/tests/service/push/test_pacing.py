"""The window of a push connection on simulated links: bandwidth x delay, bounded (WI125, WI121)."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling import share
from wavescope.service.push.pacing import ACK_SECONDS, GAIN, Pacer

MIN_WINDOW, MAX_WINDOW = 16 << 10, 4 << 20


def simulate(pacer: Pacer, rate: float, delay: float, seconds: float, start: float = 0.0) -> tuple[int, float, float]:
    """A sender that always has something to send over a link; bytes delivered, highest and last queueing in seconds."""
    now = free = received_at = start
    arrivals: deque[tuple[float, int]] = deque()
    total = received = pacer._sent
    size = 4000
    queueing = last = 0.0
    while now < start + seconds:
        while pacer.may_send():
            free = max(free, now) + size / rate
            total += size
            pacer.sent(size, now)
            arrivals.append((free + delay / 2, total))
            last = free - now
            queueing = max(queueing, last)
        received_at, received = arrivals.popleft()
        now = max(now, received_at + delay / 2)
        pacer.received(received, 100 + received_at, now)
    return received, queueing, last


@pytest.mark.parametrize(
    ("rate", "delay"), [(125e3, 0.3), (1.25e6, 0.1), (1.25e6, 0.01), (12.5e6, 0.05)], ids=lambda value: f"{value:g}"
)
def test_the_window_becomes_bandwidth_times_delay_wi121(rate: float, delay: float) -> None:
    pacer = Pacer(MIN_WINDOW, MAX_WINDOW)
    received, _, queueing = simulate(pacer, rate, delay, 60 * delay + 1)
    expected = max(MIN_WINDOW, rate * (delay + 4000 / rate + ACK_SECONDS) * GAIN)
    assert 0.8 * expected <= pacer.window <= 1.3 * expected
    assert received >= 0.75 * rate * (60 * delay + 1 - 10 * delay)  # the link is used
    assert (
        queueing <= max(1.0 * delay, 1.5 * MIN_WINDOW / rate) + 0.02 + 2 * ACK_SECONDS
    )  # at most about one round trip waits


def test_a_start_with_what_the_client_has_measured_fills_the_link_at_once_wi121() -> None:
    pacer = Pacer(MIN_WINDOW, MAX_WINDOW, 1.25e6, 0.1)
    assert pacer.window == int(1.25e6 * (0.1 + ACK_SECONDS) * GAIN)
    received, _, _ = simulate(pacer, 1.25e6, 0.1, 1.0)
    assert received >= 0.8 * 1.25e6 * 0.8


def test_a_link_that_slows_down_gets_a_smaller_window_wi121() -> None:
    pacer = Pacer(MIN_WINDOW, MAX_WINDOW)
    simulate(pacer, 1.25e6, 0.1, 5)
    before = pacer.window
    total, now = pacer._sent, 1000.0
    pacer.received(total, 1100.0, now)
    for _ in range(400):  # 125 kB/s: 4000 bytes in 32 ms
        while pacer.may_send():
            pacer.sent(4000, now)
            total += 4000
        delivered = total - pacer.in_flight + 4000
        now += 0.032
        pacer.received(delivered, now + 100, now)
    assert pacer.window < before / 3


def test_pauses_do_not_shrink_the_window_wi121() -> None:
    pacer, start = Pacer(MIN_WINDOW, MAX_WINDOW), 0.0
    for _ in range(12):
        simulate(pacer, 1.25e6, 0.1, 0.6, start=start)
        while pacer.in_flight:
            pacer.received(pacer._sent, start + 101, start + 1)
        pacer.idle()
        start += 4
    assert pacer.window >= 0.9 * 1.25e6 * 0.1


def test_little_to_send_does_not_shrink_the_window_wi121() -> None:
    pacer = Pacer(MIN_WINDOW, MAX_WINDOW)
    simulate(pacer, 1.25e6, 0.1, 5)
    before, now = pacer.window, 5.3
    pacer.received(pacer._sent, 105.2, now)
    for _ in range(50):
        total = pacer.sent(500, now)
        pacer.idle()
        now += 0.1
        pacer.received(total, now + 100, now)
    assert pacer.window >= before * 0.9


@settings(max_examples=share(200))
@given(
    st.lists(
        st.tuples(st.sampled_from(["send", "ack", "idle"]), st.integers(1, 200_000), st.floats(0, 2)), max_size=60
    ),
    st.none() | st.floats(1, 1e12),
    st.none() | st.floats(1e-6, 1e6),
)
def test_the_window_is_bounded_and_one_message_is_always_allowed_wi121(
    acts: list[tuple[str, int, float]], rate: float | None, round_trip: float | None
) -> None:
    pacer, now, total, acked = Pacer(MIN_WINDOW, MAX_WINDOW, rate, round_trip), 0.0, 0, 0
    for act, amount, pause in acts:
        now += pause
        if act == "send" and pacer.may_send():
            assert pacer.in_flight < max(pacer.window, 1)
            total = pacer.sent(amount, now)
        elif act == "ack":
            acked += amount % (total - acked + 1)
            pacer.received(acked, now * 1.5, now)
        elif act == "idle":
            pacer.idle()
        assert MIN_WINDOW <= pacer.window <= MAX_WINDOW
        assert pacer.in_flight == total - acked
        assert pacer.in_flight > 0 or pacer.may_send()


@pytest.mark.parametrize(("total", "time"), [(101, 1.0), (49, 1.0), (60, 0.5)], ids=["too many", "fewer", "earlier"])
def test_an_ack_that_cannot_be_is_refused_wi125(total: int, time: float) -> None:
    pacer = Pacer(MIN_WINDOW, MAX_WINDOW)
    pacer.sent(100, 0.0)
    pacer.received(50, 1.0, 0.1)
    with pytest.raises(ValueError, match=r"bytes|time"):
        pacer.received(total, time, 0.2)
