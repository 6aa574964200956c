"""What the metrics and the status page show of the origins."""

from __future__ import annotations

from dataclasses import dataclass, field

from wavescope.blocks.replicated.breaker import State


@dataclass
class OriginCounts:
    """Since the origin joined. ``errors`` by verdict; ``opened`` by reason of the breaker. ``wasted`` bytes came after
    another origin had answered.
    """

    requests: int = 0
    blocks: int = 0
    bytes: int = 0
    wasted: int = 0
    hedges: int = 0
    hedges_won: int = 0
    probes: int = 0
    probes_failed: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    opened: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class OriginStatus:
    """One origin. ``score``: bytes per second that a block gets now, its delay included; 0 while it is out.

    ``latency`` and ``slow`` (95th percentile of the delay) in seconds, ``bandwidth`` in bytes per second, ``in_flight``
    and ``window`` in bytes. ``missing``: versions that it is known not to have. ``samples`` of the
    bandwidth: without any, it is an assumption.
    """

    name: str
    state: State
    reason: str
    leaving: bool
    score: float
    latency: float
    slow: float | None
    bandwidth: float
    in_flight: int
    window: int
    missing: int
    samples: int
    counts: OriginCounts


@dataclass
class SolverCounts:
    """Assignments that the policy made, the processor time for them in seconds, and the longest."""

    count: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        self.count += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)


@dataclass(frozen=True)
class ReplicatedStatus:
    """All origins. ``waiting``: blocks that are not sent yet. ``hedge_budget``: bytes that hedges may cost now."""

    policy: str
    origins: tuple[OriginStatus, ...]
    waiting: int
    hedge_budget: int
    solver: SolverCounts
