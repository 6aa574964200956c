"""Label, macro image and identifying texts, for those who may see them; each view is recorded first (PR42)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from wavescope.errors import UnknownLabel
from wavescope.service.access.audit import AuditService
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.slides.slides import SlideService
from wavescope.store.phi import Phi


@dataclass(frozen=True)
class PhiSummary:
    """What there is of a slide, without its content: names of pictures, number of texts."""

    images: tuple[str, ...]
    texts: int


class PhiService:
    """The identifying data of the slides of one service."""

    def __init__(self, store: Phi, slides: SlideService, gate: Gate, audit: AuditService) -> None:
        self._store, self._slides, self._gate, self._audit = store, slides, gate, audit

    async def summary(self, principal: Principal, slide_id: str) -> PhiSummary:
        """What could be viewed. Raises UnknownSlide, Forbidden, SignInRequired, CorruptStore."""
        digest = await asyncio.to_thread(self._digest, principal, slide_id)
        texts = await asyncio.to_thread(self._store.texts, digest)
        return PhiSummary(await asyncio.to_thread(self._store.images, digest), len(texts))

    async def texts(self, principal: Principal, slide_id: str) -> dict[str, str]:
        """The identifying texts by name; the view is recorded. Raises as ``summary``."""
        digest = await asyncio.to_thread(self._digest, principal, slide_id)
        await self._recorded(principal, slide_id, "texts")
        return await asyncio.to_thread(self._store.texts, digest)

    async def image(self, principal: Principal, slide_id: str, name: str) -> bytes:
        """A picture as PNG; the view is recorded. Raises UnknownLabel, and as ``summary``."""
        digest = await asyncio.to_thread(self._digest, principal, slide_id)
        if name not in await asyncio.to_thread(self._store.images, digest):
            raise UnknownLabel(slide_id, name)
        await self._recorded(principal, slide_id, name)
        found = await asyncio.to_thread(self._store.image, digest, name)
        if found is None:
            raise UnknownLabel(slide_id, name)
        return found

    async def drop(self, principal: Principal, slide_id: str) -> None:
        """Deletes it permanently. Raises as ``summary``."""
        digest = await asyncio.to_thread(self._digest, principal, slide_id)
        await self._audit.recorded(principal, "label removed", slide_id)
        await asyncio.to_thread(self._store.drop, digest)

    def _digest(self, principal: Principal, slide_id: str) -> str:
        require(self._gate, principal, "view label", slide_id)
        return self._slides.current(principal, slide_id)

    async def _recorded(self, principal: Principal, slide_id: str, what: str) -> None:
        await self._audit.recorded(principal, "looked at label", slide_id, what=what)
