"""The levels of a file as the page shows them before it is imported (shared/spec/local.md, LI6)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from wavescope.geometry import Pyramid
from wavescope.source.base import Limits, Pixels
from wavescope.source.open import open_source
from wavescope.source.reduced import ReducedSource, Reduction

ROUNDING = 1
"""Of a side of a reduced picture, in pixels."""
MOST_PIXELS = 1 << 22
"""That are read at once for the means of a level."""


class FileLevels:
    """RGB of any level: as the file has it, else the rounded means of 2 x 2 pixels of the level below.

    Raises SourceError kinds, MissingPackage.
    """

    def __init__(self, path: Path, limits: Limits | None = None) -> None:
        self._reduced = ReducedSource(open_source(path, limits), path, limits)
        self.pyramid, self.planes = self._reduced.pyramid, self._reduced.source.info.planes
        self._own = {_level_of(self.pyramid, one): one for one in self._reduced.reductions}

    def close(self) -> None:
        self._reduced.close()

    def read(self, level: int, x: int, y: int, width: int, height: int) -> Pixels:
        """A region inside of a level (height, width, 3). Raises UnreadableSource."""
        if level == 0:
            pixels = self._reduced.shown.read_region(0, x, y, width, height)
            return np.ascontiguousarray(np.broadcast_to(pixels, (height, width, 3)))
        if own := self._own.get(level):
            return _as_file(own, x, y, width, height)
        rows = max(1, MOST_PIXELS // (4 * width))
        tops = range(y, y + height, rows)
        return np.concatenate([self._means(level, x, top, width, min(rows, y + height - top)) for top in tops])

    def _means(self, level: int, x: int, y: int, width: int, height: int) -> Pixels:
        wide, high = self.pyramid.level_size(level - 1)
        below = self.read(level - 1, 2 * x, 2 * y, min(2 * width, wide - 2 * x), min(2 * height, high - 2 * y))
        four = _continued(below, 2 * width, 2 * height).astype(np.uint16)
        means: Pixels = ((four[::2, ::2] + four[::2, 1::2] + four[1::2, ::2] + four[1::2, 1::2] + 2) >> 2).astype(
            np.uint8
        )
        return means


def _as_file(own: Reduction, x: int, y: int, width: int, height: int) -> Pixels:
    """A reduced picture can be a pixel smaller than the level: its last column and row are repeated."""
    left, top = min(x, own.width - 1), min(y, own.height - 1)
    wide, high = min(width, own.width - left), min(height, own.height - top)
    return _continued(own.read(0, left, top, wide, high), width, height)


def _continued(pixels: Pixels, width: int, height: int) -> Pixels:
    return np.pad(pixels, ((0, height - pixels.shape[0]), (0, width - pixels.shape[1]), (0, 0)), mode="edge")


def _level_of(pyramid: Pyramid, one: Reduction) -> int:
    """The level of this size; -1: none."""
    for level in range(1, pyramid.top + 1):
        wide, high = pyramid.level_size(level)
        if abs(one.width - wide) <= ROUNDING and abs(one.height - high) <= ROUNDING:
            return level
    return -1
