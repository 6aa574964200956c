"""What a user saw of slides, for that user alone (CV8, CV9)."""

from __future__ import annotations

import asyncio

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.coverage import SeenSummary, SeenViews, forget_seen, read_seen, slides_seen, write_seen
from wavescope.service.access.gate import Gate, Principal, require, require_in_thread


class CoverageService:
    """Reads and replaces the own log of a slide as a whole. All raise SignInRequired, Forbidden."""

    def __init__(self, catalog: Catalog, gate: Gate) -> None:
        self._catalog, self._gate = catalog, gate

    async def get(self, principal: Principal, slide_id: str) -> SeenViews:
        """Raises UnknownSlide."""
        await self._require(principal, slide_id)
        return await asyncio.to_thread(read_seen, self._catalog, principal.id, slide_id)

    async def save(self, principal: Principal, slide_id: str, seen: SeenViews) -> None:
        """Raises UnknownSlide."""
        await self._require(principal, slide_id)
        await asyncio.to_thread(write_seen, self._catalog, principal.id, slide_id, seen)

    async def slides(self, principal: Principal) -> SeenSummary:
        """The slides of which there are views, and whether the user has agreed."""
        require(self._gate, principal, "own account")
        return await asyncio.to_thread(slides_seen, self._catalog, principal.id)

    async def forget(self, principal: Principal) -> None:
        """Deletes all logs of the user."""
        require(self._gate, principal, "own account")
        await asyncio.to_thread(forget_seen, self._catalog, principal.id)

    async def _require(self, principal: Principal, slide_id: str) -> None:
        require(self._gate, principal, "own account")
        await require_in_thread(self._gate, principal, "view slide", slide_id)
