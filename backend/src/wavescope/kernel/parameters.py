"""Encode parameters of a slide, chosen once from a thumbnail and stored in its manifest."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wavescope.geometry import TILE
from wavescope.kernel.noise import Noise
from wavescope.kernel.parameter_set import pixel_dtype
from wavescope.kernel.structs import (
    APPROXIMATION,
    CHANNELS,
    DEPTH,
    DETAILS,
    GREY,
    MATRIX,
    STABILISED,
    SUBTRACT_B,
    TUNING,
    YCOCG_G,
    ParameterFields,
    pack_parameters,
)

Profile = Literal["visual", "lossless"]
Steps = Literal["even", "perceptual"]
Matrix = tuple[int, ...]
Table = tuple[tuple[int, ...], ...]  # [channel][band HL, LH, HH]

ONE = 1 << 14
LEVELS = 10
VISUAL_LAYERS = 2
DEAD_ZONE = 110  # rounding offset in 1/256 step


@dataclass(frozen=True)
class StepTable:
    """Steps of the visual profile, [level]; those of the last level serve all above.

    ``light``: of HL and LH of channel 0, in pixel values. ``diagonal``: of HH, beside HL and LH. ``colour``: of
    channels 1 and 2, beside channel 0. ``shifts`` [level][channel][band]: bits that layer 0 leaves to layer 1.
    ``rate_weight``: what a bit may cost, in 1/256 step^2.
    """

    light: tuple[float, ...]
    diagonal: tuple[float, ...]
    colour: tuple[tuple[float, float], ...]
    shifts: tuple[Table, ...]
    rate_weight: int

    def steps(self, channels: int, quality: float) -> tuple[Table, ...]:
        """Codec.steps; ``quality`` divides those of the table."""
        return tuple(self._level(level, channels, quality) for level in range(LEVELS))

    def _level(self, level: int, channels: int, quality: float) -> Table:
        def bands(beside_light: float) -> tuple[int, int, int]:
            own = self.light[level] * beside_light / quality
            hl, hh = (min(4095, max(1, round(16 * value))) for value in (own, own * self.diagonal[level]))
            return hl, hl, hh

        return tuple(bands(each) for each in (1.0, *self.colour[level])[:channels])


def _same(value: int, channels: int = CHANNELS) -> Table:
    return ((value,) * 3,) * channels


# Both tables serve level 0 best; layer 0 leaves so many bits on the levels above that a view of them is not finer than
# it needs to be (decision 0031).
TABLES: dict[Steps, StepTable] = {
    # The least squared error: equal on every level and in every band in the orthonormal sense.
    "even": StepTable(
        light=tuple(17 / 2**level for level in range(LEVELS)),
        diagonal=(2.0,) * LEVELS,
        colour=((1.0, 1.0),) * LEVELS,
        shifts=(
            ((0, 0, 1), (0, 0, 0), (0, 0, 0)),
            ((1, 1, 0), (0, 0, 0), (0, 0, 0)),
            ((1, 1, 0), (0, 0, 0), (0, 0, 0)),
            *(_same(bits) for bits in (2, 2, 3, 2, 2, 2, 2)),
        ),
        rate_weight=24,
    ),
    # Fitted to SSIMULACRA 2: an eye sees errors of the levels above sooner than those of the finest details.
    "perceptual": StepTable(
        light=(32, 11, 2.2, 0.9, 0.45, 0.28, 0.18, 0.11, 0.07, 0.0625),
        diagonal=(2.5, 2.2, *(2.0,) * (LEVELS - 2)),
        colour=((2.0, 1.6), (2.0, 1.6), (2.4, 2.2), (1.8, 1.2), *((1.0, 0.8),) * (LEVELS - 4)),
        shifts=tuple(_same(bits) for bits in (0, 0, 1, 2, 3, 3, 2, 2, 2, 2)),
        rate_weight=8,
    ),
}
SMALL = 512
"""Pixels of the longer side up to which a slide is seen whole at once: its layer 0 leaves nothing to layer 1."""
LOSSLESS_LAYERS = 3
DEEP_STEP = 2.46  # of layer 0, in standard deviations of the noise
MAX_SHIFT = 8
LOSSLESS_SHIFT = 2  # of HL and LH of luma at level 0 in layer 1
# Orthonormal YCoCg-like axes: for slides whose colours do not determine better ones.
FALLBACK = np.array([[1, 1, 1], [1, 0, -1], [-1, 2, -1]]) / np.sqrt([[3.0], [2.0], [6.0]])


OF_1_0 = {"bits": 8, "signed": False, "groups": 1, "group": 0}


@dataclass(frozen=True)
class Codec:
    """Encode parameters of one slide. ``steps`` [level], ``shifts`` [layer][level]; the last level serves all above."""

    profile: Profile
    channels: int
    layers: int
    fraction_bits: int
    colour: int
    forward: Matrix
    inverse: Matrix
    shifts: tuple[tuple[Table, ...], ...]
    steps: tuple[Table, ...]
    dead_zone: int
    rate_weight: int
    key: str = 32 * "0"  # of the slide, in hexadecimal (ST78)
    bits: int = 8
    signed: bool = False
    groups: int = 1
    group: int = 0

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the pixels."""
        return pixel_dtype(self.bits, self.signed)

    def to_json(self) -> dict[str, Any]:
        """A JSON object from which from_json() makes an equal Codec; as short as before where bits and groups are those
        of version 1.0, so that keys of slides (ST78) stay."""
        return {name: value for name, value in asdict(self).items() if OF_1_0.get(name, ...) != value}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Codec:
        """The inverse of to_json(), also after a round trip through JSON text."""
        return cls(**{name: _frozen(value) for name, value in data.items()})

    def parameter_set(self, level: int, approximation: bool = False) -> bytes:
        """The parameter set of this level's blocks, or of an approximation at this level."""
        known = self._sets.get((level, approximation))
        if known is None:
            known = self._sets[level, approximation] = self._packed(level, approximation)
        return known

    @cached_property
    def _sets(self) -> dict[tuple[int, bool], bytes]:
        """Those packed already: every tile asks for one."""
        return {}

    def _packed(self, level: int, approximation: bool) -> bytes:
        depth = DEPTH if approximation else 1
        levels = [min(level + d, len(self.steps) - 1) for d in range(depth)]
        fields = ParameterFields(
            kind=APPROXIMATION if approximation else DETAILS,
            level=level,
            profile=self.profile,
            channels=self.channels,
            fraction_bits=self.fraction_bits,
            colour=self.colour,
            inverse=self.inverse,
            shifts=[[layer[n] for n in levels] for layer in self.shifts],
            steps=[self.steps[n] for n in levels],
            key=bytes.fromhex(self.key),
            bits=self.bits,
            signed=self.signed,
            groups=self.groups,
            group=self.group,
        )
        return pack_parameters(fields)

    def tuning(self, width: int = TILE, height: int = TILE) -> bytes:
        """The kernel's ws_tuning for a tile of which ``width`` x ``height`` samples are ever shown."""
        return TUNING.pack(*self.forward, self.dead_zone, self.rate_weight, width, height)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


