"""Running jobs, one after another, or several at one time."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from contextvars import Context, copy_context
from typing import Any, NamedTuple

from wavescope.catalog.jobs.table import JobLeaseLost
from wavescope.catalog.records import JobRecord, JobState
from wavescope.errors import NotEnoughSpace, StoreFull, Unavailable, UnknownJob, UnreadableSource
from wavescope.logs import faults
from wavescope.logs.loggers import get_logger
from wavescope.logs.safe import without_paths
from wavescope.service.jobs.files import JobFiles, job_path
from wavescope.service.jobs.records import JobRecords
from wavescope.service.jobs.runs import AWAY, FULL, KEPT, LEASE, RESUMES, IngestResult, JobFailed, NoSpace, Run, Runner
from wavescope.service.outages import OUTAGES

AGAIN_SECONDS = 5.0  # before a job whose process lost the catalog is run again
END_SECONDS = 5.0  # that a service which stops waits for the ends of its jobs to be saved
SPACE_AGAIN_SECONDS = 30.0  # before a job that found the disk full is run again
NOT_JUDGED = "The node of this import was lost: the quality of the scan may lack; `wavescope scan-quality` judges it."
"""Of a job that makes a slide, if the slide was published before that."""
TAKE_SECONDS = 0.5  # between two looks for a job, if none is announced

log = get_logger(__name__)


class WorkerEnvironment(NamedTuple):
    """Where the files of the jobs are, and how many of them may run at one time now; whether the runner fetches the
    files that it reads.
    """

    files: JobFiles
    max_in_flight: Callable[[], int] = lambda: 1
    runner_fetches: bool = False


class JobWorker:
    """Runs the queued jobs of one store. One event loop.

    A job ends in the catalog first; only then its file is removed (OP42). An outage of the catalog ends no job, and a
    full disk only after ``space_seconds``.
    """

    def __init__(
        self, records: JobRecords, runner: Runner, space_seconds: float, environment: WorkerEnvironment
    ) -> None:
        self._records, self._queue, self._runner = records, records.queue, runner
        self._files, self._max_in_flight, self._runner_fetches = environment
        self._space_seconds = space_seconds
        self._runs: dict[str, Run] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._contexts: dict[str, Context] = {}  # in which the jobs were queued: they belong to these requests
        self._task: asyncio.Task[None] | None = None
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
        if self._ending:
            _, late = await asyncio.wait(self._ending, timeout=END_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def runs(self, job_id: str) -> bool:
        """Whether the job runs here now."""
        return job_id in self._runs

    def queued(self, job_id: str) -> None:
        """The job waits: if it runs here, then on behalf of this request."""
        log.info("job queued", job=job_id)
        if self.started:
            self._contexts[job_id] = copy_context()

    def asked(self, job_id: str) -> None:
        """A client may have asked something of this job."""
        if (run := self._runs.get(job_id)) is not None:
            run.asked.set()

    async def _work(self) -> None:
        slots: set[asyncio.Task[None]] = set()
        try:
            async for _ in self._records.polls(seconds=TAKE_SECONDS):
                slots = {lane for lane in slots if not lane.done()}
                while len(slots) < self._max_in_flight() and (record := await self._taken()) is not None:
                    run = self._runs[record.id] = Run(record)
                    slots.add(lane := asyncio.create_task(self._attempt(run), name="run an ingest job"))
                    lane.add_done_callback(lambda _: self._records.changed())
        finally:
            for lane in slots:
                lane.cancel()
            await asyncio.gather(*slots, return_exceptions=True)

    async def _taken(self) -> JobRecord | None:
        """The next job; from now on it runs here. One that is only in the journal is stored before."""
        try:
            await self._records.flush_journal()
            record = await asyncio.to_thread(self._queue.take, tuple(self._runs))
        except OUTAGES as cause:
            faults.fault(log, "no jobs can be taken", "job", type(cause).__name__)
            return None
        if record is not None:
            self._records.announce(record.id)
        return record

    async def _attempt(self, run: Run) -> None:
        """Runs a job; one that has not ended then waits again."""
        job_id, pause = run.record.id, 0.0
        try:
            await self._run(run)
        except asyncio.CancelledError:
            if not run.ending:
                await self._give_back(run)
            raise
        except UnknownJob:  # another service of this store forgot it
            pass
        except JobLeaseLost:
            log.warning("another node has the job", job=job_id)
        except NoSpace as full:
            pause = SPACE_AGAIN_SECONDS
            await self._give_back(run, full.error, last=True)
        except Exception:  # of one job: it waits for another attempt, after the others
            pause = AGAIN_SECONDS
            log.exception("job interrupted", job=job_id)
            await self._give_back(run, last=True)
        finally:
            del self._runs[job_id]
            self._records.changed(job_id)
        await asyncio.sleep(pause)

    async def _give_back(self, run: Run, error: Mapping[str, str] | None = None, *, last: bool = False) -> None:
        """If the catalog does not answer, the job is taken again later."""
        with contextlib.suppress(*OUTAGES):
            await asyncio.to_thread(self._queue.release, run.lease, error, last=last)
            self._records.announce(run.record.id)

    async def _run(self, run: Run) -> None:
        """Runs one job to its end; only the end of the service stops it without one."""
        record = run.record
        if record.wish == "cancel":  # of a service that was lost before it noticed
            await self._end(run, "cancelled")
            return
        if record.slide_id is not None:  # by a node that was lost after it had published it (CL43)
            whole = record.options.get("overlay_of") or record.options.get("reencodes")
            left = () if whole else (NOT_JUDGED,)
            await self._end(run, "done", IngestResult(record.slide_id, (*record.notices, *left)))
            return
        log.info("job started", job=record.id, quality=record.options.get("quality", ""))
        task = asyncio.get_running_loop().create_task(self._ingest(run), context=self._contexts.get(record.id))
        beating = asyncio.create_task(run.follow(task, self._records), name="show that a job runs")
        try:
            made = await asyncio.shield(task)
        except JobFailed as failure:
            await self._failed(run, failure)
        except asyncio.CancelledError:
            if not task.cancelled():  # this worker is cancelled, not the job
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                raise
            if run.interrupted == "lost":
                raise JobLeaseLost(record.id) from None
            if run.interrupted == "anew":  # what was encoded with the former options is removed
                await self._runner.discard(job_path(self._files.folder, record))
                log.info("job restarted", job=record.id)
                await self._give_back(run)
                return
            await self._end(run, "cancelled")
        except (JobLeaseLost, Unavailable):
            raise
        except Exception as failure:  # the reason reaches the user as the job's error
            log.exception("the ingest broke down", job=record.id)
            await self._end(run, "failed", error={"cause": type(failure).__name__, "detail": str(failure)})
        else:
            await self._end(run, "done", made)
        finally:
            beating.cancel()

    async def _ingest(self, run: Run) -> IngestResult:
        """Raises JobFailed, Unavailable (the object store does not answer), and as ``Runner.run``."""
        record = run.record
        path = job_path(self._files.folder, record)
        try:
            path = path if self._runner_fetches else await self._files.local(record)
        except (NotEnoughSpace, StoreFull, UnreadableSource) as cause:
            raise JobFailed(type(cause).__name__, str(cause)) from cause
        options = {**record.options, LEASE: record.lease} if self._queue.shared else record.options
        return await self._runner.run(path, options, run.report)

    async def _failed(self, run: Run, failure: JobFailed) -> None:
        """Ends a job whose ingest failed, or holds it (WI135). Raises JobLeaseLost, JobFailed, NoSpace: it goes on."""
        if failure.cause == JobLeaseLost.__name__:
            raise JobLeaseLost(run.record.id) from failure
        if failure.cause in AWAY:
            raise failure
        error = {"cause": failure.cause, "detail": without_paths(failure.detail)}
        if failure.cause in FULL:  # what is encoded stays, and so does the file (OP42)
            since = (run.record.error or {}).get("since") or str(time.time())
            if time.time() - float(since) < self._space_seconds:
                faults.fault(log, "an import waits for space", "job", failure.cause, job=run.record.id)
                raise NoSpace(error | {"detail": error["detail"] + RESUMES, "since": since}) from failure
        if failure.cause in KEPT:
            faults.fault(log, "an import is held", "job", failure.cause, job=run.record.id)
        await self._end(run, "held" if failure.cause in KEPT else "failed", error=error)

    async def _end(
        self, run: Run, state: JobState, made: IngestResult | None = None, error: Mapping[str, str] | None = None
    ) -> None:
        """Ends a job in this state, as soon as the catalog answers, or holds it; then removes its file."""
        if error is not None:
            error = {**error, "detail": without_paths(error["detail"])}
        await self._to_its_end(self._saved(run.ended(state, made, error)))

    async def _to_its_end(self, work: Coroutine[Any, Any, None]) -> None:
        """Goes on if the lane or the request is cancelled: a job that has ended leaves no file."""
        task = asyncio.create_task(work)
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        await asyncio.shield(task)

    async def _saved(self, record: JobRecord) -> None:
        while True:
            try:
                record = await self._records.save(record)
            except OUTAGES:
                log.exception("job interrupted", job=record.id)
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            except UnknownJob:  # another service of this store forgot it
                pass
            break
        if record.state != "held":
            await self._discard(record)

    async def discard(self, record: JobRecord) -> None:
        """Removes the file of a job whose end is saved."""
        await self._to_its_end(self._discard(record))

    async def _discard(self, record: JobRecord) -> None:
        self._contexts.pop(record.id, None)
        self.ended[record.state] += 1
        seconds = round(record.updated - record.created, 1)
        cause = (record.error or {}).get("cause", "")
        if record.state == "failed":
            faults.count("job", cause)
        write = log.warning if record.state == "failed" else log.info
        write("job failed" if record.state == "failed" else "job ended", job=record.id, state=record.state,
              seconds=seconds, tiles=record.total, cause=cause, notices=len(record.notices))  # fmt: skip
        if record.state != "done":
            await self._runner.discard(job_path(self._files.folder, record))
        await self._files.discard(record.id, record.filename)
