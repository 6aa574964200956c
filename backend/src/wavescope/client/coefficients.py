"""Wavelet coefficients of samples in the shape and scale of PyWavelets. Pure numpy; PyWavelets is not needed here.

The pair is ``rbio1.5``, that of the codec: each approximation is twice the mean of 2 x 2 samples, each detail the
difference of two means less what the two means on either side predict of it. At the border of the region the
prediction looks at its opposite border, as the mode ``periodization`` does, so that
``pywt.waverec2(channel, "rbio1.5", mode="periodization")`` gives the samples of the region (PC31). ``haar`` predicts
nothing: its coefficients do not depend on where the region ends.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter, OutOfRange

Plane: TypeAlias = NDArray[np.float64]
"""(height, width)"""
Details: TypeAlias = tuple[Plane, Plane, Plane]
"""(cH, cV, cD) = (LH, HL, HH)"""
Coefficients: TypeAlias = list[Plane | Details]
"""[cA, (cH, cV, cD) of the coarsest level, ..., (cH, cV, cD) of the finest]"""
Wavelet = Literal["rbio1.5", "haar"]
WAVELETS: tuple[Wavelet, ...] = get_args(Wavelet)
MODE = "periodization"
"""The mode for ``pywt.waverec2``."""

MAX_DEPTH = 16
ROOT = np.sqrt(2.0)
_NEAR, _FAR = 22.0 / 128.0, 3.0 / 128.0


def check_grid(region: tuple[int, int, int, int], depth: int) -> None:
    """Returns if a region (x, y, width, height) lies on the slide's grid of 2^depth pixels. Raises OutOfRange."""
    if not 1 <= depth <= MAX_DEPTH:
        raise OutOfRange("depth", depth, f"1 to {MAX_DEPTH}")
    for name, value in zip(("x", "y", "width", "height"), region, strict=True):
        if value % (1 << depth) or (name in ("width", "height") and value < 1):
            raise OutOfRange(name, value, f"a multiple of {1 << depth} for a depth of {depth}")


def decompose(samples: NDArray[np.floating], depth: int, wavelet: Wavelet = "rbio1.5") -> list[Coefficients]:
    """The coefficients of each channel of ``samples`` (channels, height, width) over ``depth`` levels.

    Raises InvalidParameter for another wavelet, OutOfRange unless both sides are multiples of 2^depth, at least one.
    """
    if wavelet not in WAVELETS:
        raise InvalidParameter("wavelet", wavelet, " or ".join(WAVELETS))
    check_grid((0, 0, samples.shape[2], samples.shape[1]), depth)
    return [_channel(np.asarray(channel, np.float64), depth, wavelet) for channel in samples]


def _channel(plane: Plane, depth: int, wavelet: Wavelet) -> Coefficients:
    found: Coefficients = []
    for _ in range(depth):
        low, high = _analyze(plane, 1, wavelet)
        plane, vertical = _analyze(low, 0, wavelet)
        horizontal, diagonal = _analyze(high, 0, wavelet)
        found.insert(0, (vertical, horizontal, diagonal))
    return [plane, *found]


def _analyze(plane: Plane, axis: int, wavelet: Wavelet) -> tuple[Plane, Plane]:
    """Low and high bands along one axis, orthonormal scale."""
    first, second = (plane.take(range(start, plane.shape[axis], 2), axis) for start in (0, 1))
    low = (first + second) / ROOT
    high = (first - second) / ROOT
    if wavelet == "rbio1.5":

        def beside(by: int) -> Plane:
            return np.roll(low, by, axis)

        high -= _NEAR * (beside(1) - beside(-1)) - _FAR * (beside(2) - beside(-2))
    return low, high
