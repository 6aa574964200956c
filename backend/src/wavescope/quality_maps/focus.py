"""How blurred the tissue is: details that a blur removes, beside those that it leaves (QM4 to QM6)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.quality_maps.bands import (
    CELL,
    COARSE,
    FINE,
    MIDDLE,
    Bands,
    Floats,
    Mask,
    in_blocks,
    of_blocks,
)

SHARPEST = 0.9
"""The quantile of a slide's tissue that counts as sharp."""
LEAST_SHARP = -0.45
"""Of the details of a level beside those of the next, as a logarithm: sharp tissue has more. A slide without any is
measured against this.
"""
MARGIN = 5.5
"""By which the details of sharp tissue must exceed the floor, as a logarithm; else its focus is not judged."""
BUDGET = 2.5e-3
"""Bytes of FINE that are read for each pixel of level 0 (QM5)."""
SPREAD = 12
"""Which of all blocks with tissue are read, whatever they have."""
MOST = 8.0
"""Pixels."""
WEAK, STRONG = 2.0, 3.5
"""Pixels: a weaker blur is measured by FINE, a stronger one, which leaves nothing there, by MIDDLE; one between them by
both (QM4).
"""


class Focus(NamedTuple):
    """Of each cell: the standard deviation of the blur in pixels of level 0, and whether it was judged."""

    blur: Floats
    judged: Mask


def wanted_blocks(lengths: NDArray[np.int64], coarse: Floats, tissue: Mask) -> Mask:
    """Which blocks (rows, columns) of FINE are read: some everywhere, then those with the fewest bytes for their
    contrast, which may be blurred, until BUDGET is spent (QM5). ``coarse``: the details of COARSE, ``tissue``: both of
    the cells.
    """
    there = np.asarray(in_blocks(tissue, FINE).any(axis=2))
    contrast = np.where(tissue, coarse, -np.inf)
    expected = in_blocks(contrast, FINE).max(axis=2) / 3
    rank = np.where(_spread(there), -np.inf, np.log1p(lengths) - expected)
    order = np.argsort(np.where(there, rank, np.inf), axis=None)
    spent = np.cumsum(np.where(there, lengths, 0).ravel()[order])
    wanted = np.zeros(there.size, np.bool_)
    wanted[order[spent <= BUDGET * CELL * CELL * tissue.size]] = True
    found: Mask = wanted.reshape(there.shape) & there
    return found


def strong_blocks(bands: Bands, tissue: Mask) -> Mask:
    """Which blocks (rows, columns) of MIDDLE are read: those with a blur that FINE does not measure, and some others
    (QM5).
    """
    blur, judged = _measured(bands, FINE, _fine(bands, tissue), tissue)
    there = np.asarray(in_blocks(tissue, MIDDLE).any(axis=2))
    found: Mask = in_blocks(judged & (blur > WEAK), MIDDLE).any(axis=2) | (there & _spread(there))
    return found


def focus_of(bands: Bands, tissue: Mask) -> Focus:
    """The focus of the cells of tissue."""
    blur, judged = _measured(bands, FINE, _fine(bands, tissue), tissue)
    middle = bands.detail(MIDDLE)
    strong, known = _measured(bands, MIDDLE, middle, tissue & np.isfinite(middle))
    weight = np.where(known, np.clip((blur - WEAK) / (STRONG - WEAK), 0, 1), 0)
    return Focus((1 - weight) * blur + weight * strong, judged)


def _measured(bands: Bands, level: int, details: Floats, tissue: Mask) -> Focus:
    """By the details of a level beside those of COARSE."""
    coarse = bands.detail(COARSE)
    ratio = details - coarse
    nothing = float(np.log(bands.floor[level]))
    sharp = least = LEAST_SHARP * (COARSE - level)
    certain = tissue & (coarse + least > nothing + MARGIN)
    if certain.any():
        sharp = max(sharp, float(np.quantile(ratio[certain], SHARPEST)))
    judged: Mask = tissue & (coarse + sharp > nothing + MARGIN)
    lost = np.where(judged, sharp - ratio, 0)
    return Focus(_smoothed(np.interp(lost, _TABLES[level], _SIGMAS), judged), judged)


def _spread(blocks: Mask) -> Mask:
    """Every twelfth of all blocks."""
    y, x = np.mgrid[: blocks.shape[0], : blocks.shape[1]]
    chosen: Mask = (x + 5 * y) % SPREAD == 0
    return chosen


def _fine(bands: Bands, tissue: Mask) -> Floats:
    """The details of FINE: read, and elsewhere what the bytes of the block lead to expect (QM5)."""
    fine, coarse = bands.detail(FINE), bands.detail(COARSE)
    size = np.log1p(of_blocks(bands.lengths, FINE, fine.shape))
    known = tissue & np.isfinite(fine)
    terms = np.stack([np.ones_like(size), size, coarse], axis=-1)
    if known.sum() < 3 * terms.shape[-1]:
        likely: Floats = np.where(np.isfinite(fine), fine, coarse + LEAST_SHARP * (COARSE - FINE))
        return likely
    weights = np.linalg.lstsq(terms[known], fine[known], rcond=None)[0]
    expected: Floats = np.where(np.isfinite(fine), fine, terms @ weights)
    return expected


def _smoothed(values: Floats, there: Mask) -> Floats:
    """The mean of the 3 x 3 cells around each that are there, the own one four times."""

    def around(plane: Floats) -> Floats:
        padded = np.pad(plane, 1)
        rows, columns = plane.shape
        parts = (padded[y : y + rows, x : x + columns] for y in range(3) for x in range(3))
        total: Floats = sum(parts, 3 * plane)
        return total

    weights = around(there.astype(np.float64))
    means: Floats = around(np.where(there, values, 0)) / np.maximum(weights, 1)
    return means


def _lost(level: int) -> Floats:
    """How much more a Gaussian blur of _SIGMAS takes from the details of a level than from those of COARSE, as a
    logarithm: a blur of s pixels multiplies the energy of f periods in a pixel by exp(-(2 pi f s)^2), and the energy of
    pictures falls with the square of f.
    """

    def left(of: int) -> Floats:
        f = np.linspace(0.25, 0.5, 33) / (1 << of)
        power: Floats = (np.exp(-((2 * np.pi * f * _SIGMAS[:, None]) ** 2)) / f).sum(axis=1)
        part: Floats = power / power[0]
        return part

    lost: Floats = np.log(left(COARSE)) - np.log(left(level))
    return lost


_SIGMAS: Floats = np.linspace(0, MOST, 81)
_TABLES = {level: _lost(level) for level in (MIDDLE, FINE)}
