"""Where an overlay comes from: a file, or a synthetic specimen, which knows where it painted its cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wavescope.errors import InvalidParameter, UnsupportedSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import Transform, add_shapes
from wavescope.overlays.reading.files import Reading, read_shapes
from wavescope.overlays.reading.skipped import Skipped
from wavescope.service.overlays.masks import placed_mask, read_mask
from wavescope.service.overlays.rasters import IDENTITY, LabelSource, RasterSource, Written
from wavescope.service.overlays.spatial_data import is_spatial_data, read_spatial_data
from wavescope.source.base import Limits
from wavescope.source.masks import is_mask, raster_content
from wavescope.source.specimen.spec import parse_spec
from wavescope.source.specimen.truth import CLASSES, outlines

Share = Callable[[float], None]
"""How much of the source is read, 0 to 1."""
PROBABILITY = "Probability"
READ = 0.6
"""The part of the work after which all shapes are read."""


def unchanged(_width: int, _height: int) -> Transform | None:
    """No transform."""
    return None


class ShapeSource(NamedTuple):
    """``read``: adds all shapes to a builder; ``reading``: with what score and transform. ``placed``: the transform on
    a slide of this width and height where none is given.
    """

    read: Callable[[Builder, Reading, Share], Skipped]
    reading: Reading
    placed: Callable[[int, int], Transform | None] = unchanged

    def write(self, work: Path, content: Path, size: tuple[int, int], share: Share) -> Written:
        """As that of RasterSource."""
        reading = self.reading_on(*size)
        builder = Builder(work, *size, reading.score or None)
        reported = self.read(builder, reading, lambda part: share(READ * part))
        digest, manifest = builder.finish(content, lambda part: share(READ + (1 - READ) * part))
        return Written(digest, manifest, reading.transform or IDENTITY, reported)

    def reading_on(self, width: int, height: int) -> Reading:
        """How it is read for a slide of this size. Raises SourceError kinds, MissingPackage."""
        return self.reading if self.reading.transform else replace(self.reading, transform=self.placed(width, height))


OverlaySource = ShapeSource | RasterSource | LabelSource


def of_file(path: Path, reading: Reading) -> OverlaySource:
    """A file, or a folder of OME-Zarr or SpatialData. Raises SourceError kinds, OSError, MissingPackage."""
    masked = is_mask(path)
    content = reading.content or (raster_content(path, Limits()) if masked else "shapes")
    if content != "shapes":
        if not masked:
            raise UnsupportedSource(path, "rasters are read from TIFF, PNG, OME-Zarr labels and DICOM segmentations")
        return RasterSource(path, replace(reading, content=content))
    return _of_shapes(path, masked, reading)


def _of_shapes(path: Path, masked: bool, reading: Reading) -> ShapeSource:
    if is_spatial_data(path):
        return ShapeSource(lambda *to: read_spatial_data(path, *to), reading)
    if masked:
        return ShapeSource(lambda *to: read_mask(path, *to), reading, lambda *size: placed_mask(path, *size))
    size = max(1, path.stat().st_size)

    def read(builder: Builder, chosen: Reading, share: Share) -> Skipped:
        return read_shapes(path, builder, chosen, lambda n: share(n / size))

    return ShapeSource(read, reading)


def of_specimen(text: str, reading: Reading) -> ShapeSource:
    """The outlines of all cells of ``specimen:WxH[?seed=N]``, with a probability. Raises InvalidParameter."""
    spec, reading = parse_spec(text), Reading(reading.score or PROBABILITY, reading.transform)
    if spec.channels:
        raise InvalidParameter("specimen", text, "one of a stained section, without channels")

    def read(builder: Builder, chosen: Reading, share: Share) -> Skipped:
        numbers = np.array([builder.class_number(name) for name in CLASSES], np.uint8)
        for cells in outlines(spec):
            count, corners, _ = cells.corners.shape
            ends = np.arange(1, count + 1)
            classes = numbers[cells.classes]
            flat = cells.corners.reshape(-1, 2)
            add_shapes(builder, flat, (corners * ends, ends), classes, cells.scores, chosen.transform)
            share(min(1.0, float(flat[:, 1].max()) / spec.height))
        return Skipped()

    return ShapeSource(read, reading)
