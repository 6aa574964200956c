"""One tile of an overlay as bytes and back: outlines, symbols, counts (OV11 to OV17, OV55, OV79 to OV81). Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import CorruptOverlay, TooLarge
from wavescope.overlays import places, rings
from wavescope.overlays.columns import MAX_PLAIN, Columns, column, compressed, decompressed, planes
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
ROW_BITS = 4
"""Of the height of the rows in which shapes are, in pixels of level 0."""
NEW = 1 << 31
"""Marks a tile of version 5 and later."""
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

    def select(self, chosen: Longs) -> Symbols:
        """Those symbols, in this order."""
        return Symbols(*(column[chosen] for column in vars(self).values()))


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

    @property
    def begin(self) -> Longs:
        """x and y of its corner (2,)."""
        return np.array([self.left, self.top])


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
    shapes, new = _read_outlines(columns, place)
    symbols = _read_symbols(columns, place, new) if place.level == SYMBOLS_LEVEL else None
    counts = _read_counts(columns, place.scored, new) if place.level >= COUNTS_FROM else None
    columns.end()
    return Tile(shapes, symbols, counts)


def symbols_of(shapes: Shapes) -> Symbols:
    """The ellipses with the middle, area and direction of shapes (OV8).

    The direction and the ratio of the axes are those of the second moments of the corners, the area is that of the
    first ring; a shape without area gets half axes of half a pixel.
    """
    if len(shapes) == 0:
        none, bytes_ = np.zeros(0, np.int64), np.zeros(0, np.uint8)
        return Symbols(np.zeros((0, 2), np.int64), none, none, none, bytes_, bytes_)
    starts = shapes.first_corners()
    sizes = np.diff(np.concatenate([starts, [len(shapes.corners)]]))
    local = []
    for corners, middle in zip(shapes.corners.T, middles(shapes).T, strict=True):
        axis = (corners - np.repeat(middle, sizes)) / QUARTERS
        local.append(axis - np.repeat(np.add.reduceat(axis, starts) / sizes, sizes))
    xx, yy, xy = (np.add.reduceat(local[i] * local[j], starts) / sizes for i, j in ((0, 0), (1, 1), (0, 1)))
    spread = np.hypot(xx - yy, 2 * xy)
    ratio = np.sqrt(np.maximum(xx + yy + spread, 1e-9) / np.maximum(xx + yy - spread, 1e-9))
    ratio = np.clip(ratio, 1, 16)
    area = np.abs(doubled_areas(shapes.corners, shapes.ring_ends)[starts_of(shapes.shape_ends)]) / (2 * QUARTERS**2)
    radius = np.sqrt(area / np.pi)
    long = np.maximum(1, np.floor(2 * radius * np.sqrt(ratio) + 0.5)).astype(np.int64)
    short = np.maximum(1, np.floor(2 * radius / np.sqrt(ratio) + 0.5)).astype(np.int64)
    turns = np.floor(np.arctan2(2 * xy, xx - yy) / 2 * TURNS / np.pi + 0.5).astype(np.int64) % TURNS
    points = middles(shapes).astype(np.int64) // QUARTERS
    return Symbols(points, long, short, turns, shapes.classes, shapes.scores)


def _outlines(shapes: Shapes, place: Place, prediction: int | None) -> list[bytes]:
    corners, sizes, counts = shapes.corners.astype(np.int64), shapes.ring_sizes(), shapes.ring_counts()
    begins = rings.begins_of(corners, sizes)
    prediction, stored, ellipses = _predicted(corners, sizes, begins, prediction)
    turned = prediction == rings.TURNED
    if turned:
        begins = corners[starts_of(shapes.ring_ends)]
    order, written = places.written(begins[starts_of(shapes.shape_ends)], place.begin * QUARTERS, ROW_BITS + 2)
    of_order = ranges(shapes.shape_ends, order)
    stored = stored[ranges(np.cumsum(sizes - turned), of_order)]
    begins, sizes, counts, ellipses = begins[of_order], sizes[of_order], counts[order], ellipses[of_order]
    further = np.ones(len(sizes), bool)
    further[np.cumsum(counts) - counts] = False
    return [
        (len(shapes) | prediction << 24 | NEW).to_bytes(4, "little"),
        *written,
        *column(shapes.classes[order]),
        *(column(shapes.scores[order]) if place.scored else []),
        *column(counts - 1),
        *column(sizes - 1),
        *_pairs(np.diff(begins, axis=0, prepend=0)[further]),
        *([] if turned else _written_ellipses(ellipses[rings.has_ellipse(sizes)])),
        *_pairs(stored),
    ]


def _predicted(corners: Longs, sizes: Longs, begins: Longs, prediction: int | None) -> tuple[int, Longs, Longs]:
    """The prediction, what is stored of corners (c, 2), or (c - r, 2) with turned steps, and ellipses (r, 4)."""
    ellipses, deviation = rings.ellipses_of(corners - np.repeat(begins, sizes, axis=0), sizes)
    number = prediction or rings.best_prediction(deviation, sizes)
    stored = rings.differences(deviation, sizes, number)
    is_far = np.abs(stored).sum() > NEAR * stored.size
    if prediction == rings.TURNED or (prediction is None and is_far):
        turned = rings.turned_differences(corners, sizes)
        of_ellipses = _bits(ellipses[rings.has_ellipse(sizes)])
        if prediction == rings.TURNED or _bits(turned) <= of_ellipses + _bits(stored):
            return rings.TURNED, turned, ellipses
    return number, stored, ellipses


def _bits(values: Longs) -> float:
    """Of signed columns (n, k), about: as if their numbers had Laplace's distribution."""
    means = np.abs(values).mean(axis=0) if len(values) else np.zeros(1)
    return len(values) * float(np.log2(1 + 2 * np.e * means).sum())


