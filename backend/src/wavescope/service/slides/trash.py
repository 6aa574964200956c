"""The trash for those who may use it: deleting, listing, restoring, purging."""

from __future__ import annotations

import asyncio
import time

from wavescope.catalog.records import SlideRecord
from wavescope.catalog.trash import Trash
from wavescope.service.access.audit import AuditService
from wavescope.service.access.gate import Gate, Principal, require, require_in_thread
from wavescope.service.slides.collection import VersionCollector
from wavescope.service.slides.slides import SlideService
from wavescope.store.version import SlideVersion


class TrashService:
    """Slides that were deleted and can come back for ``seconds``."""

    def __init__(
        self,
        trash: Trash,
        slides: SlideService,
        gate: Gate,
        audit: AuditService,
        seconds: float,
        collector: VersionCollector,
    ) -> None:
        self._trash, self._slides, self._gate, self._audit, self._collector = trash, slides, gate, audit, collector
        self.seconds = seconds

    async def put(self, principal: Principal, slide_id: str) -> SlideRecord:
        """Deletes a slide: it goes to the trash. Raises Forbidden, UnknownSlide."""
        await require_in_thread(self._gate, principal, "delete slide", slide_id)
        return await asyncio.to_thread(self._trash.put, slide_id)

    async def list(self, principal: Principal) -> tuple[SlideRecord, ...]:
        """What the principal may restore."""
        require(self._gate, principal, "view trash")
        records = await asyncio.to_thread(self._trash.list)
        return tuple(record for record in records if self._gate(principal, "delete slide", record.id))

    async def version(self, principal: Principal, slide_id: str) -> SlideVersion:
        """The open current version of a slide in the trash, for its thumbnail."""
        require(self._gate, principal, "view trash")
        await require_in_thread(self._gate, principal, "delete slide", slide_id)
        record = await asyncio.to_thread(self._trash.get, slide_id)
        return await self._slides.open_digest(record.digest)

    async def restore(self, principal: Principal, slide_id: str) -> SlideRecord:
        """Raises Forbidden, UnknownSlide."""
        await require_in_thread(self._gate, principal, "delete slide", slide_id)
        return await asyncio.to_thread(self._trash.restore, slide_id)

    async def purge(self, principal: Principal, slide_id: str) -> SlideRecord:
        """Permanently deletes a slide in the trash and frees its space; returns its record. Raises Forbidden,
        UnknownSlide.
        """
        purged = await self._purge(principal, slide_id)
        await self._collector.collect()
        return purged

    async def empty(self, principal: Principal) -> tuple[SlideRecord, ...]:
        """Purges all that the principal may delete and frees the space; what that was."""
        purged = tuple([await self._purge(principal, record.id) for record in await self.list(principal)])
        await self._collector.collect()
        return purged

    async def purge_old(self) -> None:
        """Purges the slides that have been in the trash for ``seconds``, records each (PR30), and frees their space."""
        for purged in await asyncio.to_thread(self._trash.purge_before, time.time() - self.seconds):
            self._audit.record_own("purged", purged.id, title=purged.title)
        await self._collector.collect()

    async def _purge(self, principal: Principal, slide_id: str) -> SlideRecord:
        await require_in_thread(self._gate, principal, "delete slide", slide_id)
        return await asyncio.to_thread(self._trash.purge, slide_id)
