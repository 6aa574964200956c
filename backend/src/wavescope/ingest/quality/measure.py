"""How true the stored slide is to its source: measured on a few tiles, per level and number of layers (ST60)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from wavescope import kernel
from wavescope.geometry import TILE, Address
from wavescope.kernel.noise import Noise
from wavescope.source.base import Pixels, SlideSource
from wavescope.source.channels import group_of
from wavescope.store.manifest import EXACT_PSNR, Quality
from wavescope.store.reader import StoreReader

SAMPLES = 4
Original = NDArray[np.float64]


def measured(source: SlideSource, reader: StoreReader, tiles: Sequence[Address] = ()) -> Quality:
    """PSNR against the source, pooled over level-0 tiles of the middle plane, all channels, and their ancestors; of
    channels also the error in standard deviations of their noise (ST113).

    Without ``tiles``: over tiles_with_tissue().
    """
    manifest = reader.manifest
    tiles = tiles or tiles_with_tissue(reader)
    squares, deviations = np.zeros((2, manifest.top + 1, manifest.layers))
    noises = [one.noise for one in manifest.descriptions]
    counts = np.zeros(manifest.top + 1, np.int64)
    chains = [_Chains(reader, count + 1) for count in range(manifest.layers)]
    for tile in (place._replace(c=c) for place in tiles for c in range(manifest.channel_groups)):
        width, height = manifest.pyramid.tile_size(0, tile.x, tile.y)
        picture = group_of(source, tile.c).read_region(tile.z, TILE * tile.x, TILE * tile.y, width, height)
        for level, original in enumerate(_reduced(picture, manifest.top)):
            counts[level] += original.size
            noise = noises[tile.c] if noises else None
            for layer, chain in enumerate(chains):
                error = chain.window(tile, level, original.shape) - original
                squares[level, layer] += float((error**2).sum())
                if noise:
                    deviations[level, layer] += float(((error / Noise(*noise).deviation(original)) ** 2).sum())
    peak = (1 << manifest.bit_depth) - 1
    psnr = _table(squares, counts, partial(_psnr, peak=peak))
    return Quality(len(tiles), psnr, _table(deviations, counts, _sigma) if noises and all(noises) else ())


def _table(
    sums: NDArray[np.float64], counts: NDArray[np.int64], value: Callable[[float, int], float | None]
) -> tuple[tuple[float | None, ...], ...]:
    """[level][layer]"""
    return tuple(tuple(value(float(one), int(n)) for one in row) for row, n in zip(sums, counts, strict=True))


def tiles_with_tissue(reader: StoreReader) -> list[Address]:
    """Level-0 tiles of the middle plane, spread evenly over those that are stored; the first one if all is glass."""
    manifest = reader.manifest
    z = manifest.planes // 2
    columns, rows = manifest.pyramid.tiles(0)
    places = [Address(z, 0, 0, x, y) for y in range(rows) for x in range(columns)]
    stored = [place for place in places if any(reader.layer_lengths(place))] or places[:1]
    count = min(SAMPLES, len(stored))
    return [stored[(2 * i + 1) * len(stored) // (2 * count)] for i in range(count)]


def _reduced(image: Pixels, top: int) -> Iterator[Original]:
    """The part of its ancestors that a tile covers: exact means of whole 2^n x 2^n squares, empty where none is."""
    means = image.astype(np.float64)
    yield means
    for _ in range(top):
        height, width, channels = means.shape
        even = means[: height // 2 * 2, : width // 2 * 2]
        means = even.reshape(height // 2, 2, width // 2, 2, channels).mean(axis=(1, 3))
        yield means


def _sigma(squares: float, count: int) -> float | None:
    return round(math.sqrt(squares / count), 3) if count else None


def _psnr(squares: float, count: int, peak: int) -> float | None:
    if count == 0:
        return None
    if squares == 0:
        return EXACT_PSNR
    return round(min(EXACT_PSNR, float(10 * np.log10(peak**2 * count / squares))), 2)


class _Chains:
    """Tiles with their ancestors, from the first ``count`` layers; each ancestor is decoded once."""

    def __init__(self, reader: StoreReader, count: int) -> None:
        self._reader, self._layers = reader, range(count)
        self._cache: dict[Address, kernel.Samples] = {}

    def window(self, tile: Address, level: int, shape: tuple[int, ...]) -> Original:
        """The pixels of the ancestor on ``level`` that lie over the level-0 tile, ``shape`` of them."""
        height, width, _ = shape
        ancestor = Address(tile.z, tile.c, level, tile.x >> level, tile.y >> level)
        left, top = ((TILE * place >> level) % TILE for place in (tile.x, tile.y))
        valid = self._reader.manifest.pyramid.tile_size(level, ancestor.x, ancestor.y)
        parameters = self._reader.version.parameters(level, tile.c)
        return kernel.pixels(self._decoded(ancestor), parameters, *valid)[
            top : top + height, left : left + width
        ].astype(np.float64)

    def _decoded(self, address: Address) -> kernel.Samples:
        if address not in self._cache:
            layers = kernel.split_layers(self._reader.read(address, self._layers))
            parameters = self._reader.version.parameters(address.level, address.c)
            if address.level == self._reader.manifest.top:
                self._cache[address] = kernel.decode_approximation(layers, parameters, address.z)
            else:
                parent = self._decoded(address.parent())
                self._cache[address] = kernel.decode_tile(parent, layers, parameters, address)
        return self._cache[address]
