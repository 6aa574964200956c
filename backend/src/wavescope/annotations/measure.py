"""What an annotation measures (AN13). Micrometres where the slide's mpp is known, else level-0 pixels."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wavescope.annotations.content import Content
from wavescope.annotations.geometry import Positions


class Mpp(NamedTuple):
    """Micrometres per level-0 pixel."""

    x: float
    y: float


class Measures(NamedTuple):
    """What does not apply is None. ``length`` of closed shapes is the perimeter, holes included; angle in degrees."""

    length: float | None
    area: float | None
    angle: float | None


NOTHING = Measures(None, None, None)


def measure(content: Content, mpp: Mpp | None) -> Measures:
    """Lengths in um or px, areas in um^2 or px^2."""
    scale = np.array(mpp or (1.0, 1.0))
    geometry = content.geometry
    match content.kind:
        case "point" | "text":
            return NOTHING
        case "ellipse":
            box = geometry.box()
            return _ellipse(box.width * scale[0] / 2, box.height * scale[1] / 2)
        case "angle":
            return Measures(None, None, angle(geometry.parts[0] * scale))
        case "line" | "arrow":
            return Measures(sum(length(part * scale) for part in geometry.parts), None, None)
        case _:
            area = 0.0
            for outer, *holes in geometry.polygons():
                area += ring_area(outer * scale) - sum(ring_area(hole * scale) for hole in holes)
            return Measures(sum(length(part * scale) for part in geometry.parts), area, None)


def length(positions: Positions) -> float:
    """The length of a line through positions."""
    steps = np.diff(positions, axis=0)
    return float(np.hypot(steps[:, 0], steps[:, 1]).sum())


def ring_area(ring: Positions) -> float:
    """The shoelace formula, about the first corner so that large coordinates cost no digits."""
    x, y = (ring - ring[0]).T
    return abs(float(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1]))) / 2


def angle(positions: Positions) -> float:
    """Degrees between the legs of three positions, at the middle one: 0 to 180."""
    one, other = positions[0] - positions[1], positions[2] - positions[1]
    cross = one[0] * other[1] - one[1] * other[0]
    return math.degrees(math.atan2(abs(float(cross)), float(np.dot(one, other))))


def _ellipse(a: float, b: float) -> Measures:
    """The perimeter by Ramanujan's second formula, within 0.04 % even when flat."""
    if a + b == 0:
        return Measures(0.0, 0.0, None)
    h = ((a - b) / (a + b)) ** 2
    perimeter = math.pi * (a + b) * (1 + 3 * h / (10 + math.sqrt(4 - 3 * h)))
    return Measures(float(perimeter), float(math.pi * a * b), None)
