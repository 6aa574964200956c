"""Builds an overlay of a raster that arrives in windows, with bounded memory (OV66 to OV69)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from wavescope.overlays.archive import ArchiveWriter
from wavescope.overlays.manifest import OverlayManifest
from wavescope.overlays.raster import SIDE, Samples, encoded_raster, reduced

HALF = SIDE // 2
Window = tuple[int, int, Samples]
"""Its left column, its top row, its samples."""


class RasterBuilder:
    """Writes an overlay of ``manifest.raster``. ``folder`` is an empty one for what waits; the caller removes it. Of
    each level above 0 one row of tiles is in memory, at most 256 MiB together.
    """

    def __init__(self, folder: Path, manifest: OverlayManifest) -> None:
        assert manifest.raster is not None
        self._manifest, self._raster = manifest, manifest.raster
        self._writer = ArchiveWriter(folder, manifest.top)
        sizes = [self._raster.size_at(level) for level in range(1, manifest.top + 1)]
        self._above = [np.empty((min(SIDE, height), width), np.uint16) for width, height in sizes]

    def build(self, windows: Iterable[Window], path: Path) -> tuple[str, OverlayManifest]:
        """Takes all windows, row of tiles by row of tiles, from the left, each of whole tiles; writes the overlay, and
        answers its digest and its manifest. Raises what ``windows`` raises.
        """
        try:
            for left, top, samples in windows:
                self._add_row(0, left // SIDE, top // SIDE, samples)
            raster = replace(self._raster, bytes=self._writer.bytes_of_levels())
            manifest = replace(self._manifest, raster=raster)
            return self._writer.finish(path, manifest), manifest
        finally:
            self._writer.close()

    def _add_row(self, level: int, first: int, y: int, samples: Samples) -> None:
        """Tiles beside each other, the first one in this column."""
        for number, left in enumerate(range(0, samples.shape[1], SIDE)):
            self._add(level, first + number, y, np.ascontiguousarray(samples[:, left : left + SIDE]))

    def _add(self, level: int, x: int, y: int, tile: Samples) -> None:
        kind, is_top = self._raster.kind, level == self._manifest.top
        if is_top or tile.any():
            self._writer.add(level, x, y, encoded_raster(tile, kind))
        if is_top:
            return
        part, above = reduced(tile, kind), self._above[level]
        top, left = (y & 1) * HALF, x * HALF
        above[top : top + part.shape[0], left : left + part.shape[1]] = part
        width, height = self._raster.size_at(level)
        if (x + 1) * SIDE >= width and (y & 1 or (y + 1) * SIDE >= height):
            self._add_row(level + 1, 0, y >> 1, above[: top + part.shape[0]])
