"""Shapes in level-0 pixels, as GeoJSON writes them (AN3): validated, closed, two numbers a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter, TooLarge

GeometryType = Literal["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"]
GEOMETRY_TYPES: tuple[GeometryType, ...] = get_args(GeometryType)
DEPTH: dict[GeometryType, int] = {
    "Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3,
}  # fmt: skip
FARTHEST = float(1 << 31)  # level-0 pixels; no slide reaches it
MAX_VERTICES = 100_000  # of one object
FEW = 32  # positions that are handled faster one by one than as an array

Positions = NDArray[np.float64]


@dataclass(frozen=True)
class Box:
    """A rectangle in level-0 pixels with edges parallel to the slide's."""

    min_x: float
    min_y: float
    max_x: float
    max_y: float

    @property
    def width(self) -> float:
        return self.max_x - self.min_x

    @property
    def height(self) -> float:
        return self.max_y - self.min_y


@dataclass(frozen=True)
class Geometry:
    """``parts``: one (n, 2) array per point list, line or ring. ``groups``: how many parts each polygon has."""

    type: GeometryType
    parts: tuple[Positions, ...]
    groups: tuple[int, ...] = ()

    @property
    def vertices(self) -> int:
        return sum(len(part) for part in self.parts)

    def box(self) -> Box:
        """The smallest box around it."""
        if self.vertices <= FEW:
            xs, ys = zip(*(position for part in self.parts for position in part.tolist()), strict=True)
            return Box(min(xs), min(ys), max(xs), max(ys))
        low = np.min([part.min(axis=0) for part in self.parts], axis=0)
        high = np.max([part.max(axis=0) for part in self.parts], axis=0)
        return Box(float(low[0]), float(low[1]), float(high[0]), float(high[1]))

    def polygons(self) -> Iterator[tuple[Positions, ...]]:
        """The rings of each polygon, the outer one first; nothing for points and lines."""
        start = 0
        for count in self.groups:
            yield self.parts[start : start + count]
            start += count

    def to_json(self) -> dict[str, Any]:
        """GeoJSON."""
        listed = [plain(part) for part in self.parts]
        coordinates: Any
        match self.type:
            case "Point":
                coordinates = listed[0][0]
            case "MultiPoint" | "LineString":
                coordinates = listed[0]
            case "MultiLineString" | "Polygon":
                coordinates = listed
            case "MultiPolygon":
                coordinates = [[plain(ring) for ring in rings] for rings in self.polygons()]
        return {"type": self.type, "coordinates": coordinates}


def parse_geometry(value: object) -> Geometry:
    """GeoJSON's geometry. Open rings are closed, third coordinates dropped. Raises InvalidParameter, TooLarge."""
    if not isinstance(value, dict):
        raise InvalidParameter("geometry", excerpt(value), "a GeoJSON geometry")
    kind, coordinates = value.get("type"), value.get("coordinates")
    if kind not in GEOMETRY_TYPES:
        raise InvalidParameter("geometry.type", excerpt(kind), f"one of {', '.join(GEOMETRY_TYPES)}")
    nested: Any = coordinates
    for _ in range(1 - DEPTH[kind]):
        nested = [nested]
    match kind:
        case "Point" | "MultiPoint":
            geometry = Geometry(kind, (_positions(nested, 1),))
        case "LineString":
            geometry = Geometry(kind, (_positions(nested, 2),))
        case "MultiLineString":
            geometry = Geometry(kind, tuple(_positions(line, 2) for line in _items(nested)))
        case "Polygon":
            rings = tuple(_ring(ring) for ring in _items(nested))
            geometry = Geometry(kind, rings, (len(rings),))
        case _:
            polygons = [tuple(_ring(ring) for ring in _items(listed)) for listed in _items(nested)]
            geometry = Geometry(kind, sum(polygons, ()), tuple(len(rings) for rings in polygons))
    if geometry.vertices > MAX_VERTICES:
        raise TooLarge("the number of an object's vertices", geometry.vertices, MAX_VERTICES)
    return geometry


def rectangle(box: Box) -> Geometry:
    """A box as a polygon of one ring: four corners and the first again. Raises InvalidParameter."""
    x0, y0, x1, y1 = box.min_x, box.min_y, box.max_x, box.max_y
    ring = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)], dtype=np.float64)
    return Geometry("Polygon", (_near(ring, box),), (1,))


def is_rectangle(geometry: Geometry) -> bool:
    """Whether it is one ring through the four corners of a box."""
    if geometry.type != "Polygon" or len(geometry.parts) != 1 or len(geometry.parts[0]) != 5:
        return False
    ring = geometry.parts[0]
    steps = np.diff(ring, axis=0) != 0
    straight = bool((steps.sum(axis=1) == 1).all())
    return straight and bool((steps[:-1, 0] != steps[1:, 0]).all())


def plain(positions: Positions) -> list[list[float | int]]:
    """Lists of numbers; whole ones without a fraction, which saves a quarter of the bytes."""
    if len(positions) > FEW and (positions == np.rint(positions)).all():
        whole: list[list[float | int]] = positions.astype(np.int64).tolist()
        return whole
    return [[int(x) if x.is_integer() else x, int(y) if y.is_integer() else y] for x, y in positions.tolist()]


def excerpt(value: object) -> str:
    """A faulty value, short enough for a message."""
    return str(value)[:80]


def _items(value: object) -> Sequence[object]:
    if not isinstance(value, list) or not value:
        raise InvalidParameter("geometry.coordinates", excerpt(value), "a list that is not empty")
    return value


def _positions(value: object, minimum: int) -> Positions:
    expected = f"at least {minimum} positions of two finite numbers"
    try:
        found = np.asarray(_items(value))
    except ValueError as cause:  # lists of unequal lengths
        raise InvalidParameter("geometry.coordinates", excerpt(value), expected) from cause
    if found.dtype.kind not in "if" or found.ndim != 2 or found.shape[1] not in (2, 3) or len(found) < minimum:
        raise InvalidParameter("geometry.coordinates", excerpt(value), expected)
    return _near(found[:, :2].astype(np.float64), value)


def _near(positions: Positions, value: object) -> Positions:
    """The positions, if a slide could have them. Raises InvalidParameter."""
    if not (np.abs(positions) <= FARTHEST).all():  # NaN fails too
        raise InvalidParameter("geometry.coordinates", excerpt(value), f"numbers up to {FARTHEST:.0f}")
    return positions


def _ring(value: object) -> Positions:
    ring = _positions(value, 3)
    if (ring[0] != ring[-1]).any():
        ring = np.concatenate([ring, ring[:1]])
    if len(ring) < 4:
        raise InvalidParameter("geometry.coordinates", excerpt(value), "rings of at least three corners")
    return ring
