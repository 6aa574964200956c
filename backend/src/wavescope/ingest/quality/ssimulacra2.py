"""SSIMULACRA 2: how different a coded picture looks from its original, seen at 1:1.

After libjxl, tools/ssimulacra2.cc (version 2.1), by Jon Sneyers. 100 is equal; 90 is its "visually lossless" (no
difference in a flicker test), 80 its "very high quality" (no difference side by side). The recursive Gaussian filter of
the original is written here as its impulse response: nine numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Planes = NDArray[np.float32]
"""(3, height, width)"""

NAME = "SSIMULACRA 2"
SCALES = 6
MIN_SIDE = 8
"""Pixels; smaller pictures have no score."""
TAPS = (0.264621105, 0.212928592, 0.109335373, 0.036011115, 0.009414368)
"""The filter (sigma 1.5) from its middle outwards; beyond the picture are zeros."""
C2 = 0.0009
OPSIN = np.array(
    [[0.30, 0.622, 0.078], [0.23, 0.692, 0.078], [0.24342268924547819, 0.20476744424496821, 0.5518098662095535]],
    np.float32,
)
BIAS = np.float32(0.0037930732552754493)
# Of the 108 sums, in the order component, scale, norm, kind; those not listed weigh nothing.
# fmt: off
WEIGHTS = {
    1: 0.0007376606707406586, 4: 0.0007793481682867309, 7: 0.0004371155730107379, 9: 1.1041726426657346,
    10: 0.00066284834129271, 11: 0.00015231632783718752, 13: 0.0016406437456599754, 15: 1.8422455520539298,
    16: 11.441172603757666, 18: 0.0007989109436015163, 19: 0.000176816438078653, 21: 1.8787594979546387,
    22: 10.94906990605142, 24: 0.0007289346991508072, 25: 0.9677937080626833, 27: 0.00014003424285435884,
    28: 0.9981766977854967, 29: 0.00031949755934435053, 30: 0.0004550992113792063, 33: 0.0013648766163243398,
    39: 7.466890328078848, 41: 17.445833984131262, 42: 0.0006235601634041466, 45: 6.683678146179332,
    46: 0.00037724407979611296, 47: 1.027889937768264, 48: 225.20515300849274, 51: 19.213238186143016,
    52: 0.0011401524586618361, 53: 0.001237755635509985, 54: 176.39317598450694, 57: 24.43300999870476,
    58: 0.28520802612117757, 59: 0.0004485436923833408, 63: 34.77906344483772, 64: 44.835625328877896,
    73: 0.0008680556573291698, 79: 0.0005313191874358747, 81: 0.00016533814161379112, 87: 0.0004179171803251336,
    88: 0.0017290828234722833, 90: 0.0020827005846636437, 93: 8.826982764996862, 94: 23.19243343998926,
    96: 95.1080498811086, 97: 0.9863978034400682, 98: 0.9834382792465353, 99: 0.0012286405048278493,
    100: 171.2667255897307, 101: 0.9807858872435379, 105: 0.0005130064588990679, 107: 0.00010854057858411537,
}
# fmt: on


@dataclass(frozen=True)
class _Scale:
    """What depends on the original alone."""

    xyb: Planes
    mean: Planes
    square: Planes


class Original:
    """A picture (height, width, 1 or 3), uint8 in sRGB, with which others of its size are compared."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        self._scales = [_Scale(xyb, blurred(xyb), blurred(xyb * xyb)) for xyb in _pyramid(pixels)]

    def score(self, pixels: NDArray[np.uint8]) -> float:
        """The score of a coded picture; 100 where nothing differs, below 0 for very bad ones."""
        sums = [_sums(scale, xyb) for scale, xyb in zip(self._scales, _pyramid(pixels), strict=True)]
        if not sums:
            return 100.0
        ordered = np.stack(sums, axis=1).ravel()  # (component, scale, norm, kind)
        return _rescaled(sum(weight * abs(ordered[at]) for at, weight in _weights(len(sums))))


