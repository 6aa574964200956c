"""Guided tours for those who may see them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from wavescope.catalog.records import TourRecord
from wavescope.catalog.tours import Tours
from wavescope.service.access import Gate, Principal, require


class TourShelf:
    """Tours of slides and cases; every change names the revision it was made from."""

    def __init__(self, tours: Tours, gate: Gate) -> None:
        self._tours, self._gate = tours, gate

    async def list(self, principal: Principal, slide_id: str | None, case_id: str | None) -> tuple[TourRecord, ...]:
        require(self._gate, principal, "view tours", slide_id)
        return await asyncio.to_thread(self._tours.list, slide_id, case_id)

    async def get(self, principal: Principal, tour_id: str) -> TourRecord:
        """Raises Forbidden, UnknownTour."""
        record = await asyncio.to_thread(self._tours.get, tour_id)
        require(self._gate, principal, "view tours", record.slide_id)
        return record

    async def create(
        self, principal: Principal, document: Mapping[str, Any], slide_id: str | None, case_id: str | None
    ) -> TourRecord:
        """Raises Forbidden, UnknownSlide, UnknownCase."""
        require(self._gate, principal, "edit tours", slide_id)
        return await asyncio.to_thread(self._tours.create, document, slide_id, case_id)

    async def save(self, principal: Principal, tour_id: str, document: Mapping[str, Any], revision: int) -> TourRecord:
        """Raises Forbidden, UnknownTour, Conflict."""
        await self._may_edit(principal, tour_id)
        return await asyncio.to_thread(partial(self._tours.save, tour_id, document, revision))

    async def delete(self, principal: Principal, tour_id: str, revision: int) -> None:
        """Raises Forbidden, UnknownTour, Conflict."""
        await self._may_edit(principal, tour_id)
        await asyncio.to_thread(partial(self._tours.delete, tour_id, revision))

    async def _may_edit(self, principal: Principal, tour_id: str) -> None:
        record = await asyncio.to_thread(self._tours.get, tour_id)
        require(self._gate, principal, "edit tours", record.slide_id)
