"""Guided tours for those who may see them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from wavescope.catalog.records import DocumentRecord, DocumentTitle
from wavescope.catalog.tours import Tours
from wavescope.errors import Forbidden, UnknownTour
from wavescope.service.access.gate import Gate, Principal, require_in_thread
from wavescope.service.access.owner_gate import OwnerGate
from wavescope.service.access.sharing_gate import CaseGate


class TourService:
    """Tours of slides and cases; every change names the revision it was made from.

    A principal sees a tour if it sees its slide or case, or while a session shows it; stops at slides that it does not
    see are left out (AC17).
    """

    def __init__(self, tours: Tours, gate: Gate, case_gate: CaseGate) -> None:
        self._tours, self._gate, self._owner = tours, gate, OwnerGate(gate, case_gate)

    async def list(self, principal: Principal, slide_id: str | None, case_id: str | None) -> tuple[DocumentRecord, ...]:
        await require_in_thread(self._gate, principal, "view tours", slide_id)
        records = await asyncio.to_thread(self._tours.list, slide_id, case_id)
        seen = await asyncio.to_thread(lambda: [one for one in records if self._may_view(principal, one)])
        return tuple(self._shown(principal, record) for record in seen)

    async def titles(self, principal: Principal) -> Sequence[DocumentTitle]:
        """Those that the principal sees, by title. Raises Forbidden."""
        await require_in_thread(self._gate, principal, "view tours", None)
        return await asyncio.to_thread(lambda: [one for one in self._tours.titles() if self._may_view(principal, one)])

    async def get(self, principal: Principal, tour_id: str) -> DocumentRecord:
        """Raises Forbidden, UnknownTour."""
        return self._shown(principal, await self._found(principal, tour_id))

    def is_visible(self, principal: Principal, tour_id: str) -> bool:
        """Whether the principal may view the tour; waits for SQL."""
        try:
            return self._may_view(principal, self._tours.get(tour_id))
        except UnknownTour:
            return False

    async def create(
        self, principal: Principal, document: Mapping[str, Any], slide_id: str | None, case_id: str | None
    ) -> DocumentRecord:
        """Raises Forbidden, UnknownSlide, UnknownCase."""
        await self._may_edit(principal, slide_id, case_id)
        for slide in _stops(document):
            await require_in_thread(self._gate, principal, "view slide", slide)
        return await asyncio.to_thread(self._tours.create, document, slide_id, case_id)

    async def save(
        self, principal: Principal, tour_id: str, document: Mapping[str, Any], revision: int
    ) -> DocumentRecord:
        """Raises Forbidden (also for one that is not seen whole), UnknownTour, UnknownSlide, Conflict."""
        record = await self._found(principal, tour_id)
        await self._may_edit(principal, record.slide_id, record.case_id)
        if self._shown(principal, record) is not record:
            raise Forbidden("edit a tour that you do not see the whole of")
        for slide in _stops(document) - _stops(record.document):
            await require_in_thread(self._gate, principal, "view slide", slide)
        return await asyncio.to_thread(partial(self._tours.save, tour_id, document, revision))

    async def delete(self, principal: Principal, tour_id: str, revision: int) -> None:
        """Raises Forbidden, UnknownTour, Conflict."""
        record = await self._found(principal, tour_id)
        await self._may_edit(principal, record.slide_id, record.case_id)
        await asyncio.to_thread(partial(self._tours.delete, tour_id, revision))

    async def _found(self, principal: Principal, tour_id: str) -> DocumentRecord:
        record = await asyncio.to_thread(self._tours.get, tour_id)
        if not await asyncio.to_thread(self._may_view, principal, record):
            raise UnknownTour(tour_id)
        return record

    async def _may_edit(self, principal: Principal, slide_id: str | None, case_id: str | None) -> None:
        await asyncio.to_thread(self._owner.require_edit, principal, "edit tours", slide_id, case_id)

    def _may_view(self, principal: Principal, record: DocumentRecord | DocumentTitle) -> bool:
        if any(record.id in capability.tours for capability in principal.capabilities):
            return True
        return self._owner.may_view(principal, "view tours", record.slide_id, record.case_id)

    def _shown(self, principal: Principal, record: DocumentRecord) -> DocumentRecord:
        """Without the stops at slides that the principal does not see; the record itself if there are none."""
        hidden = {slide for slide in _stops(record.document) if not self._gate(principal, "view slide", slide)}
        if not hidden:
            return record
        waypoints = [stop for stop in record.document["waypoints"] if stop.get("slide") not in hidden]
        return replace(record, document={**record.document, "waypoints": waypoints})


def _stops(document: Mapping[str, Any]) -> set[str]:
    """The slides that a tour's stops name."""
    return {stop["slide"] for stop in document.get("waypoints", ()) if stop.get("slide")}
