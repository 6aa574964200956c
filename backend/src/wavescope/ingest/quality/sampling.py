"""The pieces of a slide from which its encode parameters are chosen (ST57)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from wavescope.geometry import TILE, Pyramid
from wavescope.source.base import Pixels, SlideSource

GRID = 5  # pieces across and down
SIDE = 256  # pixels of a piece
FAMILIES = 16
MIN_ACTIVITY = 0.3
"""Pieces whose neighbouring pixels differ less, as a share of the most detailed piece's, are glass, not tissue."""


class Family(NamedTuple):
    """Up to 2 x 2 tiles with a common parent, as one picture, and which of them is meant: its column and row."""

    image: Pixels
    quadrant: tuple[int, int]

    @property
    def tile(self) -> Pixels:
        """The tile that is meant."""
        x, y = self.quadrant
        return np.ascontiguousarray(self.image[TILE * y : TILE * (y + 1), TILE * x : TILE * (x + 1)])


@dataclass(frozen=True)
class Sample:
    """``pieces`` of the middle plane, row by row, at (``l0_x``, ``l0_y``) in ``places``; equal places only once.
    ``side``: the longer side of the slide, in pixels.
    """

    image: Pixels
    pieces: tuple[Pixels, ...]
    places: tuple[tuple[int, int], ...]
    side: int
    all_tissue: bool = False
    families: tuple[Family, ...] = ()  # of the tiles on which the stored quality is measured

    @property
    def area(self) -> int:
        """Pixels of all pieces."""
        return sum(int(piece.shape[0]) * int(piece.shape[1]) for piece in self.pieces)

    def tissue(self, limit: int) -> list[int]:
        """Numbers of up to ``limit`` pieces with tissue, spread evenly over them."""
        if self.all_tissue:
            return list(range(min(limit, len(self.pieces))))
        activities = [activity(piece) for piece in self.pieces]
        least = MIN_ACTIVITY * max(activities)
        found = [number for number, value in enumerate(activities) if value >= least]
        count = min(limit, len(found))
        return [found[(2 * i + 1) * len(found) // (2 * count)] for i in range(count)]


def activity(piece: Pixels) -> float:
    """Mean difference of neighbouring pixels, across."""
    return float(np.abs(np.diff(piece.astype(np.int32), axis=1)).mean()) if piece.shape[1] > 1 else 0.0


def sample_of(source: SlideSource, pyramid: Pyramid, planes: int) -> Sample:
    """A grid of GRID x GRID pieces of the middle plane.

    They depend on the slide's pixels alone, so the digest does too.
    """
    width, height = min(SIDE, pyramid.width), min(SIDE, pyramid.height)
    xs, ys = (_starts(pyramid.width - width), _starts(pyramid.height - height))
    rows = [[source.read_region(planes // 2, x, y, width, height) for x in xs] for y in ys]
    picture: Pixels = np.concatenate([np.concatenate(row, axis=1) for row in rows], axis=0)
    distinct = {
        (xs[i], ys[j]): rows[j][i] for j in _apart(ys, height // 2) for i in _apart(xs, width // 2)
    }  # on small slides they overlap
    return Sample(picture, tuple(distinct.values()), tuple(distinct), max(pyramid.width, pyramid.height))


def tiles_under(sample: Sample, limit: int) -> list[tuple[int, int]]:
    """Columns and rows of the level-0 tiles in which pieces with tissue have their middle."""
    height, width = sample.pieces[0].shape[:2]
    places = [sample.places[at] for at in sample.tissue(limit)]
    return list(dict.fromkeys(((x + width // 2) // TILE, (y + height // 2) // TILE) for x, y in places))


def sample_of_tiles(source: SlideSource, sample: Sample, limit: int) -> Sample:
    """Whole tiles instead of the pieces with tissue: those on which the stored quality is measured (ST60)."""
    info = source.info
    pyramid = Pyramid(info.width, info.height)
    tiles = tiles_under(sample, limit)
    pieces = [source.read_region(info.planes // 2, TILE * x, TILE * y, *pyramid.tile_size(0, x, y)) for x, y in tiles]
    places = tuple((TILE * x, TILE * y) for x, y in tiles)
    families = _families(source, pyramid, tiles[:FAMILIES])
    return Sample(sample.image, tuple(pieces), places, sample.side, all_tissue=True, families=families)


def with_families(source: SlideSource, sample: Sample, limit: int) -> Sample:
    """The same pieces, with the families of the tiles on which the stored quality is measured (ST60)."""
    pyramid = Pyramid(source.info.width, source.info.height)
    return replace(sample, families=_families(source, pyramid, tiles_under(sample, limit)))


def _families(source: SlideSource, pyramid: Pyramid, tiles: list[tuple[int, int]]) -> tuple[Family, ...]:
    """None if the tiles have no parents."""
    return tuple(_family(source, pyramid, x, y) for x, y in tiles) if pyramid.top else ()


def _family(source: SlideSource, pyramid: Pyramid, x: int, y: int) -> Family:
    left, top = TILE * (x & ~1), TILE * (y & ~1)
    width, height = min(2 * TILE, pyramid.width - left), min(2 * TILE, pyramid.height - top)
    return Family(source.read_region(source.info.planes // 2, left, top, width, height), (x % 2, y % 2))


def _apart(starts: list[int], minimum: int) -> list[int]:
    """Numbers of the starts that lie at least so far behind the one before."""
    found = [0]
    for number, start in enumerate(starts):
        if start - starts[found[-1]] >= max(1, minimum):
            found.append(number)
    return found


def _starts(limit: int) -> list[int]:
    return [limit * (2 * i + 1) // (2 * GRID) for i in range(GRID)]
