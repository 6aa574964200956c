"""Builds an overlay of a raster that arrives row by row, with bounded memory (OV66 to OV69)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from wavescope.overlays.archive import ArchiveWriter
from wavescope.overlays.manifest import OverlayManifest
from wavescope.overlays.raster import SIDE, Raster, Samples, encoded_raster, reduced

Progress = Callable[[float], None]


class RasterBuilder:
    """Writes an overlay of ``manifest.raster``. ``folder`` is an empty one for what waits; the caller removes it. Of
    each level one row of tiles is in memory.
    """

    def __init__(self, folder: Path, manifest: OverlayManifest) -> None:
        assert manifest.raster is not None
        self._manifest, self._raster = manifest, manifest.raster
        self._writer = ArchiveWriter(folder, manifest.top)
        self._bands = [_Band(self._raster, level) for level in range(manifest.top + 1)]

    def build(self, rows: Iterable[Samples], path: Path, progress: Progress = lambda _: None) -> str:
        """Takes all rows (any number of them, width) from the top, writes the overlay, and answers its digest. Raises
        what ``rows`` raises.
        """
        done = 0
        try:
            for part in rows:
                self._add(0, part)
                done += len(part)
                progress(done / self._raster.height)
            return self._writer.finish(path, self._manifest)
        finally:
            self._writer.close()

    def _add(self, level: int, rows: Samples) -> None:
        band, at = self._bands[level], 0
        while at < len(rows):
            at += band.take(rows[at:])
            if band.complete:
                row, samples = band.end()
                self._write(level, row, samples)
                if level < self._manifest.top:
                    self._add(level + 1, reduced(samples, self._raster.kind))

    def _write(self, level: int, row: int, samples: Samples) -> None:
        for x, left in enumerate(range(0, samples.shape[1], SIDE)):
            tile = samples[:, left : left + SIDE]
            if level == self._manifest.top or tile.any():
                self._writer.add(level, x, row, encoded_raster(np.ascontiguousarray(tile), self._raster.kind))


class _Band:
    """The row of tiles of a level that is not complete."""

    def __init__(self, raster: Raster, level: int) -> None:
        self._width, self._height = raster.size_at(level)
        self._samples: Samples = np.zeros((0, self._width), np.uint16)
        self._row = self._filled = 0

    def take(self, rows: Samples) -> int:
        """How many of the rows it takes."""
        if len(self._samples) == 0:
            self._samples = np.empty((min(SIDE, self._height - self._row * SIDE), self._width), np.uint16)
        count = min(len(rows), len(self._samples) - self._filled)
        self._samples[self._filled : self._filled + count] = rows[:count]
        self._filled += count
        return count

    @property
    def complete(self) -> bool:
        return self._filled == len(self._samples)

    def end(self) -> tuple[int, Samples]:
        """Which row of tiles it is, and its samples."""
        row, samples = self._row, self._samples
        self._row, self._filled, self._samples = row + 1, 0, np.zeros((0, self._width), np.uint16)
        return row, samples
