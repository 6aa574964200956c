"""Original files for those who may have them; each download is recorded before its first byte (ST95, PR48)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

from wavescope.caches import BoundedCache
from wavescope.catalog.originals.table import OriginalTable
from wavescope.errors import OriginalDamaged, UnknownOriginal
from wavescope.service.access.audit import HOUR, AuditService
from wavescope.service.access.gate import Gate, Principal, require, require_in_thread
from wavescope.service.slides.collection import VersionCollector
from wavescope.store.files.stored import CHUNK, StoredFile, StoredFiles

CACHED = 4096  # downloads that were recorded within the hour


class OriginalService:
    """The original files of the slides of one service."""

    def __init__(
        self, table: OriginalTable, originals: StoredFiles, gate: Gate, audit: AuditService, collector: VersionCollector
    ) -> None:
        self._table, self._originals, self._gate, self._audit = table, originals, gate, audit
        self._collector = collector
        self._recorded: BoundedCache[tuple[str, str, str, str], float] = BoundedCache(CACHED)

    async def get(self, principal: Principal, slide_id: str) -> StoredFile:
        """The original file, which is there. Raises UnknownSlide, Forbidden, SignInRequired, UnknownOriginal,
        OriginalDamaged, Unavailable.
        """
        return await asyncio.to_thread(self._get, principal, slide_id)

    def _get(self, principal: Principal, slide_id: str) -> StoredFile:
        require(self._gate, principal, "download original", slide_id)
        file = self._table.of(slide_id)
        if file is None:
            raise UnknownOriginal(slide_id)
        size = self._originals.size(file.sha256)
        if size != file.size:
            reason = "it is missing" if size is None else f"it has {size} bytes instead of {file.size}"
            raise OriginalDamaged(file.sha256, reason)
        return file

    async def record(self, principal: Principal, slide_id: str, file: StoredFile) -> None:
        """Records a download, of whatever part, once an hour for this principal and file. Raises CatalogAway and the
        errors of a log that cannot be written.
        """
        key = principal.kind, principal.id or principal.name, slide_id, file.sha256
        if time.monotonic() >= (self._recorded.find(key) or 0.0):
            await self._audit.recorded(principal, "original downloaded", slide_id, file=file.name, bytes=file.size)
            self._recorded.put(key, time.monotonic() + HOUR)

    async def chunks(self, file: StoredFile, span: range) -> AsyncIterator[bytes]:
        """The bytes of a file in this span, piece by piece. Raises OriginalDamaged, Unavailable."""
        for start in range(span.start, span.stop, CHUNK):
            try:
                yield await self._originals.read(file.sha256, start, min(CHUNK, span.stop - start))
            except (FileNotFoundError, ValueError) as cause:
                raise OriginalDamaged(file.sha256, "it is missing, or shorter than it was") from cause

    async def drop(self, principal: Principal, slide_id: str) -> None:
        """Deletes it permanently and frees its space; the slide stays. Raises as ``get``."""
        await require_in_thread(self._gate, principal, "delete slide", slide_id)
        file = await asyncio.to_thread(self._table.of, slide_id)
        if file is None:
            raise UnknownOriginal(slide_id)
        await self._audit.recorded(principal, "original deleted", slide_id, file=file.name, bytes=file.size)
        await asyncio.to_thread(self._table.drop, slide_id)
        await self._collector.collect()