def blurred(planes: Planes) -> Planes:
    """The Gaussian filter, across and down."""
    for axis in (1, 2):
        padded = np.pad(planes, [(4, 4) if axis == each else (0, 0) for each in range(3)])
        size = planes.shape[axis]

        def part(start: int, padded: Planes = padded, axis: int = axis, size: int = size) -> Planes:
            return padded[:, start : start + size] if axis == 1 else padded[:, :, start : start + size]

        planes = part(4) * np.float32(TAPS[0])
        for distance, weight in enumerate(TAPS[1:], 1):
            planes += (part(4 - distance) + part(4 + distance)) * np.float32(weight)
    return planes


def _weights(scales: int) -> list[tuple[int, float]]:
    """(place, weight); a small picture has fewer scales, and their weights follow without gaps as in the original."""
    return [(at, weight) for at, weight in WEIGHTS.items() if at < 18 * scales]


def _pyramid(pixels: NDArray[np.uint8]) -> list[Planes]:
    """The picture in XYB, all positive, on each scale; halved in linear light."""
    values = np.arange(256) / 255
    table = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4).astype(np.float32)
    linear = table[np.moveaxis(pixels, 2, 0)]
    if len(linear) == 1:
        linear = np.repeat(linear, 3, axis=0)
    scales: list[Planes] = []
    while len(scales) < SCALES and min(linear.shape[1:]) >= MIN_SIDE:
        linear = _halved(linear) if scales else linear
        scales.append(_positive_xyb(linear))
    return scales


def _positive_xyb(linear: Planes) -> Planes:
    # not by BLAS, whose threads wait actively and whose rounding depends on the processor
    light = np.stack([row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2] for row in OPSIN])
    mixed = np.cbrt(light + BIAS) - np.cbrt(BIAS)
    x, y = (mixed[0] - mixed[1]) / 2, (mixed[0] + mixed[1]) / 2
    planes: Planes = np.stack([x * 14 + np.float32(0.42), y + np.float32(0.01), mixed[2] - y + np.float32(0.55)])
    return planes


def _halved(linear: Planes) -> Planes:
    """Means of 2 x 2; an odd last row or column is repeated."""
    _, height, width = linear.shape
    if height % 2 or width % 2:
        linear = np.pad(linear, ((0, 0), (0, height % 2), (0, width % 2)), mode="edge")
    rows = linear[:, ::2] + linear[:, 1::2]
    return (rows[:, :, ::2] + rows[:, :, 1::2]) * np.float32(0.25)


def _sums(scale: _Scale, xyb: Planes) -> NDArray[np.float64]:
    """(component, norm, kind): means and fourth norms of structure lost, edges added, edges lost."""
    mean = blurred(xyb)
    square, product = blurred(xyb * xyb), blurred(scale.xyb * xyb)
    difference = 1 - (scale.mean - mean) ** 2
    both = 2 * (product - scale.mean * mean) + np.float32(C2)
    each = (scale.square - scale.mean**2) + (square - mean**2) + np.float32(C2)
    structure = np.maximum(1 - difference * both / each, 0)
    edges = (1 + np.abs(xyb - mean)) / (1 + np.abs(scale.xyb - scale.mean)) - 1
    kinds = np.stack([structure, np.maximum(edges, 0), np.maximum(-edges, 0)], axis=1).reshape(3, 3, -1)
    squares = kinds * kinds
    fourth = np.einsum("ckn,ckn->ck", squares, squares, dtype=np.float64) / kinds.shape[2]
    return np.stack([kinds.mean(axis=2, dtype=np.float64), fourth**0.25], axis=1)


def _rescaled(value: float) -> float:
    value *= 0.9562382616834844
    value = 6.248496625763138e-5 * value**3 - 0.020884521182843837 * value**2 + 2.326765642916932 * value
    return float(100 - 10 * value**0.6276336467831387) if value > 0 else 100.0
