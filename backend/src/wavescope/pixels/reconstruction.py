"""Whole tiles from the blocks of a version: each from its parent, the chain of ancestors in a bounded cache.

tile(l, x, y) = synthesize(quadrant of tile(l+1, x div 2, y div 2), details(l, x, y))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wavescope import kernel
from wavescope.blocks.base import BlockSource
from wavescope.caches import AsyncCache
from wavescope.errors import CodecError, CorruptBlock, CorruptStore
from wavescope.geometry import Address
from wavescope.pixels.threads import PixelThreads, all_of
from wavescope.store.version import SlideVersion

TileKey = tuple[str, Address, int]
"""The digest of a version, a tile and the number of layers it is made with."""


class Reconstruction(NamedTuple):
    """A tile's unclipped samples and what is needed to turn them into pixels."""

    samples: kernel.Samples
    parameters: kernel.ParameterSet


class TileReconstructor:
    """Reconstructed tiles of open versions. Raises CorruptBlock, CorruptStore, Unavailable."""

    def __init__(self, blocks: BlockSource, threads: PixelThreads, cache_bytes: int) -> None:
        self._blocks, self._threads = blocks, threads
        self.cache: AsyncCache[TileKey, Reconstruction] = AsyncCache(cache_bytes, lambda made: int(made.samples.nbytes))

    async def tile(self, version: SlideVersion, address: Address, count: int) -> Reconstruction:
        """The tile with its first ``count`` layers and those of all its ancestors."""
        key = (version.digest, address, count)
        return await self.cache.get(key, lambda: self._make(version, address, count))

    async def tiles(
        self, version: SlideVersion, addresses: Iterable[Address], count: int
    ) -> dict[Address, Reconstruction]:
        """Several tiles; those that are not cached are made at the same time."""
        found = {address: self.cache.find((version.digest, address, count)) for address in addresses}
        missing = [address for address, made in found.items() if made is None]
        made = await all_of(self.tile(version, address, count) for address in missing)
        return {
            **{address: tile for address, tile in found.items() if tile is not None},
            **dict(zip(missing, made, strict=True)),
        }

    async def _make(self, version: SlideVersion, address: Address, count: int) -> Reconstruction:
        if address.level == version.top:
            return await self._approximation(version, address, count)
        parent = await self.tile(version, address.parent(), count)
        block = await self._blocks.get(version.digest, address, range(count))

        def decode() -> Reconstruction:
            try:
                parameters, layers = version.parameters(address.level, address.c), [block] if block else []
                return Reconstruction(kernel.decode_tile(parent.samples, layers, parameters, address), parameters)
            except CodecError as cause:
                raise CorruptBlock(address, str(cause)) from cause

        return await self._threads.run(decode)

    async def _approximation(self, version: SlideVersion, address: Address, count: int) -> Reconstruction:
        z, c = address.z, address.c
        stored = await self._blocks.approximation(version.digest, z, c, range(count))

        def decode() -> Reconstruction:
            try:
                parameters = version.parameters(version.top, c)
                return Reconstruction(kernel.decode_approximation([stored], parameters, z), parameters)
            except CodecError as cause:
                raise CorruptStore(version.digest, f"the approximation of plane {z}", str(cause)) from cause

        return await self._threads.run(decode)
