"""Pixels made on the server by the kernel: tiles, regions, thumbnails.

    tile(l, x, y) = synthesize(quadrant of tile(l+1, x div 2, y div 2), details(l, x, y))

Chains of ancestors are cached, bounded in bytes. The kernel runs in a bounded pool of threads, never on the
event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from wavescope import kernel
from wavescope.blocks.base import BlockSource
from wavescope.caches import AsyncCache
from wavescope.config import Limits
from wavescope.errors import CodecError, CorruptBlock, CorruptStore, OutOfRange, TooLarge, Unavailable
from wavescope.geometry import TILE, Address
from wavescope.service.slides.images import ImageFormat, Pixels, RegionFormat, encode_image, shrink
from wavescope.store.version import SlideVersion

Result = TypeVar("Result")
SMALLEST_THUMBNAIL = 16


class Reconstruction(NamedTuple):
    """A tile's unclipped samples and what is needed to turn them into pixels."""

    samples: kernel.Samples
    parameters: kernel.ParameterSet


class Region(NamedTuple):
    """A rectangle in pixels of one level of one plane."""

    z: int
    level: int
    ln_x: int
    ln_y: int
    width: int
    height: int


class PixelThreads:
    """A bounded pool of threads with a bounded queue of requests in front of it."""

    def __init__(self, threads: int, waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="pixels")
        self._limit = waiting
        self.requests = 0

    async def run(self, work: Callable[[], Result]) -> Result:
        """The result of ``work`` in a thread; work that has not begun is dropped when the caller is cancelled."""
        return await asyncio.wrap_future(self._pool.submit(work))

    @asynccontextmanager
    async def request(self) -> AsyncIterator[None]:
        """Counts one request while it is worked on. Raises Unavailable when too many are."""
        if self.requests >= self._limit:
            raise Unavailable("making pixels", f"{self.requests} requests are waiting")
        self.requests += 1
        try:
            yield
        finally:
            self.requests -= 1

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


