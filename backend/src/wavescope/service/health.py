"""Readiness of the service, and who may read its metrics."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from wavescope.catalog.catalog import Catalog
from wavescope.errors import Unavailable
from wavescope.service.access.gate import Gate, Principal, require

ANSWER_SECONDS = 5.0  # in which the catalog must answer

Dead = Callable[[], tuple[str, ...]]
"""The names of background tasks that have ended although they should go on."""


class HealthService:
    """Health checks for operators and their tools. What is wrong is described without hosts and paths (OP46, OP60)."""

    def __init__(self, catalog: Catalog, gate: Gate, store: Path, worker_alive: Callable[[], bool]) -> None:
        self._catalog, self._gate, self._store, self._worker_alive = catalog, gate, store, worker_alive
        self._dead: Dead = tuple

    def supervise(self, dead: Dead) -> None:
        """From now on the service is ready only while this names nothing."""
        self._dead = dead

    async def check_ready(self) -> None:
        """Returns if catalog and store answer and the background work goes on. Raises Unavailable, StoreFull."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await asyncio.to_thread(self._catalog.list, "", 1, 1)
                there = await asyncio.to_thread(self._store.is_dir)
        except TimeoutError as cause:
            raise Unavailable("the service", "catalog or store do not answer in time") from cause
        if not there:
            raise Unavailable("the store", "its folder is gone")
        if not self._worker_alive():
            raise Unavailable("ingesting", "the job worker has stopped")
        if self._dead():
            raise Unavailable("the service", "a periodic task has stopped")

    def check_metrics(self, principal: Principal) -> None:
        """Returns if the principal may read the metrics. Raises SignInRequired, Forbidden."""
        require(self._gate, principal, "read metrics")
