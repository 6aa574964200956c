"""Rings of a shape as a geometry of other formats: points, lines, or polygons with holes (OV33)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wavescope.overlays.reading.wkb import LINE, POINT, POLYGON
from wavescope.overlays.shapes import QUARTERS, Floats, Shapes, doubled_areas, starts_of


class Geometry(NamedTuple):
    """``kind``: POINT, LINE or POLYGON. ``parts``: of each point or line one ring, of each polygon its outer ring, then
    its holes; rings (n, 2) in pixels, not closed.
    """

    kind: int
    parts: list[list[Floats]]


def geometry_of(rings: list[Floats]) -> Geometry:
    """Rings that rounding has left without area count only where there are no others."""
    closed = [ring for ring in rings if len(ring) > 2]
    if closed:
        return Geometry(POLYGON, [closed] if len(closed) == 1 else _polygons(closed))
    if all(len(ring) == 1 for ring in rings):
        return Geometry(POINT, [[ring] for ring in rings])
    return Geometry(LINE, [[ring[[0, -1]]] for ring in rings])


def rings_of_shape(shapes: Shapes, n: int) -> list[Floats]:
    """The rings of one shape, (corners, 2) in pixels."""
    first, last = int(shapes.shape_ends[n - 1]) if n else 0, int(shapes.shape_ends[n])
    begin = int(shapes.ring_ends[first - 1]) if first else 0
    found = []
    for end in shapes.ring_ends[first:last].tolist():
        found.append(shapes.corners[begin:end] / QUARTERS)
        begin = end
    return found


def areas(shapes: Shapes) -> Floats:
    """The areas (n,) in pixels: a ring inside another one is a hole."""
    rings = doubled_areas(shapes.corners, shapes.ring_ends) / (2 * QUARTERS**2)
    starts = starts_of(shapes.shape_ends)
    found: Floats = np.zeros(len(shapes))
    single = shapes.ring_counts() == 1
    found[single] = rings[starts[single]]
    for n in np.flatnonzero(~single).tolist():
        signs = 1 - 2 * (_inside(rings_of_shape(shapes, n)).sum(axis=1) % 2)
        found[n] = float(np.dot(rings[starts[n] : shapes.shape_ends[n]], signs))
    return found


def _polygons(rings: list[Floats]) -> list[list[Floats]]:
    """Outer rings, each with its holes: a ring in an odd number of others is a hole of the smallest around it."""
    inside = _inside(rings)
    depths = inside.sum(axis=1)
    polygons = {n: [rings[n]] for n in np.flatnonzero(depths % 2 == 0).tolist()}
    for n in np.flatnonzero(depths % 2 == 1).tolist():
        around = np.flatnonzero(inside[n])
        polygons[int(around[np.argmax(depths[around])])].append(rings[n])
    return list(polygons.values())


def _inside(rings: list[Floats]) -> np.ndarray:
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