def visual_codec(thumbnail: NDArray[np.uint8], quality: float, steps: Steps, side: int | None = None) -> Codec:
    """As in choose_codec()."""
    channels, table = thumbnail.shape[2], TABLES[steps]
    matrix = colour_axes(thumbnail) if channels == CHANNELS else np.zeros((3, 3))
    left, nothing = tuple(level[:channels] for level in table.shifts), (_same(0, channels),) * LEVELS
    return Codec(
        profile="visual",
        channels=channels,
        layers=VISUAL_LAYERS,
        fraction_bits=4,
        colour=MATRIX if channels == CHANNELS else GREY,
        forward=_q14(matrix),
        inverse=_q14(matrix.T),
        shifts=(nothing if side is not None and side <= SMALL else left, nothing),
        steps=table.steps(channels, quality),
        dead_zone=DEAD_ZONE,
        rate_weight=table.rate_weight,
    )


def lossless_codec(channels: int, colour: int, lifting: tuple[int, int, int]) -> Codec:
    """Exact with all layers; ``colour`` and ``lifting`` from reversible_candidates() (GREY, zeros for one channel)."""
    return Codec(
        profile="lossless",
        channels=channels,
        layers=LOSSLESS_LAYERS,
        fraction_bits=0,
        colour=colour,
        forward=(0,) * 9,
        inverse=(*lifting, *(0,) * 6),
        shifts=tuple(_lossless_shifts(layer, channels) for layer in range(LOSSLESS_LAYERS)),
        steps=(_same(1, channels),) * LEVELS,
        dead_zone=0,
        rate_weight=0,
    )


def deep_codec(bits: int, signed: bool, deviation: float) -> Codec:
    """Lossless, for one channel whose noise at level 0 has this standard deviation: layer 0 leaves the bits below 2 1/2
    deviations to layer 1. Each level has half the noise of the one below it, HH twice that of HL and LH."""
    noisy = max(0.0, math.log2(max(DEEP_STEP * deviation, 1.0)))

    def shift(level: int, band: int) -> int:
        return min(MAX_SHIFT, max(0, round(noisy) - level + (band == 2)))

    shifts = tuple((tuple(shift(level, band) for band in range(3)),) for level in range(LEVELS))
    exact = lossless_codec(1, GREY, (0, 0, 0))
    return replace(exact, layers=2, shifts=(shifts, (_same(0, 1),) * LEVELS), bits=bits, signed=signed)


