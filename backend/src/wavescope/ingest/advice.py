"""What an ingest would make of a source, estimated from a few encoded samples before it starts."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wavescope.geometry import HALF, TILE, Address, Pyramid, ceil_div
from wavescope.ingest.plan import Plan
from wavescope.ingest.quality.channels import NAME as SIGMA
from wavescope.ingest.quality.channels import ChannelTrials, channel_samples, choose_channels
from wavescope.ingest.quality.choice import Choice, SourceFacts, check_quality, chosen_from, source_facts
from wavescope.ingest.quality.presets import PRESETS, Quality, quality_of
from wavescope.ingest.quality.sampling import SIDE as PIECE
from wavescope.ingest.quality.sampling import Sample
from wavescope.ingest.quality.ssimulacra2 import NAME
from wavescope.ingest.quality.trials import OCTAVE, QUICK_PIECES, Trials, encoded_piece
from wavescope.kernel.codec import Codec, most_detailed
from wavescope.kernel.parameters import TABLES
from wavescope.kernel.tiles import Size, encode_tile, means, parent_of, samples_from_pixels
from wavescope.kernel.wasm import prepare
from wavescope.source.base import Pixels, SlideSource
from wavescope.source.window import BITS, Window
from wavescope.store.manifest import StoredWindow

SIDE = 3  # samples across and down
SQUARE = 2 * TILE  # pixels: four tiles and the one above them
COARSER = 0.75
"""Bytes of all levels above 1 as a share of those of level 1: 0.6 to 0.9 on sections of tissue."""
BY_PSNR = (-2 * OCTAVE, -12, 36, 84)
"""Trials of at most 33 to about 50 dB: between them a client interpolates the bytes of a requested PSNR."""


class Expectation(NamedTuple):
    """One quality: bytes in the store, seconds of one processor; ``psnr`` of level 0 and ``score`` of a measure."""

    bytes: int
    seconds: float
    psnr: float
    score: float


@dataclass(frozen=True)
class Advice:
    """``presets`` by name; ``seconds`` of a preset count for all ``processors`` together, reading included.

    ``by_psnr``: visual qualities from about 30 to 50 dB, with rising PSNR.
    """

    width: int
    height: int
    planes: int
    source_bytes: int
    raw_bytes: int
    tiles: int
    free_bytes: int
    processors: int
    presets: dict[str, Expectation]
    by_psnr: tuple[Expectation, ...] = ()
    window: Window | None = None
    """How samples of 16 bits become the pixels: then ``lossless`` is refused (ST98)."""
    times: int = 1
    """Time points of the file; of one of them is this advice."""
    measure: str = NAME
    """What ``score`` is: of SSIMULACRA 2, or the error in units of noise."""

    def fits(self, expected: Expectation) -> bool:
        """Whether the disk has enough space: during the ingest, more than the size is needed."""
        return 1.3 * expected.bytes < self.free_bytes


class _Rate(NamedTuple):
    """For one pixel of level 0, all levels."""

    bytes: float
    seconds: float


class _Measured(NamedTuple):
    """Parts of one level, read or encoded: how many pixels they show, bytes, and seconds of one processor."""

    pixels: int
    bytes: int
    seconds: float


def advise(source: SlideSource, store: Path, file: str = "", quality: str = "", workers: int | None = None) -> Advice:
    """Reads and encodes samples of the middle plane (WI51). ``quality``: one more beside the presets.

    ``file``: the source's name, for ``auto``. Raises SourceError kinds, InvalidParameter.
    """
    info = source.info
    pyramid = Pyramid(info.width, info.height)
    processors = workers or os.cpu_count() or 1
    qualities = {one.name: one for one in map(quality_of, (*PRESETS, *([quality] if quality else [])))}
    for one in qualities.values():
        if one.name not in PRESETS:
            check_quality(one, source)
    pixels = info.width * info.height * info.planes * info.groups
    facts = source_facts(file, source)
    # the kernel holds no lock while it encodes
    with ThreadPoolExecutor(processors, "wavescope-advice") as executor:
        executor.submit(prepare)  # while the first samples are read
        of_source = _of_channels if info.descriptions else _of_picture
        presets, by_psnr = of_source(source, executor, list(qualities.values()), facts, pixels / processors)
    return Advice(
        width=info.width,
        height=info.height,
        planes=info.planes,
        source_bytes=info.source_bytes,
        raw_bytes=pixels * (info.channels // info.groups) * info.dtype.itemsize,
        tiles=Plan(pyramid, info.planes, info.groups).total_tiles,
        free_bytes=shutil.disk_usage(_existing(store)).free,
        processors=processors,
        presets=presets,
        by_psnr=by_psnr,
        window=info.window,
        times=info.times,
        measure=SIGMA if info.descriptions else NAME,
    )


Expectations = tuple[dict[str, Expectation], tuple[Expectation, ...]]
"""``presets`` and ``by_psnr`` of an advice."""


def _of_picture(
    source: SlideSource, executor: Executor, qualities: Sequence[Quality], facts: SourceFacts, share: float
) -> Expectations:
    """``share``: pixels for each processor."""
    pixels = facts.area * facts.planes
    squares, readings = zip(*executor.map(partial(_read, source), _places(_pyramid(source))), strict=True)
    sample = _sample_of(squares, max(source.info.width, source.info.height))
    trials = {steps: Trials(sample, steps, executor, QUICK_PIECES, quick=True) for steps in TABLES}
    choices = {one.name: chosen_from(trials[one.steps], sample, one, facts) for one in qualities}
    codecs = [codec for name in ("lossless", "visual") for codec in choices[name].codecs]
    rates = dict(zip(("lossless", "visual"), _measured(executor, squares, codecs), strict=True))
    piece_rate = trials["perceptual"].bytes_per_pixel(choices["visual"].number)
    estimates = _Estimates(rates, piece_rate, _sum(readings), share)
    presets = {one.name: estimates.of_choice(trials[one.steps], choices[one.name], pixels) for one in qualities}
    return presets, tuple(estimates.of_trial(trials["even"], number, pixels) for number in BY_PSNR)


def _of_channels(
    source: SlideSource, executor: Executor, qualities: Sequence[Quality], facts: SourceFacts, share: float
) -> Expectations:
    """Of channels: ``score`` is the error in units of noise."""
    begun = time.thread_time()
    samples, _ = channel_samples(source)
    read = sum(piece.size for sample in samples for piece in sample.pieces)
    reading = _Measured(read, 0, time.thread_time() - begun)
    trials = ChannelTrials(samples, executor)
    choices = {one.name: choose_channels(trials, one, facts) for one in qualities}
    piece = samples[0].pieces[0]
    presets = {}
    for name, choice in choices.items():
        coded = _timed((piece.shape[1], piece.shape[0]), lambda: encoded_piece(piece, choice.codecs[0]))  # noqa: B023
        seconds = (reading.seconds / reading.pixels + coded.seconds / coded.pixels) * share
        presets[name] = Expectation(round(choice.estimate), seconds, choice.chosen.psnr, choice.chosen.score)
    return presets, ()


def _pyramid(source: SlideSource) -> Pyramid:
    return Pyramid(source.info.width, source.info.height)


class _Estimates(NamedTuple):
    """Expectations from trials and from ``rates`` by profile.

    ``piece_rate``: bytes a pixel that the pieces have in the trial of the visual rate. ``share``: pixels for each
    processor.
    """

    rates: dict[str, _Rate]
    piece_rate: float
    reading: _Measured
    share: float

    def of_choice(self, trials: Trials, choice: Choice, pixels: int) -> Expectation:
        """What ``pixels`` become with a choice of parameters."""
        if not choice.lossless:
            return self.of_trial(trials, choice.number, pixels)
        rate = self.rates["lossless"]
        return Expectation(round(rate.bytes * pixels), self._seconds(rate), choice.chosen.psnr, choice.chosen.score)

    def of_trial(self, trials: Trials, number: int, pixels: int) -> Expectation:
        """What ``pixels`` become with the steps of a trial."""
        rate = self.rates["visual"]
        size = rate.bytes * trials.bytes_per_pixel(number) / self.piece_rate
        psnr, score = trials.psnr(number), trials.score(number)
        return Expectation(round(size * pixels), self._seconds(rate), round(psnr, 2), round(score, 1))

    def _seconds(self, rate: _Rate) -> float:
        return (self.reading.seconds / self.reading.pixels + rate.seconds) * self.share


def _measured(executor: Executor, squares: Sequence[Pixels], codecs: Sequence[Codec]) -> list[_Rate]:
    """Bytes and seconds of each codec for one pixel of level 0; all codecs at once, so that no processor waits."""
    found = [executor.map(partial(_measure, codec=codec), enumerate(squares)) for codec in codecs]
    rates = []
    for parts in found:
        fines, coarses = zip(*parts, strict=True)
        fine, coarse = _sum(fines), _sum(coarses)
        above = (1 + COARSER) / 4 / coarse.pixels
        size = fine.bytes / fine.pixels + coarse.bytes * above
        rates.append(_Rate(size, fine.seconds / fine.pixels + coarse.seconds * above))
    return rates


def advice_fields(advice: Advice) -> dict[str, Any]:
    """The advice as JSON."""

    def fields(one: Expectation) -> dict[str, Any]:
        return {**one._asdict(), "seconds": round(one.seconds, 1), "fits": advice.fits(one)}

    presets = {name: fields(one) for name, one in advice.presets.items()}
    window = advice.window and StoredWindow(BITS, *advice.window)
    others = {"by_psnr": [fields(one) for one in advice.by_psnr], "window": window and vars(window)}
    return {**vars(advice), "presets": presets, **others}


def _places(pyramid: Pyramid) -> list[tuple[int, int]]:
    """Columns and rows of squares of 2 x 2 tiles: of a small slide all, else those at a grid of SIDE x SIDE points."""
    columns, rows = ceil_div(pyramid.width, SQUARE), ceil_div(pyramid.height, SQUARE)
    xs, ys = ([(2 * i + 1) * count // (2 * SIDE) for i in range(SIDE)] for count in (columns, rows))
    return sorted({(x, y) for y in ys for x in xs})


def _read(source: SlideSource, place: tuple[int, int]) -> tuple[Pixels, _Measured]:
    """The part of a square inside the slide, of the middle plane, and what it took."""
    begun = time.thread_time()
    left, top = SQUARE * place[0], SQUARE * place[1]
    width, height = min(SQUARE, source.info.width - left), min(SQUARE, source.info.height - top)
    pixels = source.read_region(source.info.planes // 2, left, top, width, height)
    return pixels, _Measured(width * height, pixels.size, time.thread_time() - begun)


def _sample_of(squares: Iterable[Pixels], side: int) -> Sample:
    """What the parameters are chosen from: colours from a quarter of the most detailed tile, steps from a piece of each
    square.
    """
    squares = list(squares)
    tiles = [most_detailed(square)[:HALF, :HALF] for square in squares]
    best = max(tiles, key=lambda tile: int(np.abs(np.diff(tile.astype(np.int32), axis=1)).sum()))
    pieces = []
    for square in squares:
        height, width = (min(PIECE, side) for side in square.shape[:2])
        top, left = (square.shape[0] - height) // 2, (square.shape[1] - width) // 2
        pieces.append(np.ascontiguousarray(square[top : top + height, left : left + width]))
    return Sample(best, tuple(pieces), ((0, 0),) * len(pieces), side)


def _measure(numbered: tuple[int, Pixels], codec: Codec) -> tuple[_Measured, _Measured]:
    """Encodes one of the square's up to four tiles, another one in each square, and in every other square the tile
    above them.

    The seconds are those of the processor: other work on this machine plays no part.
    """
    number, square = numbered
    height, width = square.shape[:2]
    parts = {
        (x, y): square[y * TILE : (y + 1) * TILE, x * TILE : (x + 1) * TILE]
        for y in range(ceil_div(height, TILE))
        for x in range(ceil_div(width, TILE))
    }
    begun = time.thread_time()
    tiles = {place: samples_from_pixels(part, codec) for place, part in parts.items()}
    above = parent_of({place: means(tile) for place, tile in tiles.items()})
    each = (time.thread_time() - begun) / len(parts)
    place = list(parts)[number % len(parts)]
    shown = parts[place].shape[1], parts[place].shape[0]
    fine = _timed(shown, lambda: encode_tile(tiles[place], above, Address(0, 0, 0, *place), codec, shown))
    fine = fine._replace(seconds=fine.seconds + each)
    if number % 2:
        return fine, _Measured(0, 0, 0.0)
    top, half = parent_of({(0, 0): means(above)}), (ceil_div(width, 2), ceil_div(height, 2))
    return fine, _timed(half, lambda: encode_tile(above, top, Address(0, 0, 1, 0, 0), codec, half))


def _timed(shown: Size, encode: Callable[[], list[bytes]]) -> _Measured:
    begun = time.thread_time()
    size = sum(map(len, encode()))
    return _Measured(shown[0] * shown[1], size, time.thread_time() - begun)


def _sum(parts: Iterable[_Measured]) -> _Measured:
    pixels, size, seconds = zip(*parts, strict=True)
    return _Measured(sum(pixels), sum(size), sum(seconds))


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    folder = folder.absolute()
    while not folder.exists():
        folder = folder.parent
    return folder
