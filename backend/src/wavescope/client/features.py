"""Features straight from stored details: nothing is synthesised, no ancestor is read. Pure numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter
from wavescope.geometry import HALF

Details = NDArray[np.float32]
"""(channels, 3, 128, 128): HL, LH, HH of one tile"""
Energy = NDArray[np.float32]
"""(channels, 3, rows, columns)"""
Mask = NDArray[np.bool_]
"""(rows, columns) over the whole slide"""

BINS = 256


def check_cell(cell: int) -> int:
    """How many cells a tile has along a side; a cell covers ``cell`` x ``cell`` pixels. Raises InvalidParameter."""
    if cell < 2 or cell & (cell - 1) or cell > 2 * HALF:
        raise InvalidParameter("cell", cell, f"a power of two from 2 to {2 * HALF}")
    return 2 * HALF // cell


def band_energy(details: Details, cell: int) -> Energy:
    """The mean square of the details of each band in each cell of a tile."""
    side, channels = check_cell(cell), details.shape[0]
    squares = np.square(details).reshape(channels, 3, side, cell // 2, side, cell // 2)
    mean: Energy = squares.mean(axis=(3, 5), dtype=np.float32)
    return mean


def tissue_of(energy: Energy) -> Mask:
    """Where the details have so much energy that they are of tissue: the threshold is Otsu's, of its logarithm.

    A slide without any details is all glass.
    """
    total = energy.sum(axis=(0, 1))
    if not total.any():
        return np.zeros(total.shape, np.bool_)
    levels = np.log1p(total)
    found: Mask = levels > otsu(levels)
    return found


def otsu(values: NDArray[np.floating]) -> float:
    """The threshold with the greatest variance between the two classes. An edge of a bin; the first of equal ones."""
    counts, edges = np.histogram(values, BINS)
    centres = (edges[:-1] + edges[1:]) / 2
    below, above = np.cumsum(counts)[:-1], counts.sum() - np.cumsum(counts)[:-1]
    sums = np.cumsum(counts * centres)
    with np.errstate(divide="ignore", invalid="ignore"):
        between = below * above * (sums[:-1] / below - (sums[-1] - sums[:-1]) / above) ** 2
    return float(edges[1:-1][int(np.nanargmax(between))]) if np.isfinite(between).any() else float(values.max())
