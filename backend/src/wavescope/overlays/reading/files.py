"""Which reader reads a file (OV24)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from wavescope.errors import InvalidParameter
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.geojson import Skipped, read_geojson

Transform = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Reading:
    """How a file is read. ``score``: the name of the measurement or column that is the score, empty: none;
    ``transform``: (a, b, c, d, e, f), applied to its coordinates: x' = a x + b y + c, y' = d x + e y + f.
    """

    score: str = ""
    transform: Transform | None = None


def parse_transform(text: str) -> Transform | None:
    """``scale``, ``scale,x,y`` or ``a,b,c,d,e,f`` as a transform; None for an empty text. Raises InvalidParameter."""
    if not text:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) in (1, 3):
        scale, x, y = numbers if len(numbers) == 3 else (numbers[0], 0.0, 0.0)
        numbers = [scale, 0.0, x, 0.0, scale, y]
    if len(numbers) != 6 or not all(map(math.isfinite, numbers)):
        raise InvalidParameter("transform", text[:80], "scale; scale,x,y; or a,b,c,d,e,f")
    a, b, c, d, e, f = numbers
    if abs(a * e - b * d) < 1e-12:
        raise InvalidParameter("transform", text[:80], "one that can be inverted")
    return a, b, c, d, e, f


def read_shapes(
    path: Path, builder: Builder, reading: Reading, progress: Callable[[int], None] = lambda _: None
) -> Skipped:
    """Adds all shapes of a file; what was left out. ``progress`` gets the bytes that were read.

    Raises UnsupportedSource for a file of another kind, UnreadableSource for a damaged one, InvalidParameter, TooLarge,
    MissingPackage.
    """
    with path.open("rb") as stream:
        return read_geojson(stream, path.name, builder, reading.score or None, progress)
