"""The trash for those who may use it: deleting, looking, restoring, purging."""

from __future__ import annotations

import asyncio
import time

from wavescope.catalog.records import SlideRecord
from wavescope.catalog.trash import Trash
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.slides.slides import Slides
from wavescope.store.version import SlideVersion


class TrashService:
    """Slides that were deleted and can come back for ``seconds``."""

    def __init__(self, trash: Trash, slides: Slides, gate: Gate, seconds: float) -> None:
        self._trash, self._slides, self._gate = trash, slides, gate
        self.seconds = seconds

    async def put(self, principal: Principal, slide_id: str) -> SlideRecord:
        """Deletes a slide: it goes to the trash. Raises Forbidden, UnknownSlide."""
        require(self._gate, principal, "delete slide", slide_id)
        return await asyncio.to_thread(self._trash.put, slide_id)

    async def list(self, principal: Principal) -> tuple[SlideRecord, ...]:
        """What the principal may restore."""
        require(self._gate, principal, "view trash")
        records = await asyncio.to_thread(self._trash.list)
        return tuple(record for record in records if self._gate(principal, "delete slide", record.id))

    async def version(self, principal: Principal, slide_id: str) -> SlideVersion:
        """The open current version of a slide in the trash, for its thumbnail."""
        require(self._gate, principal, "view trash")
        require(self._gate, principal, "delete slide", slide_id)
        record = await asyncio.to_thread(self._trash.get, slide_id)
        return await self._slides.open_digest(record.digest)

    async def restore(self, principal: Principal, slide_id: str) -> SlideRecord:
        """Raises Forbidden, UnknownSlide."""
        require(self._gate, principal, "delete slide", slide_id)
        return await asyncio.to_thread(self._trash.restore, slide_id)

    async def purge(self, principal: Principal, slide_id: str) -> SlideRecord:
        """Removes a slide of the trash for good and tells what it was; its bytes go with the next collection."""
        require(self._gate, principal, "delete slide", slide_id)
        return await asyncio.to_thread(self._trash.purge, slide_id)

    async def empty(self, principal: Principal) -> tuple[SlideRecord, ...]:
        """Purges all that the principal may delete; what that was."""
        return tuple([await self.purge(principal, record.id) for record in await self.list(principal)])

    async def purge_old(self) -> None:
        """Purges what has lain in the trash for long enough."""
        await asyncio.to_thread(self._trash.purge_before, time.time() - self.seconds)
