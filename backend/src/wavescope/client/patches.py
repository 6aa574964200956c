"""Which patches of a slide a script wants: on a grid, inside a mask or inside annotations. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from wavescope.client.features import Mask
from wavescope.errors import InvalidParameter, OutOfRange
from wavescope.geometry import Pyramid
from wavescope.pixels.images import Pixels

Geometry = Mapping[str, Any]
"""GeoJSON in level-0 pixels."""
MASK_SIDE = 4096  # pixels of the longer side of a mask of annotations, at most
ROUNDING = 1e-9  # of the area of a patch


class Position(NamedTuple):
    """The top left corner of a patch, in pixels of its level."""

    ln_x: int
    ln_y: int


@dataclass(frozen=True)
class Patch:
    """A patch: its pixels (height, width, channels), its level and its top left corner in level-0 pixels."""

    level: int
    l0_x: int
    l0_y: int
    pixels: Pixels


def positions(
    pyramid: Pyramid, level: int, size: int, step: int | None = None, mask: Mask | None = None, least: float = 0.5
) -> list[Position]:
    """Patches of ``size`` x ``size`` pixels that lie inside the level, ``step`` (default: size) apart, row by row.

    ``mask`` (rows, columns) covers the whole slide at any resolution; of a patch at least ``least`` is inside.
    Raises OutOfRange, InvalidParameter.
    """
    if size < 1 or (step is not None and step < 1):
        raise OutOfRange("size, step", (size, step), "at least 1")
    if not 0 <= level <= pyramid.top:
        raise OutOfRange("level", level, f"0 to {pyramid.top}")
    if not 0 < least <= 1:
        raise OutOfRange("least", least, "above 0, at most 1")
    width, height = pyramid.level_size(level)
    every = step or size
    xs = np.arange(0, width - size + 1, every)
    ys = np.arange(0, height - size + 1, every)
    if mask is None:
        return [Position(int(x), int(y)) for y in ys for x in xs]
    inside = _coverage(mask, xs, ys, size, (width, height)) >= least
    return [Position(int(xs[column]), int(ys[row])) for row, column in zip(*np.nonzero(inside), strict=True)]


def _coverage(
    mask: Mask, xs: NDArray[np.int_], ys: NDArray[np.int_], size: int, level_size: tuple[int, int]
) -> NDArray[np.float64]:
    """The part of the area of each patch (rows, columns) that is inside the mask."""
    if mask.ndim != 2 or mask.size == 0:
        raise InvalidParameter("mask", mask.shape, "a shape (rows, columns)")
    sums = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1))
    sums[1:, 1:] = np.cumsum(np.cumsum(mask.astype(np.float64), axis=0), axis=1)

    def at(places: NDArray[np.int_], cells: int, side: int) -> tuple[NDArray[np.int_], NDArray[np.float64]]:
        """The cell in which each place along a side lies, and where in it."""
        exact = places * cells / side
        whole = np.minimum(exact.astype(np.int_), cells - 1)
        return whole, exact - whole

    def sum_at(x: NDArray[np.int_], y: NDArray[np.int_]) -> NDArray[np.float64]:
        """Cells inside the mask above and left of each of these corners (rows, columns)."""
        column, right = at(x, mask.shape[1], level_size[0])
        row, below = at(y, mask.shape[0], level_size[1])
        rows = sums[row] * (1 - below)[:, None] + sums[row + 1] * below[:, None]
        found: NDArray[np.float64] = rows[:, column] * (1 - right) + rows[:, column + 1] * right
        return found

    total = sum_at(xs + size, ys + size) - sum_at(xs, ys + size) - sum_at(xs + size, ys) + sum_at(xs, ys)
    cells = mask.shape[0] * size / level_size[1] * mask.shape[1] * size / level_size[0]
    found: NDArray[np.float64] = total / cells + ROUNDING
    return found


def mask_of(geometries: Iterable[Geometry], pyramid: Pyramid) -> Mask:
    """What lies inside of polygons: at most MASK_SIDE pixels of the longer side. Other geometries cover nothing."""
    scale = min(1.0, MASK_SIDE / max(pyramid.width, pyramid.height))
    size = max(1, round(pyramid.width * scale)), max(1, round(pyramid.height * scale))
    found = np.zeros((size[1], size[0]), np.bool_)
    for geometry in geometries:
        for rings in _polygons(geometry):
            image = Image.new("1", size)
            draw = ImageDraw.Draw(image)
            for number, ring in enumerate(rings):
                corners = [(float(x) * scale, float(y) * scale) for x, y, *_ in ring]
                if len(corners) > 2:
                    draw.polygon(corners, fill=0 if number else 1)
            found |= np.asarray(image)
    return found


def _polygons(geometry: Geometry) -> Sequence[Sequence[Sequence[Sequence[float]]]]:
    kind, coordinates = geometry.get("type"), geometry.get("coordinates")
    if not isinstance(coordinates, list):
        return []
    return [coordinates] if kind == "Polygon" else coordinates if kind == "MultiPolygon" else []
