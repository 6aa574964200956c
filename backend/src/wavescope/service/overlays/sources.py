"""Where the shapes of an import come from: a file, or a synthetic specimen, which knows where it painted its cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wavescope.errors import InvalidParameter
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import Transform, add_shapes
from wavescope.overlays.reading.files import Reading, read_shapes
from wavescope.overlays.reading.skipped import Skipped
from wavescope.service.overlays.masks import placed_mask, read_mask
from wavescope.service.overlays.spatial_data import is_spatial_data, read_spatial_data
from wavescope.source.masks import is_mask
from wavescope.source.specimen.spec import parse_spec
from wavescope.source.specimen.truth import CLASSES, outlines

Share = Callable[[float], None]
"""How much of the source is read, 0 to 1."""
PROBABILITY = "Probability"


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

    def reading_on(self, width: int, height: int) -> Reading:
        """How it is read for a slide of this size. Raises SourceError kinds, MissingPackage."""
        return self.reading if self.reading.transform else replace(self.reading, transform=self.placed(width, height))


def of_file(path: Path, reading: Reading) -> ShapeSource:
    """A file, or a folder of OME-Zarr or SpatialData. Raises SourceError kinds, OSError."""
    if is_spatial_data(path):
        return ShapeSource(lambda *to: read_spatial_data(path, *to), reading)
    if is_mask(path):
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
