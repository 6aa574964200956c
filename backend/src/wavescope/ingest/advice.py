"""What an ingest would make of a source, judged by a few encoded samples before it begins."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from wavescope.geometry import TILE, Pyramid, ceil_div
from wavescope.ingest.plan import Plan
from wavescope.ingest.stripe import sample_of
from wavescope.kernel.codec import Codec, Profile, choose_codec
from wavescope.kernel.tiles import encode_tile, means, parent_of, samples_from_pixels
from wavescope.source.base import Pixels, SlideSource

SIDE = 4  # samples across and down
SQUARE = 2 * TILE  # pixels: four tiles and the one above them
COARSER = 0.75
"""Bytes of all levels above 1 as a share of those of level 1: 0.6 to 0.9 on sections of tissue."""
PROFILES: tuple[Profile, ...] = ("visual", "lossless")


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
        """Whether there is room: what is being worked on takes as much again for a while."""
        return 1.3 * self.profiles[profile].bytes < self.free_bytes


def advise(source: SlideSource, store: Path, workers: int | None = None) -> Advice:
    """Reads and encodes samples of the middle plane. Raises SourceError kinds."""
    info = source.info
    pyramid = Pyramid(info.width, info.height)
    plan = Plan(pyramid, info.planes)
    picture = sample_of(source, pyramid, info.planes)
    begun = time.perf_counter()
    squares, each = _squares(source, pyramid)
    reading = time.perf_counter() - begun
    processors = workers or os.cpu_count() or 1
    profiles: dict[str, Expectation] = {}
    for profile in PROFILES:
        codec = choose_codec(profile, picture)
        begun = time.perf_counter()
        sizes = [_measure(square, codec) for square in squares]
        seconds = (time.perf_counter() - begun + reading) * each * info.planes / processors
        fine, coarse = (sum(size[level] for size in sizes) for level in (0, 1))
        profiles[profile] = Expectation(round((fine + coarse * (1 + COARSER)) * each * info.planes), seconds)
    raw = info.width * info.height * info.channels * info.planes
    free = shutil.disk_usage(_existing(store)).free
    return Advice(
        info.width, info.height, info.planes, info.source_bytes, raw, plan.total_tiles, free, processors, profiles
    )


def told(advice: Advice) -> dict[str, Any]:
    """The advice as JSON."""
    profiles = {
        name: {"bytes": one.bytes, "seconds": round(one.seconds, 1), "fits": advice.fits(name)}
        for name, one in advice.profiles.items()
    }
    return {**vars(advice), "profiles": profiles}


def _squares(source: SlideSource, pyramid: Pyramid) -> tuple[list[Pixels], float]:
    """Squares of 2 x 2 tiles of the middle plane, and how many squares of the slide each of them stands for.

    All squares of a small slide; of a large one, those at the points of a grid of SIDE x SIDE.
    """
    columns, rows = ceil_div(pyramid.width, SQUARE), ceil_div(pyramid.height, SQUARE)
    if columns * rows <= SIDE * SIDE:
        places = [(x, y) for y in range(rows) for x in range(columns)]
    else:
        xs, ys = ([(2 * i + 1) * count // (2 * SIDE) for i in range(SIDE)] for count in (columns, rows))
        places = sorted({(x, y) for y in ys for x in xs})
    squares = []
    for x, y in places:
        width, height = min(SQUARE, pyramid.width - x * SQUARE), min(SQUARE, pyramid.height - y * SQUARE)
        squares.append(source.read_region(source.info.planes // 2, x * SQUARE, y * SQUARE, width, height))
    return squares, columns * rows / len(squares)


def _measure(square: Pixels, codec: Codec) -> tuple[int, int]:
    """Bytes of the details of level 0 and of level 1 in a square."""
    height, width = square.shape[:2]
    parts = {
        (x, y): square[y * TILE : (y + 1) * TILE, x * TILE : (x + 1) * TILE]
        for y in range(ceil_div(height, TILE))
        for x in range(ceil_div(width, TILE))
    }
    tiles = {place: samples_from_pixels(part, codec) for place, part in parts.items()}
    above = parent_of({place: means(tile) for place, tile in tiles.items()})
    fine = [
        encode_tile(tile, above, place, codec, 0, (parts[place].shape[1], parts[place].shape[0]))
        for place, tile in tiles.items()
    ]
    top, shown = parent_of({(0, 0): means(above)}), (ceil_div(width, 2), ceil_div(height, 2))
    coarse = encode_tile(above, top, (0, 0), codec, 1, shown)
    return sum(len(layer) for block in fine for layer in block), sum(map(len, coarse))


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    folder = folder.absolute()
    while not folder.exists():
        folder = folder.parent
    return folder
