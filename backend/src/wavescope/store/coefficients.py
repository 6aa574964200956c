"""Coefficients as scientists know them: PyWavelets' lists of arrays, from a stored slide (rule ST47).

The scale is PyWavelets' own for ``rbio1.5``: LL is twice the mean of 2 x 2 pixels, and so on at each further level.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import CodecError, CorruptBlock, OutOfRange
from wavescope.geometry import HALF, Address
from wavescope.kernel.layers import split_layers
from wavescope.kernel.parameter_set import ParameterSet
from wavescope.kernel.tiles import Samples, analyze, decode_approximation, decode_tile
from wavescope.store.reader import StoreReader

Plane = NDArray[np.float32]
"""(channels, side, side)"""
Details: TypeAlias = tuple[Plane, Plane, Plane]
"""(cH, cV, cD) = (LH, HL, HH)"""
Coefficients: TypeAlias = list[Plane | Details]
"""[cA, (cH, cV, cD) of the coarsest level, ..., (cH, cV, cD) of the finest]"""

GAINS = (1.0, 1.0, 0.5)
"""PyWavelets' HL, LH, HH for ours."""


def coefficients(reader: StoreReader, tile: Address, depth: int = 1, layers: int | None = None) -> Coefficients:
    """The coefficients of one tile over ``depth`` levels, in units of pixel values, centred on 0, in the slide's own
    colour channels. They are what ``pywt.wavedec2`` returns for the tile, up to quantisation and the tile's border.

    Level n of the list comes from the tile's n-th ancestor, cut to the part under the tile.
    """
    top = reader.manifest.top
    if not 1 <= depth <= top - tile.level:
        raise OutOfRange("depth", depth, f"1 to {top - tile.level} below the approximation")
    chain, parameters = _chain(reader, tile, reader.manifest.layers if layers is None else layers)
    found: Coefficients = []
    scale = 1.0 / (1 << parameters.fraction_bits)
    for step in range(depth):
        low, details = analyze(chain[step])
        hl, lh, hh = (_cut(details[:, band], tile, step, gain * scale) for band, gain in enumerate(GAINS))
        found.insert(0, (lh, hl, hh))
        if step == depth - 1:
            found.insert(0, _cut(low, tile, step, 2 * scale))
        scale *= 2
    return found


def samples(reader: StoreReader, tile: Address, layers: int) -> tuple[Samples, ParameterSet]:
    """The tile's unclipped samples from the first ``layers`` layers of its chain."""
    chain, parameters = _chain(reader, tile, layers)
    return chain[0], parameters


def _chain(reader: StoreReader, tile: Address, layers: int) -> tuple[list[Samples], ParameterSet]:
    """Samples of the tile and of all its ancestors, the approximation last."""
    reader.version.check_address(tile)
    path = [tile]
    while path[-1].level < reader.manifest.top:
        path.append(path[-1].parent())
    wanted = range(layers)
    try:
        top = reader.version.parameters(reader.manifest.top, tile.c)
        chain = [decode_approximation(split_layers(reader.read(path[-1], wanted)), top, tile.z)]
        for address in reversed(path[:-1]):
            block = split_layers(reader.read(address, wanted))
            chain.insert(0, decode_tile(chain[0], block, reader.version.parameters(address.level, address.c), address))
    except CodecError as error:
        raise CorruptBlock(tile, str(error)) from error
    return chain, top


def _cut(band: NDArray[np.int16], tile: Address, step: int, scale: float) -> Plane:
    """The part of an ancestor's band (C, 128, 128) that lies under the tile, ``step`` levels above it, scaled."""
    side = HALF >> step
    x, y = (tile.x % (1 << step)) * side, (tile.y % (1 << step)) * side
    return band[:, y : y + side, x : x + side] * np.float32(scale)
