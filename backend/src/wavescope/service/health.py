"""Readiness of the service, and who may read its metrics."""

from __future__ import annotations

import asyncio

from wavescope.catalog.catalog import Catalog
from wavescope.service.access.gate import Gate, Principal, require


class HealthService:
    """Health checks for operators and their tools."""

    def __init__(self, catalog: Catalog, gate: Gate) -> None:
        self._catalog, self._gate = catalog, gate

    async def check_ready(self) -> None:
        """Returns if catalog and store answer. Raises Unavailable."""
        await asyncio.to_thread(self._catalog.list, "", 1, 1)

    def check_metrics(self, principal: Principal) -> None:
        """Returns if the principal may read the metrics. Raises SignInRequired, Forbidden."""
        require(self._gate, principal, "read metrics")
