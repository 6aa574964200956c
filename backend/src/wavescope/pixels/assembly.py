"""Pictures of regions put together from parts of tiles.

Of the tiles of a region only the rows and columns inside it are reconstructed, and nothing of them is cached. When a
client that moves over the slide comes back to a tile, the whole tile is reconstructed and its pixels are cached.
Ancestors have a cache of their own, so that tiles never displace them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from functools import partial
from threading import Lock
from typing import NamedTuple, TypeVar

import numpy as np

from wavescope import kernel
from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.caches import BoundedCache
from wavescope.channels.mixing import Canvas, View, channels_of
from wavescope.errors import CodecError, CorruptBlock
from wavescope.geometry import TILE, Address
from wavescope.pixels.images import Pixels
from wavescope.pixels.reconstruction import Reconstruction, TileKey, TileReconstructor
from wavescope.pixels.region import Region, TilePart, filled, inside, parts_of
from wavescope.pixels.threads import PixelThreads, all_of
from wavescope.store.version import SlideVersion

RECENT_TILES = 256  # of the last regions
MAX_PARTS = 64  # of a region: bounds the ancestors and blocks that are in memory for it
SLOW_PER_JOB = 3  # parts to decode, at least: fewer are not worth another thread
REVISITED = 3  # a region with one of so many tiles among the recent or cached ones is one that a client moved to

Draw = Callable[[Pixels], None]
"""Writes a part of a region into it."""

Result = TypeVar("Result")


class Drawings(NamedTuple):
    """The parts of a region: those of cached tiles, and those to decode."""

    fast: list[Draw]
    slow: list[Draw]


class RegionAssembler:
    """Regions of open versions, drawn in pixel threads. Raises CorruptBlock, CorruptStore, Unavailable."""

    def __init__(
        self, blocks: BlockSource, threads: PixelThreads, reconstructor: TileReconstructor, cache_bytes: int
    ) -> None:
        self._blocks, self._threads, self._reconstructor = blocks, threads, reconstructor
        self._recent: BoundedCache[TileKey, bool] = BoundedCache(RECENT_TILES)
        self.tiles: BoundedCache[TileKey, Pixels] = BoundedCache(cache_bytes, lambda pixels: int(pixels.nbytes))

    async def assemble(
        self,
        version: SlideVersion,
        region: Region,
        count: int,
        finish: Callable[[Pixels], Result],
        view: View | None = None,
    ) -> Result:
        """What ``finish``, in a pixel thread, makes of the region with ``count`` layers (height, width, channels).

        ``view``: of a slide of channels, by default its default mix.
        """
        view = view or version.default_view
        if view is not None:
            return await self._viewed(version, region, count, finish, view)
        if region.fill is None:
            return await self._assemble(version, region, count, finish)
        part, channels = inside(version, region), version.manifest.channels
        if part is None:
            return await self._threads.run(lambda: finish(filled(region, None, None, channels)))
        return await self._assemble(version, part, count, lambda pixels: finish(filled(region, part, pixels, channels)))

    async def _viewed(
        self, version: SlideVersion, region: Region, count: int, finish: Callable[[Pixels], Result], view: View
    ) -> Result:
        """``assemble`` of several channels, one after another."""
        part = region if region.fill is None else inside(version, region)
        size = (0, 0) if part is None else (part.height, part.width)
        canvas = Canvas(*size, view, version.manifest.dtype)
        if part is not None:
            for number, c in enumerate(channels_of(view)):
                await self._assemble(version, part, count, partial(canvas.add, number), c)

        def finished() -> Result:
            pixels = canvas.pixels()
            if region.fill is not None:
                pixels = filled(region, part, pixels, pixels.shape[2], dark=True)
            return finish(pixels)

        return await self._threads.run(finished)

    async def _assemble(
        self, version: SlideVersion, region: Region, count: int, finish: Callable[[Pixels], Result], c: int = 0
    ) -> Result:
        parts = parts_of(region, c)
        cached = self._is_revisited([(version.digest, part.address, count) for part in parts])
        picture = np.empty((region.height, region.width, version.manifest.group_channels), version.manifest.dtype)
        while len(parts) > MAX_PARTS:
            first, parts = parts[:MAX_PARTS], parts[MAX_PARTS:]
            await self._draw(picture, await self._drawings(version, first, count, cached), lambda _: None)
        return await self._draw(picture, await self._drawings(version, parts, count, cached), finish)

    async def _draw(self, image: Pixels, drawings: Drawings, finish: Callable[[Pixels], Result]) -> Result:
        """Draws a picture in at most one job for each thread; the job that ends last finishes it."""
        jobs = max(1, min(self._threads.threads, -(-len(drawings.slow) // SLOW_PER_JOB)))
        unfinished = _Countdown(jobs)

        def draw(job: int) -> list[Result]:
            for one in (*drawings.slow[job::jobs], *drawings.fast[job::jobs]):
                one(image)
            return [finish(image)] if unfinished.is_last() else []

        results = await all_of(self._threads.run(partial(draw, job)) for job in range(jobs))
        return next(result for finished in results for result in finished)

    def _is_revisited(self, keys: Sequence[TileKey]) -> bool:
        """Whether a client moved to this region from one near it; remembers its tiles."""
        if len(keys) > MAX_PARTS:
            return False
        revisited = sum(key in self.tiles or self._recent.find(key) is not None for key in keys)
        for key in keys:
            self._recent.put(key, True)
        return REVISITED * revisited >= len(keys)

    async def _drawings(self, version: SlideVersion, parts: Sequence[TilePart], count: int, cached: bool) -> Drawings:
        """What draws each part: from its cached tile, or from its parent and its block.

        ``cached``: tiles that are not cached are made whole, and cached.
        """
        fast: list[Draw] = []
        slow: list[Draw] = []
        missing = []
        for part in parts:
            key = version.digest, part.address, count
            pixels = self.tiles.find(key)
            if pixels is not None:
                fast.append(partial(_copy, pixels, part))
                continue
            made = self._reconstructor.cache.find(key)
            if made is None and part.address.level == version.top:
                made = await self._reconstructor.tile(version, part.address, count)
            if made is not None:
                fast.append(partial(_draw_reconstruction, made, part))
            else:
                missing.append(part)
        if not missing:
            return Drawings(fast, slow)
        parents = await self._reconstructor.tiles(version, {part.address.parent() for part in missing}, count)
        blocks = await self._read(version, [part.address for part in missing], count)
        for part, block in zip(missing, blocks, strict=True):
            source = _Block(
                parents[part.address.parent()],
                block,
                version.parameters(part.address.level, part.address.c),
                part.address,
            )
            key = version.digest, part.address, count
            slow.append(partial(self._draw_cached, key, source, part) if cached else partial(_draw, source, part))
        return Drawings(fast, slow)

    def _draw_cached(self, key: TileKey, source: _Block, part: TilePart, out: Pixels) -> None:
        """Threads that need the same tile meanwhile wait for the one that decodes it."""
        _copy(self.tiles.get(key, source.tile), part, out)

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


class _Block(NamedTuple):
    """What the pixels of a tile are decoded from."""

    parent: Reconstruction
    block: bytes
    parameters: kernel.ParameterSet
    address: Address

    def tile(self) -> Pixels:
        """The pixels of the whole tile (256, 256, channels). Raises CorruptBlock."""
        pixels = np.empty((TILE, TILE, self.parameters.channels), self.parameters.dtype)
        self.draw((0, 0), pixels)
        return pixels

    def draw(self, corner: tuple[int, int], out: Pixels) -> None:
        """The pixels of the tile from this column and row on. Raises CorruptBlock."""
        try:
            kernel.draw_tile(self.parent.samples, self.block, self.parameters, self.address, corner, out)
        except CodecError as cause:
            raise CorruptBlock(self.address, str(cause)) from cause


class _Countdown:
    """Says to one of several threads that it is the last one."""

    def __init__(self, count: int) -> None:
        self._lock, self._left = Lock(), count

    def is_last(self) -> bool:
        """Called once by each."""
        with self._lock:
            self._left -= 1
            return self._left == 0


def _copy(pixels: Pixels, part: TilePart, out: Pixels) -> None:
    part.within(out)[...] = pixels[part.y : part.y + part.height, part.x : part.x + part.width]


def _draw_reconstruction(made: Reconstruction, part: TilePart, out: Pixels) -> None:
    kernel.draw_samples(made.samples, made.parameters, (part.x, part.y), part.within(out))


def _draw(source: _Block, part: TilePart, out: Pixels) -> None:
    source.draw((part.x, part.y), part.within(out))
