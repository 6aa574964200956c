"""The closed loop: pieces of a slide are encoded with other and other steps until they have what is aimed at."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from wavescope.geometry import TILE, Address, ceil_div
from wavescope.ingest.quality.sampling import SIDE, Family, Sample
from wavescope.ingest.quality.ssimulacra2 import Original
from wavescope.kernel.codec import Codec, Steps, choose_codec
from wavescope.kernel.parameter_set import read_parameters
from wavescope.kernel.parameters import TABLES, lossless_codec, reversible_candidates
from wavescope.kernel.structs import CHANNELS
from wavescope.kernel.tiles import (
    decode_approximation,
    decode_tile,
    encode_approximation,
    encode_tile,
    means,
    parent_of,
    pixels,
    samples_from_pixels,
)
from wavescope.source.base import Pixels
from wavescope.store.manifest import EXACT_PSNR

OCTAVE = 32
"""Trials from one quality to twice that quality: about 0.15 dB from one to the next."""
COARSEST, FINEST = -4 * OCTAVE, 4 * OCTAVE
PIECES = 8  # with tissue, of which error and score are measured
PSNR_SLOPE, SCORE_SLOPE = 0.16, 0.4  # a first guess of what one trial more brings
QUICK_PIECES, QUICKLY_CLOSE = 4, 2.0
EFFECT_OF_PARENTS = 0.6  # dB that parents cost a tile; a first guess
CLOSE = 0.1  # dB, or points of the score: near enough to end the search


class _Coded(NamedTuple):
    bytes: int
    pixels: Pixels


class Trials:
    """Trial ``number`` has the table's steps divided by 2 ** (number / OCTAVE); higher numbers are better and larger.

    A piece is coded as a slide of its own, whose error at level 0 includes that of all levels above. ``quick``: for an
    estimate, with fewer pieces and trials.
    """

    def __init__(
        self, sample: Sample, steps: Steps, executor: Executor, pieces: int = PIECES, *, quick: bool = False
    ) -> None:
        self.close = QUICKLY_CLOSE if quick else CLOSE
        self._quick = quick
        self.steps = steps
        self._sample, self._executor = sample, executor
        self._tissue = sample.tissue(pieces)
        self._coded: dict[tuple[int, int], _Coded] = {}
        self._families: dict[int, tuple[float, float]] = {}
        self._scores: dict[int, float] = {}

    @cached_property
    def _base(self) -> Codec:
        return choose_codec("visual", self._sample.image, steps=self.steps, side=self._sample.side)

    def codec(self, number: int) -> Codec:
        """The encode parameters of a trial."""
        steps = TABLES[self.steps].steps(self._base.channels, 2 ** (number / OCTAVE))
        return replace(self._base, steps=steps)

    @cached_property
    def lossless(self) -> Codec:
        """The lossless parameters: those of the fewest bytes, or quickly within 3 % of these."""
        picture = self._sample.image
        if self._quick and picture.shape[2] == CHANNELS:
            return lossless_codec(CHANNELS, *reversible_candidates(picture)[-1])
        return choose_codec("lossless", picture)

    def psnr(self, number: int) -> float:
        """dB of level 0, pooled over the pieces with tissue; EXACT_PSNR at most."""
        self._encode(number, self._tissue)
        pieces = [self._sample.pieces[at] for at in self._tissue]
        return _pooled([self._coded[number, at].pixels for at in self._tissue], pieces)

    def psnr_of_tiles(self, number: int) -> float:
        """As ``psnr``, but as the tiles of a slide have it: with what their parents do to them."""
        return self.psnr(number) + self._effect_of_parents(number)

    def psnr_in_slide(self, number: int) -> float:
        """As ``psnr``, but of the tiles of the sample's families; without families a cautious estimate."""
        if not self._sample.families:
            return self.psnr(number) - EFFECT_OF_PARENTS
        return self._psnr_of_families(number)[0]

    def _effect_of_parents(self, number: int) -> float:
        """dB; measured on a few tiles."""
        placed, alone = self._psnr_of_families(number) if self._sample.families else (0.0, 0.0)
        return placed - alone

    def _psnr_of_families(self, number: int) -> tuple[float, float]:
        """Of the tiles of the families: encoded with their parents, and alone."""
        if number not in self._families:
            families, codec = self._sample.families, self.codec(number)
            originals = [family.tile for family in families]
            placed = list(self._executor.map(lambda family: tile_of_family(family, codec), families))
            alone = [one.pixels for one in self._executor.map(lambda tile: coded_piece(tile, codec), originals)]
            self._families[number] = _pooled(placed, originals), _pooled(alone, originals)
        return self._families[number]

    def score(self, number: int) -> float:
        """SSIMULACRA 2, the mean of the pieces with tissue."""
        if number not in self._scores:
            numbers = self._tissue[:PIECES]
            self._encode(number, numbers)
            decoded = [_middle(self._coded[number, at].pixels) for at in numbers]
            self._scores[number] = float(np.mean(list(self._executor.map(Original.score, self._originals, decoded))))
        return self._scores[number]

    def score_of(self, number: int, piece: int) -> float:
        """SSIMULACRA 2 of one piece."""
        self._encode(number, [piece])
        original = Original(_middle(self._sample.pieces[piece]))
        return original.score(_middle(self._coded[number, piece].pixels))

    def bytes_per_pixel(self, number: int) -> float:
        """Bytes of all levels for one pixel of level 0, over all pieces, glass included."""
        every = range(len(self._sample.pieces))
        self._encode(number, every)
        return sum(self._coded[number, at].bytes for at in every) / self._sample.area

    @cached_property
    def _originals(self) -> list[Original]:
        return list(self._executor.map(Original, (_middle(self._sample.pieces[at]) for at in self._tissue[:PIECES])))

    def _encode(self, number: int, wanted: range | list[int]) -> None:
        missing = [at for at in wanted if (number, at) not in self._coded]
        codec = self.codec(number)
        coded = self._executor.map(lambda at: coded_piece(self._sample.pieces[at], codec), missing)
        self._coded |= {(number, at): one for at, one in zip(missing, coded, strict=True)}


