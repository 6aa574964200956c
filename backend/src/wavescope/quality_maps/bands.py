"""What the maps are made of: the light of a coarse level, and how much detail the levels below it have (QM1, QM2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.geometry import HALF

PIXEL = 32
"""Side of a pixel of the maps, in pixels of level 0."""
CELL = 256
"""Side of the squares whose details are summed up, in pixels of level 0."""
PIXELS = CELL // PIXEL
COARSE, MIDDLE, FINE = 4, 3, 2
"""The levels whose details are read. Of MIDDLE and FINE only some blocks are (QM5)."""

Floats = NDArray[np.floating[Any]]
Mask = NDArray[np.bool_]


class Bands(NamedTuple):
    """Of one plane of a stained slide. ``light``: (height, width, 3) uint8 RGB, of PIXEL; ``energy``: by level the mean
    square of the details of luma in each cell (rows, columns), NaN where the block was not read; ``floor``: by level
    the energy below which details were rounded to nothing; ``lengths``: bytes of the first layer of each block of FINE.
    """

    light: NDArray[np.uint8]
    energy: Mapping[int, Floats]
    floor: Mapping[int, float]
    lengths: NDArray[np.int64]

    def detail(self, level: int) -> Floats:
        """The logarithm of the energy."""
        found: Floats = np.log(self.energy[level] + self.floor[level])
        return found


def cells_of_block(level: int) -> int:
    """Cells along the side of a block."""
    return (HALF << (level + 1)) // CELL


def energy_of(details: NDArray[np.int16], steps: tuple[int, ...], fraction_bits: int, level: int) -> Floats:
    """Of each cell of a block, from the quantised details (3, 128, 128) of luma, in squares of pixel values. The
    diagonal band is left out: it has little but noise.
    """
    count = cells_of_block(level)
    scaled = details[:2].astype(np.float32) * (np.array(steps[:2], np.float32) / (1 << fraction_bits))[:, None, None]
    squares = np.square(scaled).sum(axis=0)
    side = HALF // count
    energy: Floats = squares.reshape(count, side, count, side).mean(axis=(1, 3))
    return energy


def floor_of(steps: tuple[int, ...], fraction_bits: int) -> float:
    """A thousandth of the square of a step: below the energy of a cell with a single detail."""
    return float((steps[0] / (1 << fraction_bits)) ** 2 / 1024)


def in_blocks(cells: NDArray[Any], level: int) -> NDArray[Any]:
    """The cells of each block (rows, columns, cells); beyond the edge they repeat the last ones."""
    side = cells_of_block(level)
    padded = np.pad(cells, [(0, -length % side) for length in cells.shape], "edge")
    rows, columns = (length // side for length in padded.shape)
    return padded.reshape(rows, side, columns, side).transpose(0, 2, 1, 3).reshape(rows, columns, side * side)


def of_blocks(blocks: NDArray[Any], level: int, shape: tuple[int, ...]) -> NDArray[Any]:
    """Of each cell (rows, columns), that of its block."""
    side = cells_of_block(level)
    return np.repeat(np.repeat(blocks, side, axis=0), side, axis=1)[: shape[0], : shape[1]]


def in_pixels(cells: NDArray[Any], shape: tuple[int, int]) -> NDArray[Any]:
    """Of each pixel of the maps (height, width), that of its cell."""
    return np.repeat(np.repeat(cells, PIXELS, axis=0), PIXELS, axis=1)[: shape[0], : shape[1]]


def in_cells(pixels: NDArray[Any]) -> Floats:
    """The mean of each cell; beyond the edge is nothing."""
    rows, columns = -(-pixels.shape[0] // PIXELS), -(-pixels.shape[1] // PIXELS)
    padded = np.zeros((rows * PIXELS, columns * PIXELS), np.float32)
    padded[: pixels.shape[0], : pixels.shape[1]] = pixels
    means: Floats = padded.reshape(rows, PIXELS, columns, PIXELS).mean(axis=(1, 3))
    return means
