"""Blocks of slide versions in an object store."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import count
from typing import TypeVar

from wavescope.blocks.base import Answer, BlockRequest
from wavescope.blocks.damage import DamageLog
from wavescope.blocks.object_store.plan import Extent, Read, plan
from wavescope.blocks.object_store.version import ObjectCaches, ObjectVersion
from wavescope.caches import AsyncCache, CountedCache
from wavescope.errors import CorruptBlock, CorruptStore, StaleVersion, WavescopeError
from wavescope.geometry import Address
from wavescope.store.layer_index import PageKey
from wavescope.store.layout import shard_name
from wavescope.store.manifest import parse_manifest
from wavescope.store.objects.backend import folder_of
from wavescope.store.objects.client import ObjectReads, Objects
from wavescope.store.objects.contents import MANIFEST, MAX_MANIFEST, MAX_PROFILE, PROFILE
from wavescope.store.reading import PageLengths, page_of, reason_of
from wavescope.store.version import SlideVersion

Result = TypeVar("Result")

MAX_IN_FLIGHT = 32  # reads of one batch under way
AHEAD_BYTES = 64 << 20  # of reads of one batch that are under way or not sent


@dataclass
class _Located:
    """A batch: which approximations it has, where its blocks are, and the page of each by position."""

    requests: Sequence[BlockRequest]
    tops: list[int] = field(default_factory=list)
    extents: list[Extent] = field(default_factory=list)
    pages: dict[int, PageLengths] = field(default_factory=dict)


class ObjectSource:
    """BlockSource over an object store. ``versions`` bounds the number of open ones, ``caches`` what is cached of them.

    The blocks of a batch are brought by few ranged reads (ST82).
    """

    def __init__(self, objects: Objects, *, versions: int = 256, caches: ObjectCaches | None = None) -> None:
        self._objects = objects
        self._caches = caches or ObjectCaches.sized()
        self._versions: AsyncCache[str, ObjectVersion] = AsyncCache(versions)
        self._numbers = count()
        self._damage = DamageLog()  # of versions that cannot be opened; what wraps this notes the rest

    @property
    def reads(self) -> ObjectReads:
        """What was read of the store so far."""
        return self._objects.reads

    @property
    def caches(self) -> Mapping[str, CountedCache]:
        """Its caches by name, for metrics: open slides and shards, bytes of layer indexes, index pages."""
        own = self._caches
        return {"slides": self._versions, "indexes": own.indexes, "shards": own.shards, "pages": own.pages}

    async def close(self) -> None:
        """See BlockSource."""
        self._versions.drop(lambda _: True)

    def forget(self, slide: str) -> None:
        """See BlockSource."""
        self._versions.drop(lambda key: key == slide)

    async def version(self, slide: str) -> SlideVersion:
        """See BlockSource."""
        return (await self._open(slide)).version

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        """See BlockSource."""
        opened = self._versions.find(slide) or await self._open(slide)
        located = _Located([BlockRequest(address, layers)])
        answers = await self._locate(opened, located)
        for position in located.tops:
            answers = await self._approximation(opened, position, located.requests[position])
        for read in plan(located.extents):
            answers = await self._read(opened, located, read)
        ((_, data),) = answers
        if isinstance(data, WavescopeError):
            raise data
        return data

    async def approximation(self, slide: str, z: int, c: int, layers: range) -> bytes:
        """See BlockSource."""
        version = await self.version(slide)
        return await self.get(slide, Address(z, c, version.top, 0, 0), layers)

    async def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> bytes:
        """See BlockSource."""
        opened = await self._open(slide)
        key = PageKey(z, c, level, opened.version.index_page(z, c, level, page))
        data, _ = await self._still_there(slide, opened.page(key))
        return data

    async def icc_profile(self, slide: str) -> bytes | None:
        """See BlockSource."""
        opened = await self._open(slide)
        expected = opened.version.manifest.icc_sha256
        return None if expected is None else await self._still_there(slide, self._profile(opened, expected))

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        """See BlockSource. What needs no read comes first, then read by read, those with the first requests first."""
        try:
            opened = await self._open(slide)
        except WavescopeError as error:
            for position in range(len(requests)):
                yield position, error
            return
        located = _Located(requests)
        for answer in await self._locate(opened, located):
            yield answer
        waiting = deque(
            (0, partial(self._approximation, opened, position, requests[position])) for position in located.tops
        )
        waiting.extend((_size(read), partial(self._read, opened, located, read)) for read in plan(located.extents))
        running: deque[tuple[int, asyncio.Task[list[Answer]]]] = deque()
        ahead = 0
        try:
            while waiting or running:
                while (
                    waiting and len(running) < MAX_IN_FLIGHT and (not running or ahead + waiting[0][0] <= AHEAD_BYTES)
                ):
                    size, work = waiting.popleft()
                    ahead += size
                    running.append((size, asyncio.ensure_future(work())))
                size, task = running[0]
                answers = await task
                running.popleft()
                for answer in answers:
                    yield answer
                ahead -= size
        finally:
            for _, task in running:
                task.cancel()
            await asyncio.gather(*(task for _, task in running), return_exceptions=True)

    # --- inside ----------------------------------------------------------------------------------------------------

    async def _open(self, slide: str) -> ObjectVersion:
        try:
            return await self._versions.get(slide, lambda: self._load(slide))
        except WavescopeError as error:
            self._damage.note(slide, error)
            raise

    async def _load(self, slide: str) -> ObjectVersion:
        """The manifest is what publishes a version: without it there is none (ST80)."""
        folder = folder_of(slide)
        try:
            data = await self._objects.whole(f"{folder}/{MANIFEST}", MAX_MANIFEST)
        except FileNotFoundError as error:
            raise StaleVersion(slide, slide) from error
        except ValueError as error:
            raise CorruptStore(slide, "the manifest", str(error)) from error
        version = SlideVersion.of(slide, parse_manifest(data, slide))
        return ObjectVersion(self._objects, version, folder, next(self._numbers), self._caches)

    async def _locate(self, opened: ObjectVersion, located: _Located) -> list[Answer]:
        """Finds where the blocks are, and answers those that need no read: empty ones, and errors."""
        version, answers = opened.version, list[Answer]()
        keys: dict[int, PageKey] = {}
        for position, request in enumerate(located.requests):
            try:
                version.check_request(request.address, request.layers)
            except WavescopeError as error:
                answers.append((position, error))
                continue
            if request.address.level == version.top:
                located.tops.append(position)
            else:
                keys[position] = page_of(version, request.address)
        found = await opened.pages(set(keys.values()))
        gone = any(isinstance(one, CorruptStore) for one in found.values()) and await self._is_gone(version.digest)
        for position, key in keys.items():
            page, request = found[key], located.requests[position]
            if isinstance(page, WavescopeError):
                answers.append((position, _of_block(page, request.address, version.digest if gone else None)))
            elif (extent := opened.extent(request, position, page)) is not None:
                located.extents.append(extent)
                located.pages[position] = page
            else:
                answers.append((position, b""))
        return answers

    async def _approximation(self, opened: ObjectVersion, position: int, request: BlockRequest) -> list[Answer]:
        try:
            return [(position, await self._still_there(opened.version.digest, opened.approximation(request)))]
        except WavescopeError as error:
            return [(position, error)]

    async def _read(self, opened: ObjectVersion, located: _Located, read: Read) -> list[Answer]:
        """The answers of one read."""
        requests, slide = located.requests, opened.version.digest
        try:
            path = f"{opened.folder}/{shard_name(*read.shard)}"
            data = await self._objects.read(path, read.start, read.stop - read.start)
        except (OSError, ValueError) as error:
            reason, gone = reason_of(error), await self._is_gone(slide)
            return [
                (one.position, StaleVersion(slide, slide) if gone else CorruptBlock(_address(requests, one), reason))
                for one in read.extents
            ]
        except WavescopeError as error:
            return [(extent.position, error) for extent in read.extents]
        answers: list[Answer] = []
        for extent in read.extents:
            at, part = extent.position, data[extent.start - read.start : extent.stop - read.start]
            try:
                answers.append((at, opened.checked(requests[at], located.pages[at], part)))
            except WavescopeError as error:
                answers.append((at, error))
        return answers

    async def _profile(self, opened: ObjectVersion, expected: str) -> bytes:
        slide = opened.version.digest
        try:
            data = await self._objects.whole(f"{opened.folder}/{PROFILE}", MAX_PROFILE)
        except (OSError, ValueError) as error:
            raise CorruptStore(slide, "the ICC profile", reason_of(error)) from error
        if sha256(data).hexdigest() != expected:
            raise CorruptStore(slide, "the ICC profile", "its SHA-256 does not match")
        return data

    async def _still_there(self, slide: str, work: Awaitable[Result]) -> Result:
        """What ``work`` returns. StaleVersion if it fails because the version was removed since it was opened."""
        try:
            return await work
        except (CorruptBlock, CorruptStore) as error:
            if await self._is_gone(slide):
                raise StaleVersion(slide, slide) from error
            raise

    async def _is_gone(self, slide: str) -> bool:
        """Whether the manifest is no longer there; then the version is forgotten."""
        try:
            await self._objects.read(f"{folder_of(slide)}/{MANIFEST}", 0, 1)
        except FileNotFoundError:
            self.forget(slide)
            return True
        except (WavescopeError, OSError, ValueError):
            pass
        return False


def _size(read: Read) -> int:
    return read.stop - read.start


def _address(requests: Sequence[BlockRequest], extent: Extent) -> Address:
    return requests[extent.position].address


def _of_block(error: WavescopeError, address: Address, gone: str | None) -> WavescopeError:
    """What an error of a page means for a block on it. ``gone``: the digest, if the version was removed."""
    if not isinstance(error, CorruptStore):
        return error
    if gone is not None:
        return StaleVersion(gone, gone)
    return CorruptBlock(address, f"{error.part}: {error.reason}")
