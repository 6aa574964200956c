"""Freeing the space of slide versions that no slide has any more, and of ingests that ended without a slide."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.originals.table import OriginalTable
from wavescope.service.events import Events
from wavescope.service.slides.removal import collect_originals, collect_versions, sweep_ingests
from wavescope.store.objects.backend import ObjectBackend


class VersionCollector:
    """Collects the versions of one store ``seconds`` after they were retired; announces each that is removed.
    ``ingest_seconds``: after which work of an ingest that is not resumed is abandoned. ``backend``: the object store
    with the versions, None if the store has them.
    """

    def __init__(
        self,
        catalog: Catalog,
        store: Path,
        seconds: float,
        events: Events,
        *,
        ingest_seconds: float,
        backend: ObjectBackend | None = None,
    ) -> None:
        self._catalog, self._store, self._seconds, self._events = catalog, store, seconds, events
        self._ingest_seconds, self._backend = ingest_seconds, backend
        self._turn = asyncio.Lock()

    async def collect(self) -> tuple[str, ...]:
        """Removes the versions and original files whose time is over; the digests of the versions. Raises Unavailable,
        OSError.
        """
        async with self._turn:
            retired_before = time.time() - self._seconds
            announce = self._events.version_removed.announce
            gone = await asyncio.to_thread(
                collect_versions, self._catalog, self._store, retired_before, announce, self._backend
            )
            table = OriginalTable(self._catalog)
            await asyncio.to_thread(collect_originals, table, self._store, retired_before, self._backend)
            return gone

    async def sweep_ingests(self) -> tuple[str, ...]:
        """Removes abandoned work in progress; its names. Raises Unavailable, OSError."""
        return await asyncio.to_thread(sweep_ingests, self._catalog, self._store, self._ingest_seconds)
