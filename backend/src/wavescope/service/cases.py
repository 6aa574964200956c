"""Cases and collections for those who may see them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from wavescope.catalog.cases import Cases
from wavescope.catalog.records import CaseRecord
from wavescope.service.access import Gate, Principal, require


class CaseShelf:
    """Cases as the principal may see them: slides that the principal may not view are left out."""

    def __init__(self, cases: Cases, gate: Gate) -> None:
        self._cases, self._gate = cases, gate

    async def list(self, principal: Principal, search: str) -> tuple[CaseRecord, ...]:
        require(self._gate, principal, "view cases")
        records = await asyncio.to_thread(self._cases.list, search)
        return tuple(self._seen(principal, record) for record in records)

    async def get(self, principal: Principal, case_id: str) -> CaseRecord:
        """Raises Forbidden, UnknownCase."""
        require(self._gate, principal, "view cases")
        return self._seen(principal, await asyncio.to_thread(self._cases.get, case_id))

    async def create(self, principal: Principal, title: str, kind: str, slides: Sequence[str]) -> CaseRecord:
        """Raises Forbidden, InvalidParameter, UnknownSlide."""
        return await self._edit(principal, partial(self._cases.create, title, kind, slides))

    async def change(
        self, principal: Principal, case_id: str, title: str | None, kind: str | None, revision: int | None
    ) -> CaseRecord:
        """Raises Forbidden, UnknownCase, InvalidParameter, Conflict."""
        return await self._edit(principal, partial(self._cases.change, case_id, title, kind, revision))

    async def add(self, principal: Principal, case_id: str, slides: Sequence[str]) -> CaseRecord:
        """Raises Forbidden, UnknownCase, UnknownSlide, InvalidParameter."""
        return await self._edit(principal, partial(self._cases.add, case_id, slides))

    async def remove(self, principal: Principal, case_id: str, slide_id: str) -> CaseRecord:
        """Raises Forbidden, UnknownCase."""
        return await self._edit(principal, partial(self._cases.remove, case_id, slide_id))

    async def arrange(
        self, principal: Principal, case_id: str, slides: Sequence[str], revision: int | None
    ) -> CaseRecord:
        """Raises Forbidden, UnknownCase, UnknownSlide, InvalidParameter, Conflict."""
        return await self._edit(principal, partial(self._cases.arrange, case_id, slides, revision))

    async def delete(self, principal: Principal, case_id: str) -> None:
        """Raises Forbidden, UnknownCase."""
        require(self._gate, principal, "edit cases")
        await asyncio.to_thread(self._cases.delete, case_id)

    async def _edit(self, principal: Principal, work: Callable[[], CaseRecord]) -> CaseRecord:
        require(self._gate, principal, "edit cases")
        return self._seen(principal, await asyncio.to_thread(work))

    def _seen(self, principal: Principal, record: CaseRecord) -> CaseRecord:
        slides = tuple(slide for slide in record.slides if self._gate(principal, "view slide", slide.id))
        return replace(record, slides=slides)
