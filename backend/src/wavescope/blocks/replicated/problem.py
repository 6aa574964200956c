"""The assignment of blocks to origins as a problem: plain state in, counts out. No clocks, no I/O.

Blocks with the same holders are one ``Demand``. A solution is a row per demand with the
number of its blocks per path; what a row lacks waits for a later assignment (the ghost server of Tierney et al. 1999).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

Counts = tuple[tuple[int, ...], ...]

SUBSETS = 4096  # unions of holders for which the horizon is computed, at most


@dataclass(frozen=True)
class Path:
    """The path to one origin. ``limit``: the number of blocks that it may get at most, None without a limit."""

    latency: float
    bandwidth: float
    in_flight: int = 0
    limit: int | None = None

    @property
    def ready(self) -> float:
        """Seconds until the first byte of a request sent now: its delay, or what is in flight before it."""
        return max(self.latency, self.in_flight / self.bandwidth)


@dataclass(frozen=True)
class Demand:
    """``blocks`` that the paths of ``holders`` have; ``holders`` is a set of bits, bit n for path n. Never 0."""

    holders: int
    blocks: int

    def on(self, path: int) -> bool:
        return bool(self.holders >> path & 1)


@dataclass(frozen=True)
class Problem:
    """``block``: the mean size of a block in bytes. ``turn``: the number of this assignment, for baselines."""

    paths: tuple[Path, ...]
    demands: tuple[Demand, ...]
    block: int
    turn: int = 0


Assign = Callable[[Problem], Counts]


@dataclass(frozen=True)
class Policy:
    """``binding``: blocks stay with the origin that they were assigned to first; else only what is sent is fixed."""

    name: str
    assign: Assign
    binding: bool


def costs(problem: Problem) -> list[float]:
    """Seconds from now to the last byte of one block, per path: its delay and its transmission."""
    return [path.ready + problem.block / path.bandwidth for path in problem.paths]


def horizon(problem: Problem) -> float:
    """The seconds in which all demands can be delivered: for every set of paths, the demands that only this set holds
    must fit (the condition of Gale for flows). Sets that matter are unions of holders.
    """
    unions = {0}
    for demand in problem.demands:
        unions |= {union | demand.holders for union in unions}
        if len(unions) > SUBSETS:
            unions = {demand.holders for demand in problem.demands} | {(1 << len(problem.paths)) - 1}
            break
    longest = 0.0
    for union in unions:
        blocks = sum(demand.blocks for demand in problem.demands if demand.holders | union == union)
        if blocks:
            longest = max(longest, _fill_time(problem, union, blocks * problem.block))
    return longest


def _fill_time(problem: Problem, union: int, size: int) -> float:
    """The seconds in which the paths of ``union`` together deliver ``size`` bytes."""
    paths = sorted((path for n, path in enumerate(problem.paths) if union >> n & 1), key=lambda path: path.ready)
    rate = weighted = 0.0
    for n, path in enumerate(paths):
        rate += path.bandwidth
        weighted += path.bandwidth * path.ready
        time = (size + weighted) / rate
        if n + 1 == len(paths) or time <= paths[n + 1].ready:
            return time
    raise ValueError(f"no path in {union:b}")


def capacities(problem: Problem) -> list[int]:
    """The blocks that each path delivers within the horizon, rounded up."""
    seconds = horizon(problem)
    found = []
    for path in problem.paths:
        blocks = max(0, ceil((seconds - path.ready) * path.bandwidth / problem.block - 1e-9))
        found.append(blocks if path.limit is None else min(blocks, path.limit))
    return found


def spread(counts: Sequence[int]) -> list[int]:
    """The paths of a row in an order in which each comes evenly (stride scheduling)."""
    turns = [((turn + 0.5) / count, path) for path, count in enumerate(counts) for turn in range(count)]
    return [path for _, path in sorted(turns)]
