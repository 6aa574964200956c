"""One tile of an overlay as bytes and back: outlines, symbols, counts (OV11 to OV17, OV55). Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import CorruptOverlay, TooLarge
from wavescope.overlays import rings
from wavescope.overlays.columns import MAX_PLAIN, Columns, alike, column, compressed, decompressed
from wavescope.overlays.shapes import (
    MAX_CLASSES,
    MAX_COORDINATE,
    MAX_CORNERS,
    QUARTERS,
    Longs,
    Shapes,
    doubled_areas,
    middles,
    ranges,
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
NEAR = 2.0
"""Quarters of a pixel: corners that are so near to their ellipses are not expected better by turned steps."""
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


def encoded(tile: Tile, place: Place, prediction: int | None = None) -> bytes:
    """The tile as a gzip member. ``prediction``: of corners (OV13), the best one without. Raises TooLarge for a tile
    that no reader may read (OV21).
    """
    for parts in (len(tile.shapes.corners), 0 if tile.symbols is None else len(tile.symbols)):
        if parts > MAX_PARTS:
            raise TooLarge("the number of corners or symbols in one tile of the overlay", parts, MAX_PARTS)
    columns = _outlines(tile.shapes, place, prediction)
    if place.level == SYMBOLS_LEVEL:
        columns += _symbols(tile.symbols or symbols_of(tile.shapes.select(np.zeros(0, np.int64))), place)
    if place.level >= COUNTS_FROM:
        columns += _counts(tile.counts or Counts({}, {}), place.scored)
    size = sum(map(len, columns))
    if size > MAX_PLAIN:
        raise TooLarge("one tile of the overlay in bytes", size, MAX_PLAIN)
    return compressed(columns, repeats=place.level >= COUNTS_FROM)


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


def _outlines(shapes: Shapes, place: Place, prediction: int | None) -> list[bytes]:
    corners = shapes.corners.astype(np.int64)
    begins = rings.begins_of(corners, shapes.ring_sizes())
    order = in_order(begins[starts_of(shapes.shape_ends)], BAND * QUARTERS)
    of_order = ranges(shapes.shape_ends, order)
    corners, begins = corners[ranges(shapes.ring_ends, of_order)], begins[of_order]
    sizes, counts = shapes.ring_sizes()[of_order], shapes.ring_counts()[order]
    prediction, columns = _of_corners(corners, sizes, begins, prediction)
    if prediction == rings.TURNED:
        begins = corners[np.cumsum(sizes) - sizes]
    first = np.zeros(len(sizes), bool)
    first[np.cumsum(counts) - counts] = True
    origin = np.array([[place.left * QUARTERS, place.top * QUARTERS]])
    steps, between = np.diff(begins[first], axis=0, prepend=origin), np.diff(begins, axis=0, prepend=0)[~first]
    return [
        (len(shapes) | prediction << 24).to_bytes(4, "little"),
        *_steps(steps),
        *column(shapes.classes[order]),
        *(column(shapes.scores[order]) if place.scored else []),
        *column(counts - 1),
        *column(sizes - 1),
        *_steps(between),
        *(part for one in columns for part in alike(*one)),
    ]


def _of_corners(
    corners: Longs, sizes: Longs, begins: Longs, prediction: int | None
) -> tuple[int, list[tuple[Longs, Longs]]]:
    """The prediction and the columns that follow from it, in pairs that are alike."""
    local = corners - np.repeat(begins, sizes, axis=0)
    ellipses = rings.ellipses_of(local, sizes)
    deviation = rings.deviations(local, sizes, ellipses)
    a, b, c, d = ellipses[rings.has_ellipse(sizes)].T
    number = prediction or rings.best_prediction(deviation, sizes)
    stored = rings.differences(deviation, sizes, number)
    columns = [(a, b), (b + c, d - a), _pair(stored)]
    is_far = np.abs(stored).sum() > NEAR * stored.size
    if prediction == rings.TURNED or (prediction is None and is_far):
        turned = [_pair(rings.turned_differences(corners, sizes))]
        if prediction == rings.TURNED or _bits(turned) <= _bits(columns):
            return rings.TURNED, turned
    return number, columns


def _pair(values: Longs) -> tuple[Longs, Longs]:
    """x and y of (n, 2)."""
    return values[:, 0], values[:, 1]


def _bits(columns: list[tuple[Longs, Longs]]) -> float:
    """Of signed columns, about: as if their numbers had Laplace's distribution."""
    means = [(len(one), float(np.abs(one).mean())) for pair in columns for one in pair if len(one)]
    return sum(count * float(np.log2(1 + 2 * np.e * mean)) for count, mean in means)


