"""Where tissue is: what absorbs more light than the glass around it (QM3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.quality_maps.bands import Floats, Mask
from wavescope.quality_maps.shapes import closed, opened

BRIGHT = 200
"""Glass is no darker than this, in any colour."""
LEAST, SHARE = 0.02, 0.35
"""Tissue absorbs more than LEAST, and more than this share of what separates it from glass best."""
GAPS = 2
"""Pixels: narrower clefts belong to the tissue; what is narrower lies on the glass."""
BINS = 128


class Absorption(NamedTuple):
    """Optical density beside the glass of each pixel (height, width, 3), and their mean."""

    colours: Floats
    mean: Floats


def absorption(light: NDArray[np.uint8]) -> Absorption:
    """Of the light of a slide."""
    glass = np.maximum(np.quantile(light.reshape(-1, 3), 0.99, axis=0), BRIGHT)
    table = -np.log10(np.minimum((np.arange(256)[:, None] + 1) / (glass + 1), 1)).astype(np.float32)
    colours = np.stack([table[light[..., c], c] for c in range(3)], axis=-1)
    return Absorption(colours, colours.mean(axis=-1))


def tissue_of(absorbed: Absorption) -> Mask:
    """The pixels with tissue, with what may lie on it."""
    limit = max(LEAST, SHARE * otsu(np.minimum(absorbed.mean, 1)))
    return opened(closed(absorbed.mean > limit, GAPS), 1)


def otsu(values: Floats) -> float:
    """The threshold of Otsu (1979) of values of 0 to 1."""
    counts, edges = np.histogram(values, BINS, (0, 1))
    middles = (edges[:-1] + edges[1:]) / 2
    below = np.cumsum(counts)
    sums = np.cumsum(counts * middles)
    above = below[-1] - below
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (sums[-1] * below / below[-1] - sums) ** 2 / (below * above)
    return float(edges[1 + int(np.nanargmax(np.where(np.isfinite(between), between, -1)))])
