"""Encoding one strip of a unit: the work that runs in parallel, picklable, so that any Executor will do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from wavescope.geometry import HALF, TILE, Address, ceil_div
from wavescope.ingest.opened import SourceKey, opened
from wavescope.ingest.plan import LL_ROWS_PER_STRIP, LL_ROWS_PER_UNIT, STRIP_ROWS, Plan, Unit
from wavescope.ingest.spill import read_strips
from wavescope.kernel.codec import Codec
from wavescope.kernel.tiles import (
    Pixels,
    Samples,
    Size,
    encode_approximation,
    encode_tile,
    extended,
    means,
    neighbourhood,
    samples_from_pixels,
)
from wavescope.source.channels import group_of
from wavescope.store.layout import SHARD

_NO_LL = np.empty((0, 0, 0), np.int16)


@dataclass(frozen=True)
class Task:
    """One strip. ``codec``: of its channel group. ``spills`` is the directory with the children's LLs."""

    source: SourceKey
    spills: Path
    plan: Plan
    codec: Codec
    unit: Unit
    strip: int

    @property
    def rows(self) -> range:
        """The rows of tiles on the unit's level."""
        rows = self.plan.tiles(self.unit)[1]
        return rows[STRIP_ROWS * self.strip : STRIP_ROWS * (self.strip + 1)]


@dataclass(frozen=True)
class Encoded:
    """A finished strip: the layers of each tile, row-major (``[]``: empty), and its LL for the parent."""

    blocks: Sequence[Sequence[Sequence[bytes]]]
    spill: Samples

    @property
    def bytes(self) -> int:
        return sum(len(layer) for row in self.blocks for layers in row for layer in layers)

    @property
    def tiles(self) -> int:
        return sum(len(row) for row in self.blocks)


def spill_path(spills: Path, unit: Unit) -> Path:
    return spills / f"{unit.z}.{unit.c}.{unit.level}.{unit.sy}.{unit.sx}"


def encode_strip(task: Task) -> Encoded:
    """Read, analyse and encode one strip."""
    tiles = _from_source(task) if task.unit.level == 0 else _from_children(task)
    if task.unit.level == task.plan.top:
        shown = task.plan.pyramid.tile_size(task.unit.level, 0, 0)
        top = next(next(tiles))
        return Encoded([[encode_approximation(top, task.codec, task.unit.level, shown, task.unit.z)]], _NO_LL)
    columns, rows = len(task.plan.tiles(task.unit)[0]), len(task.rows)
    ll = np.empty((task.codec.channels, HALF * rows, HALF * columns), np.int16)
    made = [[_with_means(tile, ll, x, y) for x, tile in enumerate(row)] for y, row in enumerate(tiles)]
    parents = [list(row) for row in _grid(ll, task.plan.top - task.unit.level - 1)]
    blocks = [[_block(task, parents, x, y, tile) for x, tile in enumerate(row)] for y, row in enumerate(made)]
    return Encoded(blocks, ll)


def _with_means(tile: Samples, ll: Samples, x: int, y: int) -> Samples:
    """The tile; its means, taken while it is in the processor's cache, go to the strip's LL."""
    ll[:, y * HALF : (y + 1) * HALF, x * HALF : (x + 1) * HALF] = means(tile)
    return tile


def _block(task: Task, parents: list[list[Samples]], x: int, y: int, tile: Samples) -> list[bytes]:
    """The layers of the strip's tile in column x and row y; ``parents`` are the tiles above the strip."""
    column, row = task.plan.tiles(task.unit)[0].start + x, task.rows.start + y
    address = Address(task.unit.z, task.unit.c, task.unit.level, column, row)
    shown = task.plan.pyramid.tile_size(address.level, column, row)
    return _encode(tile, parents[y // 2][x // 2], address, task.codec, shown)


# --- tiles from the source -------------------------------------------------------------------------------------------


def _from_source(task: Task) -> Iterator[Iterator[Samples]]:
    """Rows of samples of the strip's level-0 tiles, made one after another.

    One read serves the whole strip, so that source tiles are decoded once.
    """
    columns = task.plan.tiles(task.unit)[0]
    width, height = task.plan.pyramid.level_size(0)
    codec, top = task.codec, task.plan.top
    l0_x, l0_y = columns.start * TILE, task.rows.start * TILE
    l0_width, l0_height = min(columns.stop * TILE, width) - l0_x, min(task.rows.stop * TILE, height) - l0_y
    pixels = group_of(opened(task.source), task.unit.c).read_region(task.unit.z, l0_x, l0_y, l0_width, l0_height)
    for y in range(0, l0_height, TILE):
        yield (_samples(pixels[y : y + TILE, x : x + TILE], codec, top) for x in range(0, l0_width, TILE))


def _samples(pixels: Pixels, codec: Codec, above: int) -> Samples:
    colour = pixels[0, 0]
    if (pixels[0] == colour).all() and (pixels == colour).all():
        return _flat_samples(codec, tuple(colour.tolist()))
    return samples_from_pixels(pixels, codec, above)


@lru_cache(maxsize=64)
def _flat_samples(codec: Codec, colour: tuple[int, ...]) -> Samples:
    """Glass: a tile of one colour, made once."""
    pixels = np.full((TILE, TILE, len(colour)), colour, codec.dtype)
    return _read_only(samples_from_pixels(pixels, codec))


# --- tiles from the level below --------------------------------------------------------------------------------------


def _from_children(task: Task) -> Iterator[Iterator[Samples]]:
    """The strip's tiles, put together from the LLs of the up to two child units that touch it."""
    first = task.rows.start - SHARD * task.unit.sy
    dy, row = divmod(first, LL_ROWS_PER_UNIT)
    start = row // LL_ROWS_PER_STRIP
    wanted = range(start, start + ceil_div(len(task.rows), LL_ROWS_PER_STRIP))
    children = [child for child in task.plan.children(task.unit) if child.sy % 2 == dy]
    strips = [read_strips(spill_path(task.spills, child), wanted) for child in children]
    whole = np.concatenate([np.concatenate(row, axis=2) for row in zip(*strips, strict=True)], axis=1)
    return _grid(whole, task.plan.top - task.unit.level)


def _grid(samples: Samples, above: int) -> Iterator[Iterator[Samples]]:
    """Rows of tiles, cut apart one after another, continued where no child is; ``above`` them are so many levels."""
    _, height, width = samples.shape
    for y in range(0, height, TILE):
        yield (extended(samples[:, y : y + TILE, x : x + TILE], above) for x in range(0, width, TILE))


# --- encoding --------------------------------------------------------------------------------------------------------


def _encode(samples: Samples, parent: Samples, address: Address, codec: Codec, shown: Size) -> list[bytes]:
    """``encode_tile``; glass surrounded by glass is known to be empty."""
    if _is_flat(samples) and _is_flat(parent[neighbourhood(address.quadrant())]):
        return []
    return encode_tile(samples, parent, address, codec, shown)


def _is_flat(samples: Samples) -> bool:
    first = samples[:, :1, :1]
    return bool((samples[:, 0] == first[:, 0]).all() and (samples == first).all())


def _read_only(samples: Samples) -> Samples:
    samples.flags.writeable = False
    return samples
