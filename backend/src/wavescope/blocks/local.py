"""Blocks of a store on this machine's disk."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from wavescope.blocks.base import Answer, BlockRequest
from wavescope.blocks.damage import DamageLog
from wavescope.caches import BoundedCache, CountedCache
from wavescope.errors import CorruptBlock, CorruptStore, StaleVersion, WavescopeError
from wavescope.geometry import Address
from wavescope.store.layout import StorePaths
from wavescope.store.reader import StoreCaches, StoreReader
from wavescope.store.version import SlideVersion

Result = TypeVar("Result")
Pending = bytes | WavescopeError | asyncio.Future[bytes | WavescopeError]

AHEAD = 16  # entries of a batch whose bytes are in memory or being read


class LocalStore:
    """BlockSource over a store directory. Bytes that the system holds in memory are read at once, others in threads.

    ``versions``, ``shards`` and ``pages`` bound what is cached; ``threads`` how many reads may wait for the disk.
    """

    def __init__(
        self, store: Path, *, versions: int = 256, shards: int = 256, pages: int = 512, threads: int = 8
    ) -> None:
        self._paths = StorePaths(store)
        self._readers: BoundedCache[str, StoreReader] = BoundedCache(versions)
        self._caches = StoreCaches.sized(shards, pages)
        self._threads = ThreadPoolExecutor(threads, "wavescope-read")
        self._damage = DamageLog()  # of versions that cannot be opened; what wraps this notes the rest

    @property
    def caches(self) -> Mapping[str, CountedCache]:
        """Its caches by name, for metrics. All count values: open slides, layer indexes, shards and index pages."""
        store = self._caches
        return {"slides": self._readers, "indexes": store.indexes, "shards": store.shards, "pages": store.pages}

    async def close(self) -> None:
        """See BlockSource. Waits for the reads under way."""
        await asyncio.to_thread(self._threads.shutdown)
        self._readers.clear()
        self._caches.clear()

    def forget(self, slide: str) -> None:
        """See BlockSource."""
        self._readers.drop(lambda key: key == slide)
        self._caches.drop(slide)

    async def version(self, slide: str) -> SlideVersion:
        """See BlockSource."""
        reader = self._readers.find(slide)
        if reader is None:
            try:
                reader = await self._in_thread(partial(self._reader, slide))
            except Exception as error:
                self._damage.note(slide, error)
                raise
        return reader.version

    async def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> bytes:
        """See BlockSource."""
        return await self._read(slide, lambda reader: reader.page(z, c, level, page))

    async def icc_profile(self, slide: str) -> bytes | None:
        """See BlockSource."""
        return await self._read(slide, StoreReader.icc_profile)

    async def approximation(self, slide: str, z: int, c: int, layers: range) -> bytes:
        """See BlockSource."""
        return await self._read(slide, lambda reader: reader.read(Address(z, c, reader.version.top, 0, 0), layers))

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        """See BlockSource."""
        reader = self._readers.find(slide)
        data = None if reader is None else reader.read_cached(address, layers)
        if data is None:
            data = await self._read(slide, lambda reader: reader.read(address, layers))
        return data

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        """See BlockSource. In the order of the requests, that of their use; slow reads begin AHEAD entries early."""
        pending: deque[tuple[int, Pending]] = deque()
        reader = self._readers.find(slide)
        try:
            for position, request in enumerate(requests):
                pending.append((position, self._begin(reader, slide, request)))
                if len(pending) > AHEAD:
                    yield await _finished(*pending.popleft())
            while pending:
                yield await _finished(*pending.popleft())
        finally:
            for _, data in pending:
                if isinstance(data, asyncio.Future):
                    data.cancel()

    def _begin(self, reader: StoreReader | None, slide: str, request: BlockRequest) -> Pending:
        """The answer, or a task that reads it in a thread."""
        try:
            data = reader.read_cached(request.address, request.layers) if reader else None
        except WavescopeError as error:
            return error
        if data is not None:
            return data
        return asyncio.ensure_future(self._answer(slide, request))

    async def _answer(self, slide: str, request: BlockRequest) -> bytes | WavescopeError:
        try:
            return await self._read(slide, lambda reader: reader.read(request.address, request.layers))
        except WavescopeError as error:
            return error

    async def _read(self, slide: str, read: Callable[[StoreReader], Result]) -> Result:
        return await self._in_thread(partial(self._read_in_thread, slide, read))

    def _read_in_thread(self, slide: str, read: Callable[[StoreReader], Result]) -> Result:
        """What ``read`` returns. StaleVersion if the version was removed since its reader was opened."""
        try:
            return read(self._reader(slide))
        except (CorruptBlock, CorruptStore) as error:
            if not self._paths.version(slide).root.is_dir():
                self.forget(slide)
                raise StaleVersion(slide, slide) from error
            raise

    def _reader(self, slide: str) -> StoreReader:
        return self._readers.get(slide, lambda: StoreReader.open(self._paths.root, slide, self._caches))

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


async def _finished(position: int, pending: Pending) -> Answer:
    return position, await pending if isinstance(pending, asyncio.Future) else pending
