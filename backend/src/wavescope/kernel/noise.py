"""Noise of a detector's values: its estimate from a picture, and its integers in a parameter set (CS52)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter

QUIETEST = 12**-0.5  # standard deviation of rounding to integers: no value has less
SAFE_RANGE = 8190  # of samples: no sum of the transform is clamped
MOST_RANGE = 65534  # of int16
MAX_SLOPE, MAX_BEND = (1 << 24) - 1, (1 << 28) - 1
MEDIAN = 0.6745  # of the magnitude of a normal deviate
INTENSITIES = 64  # bins of the fit
FEWEST = 100  # measurements that a bin needs


@dataclass(frozen=True)
class Noise:
    """The variance of a value v is read^2 + gain * max(0, v - black): ``read`` noise in values, ``gain`` in values per
    quantum of light."""

    black: int
    gain: float
    read: float

    def deviation(self, value: NDArray[Any]) -> NDArray[np.float64]:
        """The standard deviation of values."""
        above = np.maximum(0.0, np.asarray(value, np.float64) - self.black)
        deviation: NDArray[np.float64] = np.sqrt(self.read**2 + self.gain * above)
        return deviation

    def integers(self, lowest: int, highest: int) -> tuple[tuple[int, int, int, int], int]:
        """(black, slope, bend, base) and fraction bits for values from ``lowest`` to ``highest``: as many bits, up to
        4, as leave the samples room."""
        for bits in range(4, -1, -1):
            model = self._slope(bits), self._bend(bits)
            least, most = (stabilised(value, (self.black, *model, 0)) for value in (lowest, highest))
            if most - least <= (SAFE_RANGE if bits else MOST_RANGE):
                break
        else:
            raise InvalidParameter("noise", self, f"more noise beside values from {lowest} to {highest}")
        return (self.black, *model, (least + most) // 2), bits

    def _slope(self, bits: int) -> int:
        return min(MAX_SLOPE, max(1, round((64 << 2 * bits) / max(self.gain, 1e-6))))

    def _bend(self, bits: int) -> int:
        """From the slope as it is rounded: so the read noise stays."""
        return min(MAX_BEND, max(1, round(self._slope(bits) * max(self.read, QUIETEST) / (2 << bits))))


def stabilised(value: int, model: tuple[int, int, int, int]) -> int:
    """The sample of a value, as the kernel makes it (CS52)."""
    black, slope, bend, base = model
    above = value - black
    v = -((-above * 8 * slope + bend // 2) // bend) if above < 0 else math.isqrt(16 * slope * above + bend**2) - bend
    return (v + 8 >> 4) - base


def estimate_noise(values: NDArray[Any]) -> Noise:
    """The noise of a picture (h, w), from second differences of 2 x 2 values by their mean.

    Structure makes differences larger, never smaller: each bin of intensity tells by its median, and the bins of a
    picture that is structure everywhere give too much noise.
    """
    v = values[: values.shape[0] // 2 * 2, : values.shape[1] // 2 * 2].astype(np.float64)
    a, b, c, d = v[::2, ::2], v[::2, 1::2], v[1::2, ::2], v[1::2, 1::2]
    mean, difference = ((a + b + c + d) / 4).ravel(), np.abs(a - b - c + d).ravel() / 2
    black = int(np.floor(np.quantile(values, 0.001))) if values.size else 0
    if mean.size < FEWEST:
        return Noise(black, 0.0, max(QUIETEST, float(difference.mean()) / MEDIAN if mean.size else 1.0))
    order = np.argsort(mean, kind="stable")
    parts = np.array_split(order, min(INTENSITIES, mean.size // FEWEST))
    light = np.array([mean[part].mean() for part in parts]) - black
    variance = np.array([(_median(difference[part]) / MEDIAN) ** 2 for part in parts])
    gain, offset = _line(light, np.maximum(variance, QUIETEST**2))
    return Noise(black, gain, math.sqrt(max(offset, QUIETEST**2)))


def _median(differences: NDArray[np.float64]) -> float:
    """Of magnitudes that are multiples of a half: as if they were spread over their half."""
    spread = differences + (np.arange(differences.size) / differences.size - 0.5) / 2
    return float(np.median(np.abs(spread)))


def _line(light: NDArray[np.float64], variance: NDArray[np.float64]) -> tuple[float, float]:
    """Gain and offset of variance = offset + gain * light, by least squares of relative errors, three times without
    what lies far above the line: structure."""
    kept = np.ones(light.size, bool)
    gain, offset = 0.0, float(np.median(variance))
    for _ in range(3):
        x, weight = light[kept], 1 / variance[kept]
        if np.ptp(x) > 0 and kept.sum() > 2:
            gain, offset = np.polyfit(x, variance[kept], 1, w=weight)
        if gain <= 0 or offset <= 0:
            gain, offset = max(0.0, _through_origin(x, variance[kept], weight, offset)), max(0.0, offset)
        kept = variance <= 1.5 * (offset + gain * light) + QUIETEST**2
        if kept.sum() < 3:
            break
    return float(gain), float(offset)


def _through_origin(
    x: NDArray[np.float64], variance: NDArray[np.float64], weight: NDArray[np.float64], offset: float
) -> float:
    """The gain where the fitted offset is below 0."""
    if offset > 0:
        return 0.0
    return float(np.sum(weight**2 * x * variance) / max(np.sum(weight**2 * x * x), 1e-12))
