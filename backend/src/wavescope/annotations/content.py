"""The content of an annotation: what a person writes. Ids, revisions and times are the service's (AN2)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from wavescope.annotations.geometry import Geometry, excerpt, is_rectangle, parse_geometry
from wavescope.errors import InvalidParameter, TooLarge

Kind = Literal["point", "line", "arrow", "angle", "rectangle", "ellipse", "polygon", "freehand", "text"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Color = tuple[int, int, int]

NAME_LENGTH = 200
TEXT_LENGTH = 10_000
FOREIGN_BYTES = 64 * 1024
NOT_STORED = re.compile("[\x00\ud800-\udfff]")  # letters that a database cannot store
MEMBERS = ("kind", "geometry", "plane", "name", "text", "class", "color", "foreign")
CANONICAL = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, sort_keys=True, allow_nan=False)


class Plane(NamedTuple):
    """Channel (-1: all), focal plane, time point: QuPath's three numbers. Only z is used here."""

    c: int = -1
    z: int = 0
    t: int = 0


DEFAULT_PLANE = Plane()


@dataclass(frozen=True)
class Content:
    """An annotation without its id. ``foreign``: what other programs wrote and we only carry (AN16)."""

    kind: Kind
    geometry: Geometry
    plane: Plane = DEFAULT_PLANE
    name: str = ""
    text: str = ""
    class_name: str = ""  # empty: none
    color: Color | None = None  # None: the class's
    foreign: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The members that are not empty, in a fixed order."""
        members: dict[str, Any] = {"kind": self.kind, "geometry": self.geometry.to_json()}
        if self.plane != DEFAULT_PLANE:
            members["plane"] = self.plane._asdict()
        named = {"name": self.name, "text": self.text, "class": self.class_name, "foreign": dict(self.foreign)}
        members |= {name: value for name, value in named.items() if value}
        if self.color is not None:
            members["color"] = list(self.color)
        return members

    def canonical(self) -> str:
        """JSON text that is equal for equal contents."""
        return CANONICAL.encode(self.to_json())


def parse_content(value: object) -> Content:
    """A content from JSON. Raises InvalidParameter, TooLarge."""
    if not isinstance(value, dict):
        raise InvalidParameter("content", excerpt(value), "an object")
    for name in value:
        if name not in MEMBERS:
            raise InvalidParameter(f"content.{excerpt(name)}", excerpt(value[name]), f"one of {', '.join(MEMBERS)}")
    kind = value.get("kind")
    if kind not in KINDS:
        raise InvalidParameter("kind", excerpt(kind), f"one of {', '.join(KINDS)}")
    geometry = parse_geometry(value.get("geometry"))
    if not kind_fits(kind, geometry):
        raise InvalidParameter("geometry", geometry.type, f"the shape of a {kind}")
    return Content(
        kind,
        geometry,
        parse_plane(value.get("plane")),
        line_of("name", value.get("name")),
        text_of("text", value.get("text"), TEXT_LENGTH),
        line_of("class", value.get("class")),
        parse_color(value.get("color")),
        parse_foreign(value.get("foreign")),
    )


def kind_fits(kind: Kind, geometry: Geometry) -> bool:
    """Whether a kind may have this geometry (AN3)."""
    count = len(geometry.parts[0])
    match kind:
        case "point":
            return geometry.type in ("Point", "MultiPoint")
        case "text":
            return geometry.type == "Point"
        case "line":
            return geometry.type in ("LineString", "MultiLineString")
        case "arrow":
            return geometry.type == "LineString" and count == 2
        case "angle":
            return geometry.type == "LineString" and count == 3
        case "rectangle" | "ellipse":
            return is_rectangle(geometry)
        case "polygon" | "freehand":
            return bool(geometry.groups)


def parse_plane(value: object) -> Plane:
    """QuPath's ``{"c": -1, "z": 0, "t": 0}``; a missing member is the default."""
    if value is None:
        return DEFAULT_PLANE
    if not isinstance(value, dict):
        raise InvalidParameter("plane", excerpt(value), "an object of c, z, t")
    return Plane(*(_plane_number(name, value.get(name, usual)) for name, usual in DEFAULT_PLANE._asdict().items()))


def _plane_number(name: str, number: object) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not -1 <= number <= 65535:
        raise InvalidParameter(f"plane.{name}", excerpt(number), "a whole number up to 65535")
    return number


def parse_color(value: object) -> Color | None:
    """Red, green, blue, each 0 to 255."""
    if value is None:
        return None
    whole = isinstance(value, list) and all(isinstance(part, int) and not isinstance(part, bool) for part in value)
    if not isinstance(value, list) or len(value) != 3 or not whole or not all(0 <= part <= 255 for part in value):
        raise InvalidParameter("color", excerpt(value), "[red, green, blue], each 0 to 255")
    return (value[0], value[1], value[2])


def parse_foreign(value: object) -> Mapping[str, Any]:
    """Members of other programs, which are stored unchanged: bounded in size, otherwise free."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidParameter("foreign", excerpt(value), "an object")
    if not value:
        return value
    try:
        size = len(json.dumps(value, allow_nan=False))
    except (ValueError, RecursionError) as cause:
        raise InvalidParameter("foreign", excerpt(value), "JSON without NaN or infinity") from cause
    if size > FOREIGN_BYTES:
        raise TooLarge("an object's foreign members in bytes", size, FOREIGN_BYTES)
    return value


def line_of(name: str, value: object) -> str:
    """One line of text without surrounding space."""
    text = text_of(name, value, NAME_LENGTH).strip()
    if not text.isprintable():
        raise InvalidParameter(name, excerpt(text), "printable characters")
    return text


def text_of(name: str, value: object, longest: int) -> str:
    """Text of bounded length that a database can store."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidParameter(name, excerpt(value), "a text")
    if len(value) > longest:
        raise TooLarge(f"the length of {name}", len(value), longest)
    if NOT_STORED.search(value):
        raise InvalidParameter(name, excerpt(value.encode("ascii", "replace")), "well-formed Unicode without NUL")
    return value
