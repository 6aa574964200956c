"""Where the shapes of an import come from: a file, or a synthetic specimen, which knows where it painted its cells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wavescope.errors import InvalidParameter
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import add_shapes
from wavescope.overlays.reading.files import Reading, read_shapes
from wavescope.overlays.reading.skipped import Skipped
from wavescope.source.specimen.spec import parse_spec
from wavescope.source.specimen.truth import CLASSES, outlines

Share = Callable[[float], None]
"""How much of the source is read, 0 to 1."""
PROBABILITY = "Probability"


class ShapeSource(NamedTuple):
    """``read``: adds all shapes to a builder; ``reading``: with what score and transform."""

    read: Callable[[Builder, Share], Skipped]
    reading: Reading


def of_file(path: Path, reading: Reading) -> ShapeSource:
    """Raises OSError."""
    size = max(1, path.stat().st_size)
    return ShapeSource(lambda builder, share: read_shapes(path, builder, reading, lambda n: share(n / size)), reading)


def of_specimen(text: str, reading: Reading) -> ShapeSource:
    """The outlines of all cells of ``specimen:WxH[?seed=N]``, with a probability. Raises InvalidParameter."""
    spec, reading = parse_spec(text), Reading(reading.score or PROBABILITY, reading.transform)
    if spec.channels:
        raise InvalidParameter("specimen", text, "one of a stained section, without channels")

    def read(builder: Builder, share: Share) -> Skipped:
        numbers = np.array([builder.class_number(name) for name in CLASSES], np.uint8)
        for cells in outlines(spec):
            count, corners, _ = cells.corners.shape
            ends = np.arange(1, count + 1)
            classes = numbers[cells.classes]
            flat = cells.corners.reshape(-1, 2)
            add_shapes(builder, flat, (corners * ends, ends), classes, cells.scores, reading.transform)
            share(min(1.0, float(flat[:, 1].max()) / spec.height))
        return Skipped()

    return ShapeSource(read, reading)
