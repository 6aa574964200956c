"""Slides that openslide reads. The only file that knows openslide.

The rule for pixels: openslide-python's RGBA of level 0 over the slide's background colour (property
``openslide.background-color``), white if it names none. Opaque pixels are openslide's R, G and B, unchanged.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from openslide import OpenSlide, OpenSlideCache, OpenSlideError
from PIL import Image

from wavescope.errors import UnreadableSource
from wavescope.source.base import Limits, Pixels, SourceInfo, check_region, composite
from wavescope.source.dicom.series import Series, volumes
from wavescope.source.files import head_of, source_files, source_size
from wavescope.source.properties import positive_number, publishable
from wavescope.source.tiff.chain import is_tiff
from wavescope.source.tile_bytes import tiff_tile_bytes

WHITE = (255, 255, 255)


def detect(path: Path) -> str | None:
    """openslide's name for the format of this file, or None if it does not know it."""
    return OpenSlide.detect_format(path)


def identifying(path: Path, max_pixels: int) -> tuple[dict[str, str], dict[str, Image.Image]]:
    """All properties, and the pictures beside the slide (label, macro ...) but its thumbnail and what is too large.

    Raises UnreadableSource.
    """
    try:
        with OpenSlide(path) as slide:
            properties = dict(slide.properties)
            names = [name for name in slide.associated_images if name != "thumbnail"]
            sizes = {
                name: [int(properties.get(f"openslide.associated.{name}.{side}", 0)) for side in ("width", "height")]
                for name in names
            }
            return properties, {
                name: slide.associated_images[name] for name in names if 0 < math.prod(sizes[name]) <= max_pixels
            }
    except (OpenSlideError, OSError) as error:
        raise UnreadableSource(path, f"the file is damaged or incomplete (OpenSlide: {error})") from error


class OpenSlideSource:
    """One slide through openslide; a single focal plane."""

    def __init__(self, path: Path, limits: Limits, series: Series | None = None) -> None:
        self._path = path
        self._series = series
        try:
            self._slide = OpenSlide(path)
        except (OpenSlideError, OSError) as error:
            raise UnreadableSource(path, f"the file is damaged or incomplete (OpenSlide: {error})") from error
        self._slide.set_cache(OpenSlideCache(limits.cache_bytes))
        self._background = _colour(self._slide.properties.get("openslide.background-color"))
        self._info = self._describe()

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        check_region(self._info, z, l0_x, l0_y, width, height)
        try:
            image = self._slide.read_region((l0_x, l0_y), 0, (width, height))
        except OpenSlideError as error:
            region = f"{width} x {height} pixels at ({l0_x}, {l0_y})"
            raise UnreadableSource(
                self._path, f"the file is damaged or incomplete: {region} are missing (OpenSlide: {error})"
            ) from error
        return composite(np.asarray(image), self._background)

    def close(self) -> None:
        self._slide.close()

    def _describe(self) -> SourceInfo:
        properties = self._slide.properties
        width, height = self._slide.dimensions
        vendor = properties.get("openslide.vendor", "unknown")
        return SourceInfo(
            width=width,
            height=height,
            channels=3,
            format=vendor,
            source_bytes=source_size(source_files(self._path)),
            properties=publishable(properties),
            mpp_x=positive_number(properties.get("openslide.mpp-x")),
            mpp_y=positive_number(properties.get("openslide.mpp-y")),
            objective_power=positive_number(properties.get("openslide.objective-power")),
            vendor=vendor,
            icc_profile=self._icc_profile(),
            tile_bytes=self._tile_bytes(),
            notices=self._series.notices if self._series else (),
        )

    def _tile_bytes(self) -> int | None:
        if self._series:
            return sum(instance.pixel_bytes for instance in volumes(self._series.instances))
        return tiff_tile_bytes(self._path, self._slide.level_dimensions) if is_tiff(head_of(self._path)) else None

    def _icc_profile(self) -> bytes | None:
        if self._slide.color_profile is None:
            return None
        try:
            profile = self._slide.read_region((0, 0), 0, (1, 1)).info.get("icc_profile")
        except OpenSlideError as error:
            raise UnreadableSource(self._path, f"the file is damaged or incomplete (OpenSlide: {error})") from error
        return bytes(profile) if profile else None


def _colour(text: str | None) -> tuple[int, int, int]:
    """``RRGGBB`` as openslide writes it; white where there is none."""
    if text is None or len(text) != 6:
        return WHITE
    red, green, blue = bytes.fromhex(text)
    return red, green, blue
