"""Pixels, samples and details of a slide version from any block source, made here by the kernel. For one event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import aclosing
from itertools import islice, product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wavescope import kernel
from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.channels.mixing import Raw, View, channels_of
from wavescope.client.locations import Options
from wavescope.errors import CodecError, CorruptBlock, InvalidParameter
from wavescope.geometry import HALF, TILE, Address
from wavescope.pixels.assembly import RegionAssembler
from wavescope.pixels.images import Pixels
from wavescope.pixels.reconstruction import TileReconstructor
from wavescope.pixels.region import FILLS, Region, check_region, inside, inside_value, parts_of
from wavescope.pixels.threads import PixelThreads, all_of
from wavescope.store.version import SlideVersion

SIDE = 16  # tiles of a side of what is fetched at once: 256 blocks
WAITING = 1 << 30  # requests of one client; its own calls bound them
GAINS = (1.0, 1.0, 0.5)  # PyWavelets' HL, LH, HH for ours (ST47)

Item = TypeVar("Item")


class SlideReader:
    """A version of a slide. ``ahead``: whether the blocks of a region are fetched in one batch before it is made.

    Raises OutOfRange, TooLarge, InvalidParameter before anything is fetched, and what its block source raises.
    """

    def __init__(self, blocks: BlockSource, version: SlideVersion, options: Options, ahead: bool) -> None:
        self.version = version
        self.max_pixels = options.most_pixels
        self.blocks, self._ahead = blocks, ahead
        self._threads = PixelThreads(options.threads, WAITING)
        self._reconstructor = TileReconstructor(blocks, self._threads, options.sample_bytes)
        self._assembler = RegionAssembler(blocks, self._threads, self._reconstructor, options.tile_bytes)

    async def close(self) -> None:
        """Releases everything."""
        self._threads.close()
        await self.blocks.close()

    def check(self, region: Region) -> None:
        """Raises OutOfRange, TooLarge, InvalidParameter."""
        if region.fill is not None and region.fill not in FILLS:
            raise InvalidParameter("fill", region.fill, " or ".join(FILLS))
        check_region(self.version, region, self.max_pixels)

    @property
    def everything(self) -> Raw | None:
        """The samples of all channels, as the source has them; None: the picture of a slide of RGB or grey."""
        return Raw(tuple(range(self.version.groups))) if self.version.manifest.descriptions else None

    async def pixels(self, region: Region, layers: int | None = None, view: View | None = None) -> Pixels:
        """The pixels of a region (height, width, channels) from the first ``layers`` layers, by default all. ``view``:
        of several channels, by default their default mix.
        """
        self.check(region)
        count, view = self.version.layer_count(layers), view or self.version.default_view
        part = inside(self.version, region)
        squares = [] if part is None else list(_squares(part))
        if len(squares) == 1:
            return await self._made(region, squares[0], count, view)
        channels = len(view.channels) if isinstance(view, Raw) else self.version.picture_channels
        clear = region.fill == "transparent"
        outside = 0 if clear or channels == 1 or view is not None else 255
        dtype = self.version.manifest.dtype if isinstance(view, Raw) else np.uint8
        picture = np.full((region.height, region.width, channels + clear), outside, dtype)
        for square in squares:
            y, x = square.ln_y - region.ln_y, square.ln_x - region.ln_x
            place = picture[y : y + square.height, x : x + square.width]
            place[:, :, :channels] = await self._made(square, square, count, view)
            place[:, :, channels:] = inside_value(dtype)
        return picture

    async def many(
        self, regions: Sequence[Region], layers: int | None = None, view: View | None = None
    ) -> list[Pixels]:
        """The pixels of several regions; what all of them need is fetched in few batches."""
        for region in regions:
            self.check(region)
        count = self.version.layer_count(layers)
        cut = [part for region in regions if (part := inside(self.version, region)) is not None]
        needed = self._needed(view or self.version.default_view)
        tiles = {part.address: None for each in cut for c in needed for part in parts_of(each, c)}
        for group in batched(tiles, SIDE * SIDE):
            await self._fetch(group, count)
        return await all_of(self.pixels(region, layers, view) for region in regions)

    async def samples(self, region: Region, layers: int | None = None) -> NDArray[np.float32]:
        """Unclipped samples of a region inside its level (channels, height, width), in units of pixel values, centred
        on 0, in the slide's own colour channels.
        """
        self.check(region._replace(fill=None))
        count = self.version.layer_count(layers)
        out = np.empty((self.version.manifest.channels, region.height, region.width), np.float32)
        for square, c in product(_squares(region), range(self.version.groups)):
            parts = parts_of(square, c)
            own = slice(c, c + 1) if self.version.groups > 1 else slice(None)
            await self._fetch([part.address for part in parts], count)
            tiles = await self._reconstructor.tiles(self.version, {part.address for part in parts}, count)
            y, x = square.ln_y - region.ln_y, square.ln_x - region.ln_x
            for part in parts:
                made = tiles[part.address]
                cut = made.samples[:, part.y : part.y + part.height, part.x : part.x + part.width]
                top, left = y + part.top, x + part.left
                scale = np.float32(1 << made.parameters.fraction_bits)
                out[own, top : top + part.height, left : left + part.width] = cut / scale
        return out

    async def details(self, addresses: Sequence[Address], layers: int | None = None) -> list[NDArray[np.float32]]:
        """The stored details of each tile, dequantised (channels, 3, 128, 128): HL, LH, HH, as PyWavelets scales them.

        No ancestor is fetched, and nothing is synthesised.
        """
        count = self.version.layer_count(layers)
        for address in addresses:
            self.version.block(*address)
        blocks = [b""] * len(addresses)
        async for position, block in self._answers(addresses, count):
            blocks[position] = block
        return await all_of(
            self._threads.run(lambda address=address, block=block: self._details(address, block))  # type: ignore[misc]
            for address, block in zip(addresses, blocks, strict=True)
        )

    async def icc_profile(self) -> bytes | None:
        """The ICC profile of the slide's file."""
        return await self.blocks.icc_profile(self.version.digest)

    # --- inside ----------------------------------------------------------------------------------------------------

    async def _made(self, region: Region, part: Region, count: int, view: View | None) -> Pixels:
        """A region of which ``part`` lies inside its level."""
        await self._fetch([each.address for c in self._needed(view) for each in parts_of(part, c)], count)
        return await self._assembler.assemble(self.version, region, count, lambda pixels: pixels, view)

    def _needed(self, view: View | None) -> tuple[int, ...]:
        """The channel groups of a view."""
        return (0,) if view is None else channels_of(view)

    async def _fetch(self, tiles: Iterable[Address], count: int) -> None:
        """Fetches the blocks of tiles and of their ancestors that are not reconstructed yet, in one batch."""
        if not self._ahead:
            return
        digest, top = self.version.digest, self.version.top
        wanted: dict[Address, None] = {}
        for tile in tiles:
            address = tile
            while address not in wanted and not self._is_made((digest, address, count)):
                wanted[address] = None
                if address.level == top:
                    break
                address = address.parent()
        async for _ in self._answers(sorted(wanted, key=lambda address: -address.level), count):
            pass

    def _is_made(self, key: tuple[str, Address, int]) -> bool:
        return key in self._assembler.tiles or self._reconstructor.cache.find(key) is not None

    async def _answers(self, addresses: Sequence[Address], count: int) -> AsyncIterator[tuple[int, bytes]]:
        """The blocks at these addresses. Raises the first error among them."""
        requests = [BlockRequest(address, range(count)) for address in addresses]
        if not requests:
            return
        async with aclosing(self.blocks.get_many(self.version.digest, requests)) as answers:
            async for position, block in answers:
                if not isinstance(block, bytes):
                    raise block
                yield position, block

    def _details(self, address: Address, block: bytes) -> NDArray[np.float32]:
        parameters = self.version.parameters(address.level, address.c)
        if not block:
            return np.zeros((parameters.channels, 3, HALF, HALF), np.float32)
        try:
            quantised = kernel.decode_block([block], parameters, address)
        except CodecError as cause:
            raise CorruptBlock(address, str(cause)) from cause
        steps = np.array(parameters.steps, np.float32) * np.array(GAINS, np.float32)
        scaled: NDArray[np.float32] = quantised * (steps / np.float32(1 << parameters.fraction_bits))[:, :, None, None]
        return scaled

    def pixels_of(self, samples: NDArray[np.floating]) -> Pixels:
        """The pixels (height, width, channels) of samples as ``samples`` returns them, rounded to the stored precision.

        Raises InvalidParameter for another number of channels.
        """
        sets = [self.version.parameters(self.version.top, c) for c in range(self.version.groups)]
        channels = len(samples)
        if channels != self.version.manifest.channels:
            raise InvalidParameter("samples", samples.shape, f"({self.version.manifest.channels}, height, width)")
        if len(sets) > 1:
            return np.concatenate([self._pixels_of(samples[c : c + 1], one) for c, one in enumerate(sets)], axis=2)
        return self._pixels_of(samples, sets[0])

    @staticmethod
    def _pixels_of(samples: NDArray[np.floating], parameters: kernel.ParameterSet) -> Pixels:
        """Those of one channel group."""
        channels, height, width = samples.shape
        whole = np.rint(np.asarray(samples, np.float64) * (1 << parameters.fraction_bits))
        stored = np.clip(whole, -32768, 32767).astype(np.int16)
        out = np.empty((height, width, channels), parameters.dtype)
        tile = np.zeros((channels, TILE, TILE), np.int16)
        for y in range(0, height, TILE):
            for x in range(0, width, TILE):
                cut = stored[:, y : y + TILE, x : x + TILE]
                tile[:, : cut.shape[1], : cut.shape[2]] = cut
                out[y : y + TILE, x : x + TILE] = kernel.pixels(tile, parameters, cut.shape[2], cut.shape[1])
        return out


def batched(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Groups of at most ``size`` items, in order."""
    rest = iter(items)
    while group := list(islice(rest, size)):
        yield group


def _squares(region: Region) -> Iterable[Region]:
    """The region in parts of at most SIDE x SIDE tiles, on the grid of tiles."""
    step = SIDE * TILE
    for top in range(region.ln_y - region.ln_y % step, region.ln_y + region.height, step):
        for left in range(region.ln_x - region.ln_x % step, region.ln_x + region.width, step):
            x, y = max(left, region.ln_x), max(top, region.ln_y)
            right = min(left + step, region.ln_x + region.width)
            bottom = min(top + step, region.ln_y + region.height)
            yield Region(region.z, region.level, x, y, right - x, bottom - y)
