"""Readiness of the service, its disk, and who may read its metrics."""

from __future__ import annotations

import asyncio
import logging

from wavescope.catalog.catalog import Catalog
from wavescope.errors import Unavailable
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.store.space import Space, StoreSpace

log = logging.getLogger(__name__)


class HealthService:
    """Health checks for operators and their tools."""

    def __init__(self, catalog: Catalog, gate: Gate, space: StoreSpace) -> None:
        self._catalog, self._gate, self.space = catalog, gate, space
        self._state = "ok"

    async def check_ready(self) -> None:
        """Returns if catalog and store answer. Raises Unavailable."""
        await asyncio.to_thread(self._catalog.list, "", 1, 1)

    async def disk(self) -> Space:
        """The disk of the store. Raises Unavailable."""
        try:
            return await asyncio.to_thread(self.space.now)
        except OSError as cause:
            raise Unavailable("the disk of the store", cause.strerror or "it does not answer") from cause

    async def watch_disk(self) -> None:
        """Measures what is stored, and logs when the state of the disk changes (OP21)."""
        await asyncio.to_thread(self.space.measure)
        disk = await self.disk()
        if disk.state != self._state:
            self._state = disk.state
            level = logging.INFO if disk.state == "ok" else logging.WARNING
            log.log(level, DISK_MESSAGES[disk.state], disk.free / 1e9, disk.total / 1e9)

    def check_metrics(self, principal: Principal) -> None:
        """Returns if the principal may read the metrics. Raises SignInRequired, Forbidden."""
        require(self._gate, principal, "read metrics")


DISK_MESSAGES = {
    "ok": "the disk of the store has enough space again: %.1f of %.1f GB are free",
    "low": "the disk of the store is nearly full: %.1f of %.1f GB are free (setting low_bytes)",
    "full": "the disk of the store is full, uploads are refused: %.1f of %.1f GB are free (setting free_bytes)",
}
