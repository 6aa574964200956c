"""The coarse bands of a stored version (QM1, QM2, QM5): first layers alone, and no sample of a level below LIGHT."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import aclosing, contextmanager

import numpy as np
from numpy.typing import NDArray

from wavescope import kernel
from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.errors import CodecError, CorruptBlock
from wavescope.geometry import TILE, Address
from wavescope.quality_maps.bands import (
    CELL,
    COARSE,
    FINE,
    MIDDLE,
    PIXEL,
    Bands,
    Floats,
    Mask,
    cells_of_block,
    energy_of,
    floor_of,
    in_blocks,
)
from wavescope.quality_maps.focus import strong_blocks, wanted_blocks
from wavescope.quality_maps.maps import coarse_tissue
from wavescope.store.layer_index import IndexShape, PageKey
from wavescope.store.layout import PAGE
from wavescope.store.reading import parsed_page
from wavescope.store.version import SlideVersion

LIGHT = 5
"""The level with the light of PIXEL. A slide with fewer levels has it in its approximation."""
FIRST = range(1)
"""The layer that is read."""
BATCH = 64
"""Blocks that are in memory at a time."""


def is_mappable(version: SlideVersion) -> bool:
    """Whether a version is a picture in colour, large enough to have details of the level COARSE."""
    return version.top >= COARSE and version.manifest.channels == 3 and not version.manifest.descriptions


async def read_bands(blocks: BlockSource, version: SlideVersion) -> Bands:
    """Of the middle plane. The version is mappable. Raises CorruptBlock, CorruptStore, Unavailable."""
    reader = _Reader(blocks, version)
    light = await reader.light()
    cells = coarse_tissue(light)
    await reader.read(COARSE, np.asarray(in_blocks(cells, COARSE).any(axis=2)))
    bands = Bands(light, reader.energy, reader.floor, await reader.lengths())
    await reader.read(FINE, wanted_blocks(bands.lengths, bands.detail(COARSE), cells))
    await reader.read(MIDDLE, strong_blocks(bands, cells))
    return bands


class _Reader:
    """Decodes blocks of one version. ``energy``, ``floor``: as in Bands."""

    def __init__(self, blocks: BlockSource, version: SlideVersion) -> None:
        self._blocks, self._version, self._plane = blocks, version, version.middle_plane
        width, height = version.pyramid.level_size(0)
        self._cells = -(-height // CELL), -(-width // CELL)
        self._top: kernel.Samples | None = None
        self.energy: dict[int, Floats] = {}
        self.floor: dict[int, float] = {}

    async def light(self) -> NDArray[np.uint8]:
        """RGB of PIXEL."""
        version, plane = self._version, self._plane
        stored = await self._blocks.approximation(version.digest, plane, 0, FIRST)
        top = version.top
        self._top = kernel.decode_approximation([stored], version.parameters(top), plane)
        tiles = {Address(plane, 0, top, 0, 0): self._top}
        for level in range(top - 1, LIGHT - 1, -1):
            columns, rows = version.pyramid.tiles(level)
            wanted = [Address(plane, 0, level, x, y) for y in range(rows) for x in range(columns)]
            parameters, below = version.parameters(level), {}
            async for address, block in self._read(wanted):
                with _damage_named(address):
                    layers = [block] if block else []
                    below[address] = kernel.decode_tile(tiles[address.parent()], layers, parameters, address)
            tiles = below
        level = min(top, LIGHT)
        width, height = version.pyramid.level_size(level)
        light = np.empty((height, width, 3), np.uint8)
        for address, samples in tiles.items():
            shown = version.pyramid.tile_size(level, address.x, address.y)
            y, x = address.y * TILE, address.x * TILE
            light[y : y + shown[1], x : x + shown[0]] = kernel.pixels(samples, version.parameters(level), *shown)
        return _reduced(light, PIXEL >> level)

    async def read(self, level: int, wanted: Mask) -> None:
        """Adds the energy of the wanted blocks (rows, columns) of a level; that of the others is NaN."""
        side, parameters = cells_of_block(level), self._version.parameters(level)
        rows, columns = self._cells
        self.floor[level] = floor_of(parameters.steps[0], parameters.fraction_bits)
        energy = np.full((-(-rows // side) * side, -(-columns // side) * side), np.nan, np.float32)
        if level == self._version.top:
            assert self._top is not None
            details = kernel.analyze(self._top)[1]
            energy[:side, :side] = energy_of(details[0], (1, 1), parameters.fraction_bits, level)
        else:
            addresses = [Address(self._plane, 0, level, int(x), int(y)) for y, x in np.argwhere(wanted)]
            async for address, block in self._read(addresses):
                y, x = address.y * side, address.x * side
                cells = np.zeros((side, side), np.float32)
                if block:
                    with _damage_named(address):
                        details = kernel.decode_block([block], parameters, address)
                    cells = energy_of(details[0], parameters.steps[0], parameters.fraction_bits, level)
                energy[y : y + side, x : x + side] = cells
        self.energy[level] = energy[:rows, :columns]

    async def lengths(self) -> NDArray[np.int64]:
        """Bytes of the first layer of each block of FINE."""
        version, plane = self._version, self._plane
        shape = IndexShape(version.pyramid, version.planes, version.layers, version.bindings)
        columns, rows = version.pyramid.tiles(FINE)
        found = np.zeros((rows, columns), np.int64)
        across, down = version.page_grids[FINE]
        for page in range(across * down):
            stored = await self._blocks.index_page(version.digest, plane, 0, FINE, page)
            part = np.array(parsed_page(stored, shape, PageKey(plane, 0, FINE, page)))[..., 0]
            y, x = page // across * PAGE, page % across * PAGE
            found[y : y + part.shape[0], x : x + part.shape[1]] = part
        return found

    async def _read(self, addresses: Iterable[Address]) -> AsyncIterator[tuple[Address, bytes]]:
        """First layers of blocks, empty ones as ``b""``."""
        waiting = list(addresses)
        for begin in range(0, len(waiting), BATCH):
            batch = waiting[begin : begin + BATCH]
            requests = [BlockRequest(address, FIRST) for address in batch]
            async with aclosing(self._blocks.get_many(self._version.digest, requests)) as answers:
                async for position, block in answers:
                    if not isinstance(block, bytes):
                        raise block
                    yield batch[position], block


@contextmanager
def _damage_named(address: Address) -> Iterator[None]:
    try:
        yield
    except CodecError as cause:
        raise CorruptBlock(address, str(cause)) from cause


def _reduced(light: NDArray[np.uint8], factor: int) -> NDArray[np.uint8]:
    """The means of factor x factor pixels; at the edge the last ones count again."""
    if factor <= 1:
        return light
    height, width = light.shape[:2]
    padded = np.pad(light, ((0, -height % factor), (0, -width % factor), (0, 0)), "edge").astype(np.float32)
    rows, columns = padded.shape[0] // factor, padded.shape[1] // factor
    means: NDArray[np.uint8] = (
        padded.reshape(rows, factor, columns, factor, 3).mean(axis=(1, 3)).round().astype(np.uint8)
    )
    return means
