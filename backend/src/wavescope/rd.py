"""The codec alone on an image: bytes and PSNR per quality and layer, over the image's whole tile pyramid."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavescope.errors import UnreadableSource
from wavescope.geometry import TILE, Address, Pyramid
from wavescope.ingest.quality.ssimulacra2 import Original
from wavescope.kernel import (
    Codec,
    Means,
    ParameterSet,
    Profile,
    Samples,
    Steps,
    choose_codec,
    decode_approximation,
    decode_tile,
    encode_approximation,
    encode_tile,
    means,
    parent_of,
    pixels,
    read_parameters,
    samples_from_pixels,
)

Pixels = NDArray[Any]  # (h, w, C)
QUALITIES = (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8)


class Point(TypedDict):
    """One row of the result: ``layer`` counts the layers used; ``psnr`` is None where the pixels are exact.

    ``psnr`` and ``score`` (SSIMULACRA 2) are those of level 0.
    """

    quality: float
    layer: int
    bytes: int
    bpp: float
    psnr: float | None
    score: float
    levels: list[float | None]


@dataclass(frozen=True)
class Coded:
    """An image as blocks: layers per (level, x, y), [] where a block is empty."""

    codec: Codec
    pyramid: Pyramid
    blocks: dict[tuple[int, int, int], list[bytes]]
    approximation: list[bytes]

    def parameters(self, level: int) -> ParameterSet:
        """The parameter set of a level's blocks; of the top level, of the approximation."""
        return read_parameters(self.codec.parameter_set(level, level == self.pyramid.top))

    def size(self, layers: int, level: int = 0) -> int:
        """Bytes of the first ``layers`` layers of everything from ``level`` up."""
        every = [*(block for (n, _, _), block in self.blocks.items() if n >= level), self.approximation]
        return sum(len(layer) for block in every for layer in block[:layers])


def read_image(path: Path) -> Pixels:
    """An 8-bit grey or RGB image file as (h, w, C)."""
    try:
        with Image.open(path) as image:
            array = np.asarray(image.convert("L" if image.mode in ("L", "1", "I;16") else "RGB"))
    except (OSError, Image.DecompressionBombError) as error:
        raise UnreadableSource(path, str(error)) from error
    return array.reshape(*array.shape[:2], -1)


def rate_distortion(
    image: Pixels,
    profile: Profile = "visual",
    qualities: Sequence[float] | None = None,
    save: Path | None = None,
    steps: Steps = "even",
) -> list[Point]:
    """Codes the image's pyramid at each quality and measures every number of layers. Lossless knows one quality.

    ``steps`` as in choose_codec().
    """
    chosen = (1.0,) if profile == "lossless" else tuple(qualities or QUALITIES)
    boxes, original = box_levels(image), Original(image)
    points = []
    for quality in chosen:
        coded = encode_image(image, choose_codec(profile, image, quality, steps))
        for layers in range(1, coded.codec.layers + 1):
            decoded = dict(decode_image(coded, layers))
            if save is not None:
                _save(decoded[0], save / f"{profile}-q{quality:g}-layer{layers}.png")
            score = round(original.score(decoded[0]), 2)
            points.append(_point(quality, layers, coded, score, [psnr(decoded[n], box) for n, box in enumerate(boxes)]))
    return points


def _point(quality: float, layers: int, coded: Coded, score: float, levels: list[float | None]) -> Point:
    size, area = coded.size(layers), coded.pyramid.width * coded.pyramid.height
    return Point(
        quality=quality, layer=layers, bytes=size, bpp=8 * size / area, psnr=levels[0], score=score, levels=levels
    )


def _save(image: Pixels, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(image.squeeze()).save(path)


def encode_image(image: Pixels, codec: Codec) -> Coded:
    """All blocks of the image's pyramid, from level 0 up, as an ingest makes them."""
    height, width, _ = image.shape
    pyramid = Pyramid(width, height)
    columns, rows = pyramid.tiles(0)
    tiles = {
        (x, y): samples_from_pixels(image[y * TILE : (y + 1) * TILE, x * TILE : (x + 1) * TILE], codec, pyramid.top)
        for y in range(rows)
        for x in range(columns)
    }
    blocks = {}
    for level in range(pyramid.top):
        above = parents({place: means(samples) for place, samples in tiles.items()}, pyramid.top - level - 1)
        for (x, y), samples in tiles.items():
            parent, shown = above[x // 2, y // 2], pyramid.tile_size(level, x, y)
            blocks[level, x, y] = encode_tile(samples, parent, Address(0, 0, level, x, y), codec, shown)
        tiles = above
    return Coded(
        codec,
        pyramid,
        blocks,
        encode_approximation(tiles[0, 0], codec, pyramid.top, pyramid.tile_size(pyramid.top, 0, 0)),
    )


def parents(quarters: Mapping[tuple[int, int], Means], above: int = 1) -> dict[tuple[int, int], Samples]:
    """Tiles of the next level, by (x, y), from the means of those of this one; ``above`` them are so many levels."""
    children: dict[tuple[int, int], dict[tuple[int, int], Means]] = {}
    for (x, y), quarter in quarters.items():
        children.setdefault((x // 2, y // 2), {})[x % 2, y % 2] = quarter
    return {place: parent_of(four, above) for place, four in children.items()}


def decode_image(coded: Coded, layers: int) -> Iterator[tuple[int, Pixels]]:
    """(level, pixels) from the top level down to 0, with the first ``layers`` layers of everything."""
    pyramid = coded.pyramid
    tiles = {(0, 0): decode_approximation(coded.approximation[:layers], coded.parameters(pyramid.top))}
    for level in range(pyramid.top, -1, -1):
        if level < pyramid.top:
            columns, rows = pyramid.tiles(level)
            parameters = coded.parameters(level)
            tiles = {
                (x, y): decode_tile(
                    tiles[x // 2, y // 2],
                    coded.blocks[level, x, y][:layers],
                    parameters,
                    Address(0, 0, level, x, y),
                )
                for y in range(rows)
                for x in range(columns)
            }
        yield level, _assembled(tiles, coded.parameters(level), pyramid, level)


def _assembled(tiles: dict[tuple[int, int], Samples], parameters: ParameterSet, pyramid: Pyramid, level: int) -> Pixels:
    ln_width, ln_height = pyramid.level_size(level)
    whole = np.empty((ln_height, ln_width, parameters.channels), parameters.dtype)
    for (x, y), samples in tiles.items():
        width, height = pyramid.tile_size(level, x, y)
        whole[y * TILE : y * TILE + height, x * TILE : x * TILE + width] = pixels(samples, parameters, width, height)
    return whole


def box_levels(image: Pixels) -> list[NDArray[np.float64]]:
    """The image and its 2 x 2 means, unrounded, up to the top level; an odd last row or column is repeated."""
    boxes = [image.astype(np.float64)]
    for _ in range(Pyramid(image.shape[1], image.shape[0]).top):
        last = boxes[-1]
        last = np.pad(last, ((0, last.shape[0] % 2), (0, last.shape[1] % 2), (0, 0)), mode="edge")
        boxes.append((last[::2, ::2] + last[1::2, ::2] + last[::2, 1::2] + last[1::2, 1::2]) / 4)
    return boxes


def psnr(decoded: Pixels, reference: NDArray[np.float64]) -> float | None:
    """RGB PSNR in dB; None where nothing differs."""
    error = float(np.mean((decoded - reference) ** 2))
    return None if error == 0 else 10 * math.log10(255**2 / error)
