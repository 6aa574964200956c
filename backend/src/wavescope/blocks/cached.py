"""A wrapper that serves what it has in memory and on disk, and stores what it fetched."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from wavescope.blocks.base import Answer, BlockRequest, BlockSource
from wavescope.blocks.cache.batch import Batch, filled
from wavescope.blocks.cache.disk import DiskCache
from wavescope.blocks.cache.keys import ICC, block_keys, entry_key, index_key
from wavescope.blocks.cache.memory import MemoryCache
from wavescope.blocks.cache.use import USE
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.errors import WavescopeError
from wavescope.geometry import Address
from wavescope.kernel.layers import split_layers

MAX_DISK_READS = 64  # blocks that one look at the disk is for


@dataclass
class HitCounts:
    """What was asked for and where it was: parts and bytes of each kind of answer."""

    memory_hits: int = 0
    disk_hits: int = 0
    misses: int = 0
    hit_bytes: int = 0
    missed_bytes: int = 0


class CachedSource(SourceWrapper):
    """Stores every layer by itself: a caller who wants more layers of a block fetches those that are missing.

    What ``inner`` returns has been verified by it: nothing damaged is stored.
    """

    def __init__(self, inner: BlockSource, memory: MemoryCache, disk: DiskCache | None = None) -> None:
        super().__init__(inner)
        self.counts = HitCounts()
        self.memory, self.disk = memory, disk

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        """See BlockSource."""
        keys = block_keys(slide, address, layers)
        if not keys:
            return await self._inner.get(slide, address, layers)
        find = self.memory.find
        segments = [find(key) for key in keys]
        if None not in segments:
            return self._hit(segments)
        segments = await self._from_disk(keys, segments)
        missing = _missing(segments, layers)
        if not missing:
            return self._hit(segments, disk=True)
        return self._store(keys, segments, layers, await self._inner.get(slide, address, missing))

    async def approximation(self, slide: str, z: int, c: int, layers: range) -> bytes:
        """See BlockSource."""
        keys = block_keys(slide, Address(z, c, (await self.version(slide)).top, 0, 0), layers)
        if not keys:
            return await self._inner.approximation(slide, z, c, layers)
        segments = await self._from_disk(keys, [self.memory.find(key) for key in keys])
        missing = _missing(segments, layers)
        if not missing:
            return self._hit(segments)
        return self._store(keys, segments, layers, await self._inner.approximation(slide, z, c, missing))

    async def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> bytes:
        """See BlockSource."""
        key = index_key(slide, z, c, level, page)
        (found,) = await self._from_disk([key], [self.memory.find(key)])
        if found is not None:
            return self._hit([found])
        data = await self._inner.index_page(slide, z, c, level, page)
        self._missed(data, self._put(key, data))
        return data

    async def icc_profile(self, slide: str) -> bytes | None:
        """See BlockSource."""
        key = entry_key(slide, ICC)
        (found,) = await self._from_disk([key], [self.memory.find(key)])
        if found is not None:
            return self._hit([found])
        data = await self._inner.icc_profile(slide)
        if data is not None:
            self._missed(data, self._put(key, data))
        return data

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        """See BlockSource. What is missing is fetched first; of what is there, the first requested comes first."""
        if (blocks := self._all_in_memory(slide, requests)) is not None:
            counts = self.counts
            for position, segments in enumerate(blocks):
                data = segments[0] if len(segments) == 1 else b"".join(segments)
                counts.memory_hits += 1
                counts.hit_bytes += len(data)
                yield position, data
            return
        async with aclosing(filled(lambda batch: self._fill(batch, slide, requests))) as answers:
            async for answer in answers:
                yield answer

    def forget(self, slide: str) -> None:
        """See BlockSource. Called on the event loop."""
        tag = bytes.fromhex(slide)
        self.memory.drop(tag)
        if self.disk is not None:
            self.disk.drop(tag)
        self._inner.forget(slide)

    async def close(self) -> None:
        """See BlockSource."""
        await self._inner.close()
        if self.disk is not None:
            await self.disk.close()
        self.memory.clear()

    # --- inside ----------------------------------------------------------------------------------------------------

    def _all_in_memory(self, slide: str, requests: Sequence[BlockRequest]) -> list[list[bytes]] | None:
        """The layers of each block, if memory has all of them."""
        find, blocks = self.memory.find, list[list[bytes]]()
        for address, layers in requests:
            segments = [find(key) for key in block_keys(slide, address, layers) or ()]
            if not segments or None in segments:
                return None
            blocks.append(segments)  # type: ignore[arg-type]
        return blocks

    async def _fill(self, batch: Batch, slide: str, requests: Sequence[BlockRequest]) -> None:
        """Puts every answer into ``batch``, by position."""
        try:
            keys = [block_keys(slide, request.address, request.layers) for request in requests]
            unknown = [key for some in keys for key in some or () if key not in self.memory]
            stored = set() if self.disk is None or not unknown else await self.disk.which(unknown)
            lost = {key for key in unknown if key not in stored}
            misses = [position for position, some in enumerate(keys) if not some or not lost.isdisjoint(some)]
            fetch = asyncio.ensure_future(self._fetch(batch, slide, requests, misses))
            try:
                missed = set(misses)
                hits = [position for position in range(len(requests)) if position not in missed]
                for start in range(0, len(hits), MAX_DISK_READS):
                    await self._read(batch, slide, requests, hits[start : start + MAX_DISK_READS])
                await fetch
            finally:
                fetch.cancel()
                await asyncio.gather(fetch, return_exceptions=True)
        finally:
            batch.end()

    async def _read(self, batch: Batch, slide: str, requests: Sequence[BlockRequest], positions: Sequence[int]) -> None:
        """What is in memory and on disk; fetches what was given up meanwhile."""
        keys = [block_keys(slide, requests[at].address, requests[at].layers) or [] for at in positions]
        flat = [key for some in keys for key in some]
        in_memory = [self.memory.find(key) for key in flat]
        segments, start = await self._from_disk(flat, in_memory), 0
        for position, some in zip(positions, keys, strict=True):
            found, disk = segments[start : start + len(some)], None in in_memory[start : start + len(some)]
            start += len(some)
            hit = None not in found
            data = self._hit(found, disk) if hit else await self._get_or_error(slide, requests[position])
            await batch.add(position, data)

    async def _get_or_error(self, slide: str, request: BlockRequest) -> bytes | WavescopeError:
        try:
            return await self.get(slide, request.address, request.layers)
        except WavescopeError as error:
            return error

    async def _fetch(
        self, batch: Batch, slide: str, requests: Sequence[BlockRequest], positions: Sequence[int]
    ) -> None:
        """From ``inner``, what is missing of these."""
        wanted: list[tuple[int, list[bytes], list[bytes | None]]] = []
        asked: list[BlockRequest] = []
        came: list[tuple[int, bytes]] = []  # while the disk was looked at
        for position in positions:
            request = requests[position]
            keys = block_keys(slide, request.address, request.layers) or []
            segments = [self.memory.find(key) for key in keys]
            if any(segments):
                segments = await self._from_disk(keys, segments)
            missing = _missing(segments, request.layers) if keys else request.layers
            if not missing:
                came.append((position, self._hit(segments)))
                continue
            asked.append(BlockRequest(request.address, missing))
            wanted.append((position, keys, segments))
        for position, block in came:
            await batch.add(position, block)
        if not asked:
            return
        async with aclosing(self._inner.get_many(slide, asked)) as answers:
            async for at, data in answers:
                position, keys, segments = wanted[at]
                if isinstance(data, bytes) and keys:
                    data = self._store(keys, segments, requests[position].layers, data)
                await batch.add(position, data)

    async def _from_disk(self, keys: Sequence[bytes], segments: list[bytes | None]) -> list[bytes | None]:
        """``segments`` with what the disk has of what is missing, which is then in memory, too."""
        if self.disk is None or None not in segments:
            return segments
        wanted = [key for key, segment in zip(keys, segments, strict=True) if segment is None]
        found = dict(await self.disk.find_many(wanted))
        for key, value in found.items():
            self.memory.put(key, value)
        for key in wanted:
            if key not in found and (came := self.memory.find(key)) is not None:
                found[key] = came  # it came while the disk was read
        return [found.get(key) if segment is None else segment for key, segment in zip(keys, segments, strict=True)]

    def _store(self, keys: Sequence[bytes], segments: Sequence[bytes | None], layers: range, data: bytes) -> bytes:
        """The whole of what was requested, after the missing layers came as ``data``."""
        missing = _missing(segments, layers)
        fetched = iter(split_layers(data))
        whole, stored = [], True
        for layer, key, segment in zip(layers, keys, segments, strict=True):
            if layer in missing:
                fresh = next(fetched, b"")
                stored = self._put(key, fresh) and stored
                whole.append(fresh)
            else:
                whole.append(segment or b"")
        self._missed(data, stored)
        return b"".join(whole)

    def _put(self, key: bytes, value: bytes) -> bool:
        """Stores a part; whether it is in memory or on its way to the disk."""
        self.memory.put(key, value)
        if self.disk is not None:
            self.disk.put(key, value)
        return self.disk is not None or key in self.memory

    def _hit(self, segments: Sequence[bytes | None], disk: bool = False) -> bytes:
        data = b"".join(segments) if len(segments) > 1 else segments[0]  # type: ignore[arg-type]
        counts = self.counts
        if disk:
            counts.disk_hits += 1
        else:
            counts.memory_hits += 1
        counts.hit_bytes += len(data)  # type: ignore[arg-type]
        if (use := USE.get()) is not None:
            use.hits += 1
        return data or b""

    def _missed(self, data: bytes, stored: bool) -> None:
        self.counts.misses += 1
        self.counts.missed_bytes += len(data)
        if (use := USE.get()) is not None:
            use.miss(stored)


def _missing(segments: Sequence[bytes | None], layers: range) -> range:
    """From the first layer that is missing to the last: one range, as one request can state."""
    gaps = [layer for layer, segment in zip(layers, segments, strict=True) if segment is None]
    return range(gaps[0], gaps[-1] + 1) if gaps else range(0)
