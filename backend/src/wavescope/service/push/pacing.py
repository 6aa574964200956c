"""How many bytes may be on their way to a client: pure (WI121, WI125). In the manner of BBR: the window is bandwidth x
delay, with the highest recent rate of delivery and the shortest recent round trip.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

GAIN = 1.25  # of the window over bandwidth x delay, so that a rate that grows is noticed
GROWTH = 1.25  # of the rate in a round, below which the link counts as full
ACK_SECONDS = 0.02  # that an ack may come late (WI125)
FULL_ROUNDS = 3  # rounds without growth that end the start
QUEUE = 1.5  # times the shortest round trip, and
QUEUE_SECONDS = 0.04  # so much above it: a queue has built up, which ends the start
RATE_ROUNDS = 10  # round trips with something on its way, in which the highest rate is valid
ROUND_TRIP_SECONDS = 10.0  # for which the shortest round trip is valid
SHORTEST = 0.001  # seconds of the shortest interval of which a rate is measured


class _Sent(NamedTuple):
    """A message on its way: the bytes sent with it and before, when, and what was delivered at that time."""

    end: int
    at: float
    delivered: int
    delivered_at: float
    client_time: float | None  # seconds, by the client's clock; None: nothing was on its way


class Pacer:
    """One connection. Sizes in bytes, times in seconds by one clock, given by the caller.

    ``min_window`` and ``max_window`` bound the window; ``rate`` and ``round_trip`` are what the client has measured,
    None: nothing.
    """

    def __init__(
        self, min_window: int, max_window: int, rate: float | None = None, round_trip: float | None = None
    ) -> None:
        self._min_window, self._max_window = min_window, max_window
        self._sent = self._delivered = 0
        self._client_time = self._since = 0.0
        self._client_since: float | None = None  # both begin anew when nothing is on its way
        self._flight: deque[_Sent] = deque()
        self._rates: deque[tuple[int, float]] = deque()  # round, bytes a second; falling
        self._round_trip = self._round_trip_at = float("inf")
        self._limited = 0  # bytes whose rate says nothing of the link, as there was too little to send
        self._probe: int | None = None  # bytes that leave the link before the round trip is measured anew
        self._starting, self._full, self._best = True, 0, 0.0
        self._rounds = self._round_end = 0
        self._window = self._bounded(rate * (round_trip + ACK_SECONDS) * GAIN if rate and round_trip else min_window)

    @property
    def in_flight(self) -> int:
        """Bytes that were sent and are not acknowledged."""
        return self._sent - self._delivered

    @property
    def total(self) -> int:
        """Bytes sent so far."""
        return self._sent

    @property
    def window(self) -> int:
        """Bytes that may be in flight."""
        return self._window

    @property
    def round_trip(self) -> float | None:
        """Seconds; None: not measured yet."""
        return None if self._round_trip == float("inf") else self._round_trip

    @property
    def rate(self) -> float | None:
        """Bytes a second; None: not measured yet."""
        return self._rates[0][1] if self._rates else None

    def may_send(self) -> bool:
        """Whether another message may be sent now, of any size."""
        return self.in_flight == 0 or self.in_flight < self._window

    def idle(self) -> None:
        """There is nothing to send: what is on its way does not show how much the link can carry."""
        self._limited = self._sent

    def sent(self, size: int, now: float) -> int:
        """Counts a message; the bytes sent with it and before."""
        if not self._flight:
            self._since, self._client_since = now, None
        self._sent += size
        self._flight.append(_Sent(self._sent, now, self._delivered, self._since, self._client_since))
        return self._sent

    def received(self, total: int, client_time: float, now: float) -> None:
        """The client has ``total`` bytes since ``client_time`` by its clock. Raises ValueError for what cannot be."""
        if not self._delivered <= total <= self._sent:
            raise ValueError(f"bytes: {total} is not within {self._delivered} to {self._sent}")
        if client_time < self._client_time:
            raise ValueError("time: it went back")
        newest = None
        while self._flight and self._flight[0].end <= total:
            newest = self._flight.popleft()
        fresh, self._delivered = total - self._delivered, total
        self._client_time = client_time
        if fresh:
            self._since, self._client_since = now, client_time
        if newest is not None:
            ended = newest.end >= self._round_end
            if ended:
                self._rounds, self._round_end = self._rounds + 1, self._sent
            self._measure(newest, client_time, now)
            self._adapt(newest, fresh, now, ended)

    def _measure(self, newest: _Sent, client_time: float, now: float) -> None:
        round_trip = max(now - newest.at, SHORTEST)
        if round_trip <= self._round_trip or (self._probe is not None and newest.end > self._probe):
            self._round_trip, self._round_trip_at, self._probe = round_trip, now, None
        elif self._probe is None and now - self._round_trip_at > ROUND_TRIP_SECONDS:
            self._probe = self._sent  # what is sent after these bytes meets no queue of this connection's own
        passed = now - newest.delivered_at if newest.client_time is None else client_time - newest.client_time
        rate = (self._delivered - newest.delivered) / max(passed, newest.at - newest.delivered_at, SHORTEST)
        if newest.end <= self._limited and self._rates and rate <= self._rates[0][1]:
            return
        while self._rates and self._rates[-1][1] <= rate:
            self._rates.pop()
        self._rates.append((self._rounds, rate))
        while len(self._rates) > 1 and self._rates[0][0] < self._rounds - RATE_ROUNDS:
            self._rates.popleft()

    def _adapt(self, newest: _Sent, fresh: int, now: float, ended: bool) -> None:
        rate = self._rates[0][1]
        if self._starting:
            self._start(newest, fresh, now, ended)
        if self._probe is not None:
            self._window = self._min_window
        elif not self._starting:
            self._window = self._bounded(rate * (self._round_trip + ACK_SECONDS) * GAIN)

    def _start(self, newest: _Sent, fresh: int, now: float, ended: bool) -> None:
        """Doubles the window in each round until the link is full. ``ended``: a round has."""
        limited, rate = newest.end <= self._limited, self._rates[0][1]
        if not limited:
            self._window = self._bounded(self._window + fresh)
        if ended:
            if rate >= self._best * GROWTH:
                self._best, self._full = rate, 0
            elif not limited:
                self._full += 1
        queued = now - newest.at > self._round_trip * QUEUE + QUEUE_SECONDS
        self._starting = not (self._full >= FULL_ROUNDS or (queued and not limited))

    def _bounded(self, window: float) -> int:
        return int(min(max(window, self._min_window), self._max_window))
