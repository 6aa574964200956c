"""Focus: the specimen is not flat, so each plane is sharp in other places. Blur grows with the distance from the
focal plane.
"""

from __future__ import annotations

import numpy as np

from wavescope.source.specimen.hashing import Floats
from wavescope.source.specimen.noise import Field, noise_grid

PLANE_SPACING_UM = 1.5
SIGMAS = (0.0, 0.7, 1.6, 3.2, 6.5)
"""The blurs between which is interpolated, in pixels: (1 2 1)/4 run with its taps 1, 2, 4, 8 apart, one after the
other.
"""
REACH = 15
PIXELS_PER_UM = 1.5
HEIGHT_UM = 3.6
"""The specimen's surface lies within +- half of this."""
WAVELENGTH = 3000.0


def blur_grid(xs: Floats, ys: Floats, z: int, planes: int, salt: int) -> Floats:
    """The blur as a position on the ladder SIGMAS (0 sharp, 1.5 between the second and the third) at every (y, x)."""
    if planes == 1:
        return np.zeros((len(ys), len(xs)))
    focus_um = (z - (planes - 1) / 2) * PLANE_SPACING_UM
    span = min(HEIGHT_UM, (planes - 1) * PLANE_SPACING_UM)
    height_um = (noise_grid(xs, ys, WAVELENGTH, salt) - 0.5) * span
    # within half a micrometre everything is sharp: the depth of field
    pixels = np.maximum(0.0, np.abs(focus_um - height_um) - 0.5) * PIXELS_PER_UM
    return np.interp(pixels, SIGMAS, np.arange(len(SIGMAS)))


def blur(field: Field, ladder: Field) -> Field:
    """Blur each pixel by its place on the ladder. Within REACH of its border the result is not meaningful."""
    low, high = int(np.floor(ladder.min())), int(np.ceil(ladder.max()))
    sharper = field
    for rung in range(low):
        sharper = _spread(sharper, 1 << rung)
    result = sharper
    for rung in range(low, high):
        wider = _spread(sharper, 1 << rung)
        share = np.clip(ladder - np.float32(rung), 0, 1)
        result = result + (wider - sharper) * share
        sharper = wider
    return result


def _spread(field: Field, distance: int) -> Field:
    """(1 2 1)/4 along both axes with its taps ``distance`` apart; the border of that width stays as it is."""
    for _ in range(2):
        spread = np.empty_like(field)
        spread[:distance], spread[-distance:] = field[:distance], field[-distance:]
        inner = spread[distance:-distance]
        np.add(field[: -2 * distance], field[2 * distance :], out=inner)
        inner *= np.float32(0.5)
        inner += field[distance:-distance]
        inner *= np.float32(0.5)
        field = spread.T
    return field
