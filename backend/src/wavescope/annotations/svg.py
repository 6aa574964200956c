"""Shapes as SVG, for the selectors of Web Annotations (AN18): straight lines, circles and ellipses."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from wavescope.annotations.content import Content, Kind
from wavescope.annotations.geometry import Box, Geometry, Positions, excerpt, parse_geometry, plain, rectangle
from wavescope.errors import InvalidParameter, TooLarge

NAMESPACE = "http://www.w3.org/2000/svg"
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
TOKEN = re.compile(rf"([A-Za-z])|({NUMBER})")
ELLIPSE = re.compile(
    rf"M ({NUMBER}),({NUMBER}) A {NUMBER},({NUMBER}) 0 1 1 ({NUMBER}),\2 A {NUMBER},\3 0 1 1 \1,\2 Z"
)  # what _ellipse writes; other curves are not read
DOT = 0.01  # pixels: the length of the line that a round cap makes a dot
LONGEST = 8 << 20  # characters of one selector
MAX_RINGS = 2000  # of one selector: each is compared with all others


def write_svg(content: Content) -> str:
    """The shape alone, as one path: viewers such as Mirador draw nothing else. A point is a dot (DOT)."""
    geometry = content.geometry
    if content.kind == "ellipse":
        data, look = _ellipse(geometry.box()), ""
    elif geometry.type in ("Point", "MultiPoint"):
        data = " ".join(f"M {x},{y} h {DOT}" for x, y in plain(geometry.parts[0]))
        look = ' stroke-width="10" stroke-linecap="round"'
    else:
        closed = " Z" if geometry.groups else ""
        parts = (part[:-1] if closed else part for part in geometry.parts)
        data, look = " ".join(f"M {_points(part)}{closed}" for part in parts), ' fill-rule="evenodd"'
    return f'<svg xmlns="{NAMESPACE}"><path{look} d="{data}"/></svg>'


def _ellipse(box: Box) -> str:
    """Its upper and its lower half."""
    middle, arc = (box.min_y + box.max_y) / 2, f"A {box.width / 2!r},{box.height / 2!r} 0 1 1"
    return f"M {box.min_x!r},{middle!r} {arc} {box.max_x!r},{middle!r} {arc} {box.min_x!r},{middle!r} Z"


def read_svg(text: str) -> tuple[Kind, Geometry]:
    """The first shape of an SVG. Raises InvalidParameter, TooLarge."""
    if len(text) > LONGEST or "<!" in text:  # no entities, no document types
        raise InvalidParameter("SvgSelector", excerpt(text), "a short SVG without declarations")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as cause:
        raise InvalidParameter("SvgSelector", excerpt(text), "well-formed SVG") from cause
    for element in root.iter():
        found = _shape(element.tag.rpartition("}")[2], element.attrib)
        if found is not None:
            return found
    raise InvalidParameter("SvgSelector", excerpt(text), "a polygon, polyline, line, path, rect, circle or ellipse")


def _shape(tag: str, attributes: dict[str, str]) -> tuple[Kind, Geometry] | None:
    match tag:
        case "polygon":
            return "polygon", parse_geometry({"type": "Polygon", "coordinates": [_pairs(attributes.get("points", ""))]})
        case "polyline":
            return "line", parse_geometry({"type": "LineString", "coordinates": _pairs(attributes.get("points", ""))})
        case "line":
            ends = [
                [_number(attributes, "x1"), _number(attributes, "y1")],
                [_number(attributes, "x2"), _number(attributes, "y2")],
            ]
            return "line", parse_geometry({"type": "LineString", "coordinates": ends})
        case "rect":
            x, y = _number(attributes, "x"), _number(attributes, "y")
            return "rectangle", rectangle(
                Box(x, y, x + _number(attributes, "width"), y + _number(attributes, "height"))
            )
        case "circle" | "ellipse":
            x, y = _number(attributes, "cx"), _number(attributes, "cy")
            rx, ry = (
                (_number(attributes, "r"),) * 2
                if tag == "circle"
                else (_number(attributes, "rx"), _number(attributes, "ry"))
            )
            return "ellipse", rectangle(Box(x - rx, y - ry, x + rx, y + ry))
        case "path":
            return _path(attributes.get("d", ""))
    return None


def _path(text: str) -> tuple[Kind, Geometry]:
    """Points if the pen only moves or makes dots, polygons if every line is closed, else lines."""
    ellipse = ELLIPSE.fullmatch(text)
    if ellipse:
        left, middle, half, right = map(float, ellipse.groups())
        return "ellipse", rectangle(Box(left, middle - half, right, middle + half))
    parts = list(_subpaths(text))
    lines = [(points, closed) for points, closed in parts if not _is_dot(points)]
    if parts and not lines:
        starts = [points[0] for points, _ in parts]
        many = len(starts) != 1
        return "point", parse_geometry(
            {"type": "MultiPoint" if many else "Point", "coordinates": starts if many else starts[0]}
        )
    if all(closed for _, closed in lines):
        polygons = nest([points for points, _ in lines])
        many = len(polygons) != 1
        coordinates = polygons if many else polygons[0]
        return "polygon", parse_geometry({"type": "MultiPolygon" if many else "Polygon", "coordinates": coordinates})
    many = len(lines) != 1
    tracks = [points for points, _ in lines]
    return "line", parse_geometry(
        {"type": "MultiLineString" if many else "LineString", "coordinates": tracks if many else tracks[0]}
    )


def _is_dot(points: list[list[float]]) -> bool:
    (x, y), (last_x, last_y) = points[0], points[-1]
    return len(points) == 1 or (len(points) == 2 and abs(last_x - x) + abs(last_y - y) < 2 * DOT)


def _subpaths(text: str) -> Iterator[tuple[list[list[float]], bool]]:
    """The lines of a path of M, L, H, V and Z; anything curved is refused by name."""
    tokens = [match.groups() for match in TOKEN.finditer(text)]
    points: list[list[float]] = []
    command, here, start, place = "", (0.0, 0.0), (0.0, 0.0), 0

    def number() -> float:
        nonlocal place
        if place >= len(tokens) or not tokens[place][1]:
            raise InvalidParameter("SvgSelector", excerpt(text), "a path with a number where one is needed")
        place += 1
        return float(tokens[place - 1][1])

    while place < len(tokens):
        if tokens[place][0]:
            command = tokens[place][0]
            place += 1
        relative = here if command.islower() else (0.0, 0.0)
        match command.upper():
            case "Z":
                yield points, True
                points, here, command = [], start, ""
                continue
            case "M" | "L":
                here = (relative[0] + number(), relative[1] + number())
            case "H":
                here = (relative[0] + number(), here[1])
            case "V":
                here = (here[0], relative[1] + number())
            case _:
                raise InvalidParameter("SvgSelector", command, "a path of M, L, H, V and Z")
        if command in "Mm":
            if points:
                yield points, False
            points, start = [], here
            command = "L" if command == "M" else "l"
        elif not points:
            points.append(list(start))
        points.append(list(here))
    if points:
        yield points, False


def nest(rings: list[list[list[float]]]) -> list[list[list[list[float]]]]:
    """Rings as polygons: a ring whose first corner lies inside an earlier outer ring is that one's hole.

    Raises TooLarge.
    """
    if len(rings) > MAX_RINGS:
        raise TooLarge("the number of an SvgSelector's rings", len(rings), MAX_RINGS)
    firsts, is_free = np.array([ring[0] for ring in rings]), np.ones(len(rings), bool)
    polygons = []
    for number, ring in enumerate(rings):
        if is_free[number]:
            is_free[number] = False
            later = np.flatnonzero(is_free)
            holes = later[inside(firsts[later], np.array(ring))]
            is_free[holes] = False
            polygons.append([ring, *(rings[hole] for hole in holes)])
    return polygons


def inside(points: Positions, ring: Positions) -> NDArray[np.bool_]:
    """Which of the points lie in the ring, by the even-odd rule."""
    odd = np.zeros(len(points), bool)
    low, high = ring.min(axis=0), ring.max(axis=0)
    near = np.flatnonzero(((points >= low) & (points <= high)).all(axis=1))
    x, y = points[near].T
    with np.errstate(invalid="ignore", over="ignore"):  # corners beyond every slide, which are refused later
        for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True) if len(near) else ():
            if y0 != y1:
                odd[near] ^= ((y0 > y) != (y1 > y)) & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
    return odd


def _points(positions: Positions) -> str:
    return " ".join(f"{x},{y}" for x, y in plain(positions))


def _pairs(text: str) -> list[list[float]]:
    numbers = [float(part) for part in re.findall(NUMBER, text)]
    return [list(pair) for pair in zip(numbers[::2], numbers[1::2], strict=False)]


def _number(attributes: dict[str, Any], name: str) -> float:
    try:
        number = float(attributes.get(name, "0").removesuffix("px"))
    except ValueError as cause:
        raise InvalidParameter(f"SvgSelector {name}", excerpt(attributes.get(name)), "a number") from cause
    if not math.isfinite(number):
        raise InvalidParameter(f"SvgSelector {name}", excerpt(number), "a finite number")
    return number