def _steps(values: Longs) -> list[bytes]:
    """Signed columns of x and y of (n, 2)."""
    return [*column(values[:, 0], signed=True), *column(values[:, 1], signed=True)]


def _read_outlines(columns: Columns, place: Place) -> Shapes:
    number = columns.number()
    count, prediction = _bounded(number & 0xFFFFFF), number >> 24
    if prediction > rings.MAX_PREDICTION:
        raise CorruptOverlay(f"a tile of prediction {prediction}")
    steps = _read_pairs(columns, count)
    classes = _bytes(columns.column(count))
    scores = _bytes(columns.column(count)) if place.scored else np.zeros(count, np.uint8)
    ring_counts = columns.column(count) + 1
    ring_count = _bounded(int(ring_counts.sum()))
    sizes = columns.column(ring_count) + 1
    if (sizes > MAX_CORNERS).any():
        raise CorruptOverlay("a ring of too many corners")
    total = _bounded(int(sizes.sum()))
    between = _read_pairs(columns, ring_count - count)
    firsts = np.cumsum(steps, axis=0) + np.array([[place.left * QUARTERS, place.top * QUARTERS]])
    begins = rings.ring_begins(firsts, between, ring_counts)
    if prediction == rings.TURNED:
        corners = rings.on_turns(begins, sizes, _read_pairs(columns, total - ring_count))
    else:
        ellipses = np.zeros((ring_count, 4), np.int64)
        own = rings.has_ellipse(sizes)
        a, b, b_and_c, d_less_a = (columns.signed(int(own.sum())) for _ in range(4))
        ellipses[own] = np.stack([a, b, b_and_c - b, d_less_a + a], axis=1)
        corners = rings.on_ellipses(begins, sizes, ellipses, _read_pairs(columns, total), prediction)
    if np.abs(corners).max(initial=0) > MAX_COORDINATE:
        raise CorruptOverlay("a corner that is too far away")
    return Shapes(corners.astype(np.int32), np.cumsum(sizes), np.cumsum(ring_counts), classes, scores)


def _read_pairs(columns: Columns, count: int) -> Longs:
    """Signed columns of x and y as (count, 2)."""
    return np.stack([columns.signed(count), columns.signed(count)], axis=1)


def _symbols(symbols: Symbols, place: Place) -> list[bytes]:
    steps = np.diff(symbols.middles, axis=0, prepend=np.array([[place.left, place.top]]))
    return [
        len(symbols).to_bytes(4, "little"),
        *_steps(steps),
        *column(symbols.classes),
        *(column(symbols.scores) if place.scored else []),
        *column(symbols.long),
        *column(symbols.short),
        *column(symbols.turns),
    ]


def _read_symbols(columns: Columns, place: Place) -> Symbols:
    count = _bounded(columns.number())
    steps = _read_pairs(columns, count)
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
    columns = [len(classes).to_bytes(4, "little"), *column(np.array(classes, np.int64))]
    for one in classes:
        columns += column(counts.shapes[one].ravel())
        if scored:
            sums = counts.scores[one].ravel()
            columns += [*column(sums & 0xFFFFFFFF), *column(sums >> 32)]
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
