"""Encode parameters for a slide and a quality, chosen by a closed loop over pieces of the slide (decision 0008)."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from wavescope.errors import InvalidParameter
from wavescope.geometry import Address
from wavescope.ingest.quality.presets import OF_CHANNELS, OF_PICTURES, Quality
from wavescope.ingest.quality.sampling import Sample, tiles_under
from wavescope.ingest.quality.ssimulacra2 import NAME
from wavescope.ingest.quality.trials import (
    COARSEST,
    OCTAVE,
    PIECES,
    PSNR_SLOPE,
    SCORE_SLOPE,
    Trials,
    coded_piece,
    min_number,
    nearest_number,
)
from wavescope.ingest.stored_source import PREFIX
from wavescope.kernel.codec import Codec, Noise, Steps, choose_codec
from wavescope.source.base import SlideSource
from wavescope.source.channels import windows_notice
from wavescope.source.compression import Compression, compression_of, own_error
from wavescope.source.open import SPECIMEN
from wavescope.store.manifest import EXACT_PSNR, Chosen

SCORES = {"compact": 70.0, "visual": 80.0, "fine": 90.0}
"""Of the presets."""
# The least PSNR of tiles in a slide, where noise hides errors from the score. 0.25 dB of it are for the ancestors above
# the parents, which no trial encodes.
FLOORS: dict[Steps, dict[str, float]] = {
    "even": {"compact": 32.25, "visual": 36.25, "fine": 36.25},
    "perceptual": {"compact": 29.25, "visual": 32.25, "fine": 32.25},
}
STARTS: dict[Steps, dict[str, int]] = {
    "even": {"compact": -12, "visual": 6, "fine": 40},
    "perceptual": {"compact": -36, "visual": -12, "fine": 18},
}
"""The trials to begin with."""
CONFIDENT_MARGIN = 3.0  # dB: pieces alone that are so much above the least PSNR have it in the slide too
MAX_TILES = 6  # on which the stored quality is measured
TILES_OF_TARGET = 16
"""Tiles on which a requested PSNR is reached and measured; more than for a score, for the tolerance is 0.2 dB."""
PIECES_OF_SOURCE = 16  # from which the source's own error is estimated
BELOW_SOURCE = 3.0
"""``auto``: dB by which the error stays below that of the source's own quantisation."""
MARGIN = 0.93
"""``auto`` aims at this share of the bytes that it must not exceed; the sample does not show everything."""
BYTES_SLOPE = 0.02  # of the logarithm of bytes, from one trial to the next


@dataclass(frozen=True)
class SourceFacts:
    """What ``auto`` needs to know. ``max_bytes`` of the slide; None: no limit. ``planes``, ``area`` in pixels of all
    channel groups. ``exact``: whether the pixels are the samples of the file (ST98).
    """

    compression: Compression
    max_bytes: int | None
    planes: int
    area: int
    exact: bool


def source_facts(spec: str, source: SlideSource) -> SourceFacts:
    """Of a file or folder. A specimen has no bytes to pass through, neither has a file without a name."""
    info = source.info
    area = info.width * info.height * info.groups
    if not spec or spec.startswith((SPECIMEN, PREFIX)):
        most = info.tile_bytes if spec.startswith(PREFIX) else None
        return SourceFacts(Compression("unknown"), most, info.planes, area, info.exact)
    most = info.tile_bytes or info.source_bytes
    return SourceFacts(compression_of(Path(spec)), most, info.planes, area, info.exact)


def check_quality(quality: Quality, source: SlideSource) -> None:
    """Raises InvalidParameter for a quality that the source cannot have: ``lossless`` where the pixels are not the
    samples of the file (ST98), a PSNR of channels, an error in units of noise of a picture.
    """
    info = source.info
    if quality.psnr is not None and info.descriptions:
        raise InvalidParameter("quality", quality.name, f"for a slide of channels a preset, or {OF_CHANNELS}")
    if quality.sigma is not None and not info.descriptions:
        raise InvalidParameter("quality", quality.name, f"for a picture a preset, or {OF_PICTURES}")
    if quality.name == "lossless" and not info.exact:
        reasons = [info.window.describe()] if info.window else windows_notice(info.descriptions)
        raise InvalidParameter("quality", quality.name, f"a lossy quality for this file: {'; '.join(reasons)}")


@dataclass(frozen=True)
class Choice:
    """The encode parameters of each channel group, how they were chosen (for the manifest), and the tiles on which to
    measure the result.
    """

    codecs: tuple[Codec, ...]
    chosen: Chosen
    tiles: tuple[Address, ...] = ()
    number: int = 0
    """Of the trial, if the profile is visual."""
    estimate: float = 0.0
    """Bytes that the sample promises for the whole slide; of ``auto`` only."""
    noises: tuple[Noise, ...] = ()
    """Of the channels."""

    @property
    def lossless(self) -> bool:
        """Whether each channel group is."""
        return all(codec.profile == "lossless" for codec in self.codecs)


