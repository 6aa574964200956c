"""Encode parameters of a slide of channels: each channel has its own, in units of its noise (ST113, decision 0032)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from wavescope.errors import InvalidParameter
from wavescope.geometry import Address, Pyramid
from wavescope.ingest.quality.choice import MARGIN, MAX_TILES, Choice, SourceFacts
from wavescope.ingest.quality.presets import Quality
from wavescope.ingest.quality.sampling import Sample, sample_of, tiles_under
from wavescope.ingest.quality.trials import PIECES, coded_piece
from wavescope.kernel.codec import Codec, Noise, choose_channel_codec
from wavescope.kernel.noise import estimate_noise
from wavescope.source.base import Pixels, SlideSource
from wavescope.source.channels import group_of
from wavescope.store.manifest import EXACT_PSNR, Chosen

NAME = "sigma"
ERRORS = {"compact": 0.7, "visual": 0.35, "fine": 0.15}
"""Of the presets: root of the mean square error, in standard deviations of the noise."""
ERROR_OF_STEP = 0.35
"""Of steps of one deviation, about: where the search begins."""
STEP = 2**0.125  # from one trial to the next
STILL_FALLS = 0.99  # of the error of one trial: the next one must have less, or finer steps change nothing
FINEST, COARSEST = 0.01, 100.0  # steps in deviations; finer ones are lossless
MAX_COARSER = 1e4
PIECES_OF_ALL, OTHERS_OF_ALL = 64, 128  # of all channels together: with structure, and without


@dataclass(frozen=True)
class ChannelSample:
    """Pieces of one channel; ``bits`` of a sample. ``tissue``: numbers of those on which errors are measured."""

    pieces: tuple[Pixels, ...]
    bits: int
    tissue: tuple[int, ...]

    @classmethod
    def of(cls, sample: Sample, bits: int, groups: int) -> ChannelSample:
        """``groups``: channels of the slide; of many, fewer pieces each are looked at."""
        tissue = sample.tissue(min(PIECES, max(2, PIECES_OF_ALL // groups)))
        others = [at for at in range(len(sample.pieces)) if at not in tissue]
        kept = others[:: max(1, len(others) * groups // OTHERS_OF_ALL)]
        pieces = tuple(sample.pieces[at] for at in (*tissue, *kept))
        return cls(pieces, bits, tuple(range(len(tissue))))

    @cached_property
    def values(self) -> Pixels:
        """All pieces below each other (h, w, 1), in whole pairs of rows."""
        height, width = (max(1, side // 2 * 2) for side in self.pieces[0].shape[:2])
        return np.concatenate([piece[:height, :width] for piece in self.pieces])

    @cached_property
    def noise(self) -> Noise:
        return estimate_noise(self.values[..., 0])

    @cached_property
    def lossless(self) -> Codec:
        return choose_channel_codec("lossless", self.values, self.bits, noise=self.noise)

    def codec(self, deviations: float) -> Codec:
        """Steps of so many deviations; lossless from FINEST down. Where the samples are too many deviations apart for
        16 bits (CS52), and for steps above COARSEST, the codec takes the noise for larger, and its steps for fewer
        deviations of that.
        """
        if deviations <= FINEST:
            return self.lossless
        noise, steps = self.noise, min(COARSEST, deviations)
        noise = replace(noise, read=noise.read * deviations / steps)
        while True:
            try:
                return choose_channel_codec("visual", self.values, self.bits, max(FINEST, steps), noise)
            except InvalidParameter:
                noise, steps = replace(noise, read=2 * noise.read), steps / 2

    def bytes_per_pixel(self, codec: Codec) -> float:
        """Of all levels, for a pixel of level 0."""
        coded = sum(coded_piece(piece, codec).bytes for piece in self.pieces)
        return coded / sum(int(piece.size) for piece in self.pieces)

    def error(self, codec: Codec) -> Error:
        """Of level 0, over the pieces with most structure."""
        squares = deviations = count = 0.0
        for at in self.tissue:
            piece = self.pieces[at]
            difference = coded_piece(piece, codec).pixels.astype(np.float64) - piece
            squares += float((difference**2).sum())
            deviations += float(((difference / self.noise.deviation(piece)) ** 2).sum())
            count += piece.size
        return Error(math.sqrt(deviations / count), squares / count)

    def steps_for(self, wanted: float) -> float:
        """The coarsest steps, in deviations, whose error is at most ``wanted``; FINEST if no steps have it."""
        steps, last = wanted / ERROR_OF_STEP, math.inf
        while (error := self.error(self.codec(steps)).sigma) > wanted:
            if error > last * STILL_FALLS or steps < FINEST * STEP:
                return FINEST
            steps, last = steps / STEP, error
        return steps


class Error(NamedTuple):
    """``sigma``: root of the mean square in deviations of the noise; ``square``: mean square in values."""

    sigma: float
    square: float


class ChannelTrials:
    """What is known of the channels of a slide before their parameters are chosen."""

    def __init__(self, samples: Sequence[ChannelSample], executor: Executor) -> None:
        self._samples, self._executor = samples, executor

    @property
    def noises(self) -> tuple[Noise, ...]:
        return tuple(one.noise for one in self._samples)

    def lossless(self) -> tuple[Codec, ...]:
        return tuple(self._executor.map(lambda one: one.lossless, self._samples))

    def steps_for(self, error: float) -> tuple[float, ...]:
        """For each channel the coarsest steps with at most this error."""
        return tuple(self._executor.map(lambda one: one.steps_for(error), self._samples))

    def codecs(self, steps: Sequence[float], coarser: float = 1.0) -> tuple[Codec, ...]:
        """Of steps in deviations, multiplied by ``coarser``."""
        return tuple(self._executor.map(ChannelSample.codec, self._samples, (one * coarser for one in steps)))

    def bytes_per_pixel(self, codecs: Sequence[Codec]) -> float:
        """Mean of the channels, for a pixel of level 0."""
        return sum(self._executor.map(ChannelSample.bytes_per_pixel, self._samples, codecs)) / len(self._samples)

    def error(self, codecs: Sequence[Codec]) -> Error:
        """The largest error of a channel in deviations, and the mean square of all."""
        errors = list(self._executor.map(ChannelSample.error, self._samples, codecs))
        return Error(max(one.sigma for one in errors), sum(one.square for one in errors) / len(errors))

    def psnr(self, error: Error) -> float:
        """dB beside the range of samples; EXACT_PSNR at most."""
        peak = (1 << self._samples[0].bits) - 1
        return min(EXACT_PSNR, 10 * math.log10(peak**2 / max(error.square, 1e-9)))


def channel_samples(source: SlideSource) -> tuple[list[ChannelSample], tuple[Address, ...]]:
    """Pieces of each channel of the middle plane, and the tiles on which the stored quality is measured (ST60)."""
    info = source.info
    pyramid = Pyramid(info.width, info.height)
    samples = [sample_of(group_of(source, c), pyramid, info.planes) for c in range(info.groups)]
    tiles = dict.fromkeys(tile for sample in samples for tile in tiles_under(sample, 2))
    addresses = (Address(info.planes // 2, 0, 0, x, y) for x, y in list(tiles)[:MAX_TILES])
    return [ChannelSample.of(sample, info.bits, info.groups) for sample in samples], tuple(addresses)


def choose_channels(trials: ChannelTrials, quality: Quality, facts: SourceFacts, margin: float = MARGIN) -> Choice:
    """The coarsest parameters that deserve the quality. ``margin``: of ``max_bytes``, for ``auto`` (ST67, ST113)."""
    area = facts.area * facts.planes
    most = math.inf if facts.max_bytes is None or quality.name != "auto" else margin * facts.max_bytes / area
    made = partial(_choice, trials, quality, area=area)
    if quality.name == "lossless":
        return made(trials.lossless(), None, "target")
    if quality.name == "auto" and facts.compression.kind == "lossless" and facts.exact:
        choice = made(trials.lossless(), None, "compression of the source")
        if choice.estimate <= most * area:
            return choice
    wanted = quality.sigma or ERRORS.get(quality.name, ERRORS["visual"])
    steps = trials.steps_for(wanted)
    coarser, reason = 1.0, "target" if quality.sigma else "noise"
    codecs = trials.codecs(steps)
    while (size := trials.bytes_per_pixel(codecs)) > most and coarser < MAX_COARSER:
        coarser, reason = coarser * max(STEP, math.sqrt(size / most)), "bytes of the source"
        codecs = trials.codecs(steps, coarser)
    return made(codecs, max(steps) * coarser, reason)


def _choice(
    trials: ChannelTrials, quality: Quality, codecs: tuple[Codec, ...], steps: float | None, reason: str, *, area: int
) -> Choice:
    error = trials.error(codecs) if steps is not None else Error(0.0, 0.0)
    factor = None if steps is None else round(steps, 4)
    chosen = Chosen(quality.name, reason, None, factor, round(trials.psnr(error), 2), NAME, round(error.sigma, 3))
    return Choice(codecs, chosen, estimate=trials.bytes_per_pixel(codecs) * area, noises=trials.noises)
