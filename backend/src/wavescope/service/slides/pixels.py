"""Pixels made on the server by the kernel: tiles, regions, thumbnails.

Of a region's own tiles only the rows and columns inside it are made, and nothing of them is cached, until another
request comes back to one of them: then they are made whole and cached, as their ancestors always are. The kernel runs
in a bounded pool of threads, never on the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from functools import partial

import numpy as np

from wavescope import kernel
from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.caches import AsyncCache, BoundedCache
from wavescope.config import Limits
from wavescope.errors import CodecError, CorruptBlock, OutOfRange
from wavescope.geometry import Address
from wavescope.service.slides.images import ImageFormat, Pixels, RegionFormat, encode_image, shrink
from wavescope.service.slides.pixel_threads import PixelBudget, PixelThreads, all_of
from wavescope.service.slides.reconstruction import Reconstruction, TileKey, TileReconstructor
from wavescope.service.slides.region import (
    Region,
    TilePart,
    check_region,
    filled,
    inside,
    parts_of,
    thumbnail_level,
    tile_region,
)
from wavescope.store.version import SlideVersion

SMALLEST_THUMBNAIL = 16
RECENT_TILES = 64  # of the last regions: a request for one of them shows that a client moves over the slide
PARTS_AT_ONCE = 64  # of a region: bounds the ancestors and blocks that are in memory for it
PARTS_PER_JOB = 3  # of a region, at least: fewer are not worth another thread

Draw = Callable[[Pixels], None]
"""Writes a part of a region into it."""


class PixelRenderer:
    """Tiles, regions and thumbnails of open versions.

    Raises CorruptBlock, CorruptStore, Unavailable, OutOfRange, TooLarge.
    """

    def __init__(self, blocks: BlockSource, limits: Limits) -> None:
        self._blocks, self._limits = blocks, limits
        self._threads = PixelThreads(limits.pixel_threads, limits.waiting_pixels)
        self._tiles = TileReconstructor(blocks, self._threads, limits.samples_cache)
        self._recent: BoundedCache[TileKey, bool] = BoundedCache(RECENT_TILES)
        self.budget = PixelBudget(limits.assembling_pixels)
        self.samples = self._tiles.cache
        self.images: AsyncCache[tuple[object, ...], bytes] = AsyncCache(limits.image_cache, len)

    def close(self) -> None:
        self._threads.close()

    def check_region(self, version: SlideVersion, region: Region) -> None:
        """Raises OutOfRange, TooLarge."""
        check_region(version, region, self._limits.region_pixels)

    def cached_tile(self, version: SlideVersion, address: Address, count: int, kind: ImageFormat) -> bytes | None:
        """What ``tile_image`` returns, if that is cached."""
        return self.images.find((version.digest, address, count, kind))

    def cached_region(self, version: SlideVersion, region: Region, count: int, kind: RegionFormat) -> bytes | None:
        """What ``region_image`` returns, if that is cached."""
        return self.images.find((version.digest, region, count, kind))

    async def tile_image(self, version: SlideVersion, address: Address, count: int, kind: ImageFormat) -> bytes:
        """pixels(tile, count) without padding, as a file."""
        region = tile_region(version, address)

        async def make() -> bytes:
            if address.level > 0:  # an ancestor of tiles that are likely to be requested
                await self._tiles.tile(version, address, count)
            pixels = await self._assemble(version, region, count)
            return await self._threads.run(lambda: encode_image(pixels, kind))

        async with self._threads.request():
            return await self.images.get((version.digest, address, count, kind), make)

    async def region_image(self, version: SlideVersion, region: Region, count: int, kind: RegionFormat) -> bytes:
        """A rectangle of a level, made with ``count`` layers, as a file."""
        self.check_region(version, region)

        async def make() -> bytes:
            async with self.budget.hold(region.width * region.height):
                pixels = await self._assemble(version, region, count)
                return await self._threads.run(lambda: encode_image(pixels, kind))

        async with self._threads.request():
            return await self.images.get((version.digest, region, count, kind), make)

    async def thumbnail(self, version: SlideVersion, longest: int, kind: ImageFormat) -> bytes:
        """The slide's middle plane within ``longest`` pixels a side."""
        if not SMALLEST_THUMBNAIL <= longest <= self._limits.thumbnail_side:
            raise OutOfRange("max", longest, f"{SMALLEST_THUMBNAIL} to {self._limits.thumbnail_side}")
        level = thumbnail_level(version, longest)
        region = Region(version.middle_plane, level, 0, 0, *version.pyramid.level_size(level))

        async def make() -> bytes:
            async with self.budget.hold(region.width * region.height):
                pixels = await self._assemble(version, region, version.layers)
                return await self._threads.run(lambda: encode_image(shrink(pixels, longest), kind))

        async with self._threads.request():
            return await self.images.get((version.digest, "thumbnail", longest, kind), make)

    async def region_pixels(self, version: SlideVersion, region: Region, count: int) -> Pixels:
        """A rectangle of a level as an array (height, width, channels)."""
        self.check_region(version, region)
        async with self._threads.request():
            return await self._assemble(version, region, count)

    async def _assemble(self, version: SlideVersion, region: Region, count: int) -> Pixels:
        if region.fill is None:
            return await self._assemble_inside(version, region, count)
        part = inside(version, region)
        pixels = None if part is None else await self._assemble_inside(version, part, count)
        return filled(region, part, pixels, version.manifest.channels)

    async def _assemble_inside(self, version: SlideVersion, region: Region, count: int) -> Pixels:
        parts = parts_of(region)
        await self._cache_revisited(version, [part.address for part in parts], count)
        out = np.empty((region.height, region.width, version.manifest.channels), np.uint8)
        for start in range(0, len(parts), PARTS_AT_ONCE):
            drawings = await self._drawings(version, parts[start : start + PARTS_AT_ONCE], count)
            jobs = min(self._threads.threads, -(-len(drawings) // PARTS_PER_JOB))
            await all_of(self._threads.run(partial(_draw, out, drawings[job::jobs])) for job in range(jobs))
        return out

    async def _cache_revisited(self, version: SlideVersion, addresses: Sequence[Address], count: int) -> None:
        """Makes the region's tiles whole, and caches them, if one of them is cached or was needed a short while ago."""
        keys = [(version.digest, address, count) for address in addresses]
        if len(keys) > PARTS_AT_ONCE:
            return
        revisited = any(self.samples.contains(key) or self._recent.find(key) for key in keys)
        for key in keys:
            self._recent.put(key, True)
        if revisited:
            await self._tiles.tiles(version, addresses, count)

    async def _drawings(self, version: SlideVersion, parts: Sequence[TilePart], count: int) -> list[Draw]:
        """What draws each part: from its cached tile, or from its parent and its block."""
        drawings: list[Draw] = []
        missing = []
        for part in parts:
            made = self.samples.find((version.digest, part.address, count))
            if made is None and part.address.level == version.top:
                made = await self._tiles.tile(version, part.address, count)
            if made is None:
                missing.append(part)
            else:
                drawings.append(partial(_draw_cached, made, part))
        parents = await self._tiles.tiles(version, {part.address.parent() for part in missing}, count)
        blocks = await self._read(version, [part.address for part in missing], count)
        for part, block in zip(missing, blocks, strict=True):
            parameters = version.parameters(part.address.level)
            drawings.append(partial(_draw_decoded, parents[part.address.parent()], block, parameters, part))
        return drawings

    async def _read(self, version: SlideVersion, addresses: Sequence[Address], count: int) -> list[bytes]:
        """Their blocks, in this order. Raises CorruptBlock."""
        blocks = [b""] * len(addresses)
        requests = [BlockRequest(address, range(count)) for address in addresses]
        async with aclosing(self._blocks.get_many(version.digest, requests)) as answers:
            async for position, block in answers:
                if not isinstance(block, bytes):
                    raise block
                blocks[position] = block
        return blocks


def _draw(out: Pixels, drawings: Sequence[Draw]) -> None:
    for draw in drawings:
        draw(out)


def _draw_cached(made: Reconstruction, part: TilePart, out: Pixels) -> None:
    kernel.draw_samples(made.samples, made.parameters, (part.x, part.y), part.within(out))


def _draw_decoded(
    parent: Reconstruction, block: bytes, parameters: kernel.ParameterSet, part: TilePart, out: Pixels
) -> None:
    """Raises CorruptBlock."""
    try:
        kernel.draw_tile(parent.samples, block, parameters, part.address, (part.x, part.y), part.within(out))
    except CodecError as cause:
        raise CorruptBlock(part.address, str(cause)) from cause
