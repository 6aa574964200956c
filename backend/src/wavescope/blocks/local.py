"""Blocks of a store on this machine's disk."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from wavescope.blocks.base import BlockRequest
from wavescope.errors import CorruptBlock, StaleVersion, WavescopeError
from wavescope.geometry import Address
from wavescope.store.handles import Bounded
from wavescope.store.layout import StorePaths
from wavescope.store.manifest import Manifest
from wavescope.store.reader import Caches, StoreReader

Result = TypeVar("Result")
Answer = tuple[int, bytes | WavescopeError]
Begun = bytes | WavescopeError | asyncio.Future[bytes | WavescopeError]

AHEAD = 16  # entries of a batch whose bytes are in memory or being read


@dataclass(frozen=True)
class SlideVersion:
    """A handle to one immutable slide version."""

    digest: str
    manifest: Manifest


class LocalStore:
    """BlockSource over a store directory. Bytes that the system holds in memory are read at once, others in threads.

    ``versions``, ``shards`` and ``pages`` bound what is kept open; ``threads`` how many reads may wait for the disk.
    """

    def __init__(
        self, store: Path, *, versions: int = 64, shards: int = 256, pages: int = 512, threads: int = 8
    ) -> None:
        self.paths = StorePaths(store)
        self._readers: Bounded[str, StoreReader] = Bounded(versions)
        self._caches = Caches.sized(shards, pages)
        self._threads = ThreadPoolExecutor(threads, "wavescope-read")

    def close(self) -> None:
        """Stop the threads and let go of all files."""
        self._threads.shutdown(wait=True)
        self._readers.drop(lambda _: True)
        self._caches.shards.drop(lambda _: True)
        self._caches.pages.drop(lambda _: True)

    def forget(self, digest: str) -> None:
        """Let go of a version that was replaced, repaired or removed."""
        self._readers.drop(lambda key: key == digest)
        self._caches.drop(digest)

    def reader(self, digest: str) -> StoreReader:
        """The reader of a version, for callers in threads of their own. StaleVersion, CorruptStore."""
        return self._readers.get(digest, lambda: StoreReader.open(self.paths.root, digest, self._caches))

    async def version(self, digest: str) -> SlideVersion:
        """The version's handle with its manifest."""
        reader = self._readers.peek(digest)
        if reader is None:
            reader = await self._in_thread(partial(self.reader, digest))
        return SlideVersion(digest, reader.manifest)

    async def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> bytes:
        """A layer-index page in its wire form. OutOfRange, CorruptStore, StaleVersion."""
        return await self._in_thread(lambda: self.reader(slide).page(z, c, level, page))

    async def approximation(self, slide: str, z: int, c: int, layers: range) -> bytes:
        """The layers of a plane's approximation: ``get`` at the top level."""
        top = (await self.version(slide)).manifest.top
        return await self.get(slide, Address(z, c, top, 0, 0), layers)

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        """See BlockSource."""
        reader = self._readers.peek(slide)
        data = reader.read_now(address, layers) if reader else None
        if data is None:
            data = await self._in_thread(lambda: self._read(slide, address, layers))
        return data

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncIterator[Answer]:
        """See BlockSource. In the order asked for, that of their use; what waits for the disk is begun AHEAD early."""
        begun: deque[tuple[int, Begun]] = deque()
        reader = self._readers.peek(slide)
        try:
            for position, request in enumerate(requests):
                begun.append((position, self._begin(reader, slide, request)))
                if len(begun) > AHEAD:
                    yield await _finished(*begun.popleft())
            while begun:
                yield await _finished(*begun.popleft())
        finally:
            for _, pending in begun:
                if isinstance(pending, asyncio.Future):
                    pending.cancel()

    def _begin(self, reader: StoreReader | None, slide: str, request: BlockRequest) -> Begun:
        """The answer, or a task that reads it in a thread."""
        try:
            data = reader.read_now(request.address, request.layers) if reader else None
        except WavescopeError as error:
            return error
        if data is not None:
            return data
        return asyncio.ensure_future(self._in_thread(partial(self._answer, slide, request)))

    def _answer(self, slide: str, request: BlockRequest) -> bytes | WavescopeError:
        try:
            return self._read(slide, request.address, request.layers)
        except WavescopeError as error:
            return error

    def _read(self, slide: str, address: Address, layers: range) -> bytes:
        try:
            return self.reader(slide).read(address, layers)
        except CorruptBlock as error:
            if not self.paths.version(slide).root.is_dir():
                self.forget(slide)
                raise StaleVersion(slide, slide) from error
            raise

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


async def _finished(position: int, begun: Begun) -> Answer:
    return position, await begun if isinstance(begun, asyncio.Future) else begun
