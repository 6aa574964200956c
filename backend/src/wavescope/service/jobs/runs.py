"""What runs a job, how far it is, and how it ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from wavescope.catalog.jobs.queue import Lease, Progress
from wavescope.catalog.jobs.table import JobLeaseLost
from wavescope.catalog.records import JobRecord, JobState
from wavescope.errors import CatalogAway, IngestClusterAway, NotEnoughSpace, StoreFull, Unavailable
from wavescope.service.jobs.records import JobRecords
from wavescope.service.outages import OUTAGES

LEASE = "lease"
"""Among the options of a run: the number of the lease of a job that several nodes may take."""
AWAY = (CatalogAway.__name__, IngestClusterAway.__name__)
"""Errors of an ingest that goes on later, however long it takes."""
FULL = (StoreFull.__name__, NotEnoughSpace.__name__)
KEPT = (Unavailable.__name__,)
"""Errors of the machine, not of the file: the job is held with its file until its owner starts it again (WI135)."""
RESUMES = "; the import goes on when there is space"
HEARTBEAT_SECONDS = 0.5
"""Between two signs of life of a job with its progress; what clients ask of it is noticed as soon."""
MIN_SECONDS = 0.5  # seconds of work before a rate means anything
Report = Callable[[int, int], None]


class JobFailed(Exception):
    """An ingest ended without a slide. ``cause``: an error class; ``detail``: the message for the user."""

    def __init__(self, cause: str, detail: str) -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause, self.detail = cause, detail


class NoSpace(Exception):
    """A job waits for space on the disk. ``error``: what the user is shown."""

    def __init__(self, error: Mapping[str, str]) -> None:
        super().__init__(error["cause"])
        self.error = error


class IngestResult(NamedTuple):
    """The slide that an ingest made, and what the user should know of its files (ST64)."""

    slide_id: str
    notices: tuple[str, ...] = ()


class Runner(Protocol):
    """Ingests files."""

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        """Ingests a file, calling ``report(done, total)``. Raises JobFailed; stops when cancelled."""
        ...

    async def discard(self, path: Path) -> None:
        """Removes what a run that did not finish has left for a later one."""
        ...


class Run:
    """A job that runs here: what its row does not have yet. ``record``: as it was taken; ``interrupted``: why its task
    is cancelled; ``ending``: its end is being saved; ``asked``: set to look at the row now.
    """

    def __init__(self, record: JobRecord) -> None:
        self.record, self.lease = record, Lease(record.id, record.lease)
        self.progress = Progress(record.done, record.total)
        self.interrupted: Literal["cancel", "anew", "lost"] | None = None
        self.ending = False
        self.asked = asyncio.Event()
        self._first: tuple[float, int] | None = None

    def report(self, done: int, total: int) -> None:
        """What the runner calls. The rate is that since the first report."""
        if not self.progress.total:
            self.asked.set()
        now = time.monotonic()
        self._first = self._first or (now, done)
        seconds, tiles = now - self._first[0], done - self._first[1]
        rate = tiles / seconds if seconds > MIN_SECONDS and tiles > 0 else None
        self.progress = Progress(done, total, rate)

    async def follow(self, task: asyncio.Task[IngestResult], records: JobRecords) -> None:
        """Writes the progress of the task, and cancels it if a client wants that, or another node has the job."""
        written = Progress(self.record.done, self.record.total)
        while self.interrupted is None:
            progress = self.progress
            changed = progress if progress != written else None
            with suppress(*OUTAGES):  # one that is shorter than the lease changes nothing
                try:
                    self.interrupted = await asyncio.to_thread(records.queue.heartbeat, self.lease, changed)
                    written = progress
                except JobLeaseLost:
                    self.interrupted = "lost"
                if changed:
                    records.announce(self.record.id)
            if self.interrupted is None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await self.asked.wait()
                self.asked.clear()
        task.cancel()

    def ended(self, state: JobState, made: IngestResult | None, error: Mapping[str, str] | None) -> JobRecord:
        """The record of this end; from now on it is being saved."""
        self.ending = True
        slide_id, notices = made or (None, ())
        now, (done, total, _) = time.time(), self.progress
        record = replace(self.record, state=state, slide_id=slide_id, notices=notices, error=error, updated=now)
        return replace(record, done=done, total=total)
