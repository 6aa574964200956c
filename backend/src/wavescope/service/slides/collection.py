"""Freeing the space of slide versions that no slide has any more, and of ingests that ended without a slide."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import NamedTuple

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.originals.table import OriginalTable
from wavescope.catalog.overlays import OverlayTable
from wavescope.service.events import Events
from wavescope.service.slides.removal import collect_originals, collect_overlays, collect_versions, sweep_ingests
from wavescope.store.objects.backend import ObjectBackend


class Retention(NamedTuple):
    """Seconds: ``versions`` for which a retired version is served, ``overlays`` for which a deleted overlay can be
    restored, ``ingests`` after which work of an ingest that is not resumed is abandoned.
    """

    versions: float
    overlays: float
    ingests: float


class VersionCollector:
    """Collects what slides of one store had; announces each version that is removed. ``backend``: the object store with
    the versions, None if the store has them.
    """

    def __init__(
        self,
        catalog: Catalog,
        store: Path,
        retention: Retention,
        events: Events,
        backend: ObjectBackend | None = None,
    ) -> None:
        self._catalog, self._store, self._retention, self._events = catalog, store, retention, events
        self._backend = backend
        self._turn = asyncio.Lock()

    async def collect(self) -> tuple[str, ...]:
        """Removes the versions, original files and overlays whose time is over; the digests of the versions. Raises
        Unavailable, OSError.
        """
        async with self._turn:
            retired_before = time.time() - self._retention.versions
            announce = self._events.version_removed.announce
            gone = await asyncio.to_thread(
                collect_versions, self._catalog, self._store, retired_before, announce, self._backend
            )
            table = OriginalTable(self._catalog)
            await asyncio.to_thread(collect_originals, table, self._store, retired_before, self._backend)
            overlays = OverlayTable(self._catalog)
            removed_before = time.time() - self._retention.overlays
            await asyncio.to_thread(
                collect_overlays, overlays, self._store, removed_before, retired_before, self._backend
            )
            return gone

    async def sweep_ingests(self) -> tuple[str, ...]:
        """Removes abandoned work in progress; its names. Raises Unavailable, OSError."""
        return await asyncio.to_thread(sweep_ingests, self._catalog, self._store, self._retention.ingests)
