"""Where the slide versions of a service are, and the source of their blocks: a folder or an object store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from wavescope.blocks.base import BlockSource
from wavescope.blocks.cache.memory import MemoryCache
from wavescope.blocks.cache.policies import Sieve
from wavescope.blocks.cached import CachedSource
from wavescope.blocks.coalescing import CoalescingSource
from wavescope.blocks.local import LocalStore
from wavescope.blocks.object_store.source import ObjectSource
from wavescope.blocks.striped import Owners, StripedSource
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.caches import CountedCache
from wavescope.config import Config
from wavescope.errors import InvalidParameter
from wavescope.store.durable import locked, remove_tree
from wavescope.store.layout import StorePaths
from wavescope.store.manifest import Manifest, load_manifest
from wavescope.store.objects.backend import FolderBackend, ObjectBackend
from wavescope.store.objects.client import Objects
from wavescope.store.objects.copy import copy, manifest_of
from wavescope.store.version import SlideVersion

WHOLE_BATCH = 4096  # blocks: a view is not cut into pieces that would be read apart


def object_backend(config: Config) -> ObjectBackend | None:
    """The object store with the slide versions; None: the folder of the store has them. Raises InvalidParameter."""
    return backend_at(config.slide_store, config.slide_store_seconds)


def backend_at(location: str, seconds: float) -> ObjectBackend | None:
    """The object store at a location, None for an empty one. Raises InvalidParameter."""
    return ObjectBackend(Objects.at(location, seconds)) if location else None


def stored_manifest(config: Config, digest: str) -> Manifest:
    """The manifest of a version. Raises StaleVersion, CorruptStore, Unavailable, InvalidParameter."""
    backend = object_backend(config)
    if backend is None:
        return load_manifest(StorePaths(config.store).slides, digest)
    return manifest_of(backend.files(digest), digest)[0]


@contextmanager
def version_in_folder(config: Config, digest: str, purpose: str) -> Iterator[Path]:
    """The folder of a store that has this version: that of the service, or one that has only this verified copy, until
    the end. What an interrupted process leaves of a copy is removed with abandoned ingests.

    Raises StaleVersion, CorruptStore, Unavailable, StoreFull, InvalidParameter; StoreBusy while another process has a
    copy for the same purpose.
    """
    backend = object_backend(config)
    if backend is None:
        yield config.store
        return
    folder = StorePaths(config.store).ingest / f"{purpose}-{digest}"
    lock = folder.with_name(folder.name + ".lock")
    with locked(lock, "the slide version"):
        try:
            copy(backend, FolderBackend(folder), digest)
            yield folder
        finally:
            remove_tree(folder)
            lock.unlink(missing_ok=True)


def block_source(config: Config, owners: Owners | None = None) -> tuple[BlockSource, Mapping[str, CountedCache]]:
    """The source of all blocks, and its caches by name. ``owners``: of the parts of distributed data; None: they are
    not distributed. Raises InvalidParameter.
    """
    if not config.slide_store:
        if owners is not None:
            raise InvalidParameter("data_layout", config.data_layout, "mirrored without a slide_store")
        local = LocalStore(config.store, versions=config.limits.open_slides)
        return local, local.caches
    objects = Objects.at(config.slide_store, config.slide_store_seconds)
    source = ObjectSource(objects, versions=config.limits.open_slides)
    memory = MemoryCache(config.slide_store_memory, Sieve())
    distributed = source if owners is None else StripedSource(source, owners)
    cached = CachedSource(CoalescingSource(distributed, batch=WHOLE_BATCH), memory)
    return _Forgetting(cached), {**source.caches, "blocks": _BlockMemory(cached)}


class _BlockMemory:
    """The use of a source's cache in memory, for metrics: hits and misses are layers of blocks and other parts."""

    def __init__(self, source: CachedSource) -> None:
        self._source = source

    @property
    def hits(self) -> int:
        return self._source.counts.memory_hits

    @property
    def misses(self) -> int:
        return self._source.counts.misses

    @property
    def size(self) -> int:
        return self._source.memory.bytes

    @property
    def limit(self) -> int:
        return self._source.memory.budget

    def __len__(self) -> int:
        return len(self._source.memory)


class _Forgetting(SourceWrapper):
    """Forgets on the event loop, from whichever thread it is asked: a cache in memory belongs to the loop."""

    def __init__(self, inner: BlockSource) -> None:
        super().__init__(inner)
        self._loop: asyncio.AbstractEventLoop | None = None

    async def version(self, slide: str) -> SlideVersion:
        self._loop = asyncio.get_running_loop()
        return await self._inner.version(slide)

    def forget(self, slide: str) -> None:
        if self._loop is None or self._loop.is_closed():
            self._inner.forget(slide)
        else:
            self._loop.call_soon_threadsafe(self._inner.forget, slide)
