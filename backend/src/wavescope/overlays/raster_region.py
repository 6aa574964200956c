"""A region of a raster as an array (OV71, OV76). Pure."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter, TooLarge
from wavescope.overlays.manifest import Score
from wavescope.overlays.raster import SIDE, Affine, Raster, Samples, pixels_of, placed
from wavescope.overlays.region import Region

Values = NDArray[np.float64]


class Part(NamedTuple):
    """Pixels of a level. ``transform``: from columns and rows of the part to pixels of level 0."""

    level: int
    begin: tuple[int, int]
    """Its left column and its top row."""
    samples: Samples
    """(rows, columns), zeros as long as no tile is pasted."""
    tiles: tuple[tuple[int, int], ...]
    """Column and row of those that it touches."""
    transform: Affine


def part_of(raster: Raster, region: Region, level: int, most: int) -> Part:
    """The pixels of a level that a region touches, at most so many. Raises InvalidParameter, TooLarge."""
    if not 0 <= level <= raster.top:
        raise InvalidParameter("level", str(level), f"0 to {raster.top}")
    left, top, right, bottom = pixels_of(raster, region, level)
    width, height = max(0, right - left), max(0, bottom - top)
    if width * height > most:
        raise TooLarge("the number of pixels of the region", width * height, most)
    columns, rows = range(left // SIDE, -(-right // SIDE)), range(top // SIDE, -(-bottom // SIDE))
    tiles = tuple((x, y) for y in rows for x in columns) if width * height else ()
    return Part(level, (left, top), np.zeros((height, width), np.uint16), tiles, placed(raster, level, left, top))


def numbers_of(samples: Samples, raster: Raster, score: Score | None) -> Values | Samples:
    """Values in the unit of the source, NaN where there is none; labels are the samples (OV65)."""
    if score is None:
        return samples
    steps = (samples - np.float64(1)) * ((score.most - score.least) / (raster.last - 1))
    return np.where(samples > 0, steps + score.least, np.nan)
