"""How many people saw each part of a slide (CV13): pure functions over their logs, in which nobody has a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CELLS = 256  # along the longer side of the slide
FEWEST = 3  # people; of fewer one could tell who saw what
NEAR = 0.97  # a view counts for a scale that it nearly reaches (CV4)


class Grid(NamedTuple):
    """``columns`` x ``rows`` equal cells over a slide of ``width`` x ``height`` level-0 pixels."""

    width: int
    height: int
    columns: int
    rows: int


def grid_of(width: int, height: int) -> Grid:
    """At most CELLS along the longer side, and no cell smaller than a pixel."""
    cell = max(1.0, max(width, height) / CELLS)
    return Grid(width, height, max(1, round(width / cell)), max(1, round(height / cell)))


def people_map(grid: Grid, logs: Iterable[Sequence[Sequence[float]]], scale: float) -> NDArray[np.int32]:
    """(rows, columns): in how many logs the centre of each cell lies in a sharp view of at least ``scale`` device
    pixels per level-0 pixel.
    """
    people = np.zeros((grid.rows, grid.columns), np.int32)
    for views in logs:
        people += _seen(grid, views, scale)
    return people


def _seen(grid: Grid, views: Sequence[Sequence[float]], scale: float) -> NDArray[np.bool_]:
    seen = np.zeros((grid.rows, grid.columns), np.bool_)
    for x, y, width, height, rotation, reached, _, sharp in views:
        if sharp and reached >= NEAR * scale:
            _cover(seen, grid, (x + width / 2, y + height / 2), (width / 2, height / 2), np.deg2rad(rotation))
    return seen


def _cover(
    seen: NDArray[np.bool_], grid: Grid, middle: tuple[float, float], half: tuple[float, float], angle: float
) -> None:
    """Marks the cells whose centre lies in a field of ``2 * half`` level-0 pixels that is turned by ``angle``."""
    cos, sin = np.cos(angle), np.sin(angle)
    reach = (abs(cos) * half[0] + abs(sin) * half[1], abs(sin) * half[0] + abs(cos) * half[1])
    columns = _touched(middle[0], reach[0], grid.width / grid.columns, grid.columns)
    rows = _touched(middle[1], reach[1], grid.height / grid.rows, grid.rows)
    x = (np.arange(columns.start, columns.stop) + 0.5) * (grid.width / grid.columns) - middle[0]
    y = (np.arange(rows.start, rows.stop) + 0.5)[:, None] * (grid.height / grid.rows) - middle[1]
    inside = (np.abs(cos * x - sin * y) <= half[0]) & (np.abs(sin * x + cos * y) <= half[1])
    seen[rows, columns] |= inside


def _touched(middle: float, reach: float, cell: float, count: int) -> slice:
    """The cells of a row or column whose centres lie within ``reach`` of ``middle``."""
    first = int(np.clip(np.ceil((middle - reach) / cell - 0.5), 0, count))
    last = int(np.clip(np.floor((middle + reach) / cell - 0.5), -1, count - 1))
    return slice(first, max(first, last + 1))
