"""The plan of ranged reads: every part once, few requests, little that nobody requested."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling import share
from wavescope.blocks.object_store.plan import GAP, LARGEST, READS, Extent, Read, plan
from wavescope.store.layer_index import ShardKey
from wavescope.store.layout import SHARD, SHARD_BLOCKS
from wavescope.store.proof import entries_of

VIEW = SHARD + 1  # blocks of a side that never touch more than two shards in that direction


def extents_of_view(x: int, y: int, columns: int, rows: int, seed: int, layer: slice) -> list[Extent]:
    """Of a rectangle of blocks of one level whose layers have lengths of their own."""
    rng = random.Random(seed)
    shards: dict[ShardKey, list[tuple[int, ...]]] = {}
    found: list[Extent] = []
    for by in range(y, y + rows):
        for bx in range(x, x + columns):
            key = ShardKey(0, 0, 0, bx // SHARD, by // SHARD)
            if key not in shards:
                shards[key] = [tuple(rng.randrange(1, 60_000) for _ in range(3)) for _ in range(SHARD_BLOCKS)]
            slot = by % SHARD * SHARD + bx % SHARD
            lengths, entry = shards[key][slot], entries_of(shards[key])[slot]
            assert entry is not None
            start = entry[0] + sum(lengths[: layer.start])
            found.append(Extent(key, start, sum(lengths[layer]), len(found)))
    return found


def bytes_of(reads: list[Read]) -> int:
    return sum(read.stop - read.start for read in reads)


@settings(max_examples=share(40))
@given(
    st.integers(0, 40),
    st.integers(0, 40),
    st.integers(1, VIEW),
    st.integers(1, VIEW),
    st.integers(0, 5),
    st.sampled_from([slice(0, 1), slice(0, 3), slice(1, 3)]),
)
def test_st82_a_view_needs_at_most_four_reads_of_a_level(
    x: int, y: int, columns: int, rows: int, seed: int, layer: slice
) -> None:
    extents = extents_of_view(x, y, columns, rows, seed, layer)
    reads = plan(extents)
    assert len(reads) <= READS
    assert sorted(extent for read in reads for extent in read.extents) == sorted(extents)
    for read in reads:
        assert all(e.shard == read.shard and read.start <= e.start and e.stop <= read.stop for e in read.extents)
        assert read.stop - read.start <= LARGEST


SHARDS = st.builds(ShardKey, st.integers(0, 1), st.integers(0, 1), st.integers(0, 2), st.integers(0, 3), st.just(0))
PARTS = st.lists(st.tuples(SHARDS, st.integers(0, 1 << 27), st.integers(1, 1 << 22)), max_size=60)


@pytest.mark.slow
@given(PARTS)
def test_st82_every_part_comes_once_whatever_is_requested(parts: list[tuple[ShardKey, int, int]]) -> None:
    extents = [Extent(shard, start, length, number) for number, (shard, start, length) in enumerate(parts)]
    reads = plan(extents)
    assert sorted(e.position for read in reads for e in read.extents) == list(range(len(extents)))
    for read in reads:
        assert read.start == min(e.start for e in read.extents)
        assert read.stop == max(e.stop for e in read.extents)
        assert read.stop - read.start <= LARGEST or len(read.extents) == 1
    firsts = [min(e.position for e in read.extents) for read in reads]
    assert firsts == sorted(firsts)


@pytest.mark.parametrize(("gap", "reads"), [(0, 1), (GAP, 1), (GAP + 1, 2)])
def test_st82_neighbours_are_read_together(gap: int, reads: int) -> None:
    shard = ShardKey(0, 0, 0, 0, 0)
    assert len(plan([Extent(shard, 0, 10, 0), Extent(shard, 10 + gap, 10, 1)])) == reads


def test_st82_the_largest_gaps_are_left_out() -> None:
    shard, at, extents = ShardKey(0, 0, 0, 0, 0), 0, []
    for number, gap in enumerate([0, 1 << 20, 1 << 17, 1 << 21, 1 << 18, 1 << 22]):
        at += gap
        extents.append(Extent(shard, at, 100, number))
        at += 100
    reads = plan(extents)
    assert [len(read.extents) for read in reads] == [1, 2, 2, 1]
    assert bytes_of(reads) == 600 + (1 << 17) + (1 << 18)


def test_parts_of_other_levels_are_read_apart() -> None:
    assert len(plan([Extent(ShardKey(0, 0, level, 0, 0), 0, 10, level) for level in range(6)])) == 6
