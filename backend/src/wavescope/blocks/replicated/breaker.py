"""A circuit breaker as pure state: closed, open for a while, half-open for one trial. Times: seconds of any clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

State = Literal["closed", "open", "half-open"]

FAILURES = 2  # in succession
FAILURE_RATE = 0.5  # or this share of failed requests, smoothed
RATE_SMOOTHING = 0.2
CORRUPT = 3.0  # corrupt answers; each good answer reduces their number by 2 %
CORRUPT_DECAY = 0.98
REST, MAX_REST = 1.0, 30.0  # s: how long it stays open, and at most; doubled by each trial that fails
CORRUPT_REST, MAX_CORRUPT_REST = 30.0, 600.0


@dataclass(frozen=True)
class Breaker:
    """Whether an origin may be asked. ``until``: when it becomes half-open. ``reason``: why it opened last."""

    state: State = "closed"
    until: float = 0.0
    rest: float = REST
    failures: int = 0
    failure_rate: float = 0.0
    corrupt: float = 0.0
    reason: str = ""


def at(breaker: Breaker, now: float) -> Breaker:
    """An open breaker becomes half-open when its time is over."""
    if breaker.state == "open" and now >= breaker.until:
        return replace(breaker, state="half-open")
    return breaker


def succeeded(breaker: Breaker, trial: bool) -> Breaker:
    """After a request whose answers were all good. ``trial``: it was sent while the breaker was not closed."""
    if breaker.state != "closed":
        return Breaker() if trial else breaker
    if not (breaker.failures or breaker.failure_rate):
        return breaker
    rate = breaker.failure_rate * (1 - RATE_SMOOTHING)
    return replace(breaker, failures=0, failure_rate=rate if rate > 0.01 else 0.0)


def verified(breaker: Breaker) -> Breaker:
    """After a good answer."""
    if not breaker.corrupt:
        return breaker
    corrupt = breaker.corrupt * CORRUPT_DECAY
    return replace(breaker, corrupt=corrupt if corrupt > 0.1 else 0.0)


def failed(breaker: Breaker, now: float, reason: str) -> Breaker:
    """After a request that failed: an error of the connection or a 5xx."""
    if breaker.state == "open":
        return breaker
    rate = breaker.failure_rate + RATE_SMOOTHING * (1 - breaker.failure_rate)
    counted = replace(breaker, failures=breaker.failures + 1, failure_rate=rate)
    if counted.state == "half-open" or counted.failures >= FAILURES or rate > FAILURE_RATE:
        return _opened(counted, now, reason, MAX_REST)
    return counted


def timed_out(breaker: Breaker, now: float) -> Breaker:
    """After a silence while bytes were due: it opens at once."""
    return breaker if breaker.state == "open" else _opened(breaker, now, "silent", MAX_REST)


def corrupted(breaker: Breaker, now: float) -> Breaker:
    """After a corrupt answer. Persistent corruption opens it for long."""
    counted = replace(breaker, corrupt=breaker.corrupt + 1)
    if counted.state == "open" or (counted.state == "closed" and counted.corrupt < CORRUPT):
        return counted
    return _opened(replace(counted, rest=max(counted.rest, CORRUPT_REST)), now, "corrupt", MAX_CORRUPT_REST)


def _opened(breaker: Breaker, now: float, reason: str, max_rest: float) -> Breaker:
    rest = min(breaker.rest * (2 if breaker.state == "half-open" else 1), max_rest)
    return replace(breaker, state="open", until=now + rest, rest=rest, reason=reason)
