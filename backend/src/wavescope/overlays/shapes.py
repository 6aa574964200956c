"""Shapes as columns of numbers (OV1 to OV6), and what follows from their corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Number = TypeVar("Number", bound=np.generic)

QUARTERS = 4
MAX_CORNERS = 100_000
MAX_COORDINATE = 1 << 28
"""In quarters of a pixel."""
MAX_CLASSES = 256


@dataclass(frozen=True)
class Shapes:
    """n shapes of r rings and c corners, in columns.

    ``corners`` (c, 2) int32: x and y in quarters of a pixel of level 0. ``ring_ends`` (r,) and ``shape_ends`` (n,)
    int64: the number of corners up to the end of each ring, the number of rings up to the end of each shape.
    ``classes`` and ``scores`` (n,) uint8; scores are 0 where an overlay has none.
    """

    corners: Ints
    ring_ends: Longs
    shape_ends: Longs
    classes: NDArray[np.uint8]
    scores: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.shape_ends)

    def ring_sizes(self) -> Longs:
        """Corners of each ring (r,)."""
        return np.diff(self.ring_ends, prepend=0)

    def ring_counts(self) -> Longs:
        """Rings of each shape (n,)."""
        return np.diff(self.shape_ends, prepend=0)

    def first_corners(self) -> Longs:
        """The number of the first corner of each shape (n,)."""
        return starts_of(self.ring_ends)[starts_of(self.shape_ends)]

    @cached_property
    def boxes(self) -> tuple[Ints, Ints]:
        """The least and the most x and y of each shape, (n, 2) each."""
        if len(self) == 0:
            return np.zeros((0, 2), np.int32), np.zeros((0, 2), np.int32)
        starts = self.first_corners()
        return np.minimum.reduceat(self.corners, starts), np.maximum.reduceat(self.corners, starts)

    def select(self, chosen: Longs) -> Shapes:
        """Those shapes, in this order."""
        if np.array_equal(chosen, np.arange(len(self))):
            return self
        rings = ranges(self.shape_ends, chosen)
        corners = ranges(self.ring_ends, rings)
        return Shapes(
            corners_of(as_pairs(self.corners)[corners]),
            np.cumsum(self.ring_sizes()[rings]),
            np.cumsum(self.ring_counts()[chosen]),
            self.classes[chosen],
            self.scores[chosen],
        )


def joined(parts: Sequence[Shapes]) -> Shapes:
    """All shapes of all parts, in order."""
    parts = [part for part in parts if len(part)]
    if len(parts) == 1:
        return parts[0]
    corners = np.cumsum([0, *(len(part.corners) for part in parts)])
    rings = np.cumsum([0, *(len(part.ring_ends) for part in parts)])
    return Shapes(
        _concatenated([part.corners for part in parts], np.zeros((0, 2), np.int32)),
        _concatenated([part.ring_ends + start for part, start in zip(parts, corners, strict=False)], _no_longs()),
        _concatenated([part.shape_ends + start for part, start in zip(parts, rings, strict=False)], _no_longs()),
        _concatenated([part.classes for part in parts], np.zeros(0, np.uint8)),
        _concatenated([part.scores for part in parts], np.zeros(0, np.uint8)),
    )


def shapes_of(
    corners: Floats, ring_ends: Longs, shape_ends: Longs, classes: NDArray[np.uint8], scores: NDArray[np.uint8]
) -> Shapes:
    """Shapes of corners (c, 2) in pixels: rounded, without what repeats, with a positive area (OV1, OV4).

    Raises InvalidParameter for a corner that is no number or too far away, a ring or shape without corners, and one of
    too many.
    """
    if not np.isfinite(corners).all() or (np.abs(corners) >= MAX_COORDINATE / QUARTERS).any():
        raise InvalidParameter("corner", "beyond the limit", f"coordinates of less than {MAX_COORDINATE // QUARTERS:,}")
    rounded = np.floor(QUARTERS * corners + 0.5).astype(np.int32)
    sizes = np.diff(ring_ends, prepend=0)
    if (sizes < 1).any() or (np.diff(shape_ends, prepend=0) < 1).any():
        raise InvalidParameter("shape", "without corners", "at least one corner in each ring")
    rounded, ring_ends = _without_repeated(rounded, ring_ends)
    rounded = _turned(rounded, ring_ends)
    shapes = Shapes(rounded, ring_ends, shape_ends, classes, scores)
    if len(shapes) and int(np.add.reduceat(shapes.ring_sizes(), starts_of(shape_ends)).max()) > MAX_CORNERS:
        raise InvalidParameter("shape", "of too many corners", f"at most {MAX_CORNERS:,} corners")
    return shapes


def middles(shapes: Shapes) -> Ints:
    """The middle of each shape's bounding box (n, 2), in quarters of a pixel (OV6)."""
    least, most = shapes.boxes
    return ((least.astype(np.int64) + most) // 2).astype(np.int32)


def doubled_areas(corners: Ints, ring_ends: Longs) -> Longs:
    """Twice the signed area of each ring (r,), in squares of a quarter of a pixel."""
    if len(ring_ends) == 0:
        return _no_longs()
    starts, sizes = starts_of(ring_ends), np.diff(ring_ends, prepend=0)
    # from the first corner of each ring, so that products stay small, and the last one is 0
    x, y = (column.astype(np.int64) - np.repeat(column[starts], sizes) for column in corners.T)
    cross = np.zeros(len(corners), np.int64)
    cross[:-1] = x[:-1] * y[1:] - x[1:] * y[:-1]
    cross[ring_ends - 1] = 0
    areas: Longs = np.add.reduceat(cross, starts)
    return areas


def _without_repeated(corners: Ints, ring_ends: Longs) -> tuple[Ints, Longs]:
    """Without corners equal to the one before them in their ring, and without a closing one; one corner stays."""
    pairs = as_pairs(corners)
    kept = np.ones(len(pairs), bool)
    kept[1:] = pairs[1:] != pairs[:-1]
    kept[starts_of(ring_ends)] = True
    # the last corner that is kept may close the ring; a run of equal ones at the end was reduced to its first
    ends = np.cumsum(kept)[ring_ends - 1]
    at = np.flatnonzero(kept)
    lasts, starts = at[ends - 1], at[starts_of(ends)]
    kept[lasts[(lasts > starts) & (pairs[lasts] == pairs[starts])]] = False
    return corners_of(pairs[kept]), np.cumsum(kept)[ring_ends - 1]


def _turned(corners: Ints, ring_ends: Longs) -> Ints:
    """The same rings, those of a negative area in the other direction from the same first corner."""
    negative = doubled_areas(corners, ring_ends) < 0
    if not negative.any():
        return corners
    sizes, starts = np.diff(ring_ends, prepend=0), starts_of(ring_ends)
    within = np.arange(len(corners)) - np.repeat(starts, sizes)
    backwards = np.where(within == 0, 0, np.repeat(sizes, sizes) - within)
    source = np.repeat(starts, sizes) + np.where(np.repeat(negative, sizes), backwards, within)
    return corners_of(as_pairs(corners)[source])


def as_pairs(corners: Ints) -> Longs:
    """Corners (c, 2) as one number each (c,), which are quicker to choose and to compare."""
    pairs: Longs = np.ascontiguousarray(corners).view(np.int64)[:, 0]
    return pairs


def corners_of(pairs: Longs) -> Ints:
    """The corners (c, 2) of such numbers (c,)."""
    return pairs[:, None].view(np.int32)


def ranges(ends: Longs, chosen: Longs) -> Longs:
    """The numbers of all parts of the chosen ones; ``ends``: how many parts there are up to the end of each."""
    starts = starts_of(ends)[chosen]
    sizes = ends[chosen] - starts
    total = np.cumsum(sizes)
    offsets: Longs = np.arange(int(total[-1]) if len(total) else 0) + np.repeat(starts - (total - sizes), sizes)
    return offsets


def starts_of(ends: Longs) -> Longs:
    """Where each part begins, of the numbers at which they end (n,)."""
    starts: Longs = np.concatenate([np.zeros(1, np.int64), ends])[:-1]
    return starts


def _concatenated(parts: list[NDArray[Number]], nothing: NDArray[Number]) -> NDArray[Number]:
    return np.concatenate(parts) if parts else nothing


def _no_longs() -> Longs:
    return np.zeros(0, np.int64)
