"""Readiness of the service, its disk, and who may read its metrics."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from typing import Literal

from wavescope.caches import AsyncCache
from wavescope.catalog.catalog import Catalog
from wavescope.errors import CatalogAway, Unavailable
from wavescope.logs.loggers import get_logger
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.nodes.node import Node
from wavescope.store.space import Space, StoreSpace

log = get_logger(__name__)

RESPONSE_SECONDS = 5.0  # in which the catalog must answer
OUTAGE_SECONDS = 30.0  # of the catalog, for which a node of a cluster stays ready

DISK_EVENTS = {
    "ok": (logging.INFO, "the disk of the store has enough space again"),
    "low": (logging.WARNING, "the disk of the store is nearly full (setting low_bytes)"),
    "full": (logging.WARNING, "the disk of the store is full, uploads are refused (setting free_bytes)"),
}

CatalogState = Literal["ok", "away"]
Dead = Callable[[], tuple[str, ...]]
"""The names of background tasks that have ended although they should go on."""


class HealthService:
    """Health checks for operators and their tools. What is wrong is described without hosts and paths (OP46, OP60)."""

    def __init__(
        self,
        catalog: Catalog,
        gate: Gate,
        space: StoreSpace,
        worker_alive: Callable[[], bool],
        node: Node | None = None,
    ) -> None:
        self._catalog, self._gate, self.space, self._worker_alive = catalog, gate, space, worker_alive
        self._node = node
        self._dead: Dead = tuple
        self._looks: AsyncCache[str, CatalogState] = AsyncCache(1, lambda _: 2)  # shares looks and caches nothing
        self._draining, self._answered = False, float("-inf")  # when the catalog answered last
        self._state = "ok"
        self.noted: Space | None = None  # the disk as last noted

    def supervise(self, dead: Dead) -> None:
        """From now on the service is ready only while this names nothing."""
        self._dead = dead

    def drain(self) -> None:
        """The service stops soon: from now on it is not ready (CL17)."""
        self._draining = True

    async def check_ready(self) -> CatalogState:
        """Returns if the service should get requests: catalog and store answer and the background work goes on. Of a
        node of a cluster the catalog may be away for a while (CL18). Raises Unavailable, StoreFull.
        """
        if self._draining:
            raise Unavailable("the service", "it is stopping")
        if self._node is not None and self._node.replaced:
            raise Unavailable("the service", "another node has its name")
        return await self._looks.get("ready", self._look)  # one look for all who ask meanwhile: they have no rate

    async def _look(self) -> CatalogState:
        state = await self._look_at_catalog()
        try:
            async with asyncio.timeout(RESPONSE_SECONDS):
                there = await asyncio.to_thread(self.space.is_there)
        except TimeoutError as cause:
            raise Unavailable("the service", "the store does not answer in time") from cause
        if not there:
            raise Unavailable("the store", "its folder is gone")
        if not self._worker_alive():
            raise Unavailable("ingesting", "the job worker has stopped")
        if self._dead():
            raise Unavailable("the service", "a periodic task has stopped")
        return state

    async def _look_at_catalog(self) -> CatalogState:
        """Raises Unavailable."""
        try:
            async with asyncio.timeout(RESPONSE_SECONDS):
                await asyncio.to_thread(self._catalog.list, "", 1, 1)
        except (TimeoutError, CatalogAway) as cause:
            if self._node is not None and time.monotonic() - self._answered < OUTAGE_SECONDS:
                return "away"
            if isinstance(cause, CatalogAway):
                raise
            raise Unavailable("the service", "the catalog does not answer in time") from cause
        self._answered = time.monotonic()
        return "ok"

    async def disk(self) -> Space:
        """The disk of the store. Raises Unavailable."""
        try:
            return await asyncio.to_thread(self.space.now)
        except OSError as cause:
            raise Unavailable("the disk of the store", cause.strerror or "it does not answer") from cause

    async def note_disk(self) -> None:
        """Looks at the disk for the metrics; None is noted if it does not answer in time."""
        self.noted = None
        with contextlib.suppress(TimeoutError, Unavailable):
            async with asyncio.timeout(RESPONSE_SECONDS):
                self.noted = await self.disk()

    @property
    def dead(self) -> int:
        """How many periodic tasks have ended although they should go on."""
        return len(self._dead())

    async def watch_disk(self) -> None:
        """Measures what is stored, and logs when the state of the disk changes (OP21)."""
        await asyncio.to_thread(self.space.measure)
        disk = await self.disk()
        if disk.state != self._state:
            self._state = disk.state
            log.log(*DISK_EVENTS[disk.state], free_bytes=disk.free, total_bytes=disk.total)

    def check_metrics(self, principal: Principal) -> None:
        """Returns if the principal may read the metrics. Raises SignInRequired, Forbidden."""
        require(self._gate, principal, "read metrics")
