"""Which ranged reads bring the requested parts of shards (ST82). Pure: extents in, reads out.

A shard has its blocks in Z order, so that a view's blocks are near each other in at most four shards. Reading the bytes
between two of them costs less than another request, up to a point.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from wavescope.store.layer_index import ShardKey

GAP = 64 << 10
"""Bytes between two parts that are read along: what a store sends in the time that one more request takes."""
READS = 4
"""Reads of one level: a view touches at most four shards, so that one read of each is always possible."""
LARGEST = 32 << 20
"""Bytes of one read, which are in memory at once. A part that is longer by itself is read alone."""


class Extent(NamedTuple):
    """A part of a shard that is requested; ``position``: of the request."""

    shard: ShardKey
    start: int
    length: int
    position: int

    @property
    def stop(self) -> int:
        return self.start + self.length


@dataclass(frozen=True)
class Read:
    """One ranged read and the extents that it brings, in the order of the shard."""

    shard: ShardKey
    start: int
    stop: int
    extents: tuple[Extent, ...]

    @classmethod
    def of(cls, extents: Sequence[Extent]) -> Read:
        """``extents``: of one shard, by their start."""
        return cls(extents[0].shard, extents[0].start, max(one.stop for one in extents), tuple(extents))


def plan(extents: Iterable[Extent]) -> list[Read]:
    """Reads that bring every extent once, those with the first requests first.

    On each level of a plane: at most READS if the extents lie in at most so many shards, else at most READS of each
    shard; more only where a read would exceed LARGEST. Gaps up to GAP are read along, then the smallest ones first.
    """
    levels: dict[tuple[int, int], list[Extent]] = defaultdict(list)
    for extent in extents:
        levels[extent.shard.z, extent.shard.level].append(extent)
    reads = [read for level in levels.values() for read in _plan_level(level)]
    return sorted(reads, key=lambda read: min(extent.position for extent in read.extents))


def _plan_level(extents: list[Extent]) -> Iterable[Read]:
    extents.sort()
    shards = len({extent.shard for extent in extents})
    splits = READS - shards if shards <= READS else (READS - 1) * shards
    gaps: list[tuple[int, int]] = []  # size, index of the extent after it
    ends: set[int] = set()
    reach = extents[0].stop
    for index, (before, after) in enumerate(pairwise(extents), 1):
        if before.shard != after.shard:
            ends.add(index)
            reach = after.stop
            continue
        if after.start - reach > GAP:
            gaps.append((after.start - reach, index))
        reach = max(reach, after.stop)
    ends.update(index for _, index in sorted(gaps, reverse=True)[:splits])
    begin = 0
    for end in [*sorted(ends), len(extents)]:
        yield from _bounded(extents[begin:end])
        begin = end


def _bounded(extents: Sequence[Extent]) -> Iterable[Read]:
    """Reads of at most LARGEST bytes, but for a longer extent."""
    some: list[Extent] = []
    for extent in extents:
        if some and extent.stop - some[0].start > LARGEST:
            yield Read.of(some)
            some = []
        some.append(extent)
    yield Read.of(some)
