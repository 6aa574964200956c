"""Glands (crypts cut across): a lumen, an epithelium of tall cells with their nuclei at its base, goblet cells
between them.

A gland is an ellipse in warped coordinates. ``q`` is 0 in its centre and 1 at its base; ``u`` is 0 where the lumen
ends and 1 at the base. Where two glands meet, a septum of connective tissue keeps them apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wavescope.source.specimen.anatomy import Anatomy
from wavescope.source.specimen.hashing import Floats, place_hash, uniform

PITCH = 325
REACH = 430.0
FAR = 1.3
CELL = 30.0
OUTSIDE = 1.6
SALT = 300
MAX_NUCLEI = 64


class Glands(NamedTuple):
    """Glands as columns of numbers. (axx, axy; ayx, ayy) maps offsets from the centre to the unit circle."""

    x: Floats
    y: Floats
    axx: Floats
    axy: Floats
    ayx: Floats
    ayy: Floats
    radius: Floats
    lumen: Floats
    goblets: Floats
    column: Floats
    row: Floats

    def within(self, x0: float, y0: float, x1: float, y1: float, reach: float) -> Glands:
        """Those whose centres lie in the rectangle widened by ``reach``."""
        near = (self.x > x0 - reach) & (self.x < x1 + reach) & (self.y > y0 - reach) & (self.y < y1 + reach)
        return Glands(*(values[near] for values in self))


class Nuclei(NamedTuple):
    """Cells as columns: place, direction of the long axis, and a hash each."""

    x: Floats
    y: Floats
    turn: Floats
    hashes: np.ndarray[tuple[int], np.dtype[np.uint64]]


def glands_near(anatomy: Anatomy, x0: float, y0: float, x1: float, y1: float) -> Glands:
    """All glands that may reach into the rectangle."""
    columns = np.arange((x0 - REACH) // PITCH, (x1 + REACH) // PITCH + 1)
    rows = np.arange((y0 - REACH) // PITCH, (y1 + REACH) // PITCH + 1)
    column, row = (grid.ravel() for grid in np.meshgrid(columns, rows))
    hashes = place_hash(column, row, anatomy.salt(SALT))
    # every other row is shifted by half a cell, as in a honeycomb
    x = (column + 0.5 * (row % 2) + 0.5 + 0.30 * (uniform(hashes, 0) - 0.5)) * PITCH
    y = (row + 0.5 + 0.30 * (uniform(hashes, 1) - 0.5)) * PITCH
    present = (anatomy.glandular_at(x, y) > 0.40 + 0.05 * uniform(hashes, 2)) & (anatomy.depth_at(x, y) > 120.0)
    hashes = hashes[present]
    x, y, column, row = (values[present] for values in (x, y, column, row))
    radius = 142.0 + 46.0 * uniform(hashes, 3)
    stretch = 1.0 + 0.45 * uniform(hashes, 4) ** 2
    turn = np.pi * uniform(hashes, 5)
    long, short = radius * np.sqrt(stretch), radius / np.sqrt(stretch)
    cosine, sine = np.cos(turn), np.sin(turn)
    lumen = np.where(uniform(hashes, 6) < 0.13, 0.36 + 0.2 * uniform(hashes, 7), 0.06 + 0.2 * uniform(hashes, 7))
    goblets = np.clip(1.5 * uniform(hashes, 8) - 0.15, 0, 1)
    return Glands(x, y, cosine / long, sine / long, -sine / short, cosine / short, radius, lumen, goblets, column, row)


def gland_field(glands: Glands, x: Floats, y: Floats, step: float) -> tuple[Floats, Floats]:
    """(u, cell) at warped node coordinates (both (rows, columns)) with ``step`` between nodes.

    u is OUTSIDE where no gland is near; cell is 1 along the middle of each epithelial cell, -1 along its borders.
    """
    nearest = np.full(x.shape, 9.0)
    second = np.full(x.shape, 9.0)
    lumen = np.zeros(x.shape)
    cell = np.zeros(x.shape)
    slack = 48.0
    for gland in zip(*glands, strict=True):
        one = Glands(*gland)
        size = FAR * float(one.radius) * 1.25 + slack
        left, top = (int(max(0, v // step)) for v in (one.x - size - x[0, 0], one.y - size - y[0, 0]))
        right, bottom = (int(max(0, v // step + 2)) for v in (one.x + size - x[0, 0], one.y + size - y[0, 0]))
        window = (slice(top, bottom), slice(left, right))
        dx, dy = x[window] - one.x, y[window] - one.y
        if dx.size == 0:
            continue
        across, along = one.axx * dx + one.axy * dy, one.ayx * dx + one.ayy * dy
        q = np.hypot(across, along)
        q[q > FAR] = 9.0
        before = nearest[window]
        second[window] = np.minimum(second[window], np.maximum(before, q))
        lumen[window] = np.where(q < before, one.lumen, lumen[window])
        count = np.round(2 * np.pi * one.radius / CELL)
        cell[window] = np.where(q < before, np.cos(count * np.arctan2(along, across)) * np.minimum(q, 1), cell[window])
        nearest[window] = np.minimum(before, q)
    q = np.maximum(nearest, 1.09 - 1.3 * (second - nearest))
    u: Floats = np.minimum((q - lumen) / (1.0 - lumen), OUTSIDE)
    return u, cell


class Ring(NamedTuple):
    """Cells around a gland, lengths in pixels: their distance along the wall and from it, and how much they vary."""

    salt: int
    spacing: float
    inset: float
    jitter: float
    deep: float  # share of the cells that lie 20 pixels deeper
    share: float | None  # of the places that have a cell; None: the gland's share of goblet cells


EPITHELIUM = Ring(SALT + 1, spacing=21.5, inset=25.0, jitter=13.0, deep=0.24, share=0.97)
GOBLETS = Ring(SALT + 2, spacing=38.0, inset=68.0, jitter=20.0, deep=0.1, share=None)


def epithelial_nuclei(anatomy: Anatomy, glands: Glands) -> Nuclei:
    """Nuclei along the base of each gland, pointing to its centre, in warped coordinates."""
    return _along(anatomy, glands, EPITHELIUM)


def goblet_cells(anatomy: Anatomy, glands: Glands) -> Nuclei:
    """Drops of mucus above the nuclei, in glands that have them."""
    return _along(anatomy, glands, GOBLETS)


def _along(anatomy: Anatomy, glands: Glands, ring: Ring) -> Nuclei:
    number = np.arange(MAX_NUCLEI)[None, :]
    count = np.maximum(5.0, np.floor(2 * np.pi * (glands.radius - ring.inset) / ring.spacing))[:, None]
    key = glands.column.astype(np.int64) * 64
    hashes = place_hash(key[:, None] + number, glands.row[:, None], anatomy.salt(ring.salt))
    share = glands.goblets[:, None] if ring.share is None else ring.share
    chosen = (number < np.minimum(count, MAX_NUCLEI)) & (uniform(hashes, 0) < share)
    angle = 2 * np.pi * (number + 0.55 * uniform(hashes, 1)) / count
    inward = ring.inset + ring.jitter * (uniform(hashes, 2) - 0.35) + 20.0 * (uniform(hashes, 3) < ring.deep)
    q = 1.0 - inward / glands.radius[:, None]
    cosine, sine = np.cos(angle) * q, np.sin(angle) * q
    # invert the map to the unit circle; its determinant is 1 / (long * short)
    axx, axy, ayx, ayy = (values[:, None] for values in (glands.axx, glands.axy, glands.ayx, glands.ayy))
    scale = 1.0 / (axx * ayy - axy * ayx)
    x = glands.x[:, None] + (ayy * cosine - axy * sine) * scale
    y = glands.y[:, None] + (axx * sine - ayx * cosine) * scale
    turn = np.arctan2(axy * cosine + ayy * sine, axx * cosine + ayx * sine) + 0.5 * (uniform(hashes, 4) - 0.5)
    chosen = chosen & (q > glands.lumen[:, None] + 0.1)
    return Nuclei(x[chosen], y[chosen], turn[chosen], hashes[chosen])
