"""Smooth random fields over the plane: value noise on a lattice, and fine textures that repeat far away.

Fields that vary slowly are computed on a grid of nodes at multiples of a step in level-0 pixels and interpolated, so
the value at a node does not depend on the area that is being painted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavescope.source.specimen.hashing import Floats, place_hash, uniform

Field = NDArray[np.float32]


def _smooth(fraction: Floats) -> Floats:
    return fraction * fraction * (3.0 - 2.0 * fraction)


def noise_grid(xs: Floats, ys: Floats, wavelength: float, salt: int) -> Floats:
    """Value noise in [0, 1] at every (y, x) of two ascending axes."""
    column, row = np.floor(xs / wavelength).astype(np.int64), np.floor(ys / wavelength).astype(np.int64)
    lattice_x = np.arange(column[0], column[-1] + 2)
    lattice_y = np.arange(row[0], row[-1] + 2)
    lattice = uniform(place_hash(lattice_x[None, :], lattice_y[:, None], salt), 0)
    right, below = _smooth(xs / wavelength - column), _smooth(ys / wavelength - row)[:, None]
    column, row = column - column[0], row - row[0]
    across = lattice[:, column] * (1.0 - right) + lattice[:, column + 1] * right
    mixed: Floats = across[row] * (1.0 - below) + across[row + 1] * below
    return mixed


def noise_at(x: Floats, y: Floats, wavelength: float, salt: int) -> Floats:
    """The same noise at scattered points."""
    column, row = np.floor(x / wavelength).astype(np.int64), np.floor(y / wavelength).astype(np.int64)
    right, below = _smooth(x / wavelength - column), _smooth(y / wavelength - row)
    corners = [uniform(place_hash(column + i, row + j, salt), 0) for j in (0, 1) for i in (0, 1)]
    upper = corners[0] * (1.0 - right) + corners[1] * right
    lower = corners[2] * (1.0 - right) + corners[3] * right
    mixed: Floats = upper * (1.0 - below) + lower * below
    return mixed


def upsample(nodes: Field, step: int) -> Field:
    """Linear interpolation between nodes ``step`` pixels apart: (m + 1, n + 1) nodes to (m * step, n * step) pixels."""
    weights = np.arange(step, dtype=np.float32) / np.float32(step)
    # across first: there the rows are few, and going down the inner loop is a whole row
    wide = nodes[:, :-1, None] + (nodes[:, 1:] - nodes[:, :-1])[:, :, None] * weights
    wide = wide.reshape(nodes.shape[0], -1)
    tall = (wide[1:] - wide[:-1])[:, None, :] * weights[:, None]
    tall += wide[:-1, None, :]
    return tall.reshape(-1, wide.shape[1])


class Texture:
    """Band-limited noise of mean 0 and deviation 1 that repeats every ``period`` pixels."""

    def __init__(self, period: int, wavelength: float, seed: int, reach: int) -> None:
        self._period = period
        white = np.random.default_rng([seed, period]).standard_normal((period, period)).astype(np.float32)
        frequency = np.fft.fftfreq(period)[:, None] ** 2 + np.fft.rfftfreq(period)[None, :] ** 2
        peak = 1.0 / wavelength
        band = np.exp(-((np.sqrt(frequency) - peak) ** 2) / (2 * (0.45 * peak) ** 2))
        wave = np.fft.irfft2(np.fft.rfft2(white) * band, s=(period, period))
        wave = ((wave - wave.mean()) / wave.std()).astype(np.float32)
        self._wave = np.pad(wave, (0, reach), mode="wrap")

    def window(self, x: int, y: int, width: int, height: int) -> Field:
        """The texture over a rectangle of at most ``reach`` pixels a side."""
        column, row = x % self._period, y % self._period
        return self._wave[row : row + height, column : column + width]
