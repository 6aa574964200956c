"""Small blood vessels in the connective tissue: a pink wall, a thin endothelium, red cells inside."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wavescope.source.specimen.anatomy import Anatomy
from wavescope.source.specimen.glands import Nuclei
from wavescope.source.specimen.hashing import Floats, place_hash, uniform

PITCH = 620
REACH = 220.0
AWAY = 3.0
SALT = 400
CELL_PITCH = 23
MAX_NUCLEI = 24


class Vessels(NamedTuple):
    """Vessels as columns of numbers."""

    x: Floats
    y: Floats
    radius: Floats
    stretch: Floats
    turn: Floats
    filled: Floats
    column: Floats
    row: Floats


def vessels_near(anatomy: Anatomy, x0: float, y0: float, x1: float, y1: float) -> Vessels:
    """All vessels that may reach into the rectangle."""
    columns = np.arange((x0 - REACH) // PITCH, (x1 + REACH) // PITCH + 1)
    rows = np.arange((y0 - REACH) // PITCH, (y1 + REACH) // PITCH + 1)
    column, row = (grid.ravel() for grid in np.meshgrid(columns, rows))
    hashes = place_hash(column, row, anatomy.salt(SALT))
    x = (column + 0.25 + 0.5 * uniform(hashes, 0)) * PITCH
    y = (row + 0.25 + 0.5 * uniform(hashes, 1)) * PITCH
    radius = 24.0 + 82.0 * uniform(hashes, 2) ** 3
    zone = anatomy.glandular_at(x, y)
    present = (uniform(hashes, 3) < 0.8) & (zone < 0.37 - 0.0007 * radius) & (anatomy.depth_at(x, y) > 140.0)
    stretch = 1.0 + 1.1 * uniform(hashes, 4) ** 2
    columns_of = (x, y, radius, stretch, np.pi * uniform(hashes, 5), uniform(hashes, 6), column, row)
    return Vessels(*(values[present] for values in columns_of))


def vessel_field(vessels: Vessels, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """(v, filled): v is 1 at the outer border of the nearest vessel's wall, AWAY far from any; and how full of
    cells it is.
    """
    nearest = np.full(np.broadcast_shapes(x.shape, y.shape), AWAY)
    filled = np.zeros(nearest.shape)
    for vessel in zip(*vessels, strict=True):
        one = Vessels(*vessel)
        dx, dy = x - one.x, y - one.y
        along = (dx * np.cos(one.turn) + dy * np.sin(one.turn)) / one.stretch
        v = np.hypot(along, dy * np.cos(one.turn) - dx * np.sin(one.turn)) / one.radius
        filled = np.where(v < nearest, one.filled, filled)
        nearest = np.minimum(nearest, v)
    return nearest, filled


def endothelium(anatomy: Anatomy, vessels: Vessels) -> Nuclei:
    """Flat nuclei along the inside of each wall."""
    number = np.arange(MAX_NUCLEI)[None, :]
    count = np.clip(np.floor(2 * np.pi * vessels.radius / 55.0), 2, MAX_NUCLEI)[:, None]
    hashes = place_hash(
        vessels.column.astype(np.int64)[:, None] * 64 + number, vessels.row[:, None], anatomy.salt(SALT + 1)
    )
    chosen = number < count
    angle = 2 * np.pi * (number + 0.7 * uniform(hashes, 0)) / count
    radius = (0.80 + 0.28 * (uniform(hashes, 1) < 0.4)) * vessels.radius[:, None]
    stretch, turn = vessels.stretch[:, None], vessels.turn[:, None]
    along, across = radius * stretch * np.cos(angle), radius * np.sin(angle)
    x = vessels.x[:, None] + along * np.cos(turn) - across * np.sin(turn)
    y = vessels.y[:, None] + along * np.sin(turn) + across * np.cos(turn)
    tangent = turn + np.arctan2(np.cos(angle), -stretch * np.sin(angle))
    return Nuclei(x[chosen], y[chosen], tangent[chosen], hashes[chosen])


def red_cells(anatomy: Anatomy, vessels: Vessels, x0: float, y0: float, x1: float, y1: float) -> Nuclei:
    """Red cells of the vessels whose centres lie in the rectangle."""
    if len(vessels.x) == 0:
        nothing = np.zeros(0)
        return Nuclei(nothing, nothing, nothing, np.zeros(0, dtype=np.uint64))
    columns, rows = np.arange(x0 // CELL_PITCH, x1 // CELL_PITCH + 1), np.arange(y0 // CELL_PITCH, y1 // CELL_PITCH + 1)
    column, row = (grid.ravel() for grid in np.meshgrid(columns, rows))
    hashes = place_hash(column, row, anatomy.salt(SALT + 2))
    x = (column + 0.5 * (row % 2) + 0.4 * uniform(hashes, 0)) * CELL_PITCH
    y = (row + 0.4 * uniform(hashes, 1)) * CELL_PITCH
    v, filled = vessel_field(vessels, x, y)
    inside = (v < 0.66) & (uniform(hashes, 2) < 1.6 * filled)
    return Nuclei(x[inside], y[inside], np.pi * uniform(hashes, 3)[inside], hashes[inside])