def _written_ellipses(ellipses: Longs) -> list[bytes]:
    a, b, c, d = ellipses.T
    return [*column(a, b, signed=True), *column(b + c, d - a, signed=True)]


def _pairs(values: Longs) -> list[bytes]:
    """Signed columns of x and y of (n, 2)."""
    return column(values[:, 0], values[:, 1], signed=True)


def _read_outlines(columns: Columns, place: Place) -> tuple[Shapes, bool]:
    """The shapes, and whether the tile is of version 5 or later."""
    number = columns.number()
    count, prediction, new = _bounded(number & 0xFFFFFF), number >> 24 & 127, number >= NEW
    if prediction > rings.MAX_PREDICTION:
        raise CorruptOverlay(f"a tile of prediction {prediction}")
    firsts = _read_places(columns, count, place.begin * QUARTERS, MAX_COORDINATE, new)
    classes = _bytes(columns.column(count))
    scores = _bytes(columns.column(count)) if place.scored else np.zeros(count, np.uint8)
    ring_counts = columns.column(count) + 1
    ring_count = _bounded(int(ring_counts.sum()))
    sizes = columns.column(ring_count) + 1
    if (sizes > MAX_CORNERS).any():
        raise CorruptOverlay("a ring of too many corners")
    total = _bounded(int(sizes.sum()))
    between = _read_pairs(columns, ring_count - count)
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
    return Shapes(corners.astype(np.int32), np.cumsum(sizes), np.cumsum(ring_counts), classes, scores), new


def _read_places(columns: Columns, count: int, origin: Longs, limit: int, new: bool) -> Longs:
    """Points (count, 2) by OV80; before version 5 steps from each to the next."""
    points: Longs = places.read(columns, count) if new else np.cumsum(_read_pairs(columns, count), axis=0)
    points = points + origin
    if np.abs(points).max(initial=0) > limit:
        raise CorruptOverlay("a shape or symbol that is too far away")
    return points


