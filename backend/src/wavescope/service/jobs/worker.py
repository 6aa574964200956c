"""Running jobs, one after another."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from wavescope.catalog.jobs import JobTable
from wavescope.catalog.records import JobRecord, JobState
from wavescope.errors import UnknownJob
from wavescope.service.jobs.rate import Rate
from wavescope.service.jobs.uploads import discard
from wavescope.service.jobs.views import JobView, JobViews

Report = Callable[[int, int], None]


class JobFailed(Exception):
    """An ingest ended without a slide. ``cause``: an error class; ``detail``: the message for the user."""

    def __init__(self, cause: str, detail: str) -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause, self.detail = cause, detail


class Made(NamedTuple):
    """The slide that an ingest made, and what the user should know of its files (ST64)."""

    slide_id: str
    notices: tuple[str, ...] = ()


class Runner(Protocol):
    """Ingests files."""

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> Made:
        """Ingests a file, calling ``report(done, total)``. Raises JobFailed; stops when cancelled."""
        ...

    async def discard(self, path: Path) -> None:
        """Removes what a run that did not finish has left for a later one."""
        ...


def job_path(folder: Path, record: JobRecord) -> Path:
    """The path of a job's file."""
    return folder / record.id / record.filename


class JobWorker:
    """Runs the queued jobs of one store. One event loop."""

    def __init__(self, table: JobTable, runner: Runner, folder: Path, views: JobViews) -> None:
        self._table, self._runner, self._folder, self._views = table, runner, folder, views
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._running: tuple[str, asyncio.Task[Made]] | None = None
        self._anew: dict[str, Mapping[str, Any]] = {}  # options with which running jobs are to be restarted

    @property
    def started(self) -> bool:
        """Whether this service runs the jobs of the store."""
        return self._task is not None

    def start(self) -> None:
        """Works from now on."""
        self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Stops working; what is unfinished stays so."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def queue(self, job_id: str) -> None:
        """The job runs after those that are queued already."""
        self._queue.put_nowait(job_id)

    def runs(self, job_id: str) -> bool:
        """Whether it is the job that runs now."""
        return self._running is not None and self._running[0] == job_id

    async def begin_anew(self, job_id: str, options: Mapping[str, Any]) -> JobView:
        """Stops the running job and starts it again with these options. One that ends meanwhile has ended."""
        assert self._running is not None
        self._anew[job_id] = options
        self._running[1].cancel()
        while job_id in self._anew and not self._views.closing:
            await self._views.changed(job_id)
        return self._views[job_id]

    async def cancel(self, job_id: str) -> None:
        """Stops the running job; returns when it has ended."""
        assert self._running is not None
        task = self._running[1]
        self._anew.pop(job_id, None)
        task.cancel()
        await asyncio.wait({task})
        await self._views.ended(job_id)

    async def _work(self) -> None:
        while True:
            job_id = await self._queue.get()
            while (view := self._views.find(job_id)) and view.record.state in ("queued", "running"):
                await self._run(job_id)

    async def _run(self, job_id: str) -> None:
        """Runs one job to its end; only the end of the service stops it without one."""
        record = replace(self._views[job_id].record, state="running", updated=time.time())
        self._views.put(JobView(record))
        await asyncio.to_thread(self._table.save, record)
        path = job_path(self._folder, record)
        report = Rate(self._views.progress, job_id).report
        task = asyncio.ensure_future(self._runner.run(path, record.options, report))
        self._running = job_id, task
        try:
            await self.end(job_id, "done", made=await asyncio.shield(task))
        except JobFailed as failure:
            await self.end(job_id, "failed", error={"cause": failure.cause, "detail": failure.detail})
        except asyncio.CancelledError:
            if not task.cancelled():  # this worker is cancelled, not the job
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                raise
            if job_id in self._anew:
                await self._requeue(job_id, path)
            else:
                await self.end(job_id, "cancelled")
        except Exception as failure:  # the reason reaches the user as the job's error
            await self.end(job_id, "failed", error={"cause": type(failure).__name__, "detail": str(failure)})
        finally:
            self._running = None

    async def _requeue(self, job_id: str, path: Path) -> None:
        """Back to the beginning, with other options; what was encoded with the former ones is removed."""
        await self._runner.discard(path)
        while (options := self._anew.get(job_id)) is not None:
            record = replace(self._views[job_id].record, state="queued", options=options, done=0, total=0)
            with contextlib.suppress(UnknownJob):
                await asyncio.to_thread(self._table.save, record)
            if self._anew.get(job_id) is options:  # else changed again meanwhile
                del self._anew[job_id]
                self._views.put(JobView(record))
                return
        await self.end(job_id, "cancelled")

    async def end(
        self, job_id: str, state: JobState, made: Made | None = None, error: Mapping[str, str] | None = None
    ) -> None:
        """Ends a job in this state; its file is removed."""
        self._anew.pop(job_id, None)
        record = self._views[job_id].record
        slide_id, notices = made or (None, ())
        record = replace(record, state=state, slide_id=slide_id, notices=notices, error=error, updated=time.time())
        path = job_path(self._folder, record)
        if state != "done":
            await self._runner.discard(path)
        await asyncio.to_thread(discard, path)
        with contextlib.suppress(UnknownJob):  # another service of this store forgot it: announced, not stored
            await asyncio.to_thread(self._table.save, record)
        self._views.put(JobView(record))
