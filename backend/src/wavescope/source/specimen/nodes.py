"""The slow fields of the area around a patch, at nodes a few pixels apart, and their interpolation to pixels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wavescope.source.specimen.anatomy import Anatomy
from wavescope.source.specimen.glands import Glands, gland_field, glands_near
from wavescope.source.specimen.hashing import Floats
from wavescope.source.specimen.noise import Field, noise_grid, upsample
from wavescope.source.specimen.vessels import Vessels, vessel_field, vessels_near

STEP = 8
GLAND_STEP = 4
AROUND = 64
"""Nodes reach this far beyond the painted area, so that cells lying outside it find the fields they are placed by."""
SALT_WARP, SALT_FIBRE = 600, 620


class Nodes(NamedTuple):
    """Slow fields at nodes every STEP pixels (``u`` every GLAND_STEP), from (x0, y0)."""

    x0: int
    y0: int
    depth: Floats
    zone: Floats
    loose: Floats
    lymph: Floats
    fibre: Floats
    fine: Floats
    vessel: Floats
    filled: Floats
    warp_x: Floats
    warp_y: Floats
    cleft: Floats
    u: Floats
    cell: Floats
    glands: Glands
    vessels: Vessels

    def at(self, values: Floats, x: Floats, y: Floats) -> Floats:
        """The value of the node nearest to each point."""
        step = GLAND_STEP if values is self.u else STEP
        column = np.clip(np.floor((x - self.x0) / step + 0.5).astype(np.int64), 0, values.shape[1] - 1)
        row = np.clip(np.floor((y - self.y0) / step + 0.5).astype(np.int64), 0, values.shape[0] - 1)
        found: Floats = values[row, column]
        return found

    def full(self, values: Floats) -> Field:
        """A slow field at every pixel of the painted area."""
        step = GLAND_STEP if values is self.u or values is self.cell else STEP
        skip = AROUND // step
        inner = values[skip : values.shape[0] - skip, skip : values.shape[1] - skip]
        return upsample(inner.astype(np.float32), step)


def nodes_of(anatomy: Anatomy, xs: Floats, ys: Floats, depth: Floats) -> Nodes:
    """All slow fields at the nodes of two axes, of which ``depth`` is known already."""
    x0, y0, x1, y1 = xs[0], ys[0], xs[-1], ys[-1]
    warp_x = 26.0 * (noise_grid(xs, ys, 140.0, anatomy.salt(SALT_WARP)) - 0.5)
    warp_x += 9.0 * (noise_grid(xs, ys, 48.0, anatomy.salt(SALT_WARP + 1)) - 0.5)
    warp_y = 26.0 * (noise_grid(xs, ys, 140.0, anatomy.salt(SALT_WARP + 2)) - 0.5)
    warp_y += 9.0 * (noise_grid(xs, ys, 48.0, anatomy.salt(SALT_WARP + 3)) - 0.5)
    fibre = 44.0 * noise_grid(xs, ys, 1900.0, anatomy.salt(SALT_FIBRE))
    fibre += 5.0 * noise_grid(xs, ys, 330.0, anatomy.salt(SALT_FIBRE + 1))
    fibre += 0.9 * noise_grid(xs, ys, 90.0, anatomy.salt(SALT_FIBRE + 1))
    fine = 3.4 * fibre + 5.0 * noise_grid(xs, ys, 240.0, anatomy.salt(SALT_FIBRE + 2))
    vessels = vessels_near(anatomy, x0, y0, x1, y1)
    vessel, filled = vessel_field(vessels, xs[None, :] + warp_x, ys[:, None] + warp_y)
    dense = np.arange(x0, x1 + 1, GLAND_STEP), np.arange(y0, y1 + 1, GLAND_STEP)
    between = GLAND_STEP * np.arange(0, STEP // GLAND_STEP) / STEP
    dense_x = _refine(xs[None, :] + warp_x, between)
    dense_y = _refine(ys[:, None] + warp_y, between)
    assert dense_x.shape == (len(dense[1]), len(dense[0]))
    glands = glands_near(anatomy, x0, y0, x1, y1)
    u, cell = gland_field(glands, dense_x, dense_y, GLAND_STEP)
    return Nodes(
        int(x0),
        int(y0),
        depth,
        anatomy.glandular_grid(xs, ys),
        anatomy.loose_grid(xs, ys),
        anatomy.lymph_grid(xs, ys),
        fibre,
        fine,
        vessel,
        filled,
        warp_x,
        warp_y,
        noise_grid(xs, ys, 64.0, anatomy.salt(SALT_FIBRE + 3)),
        u,
        cell,
        glands,
        vessels,
    )


def _refine(nodes: Floats, between: Floats) -> Floats:
    """Linear interpolation of nodes onto a finer grid that ends at the last node."""
    count = len(between)
    rows, columns = nodes.shape
    fine_y = np.minimum(np.arange((rows - 1) * count + 1), (rows - 1) * count)
    fine_x = np.arange((columns - 1) * count + 1)
    row, below = np.minimum(fine_y // count, rows - 2), None
    below = (fine_y / count - row)[:, None]
    column = np.minimum(fine_x // count, columns - 2)
    right = fine_x / count - column
    tall = nodes[row] * (1.0 - below) + nodes[row + 1] * below
    refined: Floats = tall[:, column] * (1.0 - right) + tall[:, column + 1] * right
    return refined
