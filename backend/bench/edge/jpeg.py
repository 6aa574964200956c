"""The tiles of a DZI that a trace looks at, at any JPEG quality: bytes and PSNR by level without a DZI on disk.

Levels and tiles are those of ``vips dzsave``: 2 x 2 means, tiles of 254 + 1 pixel of overlap, the same libjpeg-turbo.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from traffic import DZI_OVERLAP, DZI_TILE, paste
from views import View

from wavescope.source.open import open_source
from wavescope_lab.replay.tiles import DeepZoom, tiles_of
from wavescope_lab.workload.pathologist import Field

LEVELS = 4
STRIP = 1024  # rows that are read at once
ROWS = 64  # rows of a level that are averaged at once
FULL_COLOUR = 90
"""``vips`` halves the resolution of colour at lower qualities (4:2:0), and keeps it from here on (4:4:4)."""

Plane = NDArray[np.uint8]


class Jpeg(NamedTuple):
    """Quality and colour. ``usual``: as ``vips dzsave`` does it by default; else 4:4:4 at every quality."""

    quality: int
    usual: bool = True

    @property
    def halved(self) -> bool:
        return self.usual and self.quality < FULL_COLOUR


class Amount(NamedTuple):
    """Bytes of the tiles that the trace looks at, and dB of the fields that are compared."""

    bytes: int
    psnr: float


class JpegLevels:
    """The four finest levels of a slide. ``fields``: of a trace; ``compared``: those whose PSNR is measured."""

    def __init__(self, slide: Path, fields: Sequence[Field], compared: Sequence[View]) -> None:
        self._levels = _levels(slide)
        height, width, _ = self._levels[0].shape
        layout = DeepZoom("", (width, height), (DZI_TILE, DZI_TILE), "jpg")
        self._tiles = sorted({tile for field in fields for tile in tiles_of(field, layout)})
        self.references = {view: _means(self._levels[0], view) for view in compared}
        self.amount = cache(self._amount)

    def _amount(self, level: int, jpeg: Jpeg) -> Amount:
        tiles = [tile for tile in self._tiles if tile[0] == level]
        views = [view for view in self.references if view.level == level]
        with ThreadPoolExecutor(2) as executor:
            sizes = executor.map(lambda tile: len(self._encoded(tile, jpeg)), tiles)
            pictures = executor.map(lambda view: self._decoded(view, jpeg), views)
            return Amount(
                sum(sizes), pooled_psnr([(self.references[v], p) for v, p in zip(views, pictures, strict=True)])
            )

    def _encoded(self, tile: tuple[int, int, int], jpeg: Jpeg) -> bytes:
        level, x, y = tile
        left, top = (max(0, place * DZI_TILE - DZI_OVERLAP) for place in (x, y))
        right, bottom = ((place + 1) * DZI_TILE + DZI_OVERLAP for place in (x, y))
        file = io.BytesIO()
        part = Image.fromarray(self._levels[level][top:bottom, left:right])
        part.save(file, "JPEG", quality=jpeg.quality, subsampling=2 if jpeg.halved else 0)
        return file.getvalue()

    def _decoded(self, view: View, jpeg: Jpeg) -> Plane:
        out = np.zeros((view.ln_height, view.ln_width, 3), np.uint8)
        for x, y in view.tiles(DZI_TILE):
            picture = np.asarray(Image.open(io.BytesIO(self._encoded((view.level, x, y), jpeg))))
            inner = picture[DZI_OVERLAP * (y > 0) :, DZI_OVERLAP * (x > 0) :][:DZI_TILE, :DZI_TILE]
            paste(out, inner, x * DZI_TILE - view.ln_x, y * DZI_TILE - view.ln_y)
        return out


def pooled_psnr(pairs: Sequence[tuple[NDArray[np.float64], Plane]]) -> float:
    """RGB PSNR in dB of all pairs of reference and picture together."""
    squares = sum(float(((reference - picture) ** 2).sum()) for reference, picture in pairs)
    return 10 * math.log10(255**2 * sum(reference.size for reference, _ in pairs) / max(squares, 1e-9))


def _levels(slide: Path) -> list[Plane]:
    source = open_source(slide)
    info = source.info
    finest = np.empty((info.height, info.width, 3), np.uint8)
    for y in range(0, info.height, STRIP):
        finest[y : y + STRIP] = source.read_region(0, 0, y, info.width, min(STRIP, info.height - y))[..., :3]
    levels = [finest]
    while len(levels) < LEVELS:
        levels.append(_halved(levels[-1]))
    return levels


def _halved(plane: Plane) -> Plane:
    height, width, _ = plane.shape
    even = np.pad(plane, ((0, height % 2), (0, width % 2), (0, 0)), "edge").astype(np.uint16)
    sums = even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2]
    return ((sums + 2) >> 2).astype(np.uint8)


def _means(finest: Plane, view: View) -> NDArray[np.float64]:
    """A view of its level as the mean over each pixel's box of level 0; the view is inside the full boxes."""
    side = 1 << view.level
    left, right = view.ln_x * side, (view.ln_x + view.ln_width) * side
    rows = []
    for start in range(view.ln_y, view.ln_y + view.ln_height, ROWS):
        count = min(ROWS, view.ln_y + view.ln_height - start)
        strip = finest[start * side : (start + count) * side, left:right]
        rows.append(strip.reshape(count, side, view.ln_width, side, 3).mean(axis=(1, 3), dtype=np.float64))
    return np.concatenate(rows)