class PixelBudget:
    """Bounds the memory of pictures being put together: who needs more than is left waits."""

    def __init__(self, pixels: int) -> None:
        self._limit, self.held = pixels, 0
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def hold(self, pixels: int) -> AsyncIterator[None]:
        """Reserves so many pixels; a picture larger than the whole budget is made alone."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.held == 0 or self.held + pixels <= self._limit)
            self.held += pixels
        try:
            yield
        finally:
            self.held -= pixels
            async with self._changed:
                self._changed.notify_all()


class PixelRenderer:
    """Tiles, regions and thumbnails of open versions.

    Raises CorruptBlock, CorruptStore, Unavailable, OutOfRange, TooLarge.
    """

    def __init__(self, blocks: BlockSource, limits: Limits) -> None:
        self._blocks, self._limits = blocks, limits
        self._threads = PixelThreads(limits.pixel_threads, limits.waiting_pixels)
        self.budget = PixelBudget(limits.assembling_pixels)
        self.samples: AsyncCache[tuple[str, Address, int], Reconstruction] = AsyncCache(
            limits.samples_cache, lambda made: int(made.samples.nbytes)
        )
        self.images: AsyncCache[tuple[object, ...], bytes] = AsyncCache(limits.image_cache, len)

    def close(self) -> None:
        self._threads.close()

    def check_region(self, version: SlideVersion, region: Region) -> None:
        """Raises OutOfRange, TooLarge."""
        check_region(version, region, self._limits.region_pixels)

    async def tile_image(self, version: SlideVersion, address: Address, count: int, kind: ImageFormat) -> bytes:
        """pixels(tile, count) without padding, as a file."""

        async def make() -> bytes:
            made = await self._reconstruct(version, address, count)
            width, height = version.pyramid.tile_size(address.level, address.x, address.y)
            return await self._threads.run(lambda: encode_image(_pixels(made, width, height), kind))

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
        region = Region(version.planes // 2, level, 0, 0, *version.pyramid.level_size(level))

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
        out = np.empty((region.height, region.width, version.manifest.channels), np.uint8)
        addresses = iter(tiles_of(region))

        async def worker() -> None:
            for address in addresses:
                made = await self._reconstruct(version, address, count)
                await self._threads.run(partial(_paste, out, region, version, address, made))

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._limits.pixel_threads):
                    group.create_task(worker())
        except ExceptionGroup as failures:  # the first damaged tile is the reason
            raise failures.exceptions[0] from failures
        return out

    async def _reconstruct(self, version: SlideVersion, address: Address, count: int) -> Reconstruction:
        key = (version.digest, address, count)
        return await self.samples.get(key, lambda: self._synthesize(version, address, count))

    async def _synthesize(self, version: SlideVersion, address: Address, count: int) -> Reconstruction:
        if address.level == version.top:
            return await self._approximation(version, address.z, count)
        parent = await self._reconstruct(version, address.parent(), count)
        block = await self._blocks.get(version.digest, address, range(count))

        def decode() -> Reconstruction:
            try:
                parameters, layers = version.parameters(address.level), kernel.split_layers(block)
                return Reconstruction(kernel.decode_tile(parent.samples, layers, parameters, address), parameters)
            except CodecError as cause:
                raise CorruptBlock(address, str(cause)) from cause

        return await self._threads.run(decode)

    async def _approximation(self, version: SlideVersion, z: int, count: int) -> Reconstruction:
        stored = await self._blocks.approximation(version.digest, z, 0, range(count))

        def decode() -> Reconstruction:
            try:
                parameters, layers = version.parameters(version.top), kernel.split_layers(stored)
                return Reconstruction(kernel.decode_approximation(layers, parameters, z), parameters)
            except CodecError as cause:
                raise CorruptStore(version.digest, f"the approximation of plane {z}", str(cause)) from cause

        return await self._threads.run(decode)


def check_region(version: SlideVersion, region: Region, area: int) -> None:
    """Returns if the region lies inside its level and is not too large. Raises OutOfRange, TooLarge."""
    version.plane(region.z)
    ln_width, ln_height = version.pyramid.level_size(version.level(region.level))
    for name, start, length, end in (
        ("x", region.ln_x, region.width, ln_width),
        ("y", region.ln_y, region.height, ln_height),
    ):
        side = "width" if name == "x" else "height"
        if length < 1:
            raise OutOfRange(side, length, "at least 1")
        if start < 0 or start + length > end:
            raise OutOfRange(f"{name}, {side}", f"[{start}, {start + length})", f"level {region.level} has [0, {end})")
    if region.width * region.height > area:
        raise TooLarge("the region's area in pixels", region.width * region.height, area)


def tiles_of(region: Region) -> list[Address]:
    """The tiles that a region touches, row by row."""
    columns = range(region.ln_x // TILE, (region.ln_x + region.width - 1) // TILE + 1)
    rows = range(region.ln_y // TILE, (region.ln_y + region.height - 1) // TILE + 1)
    return [Address(region.z, 0, region.level, x, y) for y in rows for x in columns]


def thumbnail_level(version: SlideVersion, longest: int) -> int:
    """The coarsest level that is not smaller than the thumbnail, or level 0."""
    level = version.top
    while level > 0 and max(version.pyramid.level_size(level)) < longest:
        level -= 1
    return level


def _pixels(made: Reconstruction, width: int, height: int) -> Pixels:
    return kernel.pixels(made.samples, made.parameters, width, height)


def _paste(out: Pixels, region: Region, version: SlideVersion, address: Address, made: Reconstruction) -> None:
    """Copies the part of a tile that is in the region to its position."""
    width, height = version.pyramid.tile_size(address.level, address.x, address.y)
    left, top = TILE * address.x - region.ln_x, TILE * address.y - region.ln_y
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(region.width, left + width), min(region.height, top + height)
    out[y0:y1, x0:x1] = _pixels(made, width, height)[y0 - top : y1 - top, x0 - left : x1 - left]
