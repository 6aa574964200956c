"""Shapes as text for other software: GeoJSON as QuPath reads it, and a table (OV33)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic_core import to_json

from wavescope.overlays.manifest import OverlayManifest, Score
from wavescope.overlays.reading.skipped import NO_CLASS
from wavescope.overlays.shapes import QUARTERS, Shapes, doubled_areas, middles, starts_of

Corners = list[list[float]]


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
        least, most = shapes.boxes()
        points, sides = middles(shapes) / QUARTERS, (most - least) / QUARTERS
        names = [manifest.classes[n].name for n in shapes.classes.tolist()]
        columns: list[list[Any]] = [*points.T.tolist(), *sides.T.tolist(), areas(shapes).tolist(), names]
        if score:
            columns.append([round(value, 6) for value in scores_of(shapes, score).tolist()])
        yield _lines(zip(*columns, strict=True))


def scores_of(shapes: Shapes, score: Score) -> NDArray[np.float64]:
    """The scores (n,) in the source's unit (OV3)."""
    values: NDArray[np.float64] = shapes.scores.astype(np.float64) * ((score.most - score.least) / 255)
    values += score.least
    return values


def areas(shapes: Shapes) -> NDArray[np.float64]:
    """The areas (n,) in pixels: a ring inside another one is a hole."""
    rings = doubled_areas(shapes.corners, shapes.ring_ends) / (2 * QUARTERS**2)
    starts = starts_of(shapes.shape_ends)
    found: NDArray[np.float64] = np.zeros(len(shapes))
    single = shapes.ring_counts() == 1
    found[single] = rings[starts[single]]
    for n in np.flatnonzero(~single).tolist():
        own = _rings(shapes, n)
        signs = [1 if depth % 2 == 0 else -1 for depth in _depths(own)]
        found[n] = float(np.dot(rings[starts[n] : shapes.shape_ends[n]], signs))
    return found


def _features(shapes: Shapes, manifest: OverlayManifest) -> Iterator[dict[str, Any]]:
    classes = [
        {} if one.name == NO_CLASS else {"classification": {"name": one.name, "color": _rgb(one.color)}}
        for one in manifest.classes
    ]
    values = None if manifest.score is None else scores_of(shapes, manifest.score).tolist()
    for n, of_class in enumerate(shapes.classes.tolist()):
        properties: dict[str, Any] = {"objectType": "detection", **classes[of_class]}
        if values is not None and manifest.score is not None:
            properties["measurements"] = {manifest.score.name: values[n]}
        yield {"type": "Feature", "geometry": geometry(_rings(shapes, n)), "properties": properties}


def _rings(shapes: Shapes, n: int) -> list[NDArray[np.float64]]:
    """The rings of one shape, (corners, 2) in pixels."""
    first, last = int(shapes.shape_ends[n - 1]) if n else 0, int(shapes.shape_ends[n])
    begin = int(shapes.ring_ends[first - 1]) if first else 0
    found = []
    for end in shapes.ring_ends[first:last].tolist():
        found.append(shapes.corners[begin:end] / QUARTERS)
        begin = end
    return found


def geometry(rings: list[NDArray[np.float64]]) -> dict[str, Any]:
    """A GeoJSON geometry. Rings that rounding has left without area count only where there are no others."""
    closed = [ring for ring in rings if len(ring) > 2]
    if len(closed) == 1:
        return {"type": "Polygon", "coordinates": [_closed(closed[0])]}
    if closed:
        polygons = [[_closed(ring) for ring in polygon] for polygon in _polygons(closed)]
        if len(polygons) == 1:
            return {"type": "Polygon", "coordinates": polygons[0]}
        return {"type": "MultiPolygon", "coordinates": polygons}
    if all(len(ring) == 1 for ring in rings):
        points = [ring[0].tolist() for ring in rings]
        several: Any = {"type": "MultiPoint", "coordinates": points}
        return {"type": "Point", "coordinates": points[0]} if len(points) == 1 else several
    lines = [ring[[0, -1]].tolist() for ring in rings]
    several = {"type": "MultiLineString", "coordinates": lines}
    return {"type": "LineString", "coordinates": lines[0]} if len(lines) == 1 else several


def _polygons(rings: list[NDArray[np.float64]]) -> list[list[NDArray[np.float64]]]:
    """Outer rings, each with its holes: a ring in an odd number of others is a hole of the smallest around it."""
    inside = _inside(rings)
    depths = inside.sum(axis=1)
    polygons = {n: [rings[n]] for n in np.flatnonzero(depths % 2 == 0).tolist()}
    for n in np.flatnonzero(depths % 2 == 1).tolist():
        around = np.flatnonzero(inside[n])
        polygons[int(around[np.argmax(depths[around])])].append(rings[n])
    return list(polygons.values())


def _depths(rings: list[NDArray[np.float64]]) -> list[int]:
    """In how many other rings each lies."""
    depths: list[int] = _inside(rings).sum(axis=1).tolist()
    return depths


def _inside(rings: list[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """(r, r): whether the first ring's first corner lies in the second ring; a ring does not lie in itself."""
    firsts = np.array([ring[0] for ring in rings])
    found = np.zeros((len(rings), len(rings)), bool)
    for n, ring in enumerate(rings):
        least, most = ring.min(axis=0), ring.max(axis=0)
        near = np.flatnonzero(((firsts >= least) & (firsts <= most)).all(axis=1))
        near = near[near != n]
        begin, end = ring, np.roll(ring, -1, axis=0)
        for one in near.tolist():
            x, y = firsts[one]
            crossing = (begin[:, 1] > y) != (end[:, 1] > y)
            a, b = begin[crossing], end[crossing]
            at = a[:, 0] + (y - a[:, 1]) * (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1])
            found[one, n] = bool(np.count_nonzero(at > x) % 2)
    return found


def _closed(ring: NDArray[np.float64]) -> Corners:
    corners: Corners = ring.tolist()
    return [*corners, corners[0]]


def _rgb(color: str) -> list[int]:
    return [int(color[n : n + 2], 16) for n in (0, 2, 4)]


def _lines(rows: Iterable[Iterable[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
