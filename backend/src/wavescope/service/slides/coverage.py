"""What users saw of slides: each of them their own (CV8, CV9), and instructors what many saw together (CV13)."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.coverage import (
    SeenSummary,
    SeenViews,
    forget_seen,
    read_seen,
    share_seen,
    shared_logs,
    slides_seen,
    write_seen,
)
from wavescope.service.access.gate import Gate, Principal, require, require_in_thread
from wavescope.service.slides.people_map import FEWEST, grid_of, people_map


class SharedCoverage(NamedTuple):
    """``people`` share what they saw of a slide, ``reviewed`` of them marked it as reviewed; ``counts``: how many of
    them saw each of ``columns`` x ``rows`` cells, row by row. Without ``counts`` and ``reviewed`` where they are fewer
    than FEWEST.
    """

    people: int
    reviewed: int | None
    columns: int
    rows: int
    counts: list[int] | None


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
        """The slides of which there are views, and to what the user has agreed."""
        require(self._gate, principal, "own account")
        return await asyncio.to_thread(slides_seen, self._catalog, principal.id)

    async def forget(self, principal: Principal) -> None:
        """Deletes all logs of the user."""
        require(self._gate, principal, "own account")
        await asyncio.to_thread(forget_seen, self._catalog, principal.id)

    async def share(self, principal: Principal, shared: bool) -> SeenSummary:
        """Shares all logs of the user without the name, or no longer. Without logs there is nothing to share."""
        require(self._gate, principal, "own account")
        await asyncio.to_thread(share_seen, self._catalog, principal.id, shared)
        return await self.slides(principal)

    async def together(self, principal: Principal, slide_id: str, scale: float) -> SharedCoverage:
        """What those who share it saw of a slide, in views of at least ``scale`` device pixels per level-0 pixel.

        Raises UnknownSlide.
        """
        await require_in_thread(self._gate, principal, "view shared coverage", slide_id)
        return await asyncio.to_thread(self._together, slide_id, scale)

    def _together(self, slide_id: str, scale: float) -> SharedCoverage:
        manifest = self._catalog.get(slide_id).manifest
        grid = grid_of(manifest["width"], manifest["height"])
        logs = shared_logs(self._catalog, slide_id)
        if len(logs) < FEWEST:
            return SharedCoverage(len(logs), None, grid.columns, grid.rows, None)
        counts = people_map(grid, (log.views for log in logs), scale)
        reviewed = sum(log.reviewed is not None for log in logs)
        return SharedCoverage(len(logs), reviewed, grid.columns, grid.rows, counts.ravel().tolist())

    async def _require(self, principal: Principal, slide_id: str) -> None:
        require(self._gate, principal, "own account")
        await require_in_thread(self._gate, principal, "view slide", slide_id)
