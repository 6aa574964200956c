"""QuPath's GeoJSON, both ways (AN16, AN17).

An ellipse is written as a polygon with ``isEllipse``; its box counts. Kinds that QuPath does not know travel in
``metadata``, which QuPath keeps. Members without a meaning here are stored in ``foreign`` and written back.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from wavescope.annotations.content import (
    DEFAULT_PLANE,
    KINDS,
    TEXT_LENGTH,
    Color,
    Content,
    Kind,
    kind_fits,
    line_of,
    parse_color,
    parse_foreign,
    parse_plane,
    text_of,
)
from wavescope.annotations.document import Exported, Found, Reading, load_json, members
from wavescope.annotations.geometry import Box, Geometry, is_rectangle, parse_geometry, rectangle
from wavescope.errors import InvalidParameter, TooLarge

UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
KIND_KEY = "wavescope.kind"
TEXT_KEY = "ANNOTATION_DESCRIPTION"  # where QuPath stores an annotation's description
ELLIPSE_CORNERS = 72  # a multiple of 4: the outline touches its box
DERIVED = ": "  # between the names of QuPath's derived classes


def read_qupath(body: bytes) -> Reading:
    """A FeatureCollection, one Feature or a bare list. Raises InvalidParameter if it is none of them."""
    reading = Reading()
    for place, feature in enumerate(members(load_json(body), "features", "Feature")):
        try:
            reading.found.append(_read_feature(feature, reading.classes))
        except (InvalidParameter, TooLarge) as fault:
            reading.skip(place, str(fault))
    return reading


def write_qupath(objects: Iterable[Exported], classes: Mapping[str, Color]) -> dict[str, Any]:
    """A FeatureCollection that QuPath 0.5 and newer opens."""
    return {"type": "FeatureCollection", "features": [_feature(one, classes) for one in objects]}


def _read_feature(feature: object, classes: dict[str, Color]) -> Found:
    if not isinstance(feature, dict) or not isinstance(feature.get("properties") or {}, dict):
        raise InvalidParameter("feature", feature if feature is None else "a value", "a GeoJSON Feature")
    properties: dict[str, Any] = dict(feature.get("properties") or {})
    raw = feature.get("geometry")
    geometry = parse_geometry(raw)
    assert isinstance(raw, dict)
    metadata = properties.pop("metadata", None)
    metadata = dict(metadata) if isinstance(metadata, dict) else {}
    kind = _kind(geometry, bool(raw.get("isEllipse")), metadata.pop(KIND_KEY, None))
    if kind == "ellipse":
        geometry = rectangle(geometry.box())
        if not is_rectangle(geometry):
            raise InvalidParameter("geometry", "an ellipse", "a width and a height that are not zero")
    name = line_of("name", properties.pop("name", None))
    text = text_of("text", metadata.pop(TEXT_KEY, None), TEXT_LENGTH)
    color = _color(properties.pop("color", None))
    class_name = _class(properties.pop("classification", None), classes)
    if metadata:
        properties["metadata"] = metadata
    if properties.get("objectType") == "annotation":
        del properties["objectType"]
    foreign: dict[str, Any] = {"properties": properties} if properties else {}
    foreign |= {key: feature[key] for key in feature if key not in ("type", "id", "geometry", "properties")}
    found_id = str(feature.get("id") or "")
    plane = parse_plane(raw.get("plane"))
    content = Content(kind, geometry, plane, name, text, class_name, color, parse_foreign(foreign))
    return Found(found_id if UUID.fullmatch(found_id) else "", content)


def _kind(geometry: Geometry, is_ellipse: bool, stated_kind: object) -> Kind:
    """The kind: as this service has written it, else from the geometry."""
    for kind in KINDS:
        if kind == stated_kind and kind != "ellipse" and kind_fits(kind, geometry):
            return kind
    if is_ellipse and geometry.groups:
        return "ellipse"
    if geometry.type in ("Point", "MultiPoint"):
        return "point"
    if not geometry.groups:
        return "line"
    return "rectangle" if is_rectangle(geometry) else "polygon"


def _class(value: object, classes: dict[str, Color]) -> str:
    """The name of a classification; its colour is noted. Derived classes come as ``names``."""
    if isinstance(value, str):
        return line_of("classification", value)
    if not isinstance(value, dict):
        return ""
    names = value.get("names")
    name = DERIVED.join(map(str, names)) if isinstance(names, list) else value.get("name")
    name = line_of("classification.name", name)
    color = _color(value.get("color", value.get("colorRGB")))
    if name and color is not None:
        classes[name] = color
    return name


def _color(value: object) -> Color | None:
    """[r, g, b], or the packed integer of older files."""
    if isinstance(value, int) and not isinstance(value, bool):
        return (value >> 16 & 255, value >> 8 & 255, value & 255)
    return parse_color(value)


def _feature(one: Exported, classes: Mapping[str, Color]) -> dict[str, Any]:
    content, foreign = one.content, dict(one.content.foreign)
    carried = dict(foreign.pop("properties", {}))
    metadata = dict(carried.pop("metadata", {}))
    if content.text:
        metadata[TEXT_KEY] = content.text
    if content.kind in ("arrow", "angle", "freehand", "text"):
        metadata[KIND_KEY] = content.kind
    properties: dict[str, Any] = {"objectType": carried.pop("objectType", "annotation")}
    if content.name:
        properties["name"] = content.name
    if content.color is not None:
        properties["color"] = list(content.color)
    if content.class_name:
        properties["classification"] = _classification(content.class_name, classes)
    properties |= carried
    if metadata:
        properties["metadata"] = metadata
    return {"type": "Feature", "id": one.id, "geometry": _geometry(content), "properties": properties, **foreign}


def _classification(name: str, classes: Mapping[str, Color]) -> dict[str, Any] | str:
    """Without a colour the name alone: QuPath reads no document with an object that lacks it."""
    if name not in classes:
        return name
    names: dict[str, Any] = {"names": name.split(DERIVED)} if DERIVED in name else {"name": name}
    return names | {"color": list(classes[name])}


def _geometry(content: Content) -> dict[str, Any]:
    ellipse = content.kind == "ellipse"
    geometry = ellipse_outline(content.geometry.box()) if ellipse else content.geometry
    written = geometry.to_json()
    if content.plane != DEFAULT_PLANE:
        written["plane"] = content.plane._asdict()
    if ellipse:
        written["isEllipse"] = True
    return written


def ellipse_outline(box: Box) -> Geometry:
    """A polygon on the ellipse in a box; its extremes are the box's own numbers, so that the box comes back exactly."""
    quarter = ELLIPSE_CORNERS // 4
    steps = np.arange(ELLIPSE_CORNERS + 1) * (2 * math.pi / ELLIPSE_CORNERS)
    x = (box.min_x + box.max_x) / 2 + np.cos(steps) * box.width / 2
    y = (box.min_y + box.max_y) / 2 + np.sin(steps) * box.height / 2
    ring = np.clip(np.stack([x, y], axis=1), (box.min_x, box.min_y), (box.max_x, box.max_y))
    ring[0, 0] = ring[-1, 0] = box.max_x
    ring[quarter, 1], ring[2 * quarter, 0], ring[3 * quarter, 1] = box.max_y, box.min_x, box.min_y
    ring[-1] = ring[0]
    return Geometry("Polygon", (ring,), (1,))
