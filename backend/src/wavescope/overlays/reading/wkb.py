"""Geometries in well-known binary (ISO and OGC, of two or more dimensions) as columns of corners and rings."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from wavescope.errors import InvalidParameter
from wavescope.overlays.shapes import Floats

POINT, LINE, POLYGON, MULTI_POINT, MULTI_LINE, MULTI_POLYGON = 1, 2, 3, 4, 5, 6
MANY = (MULTI_POINT, MULTI_LINE, MULTI_POLYGON)
NUMBERS = {b"\x00": ">", b"\x01": "<"}


def rings_of(data: bytes) -> list[Floats]:
    """The rings (n, 2) of a geometry, a point as one of one corner. Raises InvalidParameter."""
    try:
        rings, end = _rings(data, 0, nested=False)
    except (struct.error, ValueError, KeyError) as error:
        raise InvalidParameter("geometry", "damaged", "a geometry in well-known binary") from error
    if end != len(data):
        raise InvalidParameter("geometry", "damaged", "a geometry in well-known binary, without more")
    return rings


def _rings(data: bytes, at: int, *, nested: bool) -> tuple[list[Floats], int]:
    order = NUMBERS[data[at : at + 1]]
    (kind,) = struct.unpack_from(f"{order}I", data, at + 1)
    at += 5
    if kind & 0x20000000:  # extended: an identifier of the reference system
        at += 4
    size = 2 + bool(kind & 0x80000000) + bool(kind & 0x40000000)
    kind &= 0xFFFF
    size += {0: 0, 1: 1, 2: 1, 3: 2}[kind // 1000]
    kind %= 1000
    if kind == POINT:
        return [_corners(data, at, 1, size, order)], at + 8 * size
    (count,) = struct.unpack_from(f"{order}I", data, at)
    at += 4
    if kind == LINE:
        return [_corners(data, at, count, size, order)], at + 8 * size * count
    rings: list[Floats] = []
    if kind == POLYGON:
        for _ in range(_bounded(count, data, at, 4)):
            (corners,) = struct.unpack_from(f"{order}I", data, at)
            rings.append(_corners(data, at + 4, corners, size, order))
            at += 4 + 8 * size * corners
        return rings, at
    if kind not in MANY or nested:
        raise InvalidParameter("geometry", f"of kind {kind}", "points, lines or polygons")
    for _ in range(_bounded(count, data, at, 5)):
        part, at = _rings(data, at, nested=True)
        rings += part
    return rings, at


def _bounded(count: int, data: bytes, at: int, least: int) -> int:
    if count * least > len(data) - at:
        raise ValueError("more parts than bytes")
    return count


def _corners(data: bytes, at: int, count: int, size: int, order: str) -> Floats:
    numbers = np.frombuffer(data, f"{order}f8", count * size, at)
    return numbers.reshape(count, size)[:, :2].astype(np.float64)


def joined_rings(shapes: Sequence[Sequence[Floats]]) -> tuple[Floats, np.ndarray, np.ndarray]:
    """Corners (c, 2), ends of rings (r,) and of shapes (n,) of many geometries."""
    rings = [ring for shape in shapes for ring in shape]
    corners = np.concatenate(rings) if rings else np.zeros((0, 2))
    return corners, np.cumsum([len(ring) for ring in rings]), np.cumsum([len(shape) for shape in shapes])
