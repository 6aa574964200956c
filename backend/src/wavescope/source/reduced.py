"""Coarse views of a source that is not analysed yet: from the file's own reduced pictures, or by averaging.

They are for display only: no coefficient is made of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
from openslide import OpenSlide, OpenSlideError
from PIL import Image
from tifffile import TiffFile

from wavescope.errors import SourceError, UnsupportedSource
from wavescope.geometry import TILE, Pyramid
from wavescope.source.base import Limits, Pixels, SlideSource, composite
from wavescope.source.channels import mixed_source
from wavescope.source.files import head_of
from wavescope.source.open import SPECIMEN
from wavescope.source.rendering import Rendering, rendering_of
from wavescope.source.segment_cache import SegmentCache
from wavescope.source.tiff.chain import is_tiff
from wavescope.source.tiff.plane import TiffPlane
from wavescope.source.tiff.with_tifffile import largest, planes_of
from wavescope.source.with_openslide import detect

AVERAGED = 1 << 28  # level-0 pixels that one view may be averaged from
BAND = 1 << 24  # of them read at once

Read = Callable[[int, int, int, int, int], Pixels]


@dataclass(frozen=True)
class Reduction:
    """A picture of the whole slide, ``factor`` times smaller; ``read(z, x, y, width, height)`` in its own pixels."""

    factor: float
    width: int
    height: int
    read: Read


class ReducedSource:
    """Pixels of any level of a source: exact at level 0, coarser ones as good as the file has them."""

    def __init__(self, source: SlideSource, path: Path | str, limits: Limits | None = None) -> None:
        self.source, self.shown = source, mixed_source(source)
        self.pyramid = Pyramid(source.info.width, source.info.height)
        self._close: list[Callable[[], object]] = []
        self.reductions = self._find(path, limits or Limits()) if not source.info.descriptions else []

    def read_tile(self, z: int, level: int, x: int, y: int) -> Pixels:
        """The valid part of a tile. Raises SourceError kinds; UnsupportedSource if it would take too long."""
        return self._read(z, level, (TILE * x, TILE * y), self.pyramid.tile_size(level, x, y))

    def read_level(self, z: int, level: int) -> Pixels:
        """All of a level. Raises as ``read_tile``."""
        return self._read(z, level, (0, 0), self.pyramid.level_size(level))

    def _read(self, z: int, level: int, corner: tuple[int, int], size: tuple[int, int]) -> Pixels:
        (left, top), (width, height) = corner, size
        if level == 0:
            return self.shown.read_region(z, left, top, width, height)
        fitting = [one for one in self.reductions if one.factor <= 2**level * 1.01]
        if fitting:
            nearest = max(fitting, key=lambda one: one.factor)
            return _shrunk(nearest, z, 2**level, corner, size)
        return self._averaged(z, level, left, top, width, height)

    def close(self) -> None:
        for close in self._close:
            close()
        self.source.close()

    def _averaged(self, z: int, level: int, left: int, top: int, width: int, height: int) -> Pixels:
        scale, info = 2**level, self.shown.info
        if width * height * scale * scale > AVERAGED:
            raise UnsupportedSource(info.format, "the file has no reduced pictures: come nearer, or wait")
        out = np.empty((height, width, info.channels), np.uint8)
        rows = max(1, BAND // (width * scale * scale))
        for start in range(0, height, rows):
            stop = min(height, start + rows)
            l0_x, l0_y = left * scale, (top + start) * scale
            right, bottom = min(info.width, (left + width) * scale), min(info.height, (top + stop) * scale)
            pixels = self.shown.read_region(z, l0_x, l0_y, right - l0_x, bottom - l0_y)
            out[start:stop] = _resized(pixels, width, stop - start)
        return out

    def _find(self, path: Path | str, limits: Limits) -> list[Reduction]:
        """The file's own reductions; none where it has none or they cannot be read."""
        if str(path).startswith(SPECIMEN) or Path(path).is_dir():
            return []
        try:
            if is_tiff(head_of(Path(path))) and detect(Path(path)) in (None, "generic-tiff"):
                return self._tiff(Path(path), limits)
            return self._openslide(Path(path)) if detect(Path(path)) else []
        except (SourceError, OSError, OpenSlideError):
            return []

    def _openslide(self, path: Path) -> list[Reduction]:
        slide = OpenSlide(path)
        self._close.append(slide.close)
        if slide.dimensions != (self.pyramid.width, self.pyramid.height) or self.source.info.planes > 1:
            return []

        def reader(level: int, factor: float) -> Read:
            def read(z: int, x: int, y: int, width: int, height: int) -> Pixels:
                image = slide.read_region((round(x * factor), round(y * factor)), level, (width, height))
                return composite(np.asarray(image))

            return read

        sizes, factors = slide.level_dimensions, slide.level_downsamples
        return [
            Reduction(factor, *size, reader(level, factor))
            for level, (size, factor) in enumerate(zip(sizes, factors, strict=True))
            if level > 0
        ]

    def _tiff(self, path: Path, limits: Limits) -> list[Reduction]:
        descriptor = os.open(path, os.O_RDONLY)
        self._close.append(lambda: os.close(descriptor))
        cache = SegmentCache(limits.cache_bytes)
        found = []
        with TiffFile(path, _multifile=False) as tiff:
            for series in largest(path, tiff).levels[1:]:
                page = series.keyframe
                rendering = rendering_of(path, page)
                planes = list(planes_of(path, descriptor, series, cache, limits))
                if not rendering.wide and len(planes) == self.source.info.planes:
                    factor = self.pyramid.width / page.imagewidth
                    found.append(Reduction(factor, page.imagewidth, page.imagelength, _reader(planes, rendering)))
        return found


def _reader(planes: Sequence[TiffPlane], rendering: Rendering) -> Read:
    return lambda z, x, y, width, height: rendering.apply(planes[z].read(x, y, width, height), None)


def _shrunk(one: Reduction, z: int, scale: int, corner: tuple[int, int], size: tuple[int, int]) -> Pixels:
    """A region of the level ``scale`` times smaller than the slide, from a finer picture."""
    (left, top), (width, height) = corner, size
    step = scale / one.factor
    x, y = min(int(left * step), one.width - 1), min(int(top * step), one.height - 1)
    right = min(one.width, max(x + 1, ceil((left + width) * step)))
    bottom = min(one.height, max(y + 1, ceil((top + height) * step)))
    return _resized(one.read(z, x, y, right - x, bottom - y), width, height)


def _resized(pixels: Pixels, width: int, height: int) -> Pixels:
    if pixels.shape[:2] == (height, width):
        return pixels
    channels = pixels.shape[2]
    image = Image.fromarray(pixels[:, :, 0] if channels == 1 else pixels)
    return np.asarray(image.resize((width, height), Image.Resampling.BOX)).reshape(height, width, channels)