def _read_pairs(columns: Columns, count: int) -> Longs:
    """Signed columns of x and y as (count, 2)."""
    return np.stack([columns.signed(count), columns.signed(count)], axis=1)


def _symbols(symbols: Symbols, place: Place) -> list[bytes]:
    order, written = places.written(symbols.middles, place.begin, ROW_BITS)
    return [
        len(symbols).to_bytes(4, "little"),
        *written,
        *column(symbols.classes[order]),
        *(column(symbols.scores[order]) if place.scored else []),
        *column(symbols.long[order]),
        *column(symbols.short[order]),
        *column(symbols.turns[order]),
    ]


def _read_symbols(columns: Columns, place: Place, new: bool) -> Symbols:
    count, most = _bounded(columns.number()), MAX_COORDINATE // QUARTERS
    points = _read_places(columns, count, place.begin, most, new)
    classes = _bytes(columns.column(count))
    scores = _bytes(columns.column(count)) if place.scored else np.zeros(count, np.uint8)
    long, short, turns = columns.column(count), columns.column(count), columns.column(count)
    if (turns >= TURNS).any() or any(axis.min(initial=1) < 1 or axis.max(initial=1) > most for axis in (long, short)):
        raise CorruptOverlay("a symbol without a size or direction")
    return Symbols(points, long, short, turns, classes, scores)


def _counts(counts: Counts, scored: bool) -> list[bytes]:
    classes = sorted(counts.shapes)
    numbers = [counts.shapes[one].ravel() for one in classes]
    columns = [len(classes).to_bytes(4, "little"), *column(np.array(classes, np.int64))]
    columns += [part for one in numbers for part in planes(one)]
    if not scored:
        return columns
    sums = [counts.scores[one].ravel() for one in classes]
    means = [int(sum_.sum()) // max(1, int(number.sum())) for number, sum_ in zip(numbers, sums, strict=True)]
    columns += column(np.array(means, np.int64))
    for number, sum_, mean in zip(numbers, sums, means, strict=True):
        beyond = (sum_ - mean * number)[number > 0]
        doubled = (beyond << 1) ^ (beyond >> 63)
        columns += [*column(doubled & 0xFFFFFFFF), *column(doubled >> 32)]
    return columns


def _read_counts(columns: Columns, scored: bool, new: bool) -> Counts:
    classes = columns.column(_bounded(columns.number())).tolist()
    if classes != sorted(set(classes)) or any(one >= MAX_CLASSES for one in classes):
        raise CorruptOverlay("classes of counts that are not in order")
    shapes, scores = dict[int, Longs](), dict[int, Longs]()
    for one in classes:
        shapes[one] = columns.column(BINS * BINS).reshape(BINS, BINS)
        if scored and not new:
            scores[one] = _read_long(columns, BINS * BINS).reshape(BINS, BINS)
    means = _bytes(columns.column(len(classes))).tolist() if scored and new else []
    for one, mean in zip(classes, means, strict=bool(means)):
        scores[one] = _read_sums(columns, shapes[one], mean)
    return Counts(shapes, scores)


def _read_sums(columns: Columns, numbers: Longs, mean: int) -> Longs:
    """Of the scores in each square with shapes, from their differences to those of the mean score (OV81)."""
    there = numbers > 0
    doubled = _read_long(columns, int(there.sum()))
    sums = mean * numbers
    sums[there] += (doubled >> 1) ^ -(doubled & 1)
    if (sums < 0).any() or (sums > 255 * numbers).any():
        raise CorruptOverlay("a sum of scores that is out of its range")
    return sums


def _read_long(columns: Columns, count: int) -> Longs:
    """Numbers below 2^53, from two columns."""
    low, high = columns.column(count), columns.column(count)
    if (high >> 21).any():
        raise CorruptOverlay("a sum of scores that is out of its range")
    return low | (high << 32)


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
