"""Shapes as text for other software: GeoJSON as QuPath reads it, and a table (OV33)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic_core import to_json

from wavescope.overlays.manifest import OverlayManifest
from wavescope.overlays.reading.skipped import NO_CLASS
from wavescope.overlays.reading.wkb import LINE, POINT, POLYGON
from wavescope.overlays.shapes import QUARTERS, Floats, Shapes, middles
from wavescope.overlays.writing.geometry import Geometry, areas, geometry_of, rings_of_shape

NAMES = {POINT: "Point", LINE: "LineString", POLYGON: "Polygon"}


def geojson(parts: Iterable[Shapes], manifest: OverlayManifest) -> Iterator[bytes]:
    """A FeatureCollection, piece by piece."""
    yield b'{"type":"FeatureCollection","features":['
    separator = b""
    for shapes in parts:
        if len(shapes):
            yield separator + to_json(list(_features(shapes, manifest)))[1:-1]
            separator = b","
    yield b"]}"


def table(parts: Iterable[Shapes], manifest: OverlayManifest) -> Iterator[bytes]:
    """CSV: the middle of the bounding box, its sides, the area, all in pixels of level 0; class and score."""
    score = manifest.score
    yield _lines([["x", "y", "width", "height", "area", "class", *([score.name] if score else [])]])
    for shapes in parts:
        if len(shapes) == 0:
            continue
        least, most = shapes.boxes
        points, sides = middles(shapes) / QUARTERS, (most - least) / QUARTERS
        names = [manifest.classes[n].name for n in shapes.classes.tolist()]
        columns: list[list[Any]] = [*points.T.tolist(), *sides.T.tolist(), areas(shapes).tolist(), names]
        if score:
            columns.append([round(value, 6) for value in score.values(shapes.scores).tolist()])
        yield _lines(zip(*columns, strict=True))


def _features(shapes: Shapes, manifest: OverlayManifest) -> Iterator[dict[str, Any]]:
    classes = [
        {} if one.name == NO_CLASS else {"classification": {"name": one.name, "color": _rgb(one.color)}}
        for one in manifest.classes
    ]
    values = None if manifest.score is None else manifest.score.values(shapes.scores).tolist()
    for n, of_class in enumerate(shapes.classes.tolist()):
        properties: dict[str, Any] = {"objectType": "detection", **classes[of_class]}
        if values is not None and manifest.score is not None:
            properties["measurements"] = {manifest.score.name: values[n]}
        geometry = geojson_geometry(geometry_of(rings_of_shape(shapes, n)))
        yield {"type": "Feature", "geometry": geometry, "properties": properties}


def geojson_geometry(geometry: Geometry) -> dict[str, Any]:
    """Of one part Point, LineString or Polygon, of several the kind of the same name with Multi."""
    coordinates = [_coordinates(geometry.kind, part) for part in geometry.parts]
    name = NAMES[geometry.kind]
    if len(coordinates) == 1:
        return {"type": name, "coordinates": coordinates[0]}
    return {"type": f"Multi{name}", "coordinates": coordinates}


def _coordinates(kind: int, part: list[Floats]) -> list[Any]:
    if kind == POLYGON:
        return [[*ring.tolist(), ring[0].tolist()] for ring in part]
    corners: list[Any] = part[0].tolist()
    return corners[0] if kind == POINT else corners


def _rgb(color: str) -> list[int]:
    return [int(color[n : n + 2], 16) for n in (0, 2, 4)]


def _lines(rows: Iterable[Iterable[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
