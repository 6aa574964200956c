"""Running jobs, one after another."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextvars import Context, copy_context
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from wavescope.catalog.records import JobRecord, JobState
from wavescope.errors import CatalogAway, NotEnoughSpace, StoreFull, UnknownJob
from wavescope.logs import faults
from wavescope.logs.loggers import get_logger
from wavescope.logs.safe import without_paths
from wavescope.service.jobs.rate import Rate
from wavescope.service.jobs.records import JobRecords
from wavescope.service.jobs.uploads import discard
from wavescope.service.jobs.views import JobView, JobViews

AGAIN_SECONDS = 5.0  # before a job whose process lost the catalog is run again
SPACE_AGAIN_SECONDS = 30.0  # before a job that found the disk full is run again
FULL = (StoreFull.__name__, NotEnoughSpace.__name__)
GOES_ON = "; the import goes on when there is space"

log = get_logger(__name__)

Report = Callable[[int, int], None]


class JobFailed(Exception):
    """An ingest ended without a slide. ``cause``: an error class; ``detail``: the message for the user."""

    def __init__(self, cause: str, detail: str) -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause, self.detail = cause, detail


class NoSpace(Exception):
    """A job waits for space on the disk."""


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
    """Runs the queued jobs of one store. One event loop.

    A job ends in the catalog first; only then its file is removed (OP42). An outage of the catalog ends no job, and a
    full disk only after ``space_seconds``.
    """

    def __init__(self, records: JobRecords, runner: Runner, views: JobViews, space_seconds: float) -> None:
        self._records, self._runner, self._folder, self._views = records, runner, records.folder, views
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._causes: dict[str, Context] = {}  # in which the jobs were queued: they belong to these requests
        self._task: asyncio.Task[None] | None = None
        self._running: tuple[str, asyncio.Task[Made]] | None = None
        self._anew: dict[str, Mapping[str, Any]] = {}  # options with which running jobs are to be restarted
        self._ended: dict[str, JobRecord] = {}  # outcomes that are not stored yet
        self._space_seconds = space_seconds
        self._full_since: dict[str, float] = {}  # jobs that wait for space
        self.ended: Counter[JobState] = Counter()  # jobs that have ended since the start

    @property
    def started(self) -> bool:
        """Whether this service runs the jobs of the store."""
        return self._task is not None

    @property
    def alive(self) -> bool:
        """Whether it works, unless it was not started."""
        return self._task is None or not self._task.done()

    def start(self) -> None:
        """Works from now on."""
        self._task = asyncio.create_task(self._work(), name="run ingest jobs")

    async def stop(self) -> None:
        """Stops working; what is unfinished stays so."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def queue(self, job_id: str) -> None:
        """The job runs after those that are queued already."""
        log.info("job queued", job=job_id)
        self._causes[job_id] = copy_context()
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
            try:
                while (view := self._views.find(job_id)) and view.record.state in ("queued", "running"):
                    await self._run(job_id)
            except UnknownJob:  # another service of this store forgot it
                self._views.remove(job_id)
            except NoSpace:
                self._queue.put_nowait(job_id)
                await asyncio.sleep(SPACE_AGAIN_SECONDS)
            except Exception:  # of one job: it waits for another attempt, after the others
                log.exception("job interrupted", job=job_id)
                self._queue.put_nowait(job_id)
                await asyncio.sleep(AGAIN_SECONDS)

    async def _run(self, job_id: str) -> None:
        """Runs one job to its end; only the end of the service stops it without one."""
        if job_id in self._ended:  # an earlier attempt could not be stored
            await self._store_end(self._ended[job_id])
            return
        record = replace(self._views[job_id].record, state="running", error=None, updated=time.time())
        self._views.put(JobView(record))
        await self._records.save(record)
        if (view := self._views.find(job_id)) is None or view.ended:  # cancelled meanwhile
            if view is not None:
                await self._records.save(view.record)
            return
        log.info("job started", job=job_id, quality=record.options.get("quality", ""))
        path = job_path(self._folder, record)
        report = Rate(self._views.progress, job_id).report
        run = self._runner.run(path, record.options, report)
        task = asyncio.get_running_loop().create_task(run, context=self._causes.get(job_id))
        self._running = job_id, task
        try:
            await self.end(job_id, "done", made=await asyncio.shield(task))
        except JobFailed as failure:
            if failure.cause == CatalogAway.__name__:
                self._views.put(JobView(replace(record, state="queued")))
                raise
            if failure.cause in FULL:
                self._wait_for_space(record, failure)
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
        except CatalogAway:
            raise
        except Exception as failure:  # the reason reaches the user as the job's error
            if job_id in self._ended:
                raise
            log.exception("the ingest broke down", job=job_id)
            await self.end(job_id, "failed", error={"cause": type(failure).__name__, "detail": str(failure)})
        finally:
            self._running = None

    def _wait_for_space(self, record: JobRecord, failure: JobFailed) -> None:
        """What is encoded stays, and so does the file (OP42). Raises NoSpace, unless the job has waited long enough."""
        now = time.monotonic()
        if now - self._full_since.setdefault(record.id, now) >= self._space_seconds:
            return
        error = {"cause": failure.cause, "detail": without_paths(failure.detail) + GOES_ON}
        self._views.put(JobView(replace(record, state="queued", error=error)))
        faults.fault(log, "an import waits for space", "job", failure.cause, job=record.id)
        raise NoSpace

    async def _requeue(self, job_id: str, path: Path) -> None:
        """Back to the beginning, with other options; what was encoded with the former ones is removed."""
        await self._runner.discard(path)
        while (options := self._anew.get(job_id)) is not None:
            record = replace(self._views[job_id].record, state="queued", options=options, done=0, total=0)
            with contextlib.suppress(UnknownJob):
                await self._records.save(record)
            if self._anew.get(job_id) is options:  # else changed again meanwhile
                del self._anew[job_id]
                self._views.put(JobView(record))
                log.info("job restarted", job=job_id, quality=options.get("quality", ""))
                return
        await self.end(job_id, "cancelled")

    async def cancel_waiting(self, job_id: str) -> None:
        """Ends a job that does not run now. Raises CatalogAway, StoreFull: nothing has changed."""
        record = replace(self._views[job_id].record, state="cancelled", updated=time.time())
        with contextlib.suppress(UnknownJob):
            await self._records.save(record, soon=True)
        await self._discard(record)

    async def end(
        self, job_id: str, state: JobState, made: Made | None = None, error: Mapping[str, str] | None = None
    ) -> None:
        """Ends a job in this state, then removes its file. Raises CatalogAway, StoreFull: the job has not ended."""
        self._anew.pop(job_id, None)
        record = self._views[job_id].record
        slide_id, notices = made or (None, ())
        if error is not None:
            error = {**error, "detail": without_paths(error["detail"])}
        record = replace(record, state=state, slide_id=slide_id, notices=notices, error=error, updated=time.time())
        self._ended[job_id] = record
        await self._store_end(record)

    async def _store_end(self, record: JobRecord) -> None:
        """Saves before it discards."""
        with contextlib.suppress(UnknownJob):  # another service of this store forgot it: announced, not stored
            await self._records.save(record)
        await self._discard(record)

    async def _discard(self, record: JobRecord) -> None:
        """Removes the file of a job whose end is saved, and announces the end."""
        path = job_path(self._folder, record)
        if record.state != "done":
            await self._runner.discard(path)
        await asyncio.to_thread(discard, path)
        self._ended.pop(record.id, None)
        self._full_since.pop(record.id, None)
        self._causes.pop(record.id, None)
        self._views.put(JobView(record))
        self.ended[record.state] += 1
        seconds = round(record.updated - record.created, 1)
        cause = (record.error or {}).get("cause", "")
        if record.state == "failed":
            faults.count("job", cause)
        write = log.warning if record.state == "failed" else log.info
        write("job failed" if record.state == "failed" else "job ended", job=record.id, state=record.state,
              seconds=seconds, tiles=record.total, cause=cause, notices=len(record.notices))  # fmt: skip
