"""Colour by the law of Beer and Lambert: stains add up as optical densities, and light passes by their power of ten.

The vectors are those of haematoxylin, eosin and oxygenated blood as a brightfield scanner sees them (after Ruifrok and
Johnston 2001, with the eosin of scanned slides, which is less green-absorbing than theirs).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavescope.source.specimen.noise import Field

GLASS = (243, 242, 244)
HAEMATOXYLIN = (0.60, 0.72, 0.35)
EOSIN = (0.20, 0.85, 0.44)
BLOOD = (0.17, 0.80, 0.58)
STEPS = 512
"""Steps of the table for one unit of optical density."""
DENSEST = 3


def _table(glass: int) -> NDArray[np.uint8]:
    density = np.arange(DENSEST * STEPS) / STEPS
    table: NDArray[np.uint8] = np.floor(glass * 10.0**-density + 0.5).astype(np.uint8)
    return table


TABLES = tuple(_table(glass) for glass in GLASS)


def colour(haematoxylin: Field, eosin: Field, blood: Field | None, grain: Field | None) -> NDArray[np.uint8]:
    """(height, width, 3) RGB of amounts of stain; where all are 0, exactly GLASS. ``grain`` is added to every
    density.
    """
    picture = np.empty((*haematoxylin.shape, 3), dtype=np.uint8)
    for channel in range(3):
        density = haematoxylin * np.float32(HAEMATOXYLIN[channel] * STEPS)
        density += eosin * np.float32(EOSIN[channel] * STEPS)
        if blood is not None:
            density += blood * np.float32(BLOOD[channel] * STEPS)
        if grain is not None:
            density += grain
        np.clip(density, 0, DENSEST * STEPS - 1, out=density)
        picture[..., channel] = TABLES[channel].take(density.astype(np.int16))
    return picture
