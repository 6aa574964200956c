"""The pieces of a slide from which its encode parameters are chosen (ST57)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavescope.geometry import Pyramid
from wavescope.source.base import Pixels, SlideSource

GRID = 5  # pieces across and down
SIDE = 256  # pixels of a piece
LEAST_ACTIVITY = 0.3
"""Pieces whose neighbouring pixels differ less, as a share of the liveliest piece's, are glass, not tissue."""


@dataclass(frozen=True)
class Sample:
    """``pieces`` of the middle plane, row by row, at (``l0_x``, ``l0_y``) in ``places``; equal places only once."""

    picture: Pixels
    pieces: tuple[Pixels, ...]
    places: tuple[tuple[int, int], ...]

    @property
    def area(self) -> int:
        """Pixels of all pieces."""
        return sum(int(piece.shape[0]) * int(piece.shape[1]) for piece in self.pieces)

    def tissue(self, most: int) -> list[int]:
        """Numbers of up to ``most`` pieces with tissue, spread evenly over them."""
        activities = [activity(piece) for piece in self.pieces]
        least = LEAST_ACTIVITY * max(activities)
        found = [number for number, value in enumerate(activities) if value >= least]
        count = min(most, len(found))
        return [found[(2 * i + 1) * len(found) // (2 * count)] for i in range(count)]


def activity(piece: Pixels) -> float:
    """Mean difference of neighbouring pixels, across."""
    return float(np.abs(np.diff(piece.astype(np.int16), axis=1)).mean()) if piece.shape[1] > 1 else 0.0


def sample_of(source: SlideSource, pyramid: Pyramid, planes: int) -> Sample:
    """A grid of GRID x GRID pieces of the middle plane.

    They depend on the slide's pixels alone, so the digest does too.
    """
    width, height = min(SIDE, pyramid.width), min(SIDE, pyramid.height)
    xs, ys = (_starts(pyramid.width - width), _starts(pyramid.height - height))
    rows = [[source.read_region(planes // 2, x, y, width, height) for x in xs] for y in ys]
    picture: NDArray[np.uint8] = np.concatenate([np.concatenate(row, axis=1) for row in rows], axis=0)
    distinct = {(x, y): piece for y, row in zip(ys, rows, strict=True) for x, piece in zip(xs, row, strict=True)}
    return Sample(picture, tuple(distinct.values()), tuple(distinct))


def _starts(most: int) -> list[int]:
    return [most * (2 * i + 1) // (2 * GRID) for i in range(GRID)]
