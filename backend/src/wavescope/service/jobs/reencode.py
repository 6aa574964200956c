"""Encoding stored slides again: the estimate, and the job that makes a new version (ST68)."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.names import Names
from wavescope.config import Config
from wavescope.errors import CorruptStore, MemoryLimit, StaleVersion, Unavailable
from wavescope.ingest.quality.presets import quality_of
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.children import start_child
from wavescope.service.jobs.jobs import JobService
from wavescope.service.jobs.uploads import UploadOptions
from wavescope.service.jobs.views import JobView
from wavescope.service.storage import stored_manifest

ESTIMATES = 1  # at one time: each uses all processors


class ReencodeService:
    """New versions of the slides of one store, from their stored ones. One event loop."""

    def __init__(self, catalog: Catalog, jobs: JobService, gate: Gate, config: Config) -> None:
        self._catalog, self._jobs, self._gate = catalog, jobs, gate
        self._config = config
        self._estimating = asyncio.Semaphore(ESTIMATES)

    async def advice(self, principal: Principal, slide_id: str) -> dict[str, Any]:
        """What encoding the slide again would take, in each quality. Raises Forbidden, UnknownSlide, StaleVersion,
        CorruptStore, MemoryLimit, Unavailable.
        """
        digest = await asyncio.to_thread(self._digest, principal, slide_id)
        async with self._estimating:
            found = await self._estimated(digest)
        match found.get("cause"):
            case None:
                return found
            case "MemoryLimit":
                raise MemoryLimit(self._config.limits.ingest_memory)
            case "StaleVersion":
                raise StaleVersion(slide_id, digest)
            case "Unavailable":
                raise Unavailable("the object store", str(found["detail"]))
            case _:
                raise CorruptStore(digest, "the pixels", str(found["detail"]))

    async def start(self, principal: Principal, slide_id: str, quality: str) -> JobView:
        """Queues the job. The version before can be read until it is collected; its losses stay.

        Raises Forbidden, UnknownSlide, Unavailable, TooLarge, StoreBusy (such a job has not ended), InvalidParameter
        (the quality makes no sense for the slide, ST68).
        """
        from wavescope.ingest.reencode import check_quality  # here: it imports all readers of slide files

        digest = await asyncio.to_thread(self._digest, principal, slide_id)
        before = await asyncio.to_thread(stored_manifest, self._config, digest)
        check_quality(before, quality)
        title = await asyncio.to_thread(Names(self._catalog), "slide", slide_id)
        options = UploadOptions(id=slide_id, quality=quality_of(quality).name, reencodes=digest)
        return await self._jobs.reencode(principal, title or slide_id, options)

    def _digest(self, principal: Principal, slide_id: str) -> str:
        """Of the current version, for a principal that may replace it."""
        require(self._gate, principal, "rename slide", slide_id)
        require(self._gate, principal, "upload")
        return self._catalog.resolve(slide_id)

    async def _estimated(self, digest: str) -> dict[str, Any]:
        """The answer of a child process, which is ended if its client has gone."""
        config = self._config
        order = {
            "store": str(config.store),
            "slide_store": config.slide_store,
            "slide_store_seconds": config.slide_store_seconds,
            "digest": digest,
            "limits": vars(config.limits),
        }
        child = await start_child("wavescope.service.jobs.advice_child", order)
        try:
            output, _ = await child.communicate()
        finally:
            if child.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    child.kill()
                await child.wait()
        lines = output.splitlines()
        found: dict[str, Any] = json.loads(lines[-1]) if lines else {"cause": "MemoryLimit"}
        return found
