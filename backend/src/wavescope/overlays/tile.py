"""One tile of an overlay as bytes and back: outlines, symbols, counts (OV11 to OV17). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import CorruptOverlay, TooLarge
from wavescope.overlays.columns import MAX_PLAIN, Columns, column, compressed, decompressed
from wavescope.overlays.shapes import (
    MAX_CLASSES,
    MAX_COORDINATE,
    MAX_CORNERS,
    QUARTERS,
    Longs,
    Shapes,
    doubled_areas,
    middles,
    starts_of,
)

TILE = 512
"""Pixels of the tile's own level along its side."""
SYMBOLS_LEVEL = 2
COUNTS_FROM = 3
BINS = 32
"""Squares of counts along the side of a tile."""
BAND = 16
"""Height of the rows that order shapes, in pixels of level 0."""
TURNS = 16
"""Directions of a symbol in half a turn."""
UNIT = 1 << 14
MAX_PARTS = 4 << 20
"""Shapes, rings or corners of a tile, at most (OV21)."""


@dataclass(frozen=True)
class Symbols:
    """n ellipses in columns of int64: the middle (n, 2) in pixels of level 0, half axes in halves of a pixel, turn in
    steps of pi / 16; classes and scores uint8.
    """

    middles: Longs
    long: Longs
    short: Longs
    turns: Longs
    classes: NDArray[np.uint8]
    scores: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.long)


@dataclass(frozen=True)
class Counts:
    """``shapes`` and ``scores`` map a class to (32, 32) int64: how many middles lie in each square, and the sum of
    their scores.
    """

    shapes: dict[int, Longs]
    scores: dict[int, Longs]


@dataclass(frozen=True)
class Tile:
    """What one tile contains."""

    shapes: Shapes
    symbols: Symbols | None = None
    counts: Counts | None = None


@dataclass(frozen=True)
class Place:
    """Where a tile is, and whether its overlay has scores."""

    level: int
    x: int
    y: int
    scored: bool

    @property
    def left(self) -> int:
        return self.x * TILE << self.level

    @property
    def top(self) -> int:
        return self.y * TILE << self.level


def encoded(tile: Tile, place: Place) -> bytes:
    """The tile as a gzip member. Raises TooLarge for one that no reader may read (OV21)."""
    for parts in (len(tile.shapes.corners), 0 if tile.symbols is None else len(tile.symbols)):
        if parts > MAX_PARTS:
            raise TooLarge("the number of corners or symbols in one tile of the overlay", parts, MAX_PARTS)
    columns = _outlines(tile.shapes, place)
    if place.level == SYMBOLS_LEVEL:
        columns += _symbols(tile.symbols or symbols_of(tile.shapes.select(np.zeros(0, np.int64))), place)
    if place.level >= COUNTS_FROM:
        columns += _counts(tile.counts or Counts({}, {}), place.scored)
    size = sum(map(len, columns))
    if size > MAX_PLAIN:
        raise TooLarge("one tile of the overlay in bytes", size, MAX_PLAIN)
    return compressed(columns)


def decoded(member: bytes, place: Place) -> Tile:
    """The tile of a gzip member. Raises CorruptOverlay."""
    columns = Columns(decompressed(member))
    shapes = _read_outlines(columns, place)
    symbols = _read_symbols(columns, place) if place.level == SYMBOLS_LEVEL else None
    counts = _read_counts(columns, place.scored) if place.level >= COUNTS_FROM else None
    columns.end()
    return Tile(shapes, symbols, counts)


