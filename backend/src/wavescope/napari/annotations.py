"""Annotations as layers of napari: outlines and lines as shapes, points as points (NB12). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.client import Annotation

Layer = tuple[Any, dict[str, Any], str]
"""Data, parameters and kind, as readers of napari return them."""
COLOUR = "#ffd60a"


class Part(NamedTuple):
    """A list of corners (n, 2): y, x in pixels of level 0."""

    kind: str  # "polygon", "path" or "point"
    corners: NDArray[np.float64]
    annotation: Annotation


def layers_of(annotations: Iterable[Annotation], planes: int, **placed: Any) -> list[Layer]:
    """A layer of shapes and one of points, as far as there are any. ``placed``: scale and units of the slide."""
    parts = [part for one in annotations for part in parts_of(one)]
    outlines = [part for part in parts if part.kind != "point"]
    points = [part for part in parts if part.kind == "point"]
    layers: list[Layer] = []
    if outlines:
        given = {"shape_type": [one.kind for one in outlines], "edge_color": _colours(outlines), "edge_width": 4}
        shown = {"name": "annotations", "face_color": "transparent", "features": _features(outlines), **placed}
        layers.append(([_on_plane(one, planes) for one in outlines], {**given, **shown}, "shapes"))
    if points:
        data = np.concatenate([_on_plane(one, planes) for one in points])
        repeated = [one for one in points for _ in one.corners]
        given = {"name": "points", "face_color": _colours(repeated), "features": _features(repeated), "size": 20}
        layers.append((data, {**given, **placed}, "points"))
    return layers


def parts_of(annotation: Annotation) -> list[Part]:
    """Each ring, line and point of an annotation. A hole is an outline of its own."""
    geometry = annotation.content["geometry"]
    kind, coordinates = geometry["type"], geometry["coordinates"]
    lists: dict[str, tuple[str, Sequence[Any]]] = {
        "Point": ("point", [[coordinates]]),
        "MultiPoint": ("point", [coordinates]),
        "LineString": ("path", [coordinates]),
        "MultiLineString": ("path", coordinates),
        "Polygon": ("polygon", coordinates),
        "MultiPolygon": (
            "polygon",
            [ring for rings in coordinates for ring in rings] if kind == "MultiPolygon" else [],
        ),
    }
    shape, corners = lists[kind]
    return [Part(shape, np.asarray(one, np.float64)[:, 1::-1], annotation) for one in corners]


def _on_plane(part: Part, planes: int) -> NDArray[np.float64]:
    """With the focal plane before y and x, where the slide has several."""
    if planes == 1:
        return part.corners
    plane = (part.annotation.content.get("plane") or {}).get("z", 0)
    return np.insert(part.corners, 0, plane, axis=1)


def _colours(parts: Sequence[Part]) -> list[str]:
    colours = [one.annotation.content.get("color") for one in parts]
    return [COLOUR if one is None else "#{:02x}{:02x}{:02x}".format(*one) for one in colours]


def _features(parts: Sequence[Part]) -> dict[str, list[str]]:
    contents = [one.annotation.content for one in parts]
    named = {name: [str(one.get(name) or "") for one in contents] for name in ("kind", "name", "class", "text")}
    return {"id": [one.annotation.id for one in parts], **named}
