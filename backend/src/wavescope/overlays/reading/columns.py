"""Shapes in columns, as the readers of tables have them, on their way to a builder (OV26)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter
from wavescope.overlays.builder import Builder
from wavescope.overlays.shapes import Floats, Longs, shapes_of

Transform = tuple[float, float, float, float, float, float]


def add_shapes(
    builder: Builder,
    corners: Floats,
    ends: tuple[Longs, Longs],
    classes: NDArray[np.uint8],
    scores: NDArray[np.floating],
    transform: Transform | None,
) -> None:
    """Adds shapes of corners (c, 2) in the source's coordinates; ``ends``: of the rings and of the shapes, as Shapes
    has them; classes and scores (n,). Raises InvalidParameter.
    """
    if not np.isfinite(scores).all():
        raise InvalidParameter("score", "no number", "a finite number for each shape")
    none = np.zeros(len(classes), np.uint8)
    builder.add(shapes_of(moved(corners, transform), *ends, classes, none), scores.astype(np.float32))


def add_points(
    builder: Builder,
    points: Floats,
    classes: NDArray[np.uint8],
    scores: NDArray[np.floating],
    transform: Transform | None,
) -> None:
    """Adds points (n, 2). Raises InvalidParameter."""
    ends = np.arange(1, len(points) + 1)
    add_shapes(builder, points, (ends, ends), classes, scores, transform)


def moved(corners: Floats, transform: Transform | None) -> Floats:
    """The corners in pixels of level 0."""
    if transform is None:
        return corners
    a, b, c, d, e, f = transform
    x, y = corners[:, 0], corners[:, 1]
    return np.stack([a * x + b * y + c, d * x + e * y + f], axis=1)
