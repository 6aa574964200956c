"""Cases and collections for those who may see them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from wavescope.catalog.cases import Cases
from wavescope.catalog.records import CaseChange, CaseRecord, ListedCase
from wavescope.catalog.visible import visible_to
from wavescope.errors import UnknownCase
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.access.sharing_gate import CaseGate


class CaseService:
    """Cases as the principal may see them: slides that the principal may not view are left out (AC15, AC16)."""

    def __init__(self, cases: Cases, gate: Gate, case_gate: CaseGate) -> None:
        self._cases, self._gate, self._case_gate = cases, gate, case_gate

    async def list(self, principal: Principal, search: str) -> tuple[ListedCase, ...]:
        require(self._gate, principal, "view cases")
        return await asyncio.to_thread(self._cases.list, search, visible_to(principal))

    async def get(self, principal: Principal, case_id: str) -> CaseRecord:
        """Raises Forbidden, UnknownCase."""
        require(self._gate, principal, "view cases")
        await asyncio.to_thread(self._case_gate.require, principal, case_id, "view")
        return self._visible_part(principal, await asyncio.to_thread(self._cases.get, case_id))

    async def create(
        self,
        principal: Principal,
        title: str,
        kind: str,
        slides: Sequence[str],
        description: str = "",
        parent: str = "",
    ) -> CaseRecord:
        """Raises Forbidden, InvalidParameter, UnknownSlide, UnknownCase, InvalidNesting."""
        require(self._gate, principal, "edit cases")
        await self._require_place(principal, parent)
        self._require_visible(principal, slides)
        record = await asyncio.to_thread(self._cases.create, title, kind, slides, principal.id, description, parent)
        return self._visible_part(principal, record)

    async def change(self, principal: Principal, case_id: str, change: CaseChange, revision: int | None) -> CaseRecord:
        """Raises Forbidden, UnknownCase, InvalidParameter, InvalidNesting, Conflict."""
        require(self._gate, principal, "edit cases")
        await self._require_place(principal, change.parent)
        return await self._edit(principal, case_id, partial(self._cases.change, case_id, change, revision))

    async def add(self, principal: Principal, case_id: str, slides: Sequence[str]) -> CaseRecord:
        """Raises Forbidden, UnknownCase, UnknownSlide, InvalidParameter."""
        work = partial(self._cases.add, case_id, slides)
        return await self._edit(principal, case_id, work, slides)

    async def remove(self, principal: Principal, case_id: str, slide_id: str) -> CaseRecord:
        """Raises Forbidden, UnknownCase."""
        return await self._edit(principal, case_id, partial(self._cases.remove, case_id, slide_id))

    async def arrange(
        self, principal: Principal, case_id: str, slides: Sequence[str], revision: int | None
    ) -> CaseRecord:
        """Slides that the principal does not see keep their places. Raises as ``add``, and Conflict."""

        def work() -> CaseRecord:
            stored = self._cases.get(case_id).slides
            unseen = {slide.id for slide in stored if not self._gate(principal, "view slide", slide.id)}
            return self._cases.arrange(case_id, slides, revision, unseen)

        return await self._edit(principal, case_id, work, slides)

    async def delete(self, principal: Principal, case_id: str) -> None:
        """Raises Forbidden, UnknownCase."""
        require(self._gate, principal, "edit cases")
        await asyncio.to_thread(self._case_gate.require, principal, case_id, "own")
        await asyncio.to_thread(self._cases.delete, case_id)

    async def _edit(
        self, principal: Principal, case_id: str, work: Callable[[], CaseRecord], slides: Sequence[str] = ()
    ) -> CaseRecord:
        require(self._gate, principal, "edit cases")
        await asyncio.to_thread(self._case_gate.require, principal, case_id, "own")
        self._require_visible(principal, slides)
        return self._visible_part(principal, await asyncio.to_thread(work))

    async def _require_place(self, principal: Principal, parent: str | None) -> None:
        """What is put into a collection needs the right to change it."""
        if parent:
            await asyncio.to_thread(self._case_gate.require, principal, parent, "own")

    def _require_visible(self, principal: Principal, slides: Sequence[str]) -> None:
        for slide_id in slides:
            require(self._gate, principal, "view slide", slide_id)

    def _visible_part(self, principal: Principal, record: CaseRecord) -> CaseRecord:
        slides = tuple(slide for slide in record.slides if self._gate(principal, "view slide", slide.id))
        return replace(record, slides=slides, parent=self._visible_parent(principal, record.parent))

    def _visible_parent(self, principal: Principal, parent: str) -> str:
        try:
            return parent if parent and self._case_gate.right(principal, parent) else ""
        except UnknownCase:
            return ""
