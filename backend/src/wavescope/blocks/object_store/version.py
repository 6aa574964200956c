"""One slide version in an object store: which bytes its blocks are, and whether these are right (ST81, ST42)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from wavescope.blocks.base import BlockRequest
from wavescope.blocks.object_store.plan import Extent
from wavescope.caches import AsyncCache, BoundedCache
from wavescope.errors import CodecError, CorruptBlock, CorruptStore, WavescopeError
from wavescope.store.layer_index import Directory, IndexShape, PageKey, ShardKey, decode_directory
from wavescope.store.layout import PAGE
from wavescope.store.objects.client import Objects
from wavescope.store.objects.contents import LAYER_INDEX, NAMES, checked_directory_bytes, shape_of
from wavescope.store.proof import blocks_of, entries_of
from wavescope.store.reading import (
    Entry,
    LayerLengths,
    PageLengths,
    check_layers,
    entry_of,
    layer_extent,
    parsed_page,
    reason_of,
    shard_of,
)
from wavescope.store.version import SlideVersion

HEAD = 256 << 10
"""Bytes of the start of a layer index that are read at once: all of it for most slides."""


@dataclass(frozen=True)
class IndexHead:
    """The start of a layer index and its directory."""

    data: bytes
    directory: Directory


@dataclass(frozen=True)
class ObjectCaches:
    """What the versions of a source share. Keys begin with the number of an open version, which is never used again:
    what a forgotten version has left ages out.
    """

    indexes: AsyncCache[int, IndexHead]
    pages: AsyncCache[tuple[int, PageKey], tuple[bytes, PageLengths]]
    shards: BoundedCache[tuple[int, ShardKey], list[Entry | None]]

    @classmethod
    def sized(cls, index_bytes: int = 64 << 20, pages: int = 512, shards: int = 1024) -> ObjectCaches:
        """512 pages take at most about 100 MB, 1024 shards about 30 MB."""
        return cls(AsyncCache(index_bytes, lambda head: 8 * len(head.data)), AsyncCache(pages), BoundedCache(shards))


class ObjectVersion:
    """``version`` is its handle; ``folder``: the path of its objects."""

    def __init__(self, objects: Objects, version: SlideVersion, folder: str, number: int, caches: ObjectCaches) -> None:
        self.version, self.folder = version, folder
        self._objects, self._number, self._caches = objects, number, caches
        self._shape: IndexShape = shape_of(version)

    # --- the layer index -------------------------------------------------------------------------------------------

    async def head(self) -> IndexHead:
        """The start of the layer index. Raises CorruptStore, Unavailable."""
        return await self._caches.indexes.get(self._number, self._load_head)

    async def page(self, key: PageKey) -> tuple[bytes, PageLengths]:
        """A page of the layer index, as stored and parsed. Raises CorruptStore, Unavailable."""
        return await self._caches.pages.get((self._number, key), lambda: self._load_page(key))

    async def _load_head(self) -> IndexHead:
        digest, size = self.version.digest, self.version.manifest.layer_index_bytes
        try:
            length = max(checked_directory_bytes(self.version, self._shape), min(size, HEAD))
            data = await self._objects.read(f"{self.folder}/{LAYER_INDEX}", 0, length)
            return IndexHead(data, decode_directory(data[: self._shape.directory_bytes], self._shape, size))
        except (OSError, ValueError) as error:
            raise CorruptStore(digest, "the layer index", reason_of(error)) from error

    async def _load_page(self, key: PageKey) -> tuple[bytes, PageLengths]:
        head = await self.head()
        offset, length = head.directory.pages[key]
        try:
            if offset + length <= len(head.data):
                data = head.data[offset : offset + length]
            else:
                data = await self._objects.read(f"{self.folder}/{LAYER_INDEX}", offset, length)
            return data, parsed_page(data, self._shape, key)
        except (OSError, ValueError) as error:
            raise CorruptStore(self.version.digest, f"layer-index page {tuple(key)}", reason_of(error)) from error

    async def pages(self, keys: Iterable[PageKey]) -> dict[PageKey, PageLengths | WavescopeError]:
        """The parsed pages, each by itself or what is wrong with it."""

        async def one(key: PageKey) -> PageLengths | WavescopeError:
            try:
                return (await self.page(key))[1]
            except WavescopeError as error:
                return error

        found: dict[PageKey, PageLengths | WavescopeError] = {}
        missing: list[PageKey] = []
        for key in keys:
            page = self._caches.pages.find((self._number, key))
            if page is None:
                missing.append(key)
            else:
                found[key] = page[1]
        if missing:
            found.update(zip(missing, await asyncio.gather(*map(one, missing)), strict=True))
        return found

    # --- blocks ----------------------------------------------------------------------------------------------------

    def extent(self, request: BlockRequest, position: int, page: PageLengths) -> Extent | None:
        """Where the requested layers of a block are; None if it is empty. ``page``: that of the block.

        The layer index alone says it: blocks follow each other in Z order (ST11), so that no shard index is read.
        """
        address = request.address
        lengths = page[address.y % PAGE][address.x % PAGE]
        if not any(lengths) or not request.layers:
            return None
        key = shard_of(address)
        entries = self._caches.shards.find((self._number, key))
        if entries is None:
            entries = entries_of(blocks_of(page, key))
            self._caches.shards.put((self._number, key), entries)
        start, length = layer_extent(entry_of(entries, address), lengths, request.layers)
        return Extent(key, start, length, position)

    def checked(self, request: BlockRequest, page: PageLengths, data: bytes) -> bytes:
        """``data``, if it is the requested layers of the block. Raises CorruptBlock."""
        return self._checked(request, page[request.address.y % PAGE][request.address.x % PAGE], data)

    async def approximation(self, request: BlockRequest) -> bytes:
        """The requested layers of a plane's approximation. Raises CorruptBlock, Unavailable."""
        address, layers = request.address, request.layers
        if not layers:
            return b""
        try:
            lengths = (await self.head()).directory.approximations[address.z, address.c].layers
            ends = [0, *accumulate(lengths)]
            path = f"{self.folder}/{NAMES.approximation_plane(address.z, address.c)}"
            data = await self._objects.read(path, ends[layers.start], ends[layers.stop] - ends[layers.start])
        except CorruptStore as error:
            raise CorruptBlock(address, f"{error.part}: {error.reason}") from error
        except (OSError, ValueError) as error:
            raise CorruptBlock(address, reason_of(error)) from error
        return self._checked(request, lengths, data)

    def _checked(self, request: BlockRequest, lengths: LayerLengths, data: bytes) -> bytes:
        address = request.address
        try:
            check_layers(data, address, lengths, request.layers, self.version.binding(address))
        except CodecError as error:
            raise CorruptBlock(address, reason_of(error)) from error
        return data
