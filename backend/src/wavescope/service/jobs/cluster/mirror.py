"""The jobs of a cluster as this node shows them: what other nodes have changed is read from the catalog (CL44)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from wavescope.catalog.jobs.table import JobTable
from wavescope.catalog.records import JobRecord
from wavescope.logs.faults import fault
from wavescope.logs.loggers import get_logger
from wavescope.service.jobs.views import JobView, JobViews
from wavescope.service.outages import OUTAGES

LOOK_SECONDS = 1.0  # between two looks if no client waits for a change
WATCHED_SECONDS = 0.25

log = get_logger(__name__)


class JobMirror:
    """Follows the jobs of the catalog. ``local``: whether this node knows better, since the job runs here or is not in
    the catalog yet. One event loop.
    """

    def __init__(self, table: JobTable, views: JobViews, local: Callable[[str], bool]) -> None:
        self._table, self._views, self._local = table, views, local
        self._task: asyncio.Task[None] | None = None
        self._turn, self._announced = asyncio.Lock(), asyncio.Event()

    async def start(self) -> None:
        """Follows them from now on. Raises CatalogAway."""
        await self.look()
        self._task = asyncio.create_task(self._follow(), name="follow the jobs of other nodes")

    @property
    def started(self) -> bool:
        return self._task is not None

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def announced(self) -> None:
        """Another node has changed a job."""
        self._announced.set()

    async def look(self) -> None:
        """Learns what has changed. Raises CatalogAway, StoreFull."""
        async with self._turn:
            before = self._views.changes()
            there = await asyncio.to_thread(self._table.changes)
            elsewhere = {job_id: change for job_id, change in there.items() if not self._local(job_id)}
            changed = [job_id for job_id, change in elsewhere.items() if before.get(job_id) != change]
            records = await asyncio.to_thread(self._table.some, changed) if changed else ()
            for record in records:
                self._show(record)
            for job_id in before.keys() - there.keys():
                if not self._local(job_id):
                    self._views.remove(job_id)

    async def look_at(self, job_id: str) -> None:
        """The same, of one job."""
        if self._local(job_id):
            return
        records = await asyncio.to_thread(self._table.some, [job_id])
        for record in records:
            self._show(record)
        if not records and self._views.find(job_id) is not None and not self._local(job_id):
            self._views.remove(job_id)

    def _show(self, record: JobRecord) -> None:
        view, known = JobView(record), self._views.find(record.id)
        if known is not None and (known.record.change >= record.change or known.ended > view.ended):
            return  # read before the end
        if not self._local(record.id):
            rate = record.rate if record.state == "running" else None
            self._views.put(JobView(record, rate, (record.total - record.done) / rate if rate else None))

    async def _follow(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._announced.wait(), WATCHED_SECONDS if self._views.watched else LOOK_SECONDS)
            self._announced.clear()
            try:
                await self.look()
            except OUTAGES as cause:
                fault(log, "the jobs of other nodes are not seen", "job", type(cause).__name__)