def noise_codec(bits: int, signed: bool, noise: Noise, deviations: float) -> Codec:
    """Visual, for one channel: steps of ``deviations`` standard deviations of the noise at level 0, on each level above
    half of those below it, as its noise is. Layer 0 leaves what is finer than two deviations to layer 1."""
    lowest = -(1 << bits - 1) if signed else 0
    model, fraction_bits = noise.integers(lowest, lowest + (1 << bits) - 1)
    unit = deviations * (1 << fraction_bits)
    left = min(MAX_SHIFT, max(0, round(math.log2(2 / deviations))))

    def step(level: int, band: int) -> int:
        return min(4095, max(1, round(unit * (1 + (band == 2)) / (1 << level))))

    return Codec(
        profile="visual",
        channels=1,
        layers=VISUAL_LAYERS,
        fraction_bits=fraction_bits,
        colour=STABILISED,
        forward=(0,) * 9,
        inverse=(*model, *(0,) * 5),
        shifts=((_same(left, 1),) * LEVELS, (_same(0, 1),) * LEVELS),
        steps=tuple((tuple(step(level, band) for band in range(3)),) for level in range(LEVELS)),
        dead_zone=DEAD_ZONE,
        rate_weight=TABLES["even"].rate_weight,
        bits=bits,
        signed=signed,
    )


def _lossless_shifts(layer: int, channels: int) -> tuple[Table, ...]:
    """Layer 0 leaves one bit more than layer 1, the last none; HH and chroma have half the weight, each level half."""

    def shift(level: int, channel: int, band: int) -> int:
        exact = layer == LOSSLESS_LAYERS - 1
        return 0 if exact else max(0, LOSSLESS_SHIFT + 1 - layer - level + (band == 2) + (channel > 0))

    return tuple(
        tuple(tuple(shift(level, channel, band) for band in range(3)) for channel in range(channels))
        for level in range(LEVELS)
    )


def _q14(matrix: NDArray[np.float64]) -> Matrix:
    return tuple(int(v) for v in np.rint(matrix * ONE).ravel())


def _differences(thumbnail: NDArray[np.uint8]) -> NDArray[np.int32]:
    """First differences of neighbouring pixels, across and down: (n, C)."""
    image = thumbnail.astype(np.int32)
    across, down = np.diff(image, axis=1), np.diff(image, axis=0)
    return np.concatenate([across.reshape(-1, image.shape[2]), down.reshape(-1, image.shape[2])])


def colour_axes(thumbnail: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Rows: orthonormal colour axes, the KLT of the first differences; FALLBACK where they determine none."""
    d = _differences(thumbnail).astype(np.float64)
    if len(d) == 0:
        return FALLBACK
    values, vectors = np.linalg.eigh(d.T @ d / len(d))
    if values[0] < 1e-3 or values[1] < 1.02 * values[0] or values[2] < 1.02 * values[1]:
        return FALLBACK
    axes: NDArray[np.float64] = vectors.T[::-1]
    largest = np.abs(axes).argmax(axis=1)
    axes *= np.sign(axes[np.arange(3), largest])[:, None]
    return axes


def _second_differences(thumbnail: NDArray[np.uint8]) -> NDArray[np.int32]:
    """What a mean of its two neighbours leaves of a pixel, across and down (n, C): nearer to details."""
    image = thumbnail.astype(np.int32)
    across = image[:, 1:-1] - ((image[:, :-2] + image[:, 2:]) >> 1)
    down = image[1:-1] - ((image[:-2] + image[2:]) >> 1)
    return np.concatenate([across.reshape(-1, image.shape[2]), down.reshape(-1, image.shape[2])])


def _reversible(d: NDArray[np.int32], colour: int) -> NDArray[np.int32]:
    """The channels of a reversible transform, applied to differences: (3, n)."""
    a, b, centre = d[:, [(0, 2, 1), (1, 2, 0), (0, 1, 2)][(colour - YCOCG_G) % 3]].T
    if colour <= YCOCG_G + 2:
        co = a - b
        mean = b + (co >> 1)
        return np.stack([mean + ((centre - mean) >> 1), co, centre - mean])
    return np.stack([centre, a - centre, b - centre])


def _lifting(c: NDArray[np.int32]) -> tuple[int, int, int]:
    """Predictions, in 1/16, of channel 1 from 0 and of 2 from 0 and 1, by least squares."""
    squares = c.astype(np.float64) @ c.T.astype(np.float64) + np.eye(3)
    k10 = squares[1, 0] / squares[0, 0]
    k20, k21 = np.linalg.solve(squares[:2, :2], squares[:2, 2])
    one, two, three = (int(np.clip(np.rint(16 * k), -32, 32)) for k in (k10, k20, k21))
    return one, two, three


def reversible_candidates(thumbnail: NDArray[np.uint8]) -> list[tuple[int, tuple[int, int, int]]]:
    """(colour, lifting) of all reversible transforms, each without and with predictions between its channels."""
    bends = _second_differences(thumbnail)
    colours = range(YCOCG_G, SUBTRACT_B + 1)
    plain = [(colour, (0, 0, 0)) for colour in colours]
    return plain + [(colour, _lifting(_reversible(bends, colour))) for colour in colours if len(bends)]
