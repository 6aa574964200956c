"""Which tile a shape belongs to, and the counts of the levels (OV5 to OV9). Pure."""

from __future__ import annotations

import numpy as np

from wavescope.overlays.shapes import QUARTERS, Ints, Longs, Shapes, middles
from wavescope.overlays.tile import BINS, TILE, Counts, Place


def top_level(width: int, height: int) -> int:
    """The first level whose tile covers a slide of so many pixels."""
    return max(0, (max(width, height, 1) - 1).bit_length() - (TILE.bit_length() - 1))


def levels_of(shapes: Shapes, top: int) -> Longs:
    """The level of each shape (n,): the lowest whose tiles are at least twice its longer side (OV7)."""
    least, most = shapes.boxes
    sides = (most.astype(np.int64) - least).max(axis=1, initial=0)
    half = TILE * QUARTERS // 2
    levels: Longs = np.searchsorted(half << np.arange(top), sides, side="left")
    return levels


def tiles_of(points: Ints, level: Longs | int, width: int, height: int) -> Longs:
    """x and y of the tiles (n, 2) of a level, or of one level each, that contain points in quarters of a pixel."""
    inside = np.clip(points.astype(np.int64), 0, np.array([width, height]) * QUARTERS - 1)
    shift = np.asarray(level) + (TILE * QUARTERS).bit_length() - 1
    tiles: Longs = inside >> (shift[:, None] if shift.ndim else shift)
    return tiles


def counted(shapes: Shapes, place: Place, width: int, height: int) -> Counts:
    """The counts of a tile of the shapes whose middle it contains (OV9)."""
    inside = np.clip(middles(shapes).astype(np.int64), 0, np.array([width, height]) * QUARTERS - 1)
    side = (TILE * QUARTERS // BINS) << place.level
    squares = (inside - np.array([place.left, place.top]) * QUARTERS) // side
    numbers = squares[:, 1] * BINS + squares[:, 0]
    found, scores = {}, {}
    for one in np.unique(shapes.classes).tolist():
        own = shapes.classes == one
        found[one] = np.bincount(numbers[own], minlength=BINS * BINS).reshape(BINS, BINS)
        weights = shapes.scores[own].astype(np.float64)  # exact below 2^53
        sums = np.bincount(numbers[own], weights, minlength=BINS * BINS)
        scores[one] = sums.astype(np.int64).reshape(BINS, BINS)
    return Counts(found, scores)


def combined(children: dict[tuple[int, int], Counts]) -> Counts:
    """The counts of the tile above up to four, by their column and row of 0 and 1."""
    half = BINS // 2
    shapes: dict[int, Longs] = {}
    scores: dict[int, Longs] = {}
    for (column, row), child in children.items():
        window = (slice(row * half, (row + 1) * half), slice(column * half, (column + 1) * half))
        for sums, of in ((shapes, child.shapes), (scores, child.scores)):
            for one, values in of.items():
                target = sums.setdefault(one, np.zeros((BINS, BINS), np.int64))
                target[window] = values.reshape(half, 2, half, 2).sum(axis=(1, 3))
    return Counts(shapes, scores)