def coded_piece(piece: Pixels, codec: Codec) -> _Coded:
    """A piece as an approximation of level 0, decoded again."""
    height, width, _ = piece.shape
    layers = encoded_piece(piece, codec)
    parameters = read_parameters(codec.parameter_set(0, approximation=True))
    return _Coded(sum(map(len, layers)), pixels(decode_approximation(layers, parameters), parameters, width, height))


def encoded_piece(piece: Pixels, codec: Codec) -> list[bytes]:
    """The layers of a piece as an approximation of level 0."""
    height, width, _ = piece.shape
    return encode_approximation(samples_from_pixels(piece, codec, 0), codec, 0, (width, height))


def tile_of_family(family: Family, codec: Codec) -> Pixels:
    """A tile encoded and decoded with its parent, which is coded as an approximation."""
    height, width, _ = family.image.shape
    parts = {
        (x, y): family.image[TILE * y : TILE * (y + 1), TILE * x : TILE * (x + 1)]
        for y in range(ceil_div(height, TILE))
        for x in range(ceil_div(width, TILE))
    }
    samples = {place: samples_from_pixels(part, codec) for place, part in parts.items()}
    parent = parent_of({place: means(one) for place, one in samples.items()}, 0)
    half = ceil_div(width, 2), ceil_div(height, 2)
    coarse = read_parameters(codec.parameter_set(1, approximation=True))
    above = decode_approximation(encode_approximation(parent, codec, 1, half), coarse)
    own, address = samples[family.quadrant], Address(0, 0, 0, *family.quadrant)
    shown = parts[family.quadrant].shape[1], parts[family.quadrant].shape[0]
    parameters = read_parameters(codec.parameter_set(0))
    layers = encode_tile(own, parent, address, codec, shown)
    return pixels(decode_tile(above, layers, parameters, address), parameters, *shown)


def min_number(value: Callable[[int], float], target: float, slope: float, start: int = 0, close: float = CLOSE) -> int:
    """The least trial whose value reaches the target, or one that exceeds it by at most ``close``; FINEST if none does.

    ``value`` rises with the number, by about ``slope`` from one to the next.
    """
    below: tuple[int, float] | None = None
    above: tuple[int, float] | None = None
    number = min(FINEST, max(COARSEST, start))
    while True:
        found = value(number)
        if found >= target:
            above = number, found
            if found - target <= close or number == COARSEST:
                return number
        else:
            below = number, found
            if number == FINEST:
                return number
        if above and below:
            if above[0] - below[0] <= 1:
                return above[0]
            share = (target - below[1]) / max(1e-9, above[1] - below[1])
            number = round(below[0] + share * (above[0] - below[0]) + 0.25)
            number = min(above[0] - 1, max(below[0] + 1, number))
        else:
            step = (target - found) / slope
            step = min(OCTAVE, max(-OCTAVE, step + (2 if step > 0 else -2)))
            number = min(FINEST, max(COARSEST, number + round(step)))


def nearest_number(value: Callable[[int], float], target: float, slope: float, start: int = 0) -> int:
    """The trial whose value is nearest to the target."""
    number = min_number(value, target, slope, start)
    before = max(COARSEST, number - 1)
    return min(number, before, key=lambda each: abs(value(each) - target)) if value(number) - target > CLOSE else number


def _middle(piece: Pixels) -> Pixels:
    """At most SIDE x SIDE pixels: what is seen at a glance."""
    top, left = (max(0, side - SIDE) // 2 for side in piece.shape[:2])
    return piece[top : top + SIDE, left : left + SIDE]


def _pooled(made: Sequence[Pixels], originals: Sequence[Pixels]) -> float:
    """PSNR in dB, EXACT_PSNR at most."""
    squares = sum(_squares(one, original) for one, original in zip(made, originals, strict=True))
    count = sum(original.size for original in originals)
    return min(EXACT_PSNR, 10 * math.log10(255**2 * count / max(squares, 1e-9)))


def _squares(made: Pixels, original: Pixels) -> float:
    return float(((made.astype(np.int32) - original) ** 2).sum(dtype=np.float64))
