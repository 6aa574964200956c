"""Places of shapes and symbols in a tile: steps along rows, and what is left below (OV80). Pure."""

from __future__ import annotations

import numpy as np

from wavescope.errors import CorruptOverlay
from wavescope.overlays.columns import Columns, column
from wavescope.overlays.shapes import Longs

MAX_WAY = 1 << 32
"""Rows times their width, at most."""
MAX_ROW_BITS = 28


def written(points: Longs, origin: Longs, row_bits: int) -> tuple[Longs, list[bytes]]:
    """The order of points (n, 2), in rows of 2^row_bits or more, from left to right, stable; their columns in this
    order. ``origin`` (2,): of the tile.
    """
    if len(points) == 0:
        return np.zeros(0, np.int64), 3 * column(np.zeros(0, np.int64))
    least, most = points.min(axis=0), points.max(axis=0)
    width = int(most[0] - least[0]) + 1
    while ((int(most[1] - least[1]) >> row_bits) + 1) * width >= MAX_WAY // 2:
        row_bits += 1
    x, y = (points - least).T
    way = (y >> row_bits) * width + x
    order = np.argsort(way, kind="stable")
    head = np.array([*(least - origin), width - 1, row_bits])
    steps, below = np.diff(way[order], prepend=0), y[order] & ((1 << row_bits) - 1)
    return order, [*column(head, signed=True), *column(steps), *column(below)]


def read(columns: Columns, count: int) -> Longs:
    """Points (n, 2) from the tile's beginning. Raises CorruptOverlay."""
    left, top, beyond, row_bits = columns.signed(4).tolist()
    if beyond < 0 or not 0 <= row_bits <= MAX_ROW_BITS:
        raise CorruptOverlay("rows without a width or height")
    way, below = np.cumsum(columns.column(count)), columns.column(count)
    if way.max(initial=0) >= MAX_WAY:
        raise CorruptOverlay("a place beyond all rows")
    rows, x = np.divmod(way, beyond + 1)
    return np.stack([x + left, (rows << row_bits) + below + top], axis=1)
