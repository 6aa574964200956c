"""Jobs that wait in the catalog, for whichever node takes them first (CL40 to CL44)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal

from wavescope.catalog.jobs.leases import JobLeases, Lease
from wavescope.catalog.jobs.table import JobLeaseLost
from wavescope.catalog.records import JobRecord
from wavescope.logs.faults import fault
from wavescope.logs.loggers import get_logger
from wavescope.service.jobs.queues import Interrupt
from wavescope.service.jobs.views import JobView, JobViews
from wavescope.service.outages import OUTAGES, CatalogRetry

TAKE_SECONDS = 0.5  # between two looks for a job, if none is announced
BEAT_SECONDS = 0.5  # between two signs of life of a job; what clients ask of it is noticed as soon
HERE_SECONDS = 30.0  # that a job counts as one that runs here after its last sign of life

log = get_logger(__name__)


class LeaseQueue:
    """The jobs of a cluster, for one of its nodes. One event loop."""

    shared = True

    def __init__(
        self, leases: JobLeases, views: JobViews, retry: CatalogRetry, announce: Callable[[str], None]
    ) -> None:
        self._announce = announce
        self._leases, self._views, self._retry = leases, views, retry
        self._wake = asyncio.Event()
        self._here: dict[str, float] = {}  # jobs that run here, and when that was so last

    def put(self, job_id: str) -> None:
        """It waits in the catalog; one that was only noted does so later."""
        self._wake.set()

    def announced(self) -> None:
        self._wake.set()

    async def get(self) -> str:
        while True:
            self._wake.clear()
            record = await self._take()
            if record is not None:
                self._here[record.id] = time.monotonic()
                self._views.put(JobView(record))
                return record.id
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), TAKE_SECONDS)

    async def beat(self, record: JobRecord, interrupt: Interrupt) -> None:
        lease = Lease(record.id, record.lease)
        while True:
            self._here[record.id] = time.monotonic()
            view = self._views.find(record.id) or JobView(record)
            now = view.record
            with contextlib.suppress(*OUTAGES):  # an outage that is shorter than the lease changes nothing
                try:
                    wish, options = await asyncio.to_thread(self._leases.beat, lease, now.done, now.total, view.rate)
                except JobLeaseLost:
                    interrupt(record.id, "lost", {})
                    return
                if wish is not None:
                    interrupt(record.id, wish, options)
                    return
            await asyncio.sleep(BEAT_SECONDS)

    async def give_back(self, record: JobRecord, error: Mapping[str, str] | None = None) -> None:
        """If the catalog does not answer, it is taken again when its lease has lapsed."""
        self._here.pop(record.id, None)
        with contextlib.suppress(*OUTAGES):
            await asyncio.to_thread(self._leases.release, Lease(record.id, record.lease), error)
            self._announce(record.id)

    async def ask(
        self, job_id: str, wish: Literal["cancel", "anew"], options: Mapping[str, Any] | None = None
    ) -> JobRecord | None:
        """Raises UnknownJob, CatalogAway, StoreFull."""
        record = await self._retry.in_thread("ask for a job", self._leases.ask, job_id, wish, options)
        self._wake.set()
        self._announce(job_id)
        return record

    async def _take(self) -> JobRecord | None:
        now = time.monotonic()
        self._here = {job_id: last for job_id, last in self._here.items() if now - last < HERE_SECONDS}
        try:
            return await asyncio.to_thread(self._leases.take, tuple(self._here))
        except OUTAGES as cause:
            fault(log, "no jobs can be taken", "job", type(cause).__name__)
            return None
