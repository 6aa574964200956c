"""Rasters for tests."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from wavescope.overlays.archive import Archive
from wavescope.overlays.raster import SIDE, Samples


def opened(path: Path) -> Archive:
    content = io.BytesIO(path.read_bytes())

    def read(start: int, length: int) -> bytes:
        content.seek(start)
        return content.read(length)

    return Archive(read)


def whole(archive: Archive, level: int = 0) -> Samples:
    """All samples of a level (height, width)."""
    raster = archive.manifest.raster
    assert raster is not None
    width, height = raster.size_at(level)
    found = np.zeros((height, width), np.uint16)
    for at, x, y in archive.places():
        if at == level:
            tile = archive.samples(level, x, y)
            assert tile is not None
            found[y * SIDE : y * SIDE + tile.shape[0], x * SIDE : x * SIDE + tile.shape[1]] = tile
    return found


def heat(width: int, height: int) -> np.ndarray:
    """Probabilities (height, width) float32, smooth, with a hole."""
    y, x = np.mgrid[:height, :width]
    made = (0.5 + 0.5 * np.sin(x / 37) * np.cos(y / 23)).astype(np.float32)
    made[: height // 8, : width // 8] = np.nan
    return made
