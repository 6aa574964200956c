"""What an ingest would make of a source, estimated from a few encoded samples before it starts."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wavescope.geometry import TILE, Address, Pyramid, ceil_div
from wavescope.ingest.plan import Plan
from wavescope.kernel.codec import Codec, Profile, choose_codec, liveliest
from wavescope.kernel.parameters import lossless_codec, reversible_candidates
from wavescope.kernel.structs import CHANNELS
from wavescope.kernel.tiles import Means, Samples, Size, encode_tile, means, parent_of, samples_from_pixels
from wavescope.kernel.wasm import prepare
from wavescope.source.base import Pixels, SlideSource

SIDE = 3  # samples across and down
SQUARE = 4 * TILE  # pixels: 4 x 4 tiles and the 2 x 2 above them
COARSER = 0.75
"""Bytes of all levels above 1 as a share of those of level 1: 0.6 to 0.9 on sections of tissue."""
PROFILES: tuple[Profile, ...] = ("visual", "lossless")
Place = tuple[int, int]  # column, row


class Expectation(NamedTuple):
    """One profile: bytes in the store, and seconds of one processor."""

    bytes: int
    seconds: float


@dataclass(frozen=True)
class Advice:
    """``profiles`` by name; ``seconds`` of a profile count for all ``processors`` together, reading included."""

    width: int
    height: int
    planes: int
    source_bytes: int
    raw_bytes: int
    tiles: int
    free_bytes: int
    processors: int
    profiles: dict[str, Expectation]

    def fits(self, profile: str) -> bool:
        """Whether the disk has enough space: during the ingest, twice the size is needed."""
        return 1.3 * self.profiles[profile].bytes < self.free_bytes


class _Measured(NamedTuple):
    """Parts of one level, read or encoded: how many pixels they show, bytes, and seconds of one processor."""

    pixels: int
    bytes: int
    seconds: float


def advise(source: SlideSource, store: Path, workers: int | None = None) -> Advice:
    """Reads and encodes samples of the middle plane (WI51). Raises SourceError kinds."""
    info = source.info
    pyramid = Pyramid(info.width, info.height)
    plan = Plan(pyramid, info.planes)
    processors = workers or os.cpu_count() or 1
    pixels = info.width * info.height * info.planes
    # the kernel holds no lock while it encodes
    with ThreadPoolExecutor(processors, "wavescope-advice") as executor:
        executor.submit(prepare)  # while the first samples are read
        squares, readings = zip(*executor.map(partial(_read, source), _places(pyramid)), strict=True)
        reading = _sum(readings)
        sample = _sample_of(squares)
        # all profiles at once, the slowest first, so that no processor waits for the others
        found = {
            profile: executor.map(partial(_measure, codec=_codec_of(profile, sample)), enumerate(squares))
            for profile in reversed(PROFILES)
        }
        profiles: dict[str, Expectation] = {}
        for profile in PROFILES:
            fines, coarses = zip(*found[profile], strict=True)
            fine, coarse = _sum(fines), _sum(coarses)
            above = (1 + COARSER) / 4 / coarse.pixels
            seconds = reading.seconds / reading.pixels + fine.seconds / fine.pixels + coarse.seconds * above
            size = fine.bytes / fine.pixels + coarse.bytes * above
            profiles[profile] = Expectation(round(size * pixels), seconds * pixels / processors)
    raw = pixels * info.channels
    free = shutil.disk_usage(_existing(store)).free
    return Advice(
        info.width, info.height, info.planes, info.source_bytes, raw, plan.total_tiles, free, processors, profiles
    )


def advice_fields(advice: Advice) -> dict[str, Any]:
    """The advice as JSON."""
    profiles = {
        name: {"bytes": one.bytes, "seconds": round(one.seconds, 1), "fits": advice.fits(name)}
        for name, one in advice.profiles.items()
    }
    return {**vars(advice), "profiles": profiles}


def _places(pyramid: Pyramid) -> list[tuple[int, int]]:
    """Columns and rows of squares of 4 x 4 tiles: of a small slide all, else those at a grid of SIDE x SIDE points."""
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


def _sample_of(squares: Iterable[Pixels]) -> Pixels:
    """What the codec is chosen from: the liveliest tile."""
    tiles = [liveliest(square) for square in squares]
    return max(tiles, key=lambda tile: int(np.abs(np.diff(tile.astype(np.int32), axis=1)).sum()))


def _codec_of(profile: Profile, sample: Pixels) -> Codec:
    """Parameters like those an ingest chooses. It encodes a tile with every lossless candidate and takes the best; the
    last, which predicts, is within 3 % of it.
    """
    if profile == "lossless" and sample.shape[2] == CHANNELS:
        return lossless_codec(CHANNELS, *reversible_candidates(sample)[-1])
    return choose_codec(profile, sample)


def _measure(numbered: tuple[int, Pixels], codec: Codec) -> tuple[_Measured, _Measured]:
    """Encodes the tiles of a quarter of the square, another quarter in each square, and in every other square the tiles
    above all of them.

    The seconds are those of the processor: other work on this machine plays no part.
    """
    number, square = numbered
    height, width = square.shape[:2]
    begun = time.thread_time()
    tiles = {
        (x, y): samples_from_pixels(square[y * TILE : (y + 1) * TILE, x * TILE : (x + 1) * TILE], codec)
        for y in range(ceil_div(height, TILE))
        for x in range(ceil_div(width, TILE))
    }
    above = _parents(tiles)
    each = (time.thread_time() - begun) / len(tiles)
    quarter = list(above)[number % len(above)]
    chosen = {place: tile for place, tile in tiles.items() if (place[0] // 2, place[1] // 2) == quarter}
    fine = _encoded(_Level(0, (width, height)), chosen, above, codec)
    fine = fine._replace(seconds=fine.seconds + each * len(chosen))
    if number % 2:
        return fine, _Measured(0, 0, 0.0)
    half = ceil_div(width, 2), ceil_div(height, 2)
    return fine, _encoded(_Level(1, half), above, _parents(above), codec)


def _parents(tiles: Mapping[Place, Samples]) -> dict[Place, Samples]:
    """The tiles above, by column and row."""
    quarters: dict[Place, dict[Place, Means]] = {}
    for (x, y), tile in tiles.items():
        quarters.setdefault((x // 2, y // 2), {})[x % 2, y % 2] = means(tile)
    return {place: parent_of(four) for place, four in quarters.items()}


class _Level(NamedTuple):
    """One level of a square, of ``size`` pixels (width, height)."""

    level: int
    size: Size

    def shown(self, place: Place) -> Size:
        width, height = (min(TILE, side - TILE * at) for side, at in zip(self.size, place, strict=True))
        return width, height


def _encoded(level: _Level, tiles: Mapping[Place, Samples], above: Mapping[Place, Samples], codec: Codec) -> _Measured:
    """What encoding these tiles takes."""
    begun, size, count = time.thread_time(), 0, 0
    for (x, y), tile in tiles.items():
        shown = level.shown((x, y))
        layers = encode_tile(tile, above[x // 2, y // 2], Address(0, 0, level.level, x, y), codec, shown)
        size, count = size + sum(map(len, layers)), count + shown[0] * shown[1]
    return _Measured(count, size, time.thread_time() - begun)


def _sum(parts: Iterable[_Measured]) -> _Measured:
    pixels, size, seconds = zip(*parts, strict=True)
    return _Measured(sum(pixels), sum(size), sum(seconds))


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    folder = folder.absolute()
    while not folder.exists():
        folder = folder.parent
    return folder