def in_order(points: NDArray[np.integer], band: int) -> Longs:
    """The order of points (n, 2) in rows of ``band`` units, stable (OV17)."""
    order: Longs = np.lexsort((points[:, 0], points[:, 1] // band))
    return order


def symbols_of(shapes: Shapes) -> Symbols:
    """The ellipses with the middle, area and direction of shapes (OV8), in the order of OV17.

    The direction and the ratio of the axes are those of the second moments of the corners, the area is that of the
    first ring; a shape without area gets half axes of half a pixel.
    """
    if len(shapes) == 0:
        none, bytes_ = np.zeros(0, np.int64), np.zeros(0, np.uint8)
        return Symbols(np.zeros((0, 2), np.int64), none, none, none, bytes_, bytes_)
    starts = shapes.first_corners()
    sizes = np.diff(np.concatenate([starts, [len(shapes.corners)]]))
    local = (shapes.corners - np.repeat(middles(shapes), sizes, axis=0)) / QUARTERS
    mean = np.add.reduceat(local, starts) / sizes[:, None]
    local = local - np.repeat(mean, sizes, axis=0)
    xx, yy, xy = (
        np.add.reduceat(local[:, i] * local[:, j], starts) / sizes for i, j in ((0, 0), (1, 1), (0, 1))
    )  # fmt: skip
    spread = np.hypot(xx - yy, 2 * xy)
    ratio = np.sqrt(np.maximum(xx + yy + spread, 1e-9) / np.maximum(xx + yy - spread, 1e-9))
    ratio = np.clip(ratio, 1, 16)
    area = np.abs(doubled_areas(shapes.corners, shapes.ring_ends)[starts_of(shapes.shape_ends)]) / (2 * QUARTERS**2)
    radius = np.sqrt(area / np.pi)
    long = np.maximum(1, np.floor(2 * radius * np.sqrt(ratio) + 0.5)).astype(np.int64)
    short = np.maximum(1, np.floor(2 * radius / np.sqrt(ratio) + 0.5)).astype(np.int64)
    turns = np.floor(np.arctan2(2 * xy, xx - yy) / 2 * TURNS / np.pi + 0.5).astype(np.int64) % TURNS
    points = middles(shapes).astype(np.int64) // QUARTERS
    order = in_order(points, BAND)
    return Symbols(
        points[order], long[order], short[order], turns[order], shapes.classes[order], shapes.scores[order]
    )  # fmt: skip


def _outlines(shapes: Shapes, place: Place) -> list[bytes]:
    shapes = shapes.select(in_order(shapes.corners[shapes.first_corners()], BAND * QUARTERS))
    firsts = shapes.corners[shapes.first_corners()].astype(np.int64)
    begin = np.array([[place.left * QUARTERS, place.top * QUARTERS]])
    steps = np.diff(firsts, axis=0, prepend=begin)
    ring_starts = shapes.ring_ends - shapes.ring_sizes()
    own = np.ones(len(ring_starts), bool)
    own[starts_of(shapes.shape_ends)] = False
    between = np.diff(shapes.corners[ring_starts].astype(np.int64), axis=0, prepend=0)[own]
    dx, dy = _residuals(shapes)
    return [
        len(shapes).to_bytes(4, "little"),
        column(steps[:, 0], signed=True),
        column(steps[:, 1], signed=True),
        column(shapes.classes),
        *([column(shapes.scores)] if place.scored else []),
        column(shapes.ring_counts() - 1),
        column(shapes.ring_sizes() - 1),
        column(between[:, 0], signed=True),
        column(between[:, 1], signed=True),
        column(dx, signed=True),
        column(dy, signed=True),
    ]


def _residuals(shapes: Shapes) -> tuple[Longs, Longs]:
    """Each step less what is expected (OV14)."""
    sizes = shapes.ring_sizes()
    corners: Longs = shapes.corners.astype(np.int64)
    steps: Longs = corners - np.roll(corners, 1, axis=0)
    starts = shapes.ring_ends - sizes
    before: Longs = np.roll(steps, 1, axis=0)
    within = np.arange(len(steps)) - np.repeat(starts, sizes)
    before[within <= 1] = 0
    turn_c, turn_s = turning(np.repeat(sizes, sizes))
    later = within >= 1
    dx: Longs = steps[:, 0] - ((turn_c * before[:, 0] - turn_s * before[:, 1] + UNIT // 2) >> 14)
    dy: Longs = steps[:, 1] - ((turn_s * before[:, 0] + turn_c * before[:, 1] + UNIT // 2) >> 14)
    return dx[later], dy[later]


@lru_cache(maxsize=1)
def _turns() -> tuple[Longs, Longs]:
    angles = 2 * np.pi / np.maximum(1, np.arange(MAX_CORNERS + 1))
    return (
        np.floor(UNIT * np.cos(angles) + 0.5).astype(np.int64),
        np.floor(UNIT * np.sin(angles) + 0.5).astype(np.int64),
    )


def turning(sizes: Longs) -> tuple[Longs, Longs]:
    """C and S of OV14 for rings of so many corners."""
    cosines, sines = _turns()
    return cosines[sizes], sines[sizes]


def _read_outlines(columns: Columns, place: Place) -> Shapes:
    count = _bounded(columns.number())
    steps = np.stack([columns.signed(count), columns.signed(count)], axis=1)
    classes = _bytes(columns.column(count))
    scores = _bytes(columns.column(count)) if place.scored else np.zeros(count, np.uint8)
    ring_counts = columns.column(count) + 1
    rings = _bounded(int(ring_counts.sum()))
    sizes = columns.column(rings) + 1
    if (sizes > MAX_CORNERS).any():
        raise CorruptOverlay("a ring of too many corners")
    total = _bounded(int(sizes.sum()))
    more = rings - count
    between = np.stack([columns.signed(more), columns.signed(more)], axis=1)
    residuals = np.stack([columns.signed(total - rings), columns.signed(total - rings)], axis=1)
    firsts = np.cumsum(steps, axis=0) + np.array([[place.left * QUARTERS, place.top * QUARTERS]])
    shape_ends = np.cumsum(ring_counts)
    starts = _ring_firsts(firsts, between, shape_ends, ring_counts)
    corners = _followed(starts, sizes, residuals)
    if np.abs(corners).max(initial=0) > MAX_COORDINATE:
        raise CorruptOverlay("a corner that is too far away")
    return Shapes(corners.astype(np.int32), np.cumsum(sizes), shape_ends, classes, scores)


def _ring_firsts(firsts: Longs, between: Longs, shape_ends: Longs, ring_counts: Longs) -> Longs:
    """The first corner of each ring (r, 2)."""
    rings = int(shape_ends[-1]) if len(shape_ends) else 0
    steps = np.zeros((rings, 2), np.int64)
    heads = shape_ends - ring_counts
    own = np.ones(rings, bool)
    own[heads] = False
    steps[own] = between
    sums = np.cumsum(steps, axis=0)
    begins: Longs = sums - np.repeat(sums[heads] - firsts, ring_counts, axis=0)
    return begins


def _followed(starts: Longs, sizes: Longs, residuals: Longs) -> Longs:
    """The corners (c, 2) of rings: one step of all rings at a time, the longest ones last."""
    total = int(sizes.sum())
    corners = np.zeros((total, 2), np.int64)
    at = np.cumsum(sizes) - sizes
    from_ = at - np.arange(len(sizes))
    order = np.argsort(-sizes, kind="stable")
    turn_c, turn_s = turning(sizes)
    place, step = starts.copy(), np.zeros_like(starts)
    corners[at] = starts
    alive = order
    for number in range(1, int(sizes.max()) if len(sizes) else 0):
        alive = alive[: int(np.searchsorted(-sizes[alive], -number, side="left"))]
        c, s = turn_c[alive], turn_s[alive]
        a, b = step[alive, 0], step[alive, 1]
        expected = np.stack([(c * a - s * b + UNIT // 2) >> 14, (s * a + c * b + UNIT // 2) >> 14], axis=1)
        now = expected + residuals[from_[alive] + number - 1]
        if np.abs(now).max(initial=0) >= 1 << 31:
            raise CorruptOverlay("a step that is too long")
        step[alive] = now
        place[alive] += now
        corners[at[alive] + number] = place[alive]
    return corners


def _symbols(symbols: Symbols, place: Place) -> list[bytes]:
    steps = np.diff(symbols.middles, axis=0, prepend=np.array([[place.left, place.top]]))
    return [
        len(symbols).to_bytes(4, "little"),
        column(steps[:, 0], signed=True),
        column(steps[:, 1], signed=True),
        column(symbols.classes),
        *([column(symbols.scores)] if place.scored else []),
        column(symbols.long),
        column(symbols.short),
        column(symbols.turns),
    ]


def _read_symbols(columns: Columns, place: Place) -> Symbols:
    count = _bounded(columns.number())
    steps = np.stack([columns.signed(count), columns.signed(count)], axis=1)
    classes = _bytes(columns.column(count))
    scores = _bytes(columns.column(count)) if place.scored else np.zeros(count, np.uint8)
    long, short, turns = columns.column(count), columns.column(count), columns.column(count)
    points = np.cumsum(steps, axis=0) + np.array([[place.left, place.top]])
    most = MAX_COORDINATE // QUARTERS
    if np.abs(points).max(initial=0) > most:
        raise CorruptOverlay("a symbol that is too far away")
    if (turns >= TURNS).any() or any(axis.min(initial=1) < 1 or axis.max(initial=1) > most for axis in (long, short)):
        raise CorruptOverlay("a symbol without a size or direction")
    return Symbols(points, long, short, turns, classes, scores)


def _counts(counts: Counts, scored: bool) -> list[bytes]:
    classes = sorted(counts.shapes)
    columns = [len(classes).to_bytes(4, "little"), column(np.array(classes, np.int64))]
    for one in classes:
        columns.append(column(counts.shapes[one].ravel()))
        if scored:
            sums = counts.scores[one].ravel()
            columns += [column(sums & 0xFFFFFFFF), column(sums >> 32)]
    return columns


def _read_counts(columns: Columns, scored: bool) -> Counts:
    classes = columns.column(_bounded(columns.number())).tolist()
    if classes != sorted(set(classes)) or any(one >= MAX_CLASSES for one in classes):
        raise CorruptOverlay("classes of counts that are not in order")
    shapes, scores = {}, {}
    for one in classes:
        shapes[one] = columns.column(BINS * BINS).reshape(BINS, BINS)
        if scored:
            low, high = columns.column(BINS * BINS), columns.column(BINS * BINS)
            scores[one] = (low | (high << 32)).reshape(BINS, BINS)
    return Counts(shapes, scores)


def _bounded(count: int) -> int:
    """The same number. A column of zeros takes no bytes, so what is at hand is no bound. Raises CorruptOverlay above a
    fixed one.
    """
    if count > MAX_PARTS:
        raise CorruptOverlay(f"a tile of {count} shapes, rings or corners")
    return count


def _bytes(numbers: Longs) -> NDArray[np.uint8]:
    if (numbers > 255).any():
        raise CorruptOverlay("a class or score of more than 255")
    return numbers.astype(np.uint8)