@contextmanager
def trials_of(sample: Sample, steps: Steps, quality: Quality) -> Iterator[Trials]:
    """Trials on all processors."""
    with ThreadPoolExecutor(os.cpu_count() or 1, "wavescope-quality") as executor:
        yield Trials(sample, steps, executor, PIECES if quality.psnr is None else TILES_OF_TARGET)


def choose(sample: Sample, quality: Quality, steps: Steps, facts: SourceFacts, margin: float = MARGIN) -> Choice:
    """The coarsest parameters that deserve the quality. ``margin``: of ``max_bytes``, for ``auto`` (ST66, ST67)."""
    if quality.name == "lossless":
        return _lossless(choose_codec("lossless", sample.image), quality)
    with trials_of(sample, steps, quality) as trials:
        choice = chosen_from(trials, sample, quality, facts, margin)
    most = MAX_TILES if quality.psnr is None else TILES_OF_TARGET
    tiles = (Address(facts.planes // 2, 0, 0, x, y) for x, y in tiles_under(sample, most))
    return replace(choice, tiles=tuple(tiles))


def chosen_from(trials: Trials, sample: Sample, quality: Quality, facts: SourceFacts, margin: float = MARGIN) -> Choice:
    """``choose`` with trials of which some may have been made already."""
    if quality.name == "lossless":
        return _lossless(trials.lossless, quality)
    if quality.psnr is not None:
        number = nearest_number(trials.psnr_of_tiles, quality.psnr, PSNR_SLOPE, round((quality.psnr - 37) / PSNR_SLOPE))
        return _visual(trials, quality, number, "target")
    if quality.name in SCORES:
        return _visual(trials, quality, *preset_number(trials, quality.name))
    return _auto(trials, sample, quality, facts, margin)


def preset_number(trials: Trials, preset: str) -> tuple[int, str]:
    """The coarsest trial with a preset's score and PSNR, and which of them decided."""
    psnr = FLOORS[trials.steps][preset]
    number = min_number(trials.score, SCORES[preset], SCORE_SLOPE, STARTS[trials.steps][preset], trials.close)
    if trials.psnr(number) >= psnr + CONFIDENT_MARGIN or trials.psnr_in_slide(number) >= psnr:
        return number, "score"
    return min_number(trials.psnr_in_slide, psnr, PSNR_SLOPE, number, trials.close / 4), "least PSNR"


def _auto(trials: Trials, sample: Sample, quality: Quality, facts: SourceFacts, margin: float) -> Choice:
    area = facts.area * facts.planes
    most = math.inf if facts.max_bytes is None else margin * facts.max_bytes / area
    if facts.compression.kind == "lossless" and facts.exact:
        choice = _lossless(trials.lossless, quality)
        size = _lossless_size(sample, trials.lossless)
        if size <= most:
            return replace(choice, estimate=size * area)
    number, reason = preset_number(trials, "visual")
    errors = [own_error(sample.pieces[at], facts.compression) for at in sample.tissue(PIECES_OF_SOURCE)]
    if (error := sum(each or 0.0 for each in errors) / len(errors)) > 0:
        deserved = min(EXACT_PSNR, 10 * math.log10(255**2 / error) + BELOW_SOURCE)
        if trials.psnr(number) > deserved:
            number, reason = (
                min_number(trials.psnr, deserved, PSNR_SLOPE, number, trials.close / 4),
                "compression of the source",
            )
    if trials.bytes_per_pixel(number) > most:
        number, reason = _largest_within(trials, most, number), "bytes of the source"
    return replace(_visual(trials, quality, number, reason), estimate=trials.bytes_per_pixel(number) * area)


def _largest_within(trials: Trials, limit: float, start: int) -> int:
    """The finest trial of at most so many bytes a pixel."""
    if limit <= 0:
        return COARSEST
    guess = start - round(math.log(trials.bytes_per_pixel(start) / limit) / BYTES_SLOPE)
    number = min_number(lambda each: math.log(trials.bytes_per_pixel(each)), math.log(limit), BYTES_SLOPE, guess)
    while trials.bytes_per_pixel(number) > limit and number > COARSEST:
        number -= 1
    return number


def _visual(trials: Trials, quality: Quality, number: int, reason: str) -> Choice:
    psnr, score = round(trials.psnr_of_tiles(number), 2), round(trials.score(number), 1)
    factor = round(2 ** (-number / OCTAVE), 4)
    chosen = Chosen(quality.name, reason, quality.psnr, factor, psnr, NAME, score)
    return Choice((trials.codec(number),), chosen, number=number)


def _lossless(codec: Codec, quality: Quality) -> Choice:
    reason = "target" if quality.name == "lossless" else "compression of the source"
    chosen = Chosen(quality.name, reason, None, None, EXACT_PSNR, NAME, 100.0)
    return Choice((codec,), chosen)


def _lossless_size(sample: Sample, codec: Codec) -> float:
    """Bytes a pixel of level 0."""
    with ThreadPoolExecutor(os.cpu_count() or 1, "wavescope-quality") as executor:
        return _size(executor, sample, codec)


def _size(executor: Executor, sample: Sample, codec: Codec) -> float:
    coded = executor.map(lambda piece: coded_piece(piece, codec).bytes, sample.pieces)
    return sum(coded) / sample.area
