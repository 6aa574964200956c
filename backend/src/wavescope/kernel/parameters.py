"""Encode parameters of a slide, chosen once from a thumbnail and stored in its manifest."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wavescope.geometry import TILE
from wavescope.kernel.structs import (
    APPROXIMATION,
    CHANNELS,
    DEPTH,
    DETAILS,
    GREY,
    MATRIX,
    SUBTRACT_B,
    TUNING,
    YCOCG_G,
    ParameterFields,
    pack_parameters,
)

Profile = Literal["visual", "lossless"]
Aim = Literal["all-levels", "level-0"]
Steps = Literal["even", "perceptual"]
Matrix = tuple[int, ...]
Table = tuple[tuple[int, ...], ...]  # [channel][band HL, LH, HH]

ONE = 1 << 14
# Steps of HL and LH per level, in pixel values, for the visual profile; the last serves all above. They fall
# more slowly than is best for level 0 alone: fields at low magnification are looked at as often, and need no more.
STEPS = (17, 9.6, 5.4, 3.6, 2.8, 2.2, 1.7, 1.05, 0.65, 0.4)
LEVELS = len(STEPS)
# Equal on every level in the orthonormal sense: fewest bytes at a given error of level 0, whatever the others need.
LEVEL_0_STEPS = tuple(STEPS[0] / 2**level for level in range(LEVELS))
PERCEPTUAL_CHROMA = 1.5  # of chroma's steps, beside luma's
DEAD_ZONE = 110  # rounding offset in 1/256 step
RATE_WEIGHT = 24  # what a bit may cost, in 1/256 step^2
VISUAL_LAYERS = 2
# [level][channel][band] of layer 0, the last for all above; layer 1 leaves nothing.
VISUAL_SHIFTS = (
    ((0, 0, 1), (0, 0, 0), (0, 0, 0)),
    ((1, 1, 0), (0, 0, 0), (0, 0, 0)),
    ((1, 1, 0), (0, 0, 0), (0, 0, 0)),
    ((1, 1, 1), (1, 1, 1), (1, 1, 1)),
)
LOSSLESS_LAYERS = 3
LOSSLESS_SHIFT = 2  # of HL and LH of luma at level 0 in layer 1
# Orthonormal YCoCg-like axes: for slides whose colours do not determine better ones.
FALLBACK = np.array([[1, 1, 1], [1, 0, -1], [-1, 2, -1]]) / np.sqrt([[3.0], [2.0], [6.0]])


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

    def to_json(self) -> dict[str, Any]:
        """A JSON object from which from_json() makes an equal Codec."""
        return asdict(self)

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
        )
        return pack_parameters(fields)

    def tuning(self, width: int = TILE, height: int = TILE) -> bytes:
        """The kernel's ws_tuning for a tile of which ``width`` x ``height`` samples are ever shown."""
        return TUNING.pack(*self.forward, self.dead_zone, self.rate_weight, width, height)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


def _same(value: int, channels: int) -> Table:
    return ((value,) * 3,) * channels


def visual_codec(thumbnail: NDArray[np.uint8], quality: float, aim: Aim, steps: Steps) -> Codec:
    channels = thumbnail.shape[2]
    matrix = colour_axes(thumbnail) if channels == CHANNELS else np.zeros((3, 3))
    return Codec(
        profile="visual",
        channels=channels,
        layers=VISUAL_LAYERS,
        fraction_bits=4,
        colour=MATRIX if channels == CHANNELS else GREY,
        forward=_q14(matrix),
        inverse=_q14(matrix.T),
        shifts=(tuple(_visual_shifts(level)[:channels] for level in range(LEVELS)), (_same(0, channels),) * LEVELS),
        steps=visual_steps(channels, quality, aim, steps),
        dead_zone=DEAD_ZONE,
        rate_weight=RATE_WEIGHT,
    )


def visual_steps(channels: int, quality: float, aim: Aim, steps: Steps) -> tuple[Table, ...]:
    """Codec.steps of the visual profile; ``quality`` divides those of the table."""
    chroma = 1.0 if steps == "even" else PERCEPTUAL_CHROMA
    pixel_steps = STEPS if aim == "all-levels" else LEVEL_0_STEPS
    return tuple(_level_steps(step / quality, channels, chroma) for step in pixel_steps)


def _visual_shifts(level: int) -> Table:
    return VISUAL_SHIFTS[min(level, len(VISUAL_SHIFTS) - 1)]


def _level_steps(step: float, channels: int, chroma: float) -> Table:
    """Equal in the orthonormal sense but for ``chroma``: HH has half the norm of HL and LH, so twice their step."""

    def bands(own: float) -> tuple[int, int, int]:
        hl, hh = (min(4095, max(1, round(16 * value))) for value in (own, 2 * own))
        return hl, hl, hh

    return (bands(step), *(bands(step * chroma),) * (channels - 1))


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
