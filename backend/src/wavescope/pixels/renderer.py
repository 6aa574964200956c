"""Pixels made on the server by the kernel: tiles, regions, thumbnails.

The kernel runs in a bounded pool of threads, never on the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import NamedTuple

from wavescope import kernel
from wavescope.blocks.base import BlockSource
from wavescope.caches import AsyncCache, CountedCache
from wavescope.channels.mixing import Raw, View, channels_of
from wavescope.config import Limits
from wavescope.errors import OutOfRange, TooLarge
from wavescope.geometry import Address
from wavescope.pixels.assembly import RegionAssembler
from wavescope.pixels.images import ImageFormat, Pixels, RegionFormat, encode_image, shrink
from wavescope.pixels.reconstruction import TileReconstructor
from wavescope.pixels.region import Region, check_region, thumbnail_level, tile_region
from wavescope.pixels.threads import PixelBudget, PixelThreads
from wavescope.store.version import SlideVersion

SMALLEST_THUMBNAIL = 16
THUMBNAIL_QUALITY = 75  # of WebP: a larger picture looks better than a finer one of the same size in bytes


def _share(view: View | None) -> int:
    """Samples of a pixel of a view, in units of pixels of RGB."""
    return max(1, -(-len(view.channels) // 3)) if isinstance(view, Raw) else 1


class DerivedImage(NamedTuple):
    """A file made of a rectangle of a level. ``key`` names it among all of a version; ``pixels``: that are in memory
    while ``finish`` makes it of the rectangle's pixels in a pixel thread.
    """

    region: Region
    key: Hashable
    pixels: int
    finish: Callable[[Pixels], bytes]
    view: View | None = None


class PixelRenderer:
    """Tiles, regions and thumbnails of open versions.

    Raises CorruptBlock, CorruptStore, Unavailable, OutOfRange, TooLarge.
    """

    def __init__(self, blocks: BlockSource, limits: Limits) -> None:
        self._limits = limits
        self.threads = PixelThreads(limits.pixel_threads, limits.waiting_pixels)
        self._reconstructor = TileReconstructor(blocks, self.threads, limits.samples_cache)
        self._assembler = RegionAssembler(blocks, self.threads, self._reconstructor, limits.tiles_cache)
        self.budget = PixelBudget(limits.assembling_pixels)
        self.samples, self.tiles = self._reconstructor.cache, self._assembler.tiles
        self.images: AsyncCache[tuple[object, ...], bytes] = AsyncCache(limits.image_cache, len)

    @property
    def caches(self) -> Mapping[str, CountedCache]:
        """Its caches by name, for metrics. All are limited by bytes."""
        return {"samples": self.samples, "tiles": self.tiles, "images": self.images}

    def start(self) -> None:
        """Loads the kernel in a thread, so that the first picture does not wait for it."""
        self.threads.begin(kernel.prepare)

    def close(self) -> None:
        self.threads.close()

    def check_region(self, version: SlideVersion, region: Region) -> None:
        """Raises OutOfRange, TooLarge."""
        check_region(version, region, self._limits.region_pixels)

    def cached_tile(
        self, version: SlideVersion, address: Address, count: int, kind: ImageFormat, view: View | None = None
    ) -> bytes | None:
        """What ``tile_image`` returns, if that is cached."""
        return self.images.find((version.digest, address, count, kind, view))

    def cached_region(
        self, version: SlideVersion, region: Region, count: int, kind: RegionFormat, view: View | None = None
    ) -> bytes | None:
        """What ``region_image`` returns, if that is cached."""
        return self.images.find((version.digest, region, count, kind, view))

    async def tile_image(
        self, version: SlideVersion, address: Address, count: int, kind: ImageFormat, view: View | None = None
    ) -> bytes:
        """pixels(tile, count) without padding, as a file; ``view``: of several channels."""
        region = tile_region(version, address)
        shown = view or version.default_view

        async def make() -> bytes:
            if address.level > 0:  # an ancestor of tiles that are likely to be requested
                for c in (0,) if shown is None else channels_of(shown):
                    await self._reconstructor.tile(version, address._replace(c=c), count)
            return await self._assembler.assemble(
                version, region, count, lambda pixels: encode_image(pixels, kind), view
            )

        async with self.threads.request():
            return await self.images.get((version.digest, address, count, kind, view), make)

    async def region_image(
        self, version: SlideVersion, region: Region, count: int, kind: RegionFormat, view: View | None = None
    ) -> bytes:
        """A rectangle of a level, made with ``count`` layers, as a file; ``view``: of several channels."""
        self.check_region(version, region)
        held = region.width * region.height * _share(view)
        if isinstance(view, Raw) and held > self._limits.assembling_pixels:
            raise TooLarge("the region's samples, of all its channels", held, self._limits.assembling_pixels)

        async def make() -> bytes:
            async with self.budget.hold(held):
                return await self._assembler.assemble(
                    version, region, count, lambda pixels: encode_image(pixels, kind), view
                )

        async with self.threads.request():
            return await self.images.get((version.digest, region, count, kind, view), make)

    def cached_derived_image(self, version: SlideVersion, image: DerivedImage) -> bytes | None:
        """What ``picture`` returns, if that is cached."""
        return self.images.find((version.digest, image.key))

    async def derived_image(self, version: SlideVersion, image: DerivedImage) -> bytes:
        """A file that is made of a rectangle with all layers. The rectangle is no larger than a region may be."""
        self.check_region(version, image.region)

        async def make() -> bytes:
            async with self.budget.hold(image.pixels):
                return await self._assembler.assemble(version, image.region, version.layers, image.finish, image.view)

        async with self.threads.request():
            return await self.images.get((version.digest, image.key), make)

    async def thumbnail(self, version: SlideVersion, longest: int, kind: ImageFormat) -> bytes:
        """The slide's middle plane within ``longest`` pixels a side."""
        if not SMALLEST_THUMBNAIL <= longest <= self._limits.thumbnail_side:
            raise OutOfRange("max", longest, f"{SMALLEST_THUMBNAIL} to {self._limits.thumbnail_side}")
        level = thumbnail_level(version, longest)
        region = Region(version.middle_plane, level, 0, 0, *version.pyramid.level_size(level))

        async def make() -> bytes:
            async with self.budget.hold(region.width * region.height):
                return await self._assembler.assemble(
                    version,
                    region,
                    version.layers,
                    lambda pixels: encode_image(shrink(pixels, longest), kind, THUMBNAIL_QUALITY),
                )

        async with self.threads.request():
            return await self.images.get((version.digest, "thumbnail", longest, kind), make)

    async def region_pixels(
        self, version: SlideVersion, region: Region, count: int, view: View | None = None
    ) -> Pixels:
        """A rectangle of a level as an array (height, width, channels); ``view``: of channels."""
        self.check_region(version, region)
        async with self.threads.request():
            return await self._assembler.assemble(version, region, count, lambda pixels: pixels, view)
