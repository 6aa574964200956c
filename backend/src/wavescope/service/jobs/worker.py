"""Running jobs, one after another, or several at one time."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Mapping
from contextvars import Context, copy_context
from dataclasses import replace
from typing import Any

from wavescope.catalog.jobs.table import JobLeaseLost
from wavescope.catalog.records import JobRecord, JobState
from wavescope.errors import NotEnoughSpace, StoreFull, Unavailable, UnknownJob, UnreadableSource
from wavescope.logs import faults
from wavescope.logs.loggers import get_logger
from wavescope.logs.safe import without_paths
from wavescope.service.jobs.files import job_path
from wavescope.service.jobs.queues import Wish, WorkerEnvironment
from wavescope.service.jobs.rate import Rate
from wavescope.service.jobs.records import JobRecords
from wavescope.service.jobs.runs import AWAY, FULL, GOES_ON, KEPT, LEASE, JobFailed, Made, NoSpace, Report, Runner
from wavescope.service.jobs.views import JobView, JobViews

AGAIN_SECONDS = 5.0  # before a job whose process lost the catalog is run again
LOOK_SECONDS = 5.0  # between two looks at how many jobs may run at one time
CANCEL_SECONDS = 10.0  # that a client waits until another node has ended a job
SPACE_AGAIN_SECONDS = 30.0  # before a job that found the disk full is run again

log = get_logger(__name__)


class JobWorker:
    """Runs the queued jobs of one store. One event loop.

    A job ends in the catalog first; only then its file is removed (OP42). An outage of the catalog ends no job, and a
    full disk only after ``space_seconds``.
    """

    def __init__(
        self,
        records: JobRecords,
        runner: Runner,
        views: JobViews,
        space_seconds: float,
        environment: WorkerEnvironment,
    ) -> None:
        self._records, self._runner, self._views = records, runner, views
        self._queue, self._files, self._at_once, self._runner_fetches = environment
        self._causes: dict[str, Context] = {}  # in which the jobs were queued: they belong to these requests
        self._task: asyncio.Task[None] | None = None
        self._running: dict[str, asyncio.Task[Made]] = {}
        self._anew: dict[str, Mapping[str, Any]] = {}  # options with which running jobs are to be restarted
        self._lost: set[str] = set()  # running jobs that another node has
        self._ended: dict[str, JobRecord] = {}  # outcomes that are not stored yet
        self._space_seconds, self._full_since = space_seconds, dict[str, float]()  # the latter: of jobs that wait
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
        self._queue.put(job_id)

    def runs(self, job_id: str) -> bool:
        """Whether the job runs here now."""
        return job_id in self._running

    async def begin_anew(self, job_id: str, options: Mapping[str, Any]) -> JobView:
        """Stops the running job and starts it again with these options. One that ends meanwhile has ended."""
        self.interrupt(job_id, "anew", options)
        while job_id in self._anew and not self._views.closing:
            await self._views.changed(job_id)
        return self._views[job_id]

    async def cancel(self, job_id: str) -> None:
        """Stops the running job; returns when it has ended."""
        task = self._running[job_id]
        self.interrupt(job_id, "cancel", {})
        await asyncio.wait({task})
        await self._views.ended(job_id)

    def interrupt(self, job_id: str, wish: Wish, options: Mapping[str, Any]) -> None:
        """Ends the run of a job: it is cancelled, begins anew with these options, or another node has it."""
        self._anew.pop(job_id, None)
        if wish == "anew":
            self._anew[job_id] = options
        if wish == "lost":
            self._lost.add(job_id)
        if (task := self._running.get(job_id)) is not None:
            task.cancel()

    async def _work(self) -> None:
        lanes: set[asyncio.Task[None]] = set()
        try:
            while True:
                while len(lanes := {lane for lane in lanes if not lane.done()}) >= self._at_once():
                    await asyncio.wait(lanes, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                lanes.add(asyncio.create_task(self._attempt(await self._queue.get()), name="run an ingest job"))
        finally:
            for lane in lanes:
                lane.cancel()
            await asyncio.gather(*lanes, return_exceptions=True)

    async def _attempt(self, job_id: str) -> None:
        """Runs a job; one that has not ended then waits again."""
        if (view := self._views.find(job_id)) is None:
            return
        record, pause = view.record, AGAIN_SECONDS
        try:
            while (view := self._views.find(job_id)) and view.record.state in ("queued", "running"):
                await self._run(job_id)
                if self._queue.shared:
                    return
            return
        except asyncio.CancelledError:
            await self._queue.give_back(record)
            raise
        except UnknownJob:  # another service of this store forgot it
            self._views.remove(job_id)
            return
        except JobLeaseLost:
            log.warning("another node has the job", job=job_id)
            self._forget(job_id)
            return
        except NoSpace as full:
            pause = SPACE_AGAIN_SECONDS
            await self._queue.give_back(record, full.error)
        except Exception:  # of one job: it waits for another attempt, after the others
            log.exception("job interrupted", job=job_id)
            await self._queue.give_back(record)
        if self._queue.shared:  # the next attempt may be that of another node
            self._forget(job_id)
        await asyncio.sleep(pause)

    def _forget(self, job_id: str) -> None:
        """What this node knows of an attempt that is not its own any more."""
        self._ended.pop(job_id, None)
        self._causes.pop(job_id, None)
        self._lost.discard(job_id)

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
        if record.slide_id is not None:  # by a node that was lost after it had published it (CL43)
            await self.end(job_id, "done", made=Made(record.slide_id, record.notices))
            return
        log.info("job started", job=job_id, quality=record.options.get("quality", ""))
        run = self._ingest(record, Rate(self._views.progress, job_id).report)
        task = asyncio.get_running_loop().create_task(run, context=self._causes.get(job_id))
        self._running[job_id] = task
        beating = asyncio.create_task(self._queue.beat(record, self.interrupt), name="show that a job runs")
        try:
            await self.end(job_id, "done", made=await asyncio.shield(task))
        except JobFailed as failure:
            if failure.cause == JobLeaseLost.__name__:
                raise JobLeaseLost(job_id) from failure
            if failure.cause in AWAY:
                self._views.put(JobView(replace(record, state="queued")))
                raise
            if failure.cause in FULL:
                self._wait_for_space(record, failure)
            error = {"cause": failure.cause, "detail": without_paths(failure.detail)}
            await (self._hold(job_id, error) if failure.cause in KEPT else self.end(job_id, "failed", error=error))
        except asyncio.CancelledError:
            if not task.cancelled():  # this worker is cancelled, not the job
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                raise
            if job_id in self._lost:
                raise JobLeaseLost(job_id) from None
            if job_id in self._anew:
                await self._requeue(job_id)
            else:
                await self.end(job_id, "cancelled")
        except (JobLeaseLost, Unavailable):
            raise
        except Exception as failure:  # the reason reaches the user as the job's error
            if job_id in self._ended:
                raise
            log.exception("the ingest broke down", job=job_id)
            await self.end(job_id, "failed", error={"cause": type(failure).__name__, "detail": str(failure)})
        finally:
            self._running.pop(job_id, None)
            beating.cancel()

    async def _ingest(self, record: JobRecord, report: Report) -> Made:
        """Raises JobFailed, Unavailable (the object store does not answer), and as ``Runner.run``."""
        path = job_path(self._files.folder, record)
        try:
            path = path if self._runner_fetches else await self._files.local(record)
        except (NotEnoughSpace, StoreFull, UnreadableSource) as cause:
            raise JobFailed(type(cause).__name__, str(cause)) from cause
        options = {**record.options, LEASE: record.lease} if self._queue.shared else record.options
        return await self._runner.run(path, options, report)

    def _wait_for_space(self, record: JobRecord, failure: JobFailed) -> None:
        """What is encoded stays, and so does the file (OP42). Raises NoSpace, unless the job has waited long enough."""
        now = time.monotonic()
        if now - self._full_since.setdefault(record.id, now) >= self._space_seconds:
            return
        error = {"cause": failure.cause, "detail": without_paths(failure.detail) + GOES_ON}
        self._views.put(JobView(replace(record, state="queued", error=error)))
        faults.fault(log, "an import waits for space", "job", failure.cause, job=record.id)
        raise NoSpace(error) from failure

    async def _hold(self, job_id: str, error: Mapping[str, str]) -> None:
        """What is encoded stays, and so does the file: its owner may try again (WI135)."""
        record = replace(self._views[job_id].record, state="held", error=error, updated=time.time())
        await self._records.save(record)
        self._causes.pop(job_id, None)
        self._views.put(JobView(record))
        faults.fault(log, "an import is held", "job", error["cause"], job=job_id)

    async def _requeue(self, job_id: str) -> None:
        """Back to the beginning, with other options; what was encoded with the former ones is removed."""
        await self._runner.discard(job_path(self._files.folder, self._views[job_id].record))
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
        """Ends a job that does not run here. Raises CatalogAway, StoreFull: nothing has changed."""
        record = await self._queue.ask(job_id, "cancel")
        if record is None:
            record = replace(self._views[job_id].record, state="cancelled", updated=time.time())
            with contextlib.suppress(UnknownJob):
                await self._records.save(record, soon=True)
        if record.state == "cancelled":
            await self._discard(record)
            return
        self._views.put(JobView(record))  # the node that runs it ends it, or the next one that takes it
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._views.ended(job_id), CANCEL_SECONDS)

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
        if record.state != "done":
            await self._runner.discard(job_path(self._files.folder, record))
        await self._files.discard(record.id, record.filename)
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
