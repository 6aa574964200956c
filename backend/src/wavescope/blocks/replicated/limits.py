"""When a second origin is asked, when an origin has timed out, and how many bytes hedges may cost. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from wavescope.blocks.replicated.measures import Measures


@dataclass(frozen=True)
class ReplicationLimits:
    """Times in seconds.

    ``hedge_factor`` times the 95th percentile of the delay of first answers is the time after which a second origin is
    asked, but ``min_hedge`` at least. Hedges may add ``hedge_share`` to the bytes, and ``hedge_burst`` bytes at once.
    ``timeout``: an origin that owes bytes and sends none for so long has timed out if another origin has the slide;
    twice its percentile, or twice the time that these bytes take, counts instead if that is longer.
    ``last_resort_timeout``: the timeout where no other origin has the slide. ``missing``: how long it is remembered
    that an origin does not have a version. ``probe_every``: between the probes of an idle origin.
    """

    hedging: bool = True
    hedge_factor: float = 1.5
    min_hedge: float = 0.05
    first_hedge: float = 0.4
    hedge_share: float = 0.05
    hedge_burst: int = 1 << 20
    timeout: float = 0.8
    last_resort_timeout: float = 15.0
    missing: float = 30.0
    probe_every: float = 10.0
    probe_seconds: float = 5.0


def hedge_after(limits: ReplicationLimits, measures: Measures) -> float:
    """Seconds without an answer after which a request of this origin is a straggler."""
    slow = measures.slow()
    if slow is None:
        return max(limits.first_hedge, 3 * measures.latency, 2 * measures.due())
    return max(limits.min_hedge, limits.hedge_factor * slow)


def timeout_after(limits: ReplicationLimits, measures: Measures, replaceable: bool) -> float:
    """Seconds without any answer after which an origin is left."""
    if not replaceable:
        return limits.last_resort_timeout
    return min(limits.last_resort_timeout, max(limits.timeout, 2 * (measures.slow() or 0), 2 * measures.due()))


@dataclass(frozen=True)
class HedgeBudget:
    """The bytes that hedges may still cost."""

    bytes: float


def credit(limits: ReplicationLimits, budget: HedgeBudget, received: int) -> HedgeBudget:
    """After ``received`` useful bytes."""
    return HedgeBudget(min(float(limits.hedge_burst), budget.bytes + limits.hedge_share * received))


def debit(budget: HedgeBudget, expected: int) -> HedgeBudget | None:
    """After a hedge of ``expected`` bytes, None if it does not fit."""
    return HedgeBudget(budget.bytes - expected) if expected <= budget.bytes else None
