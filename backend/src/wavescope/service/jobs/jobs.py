"""Ingest jobs: one after another, with progress, cancellation and reasons, surviving a restart."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from wavescope.catalog.jobs.table import UNFINISHED
from wavescope.catalog.records import JobState
from wavescope.config import Limits
from wavescope.errors import StoreBusy, TooLarge, Unavailable, UnknownJob
from wavescope.ingest.quality.presets import DEFAULT
from wavescope.logs.loggers import get_logger
from wavescope.service.access.gate import Gate, Principal, require, require_in_thread
from wavescope.service.jobs.arrivals import Arrivals
from wavescope.service.jobs.cluster.mirror import JobMirror
from wavescope.service.jobs.duplicates import HoldPolicy, StoredAs, StoredSlide, not_stored
from wavescope.service.jobs.files import LocalFiles, job_path
from wavescope.service.jobs.queues import LocalQueue, WorkerEnvironment
from wavescope.service.jobs.records import JobRecords
from wavescope.service.jobs.runs import Runner
from wavescope.service.jobs.uploads import UploadOptions, discard, link_files, move_received, safe_name
from wavescope.service.jobs.views import JobView, JobViews
from wavescope.service.jobs.worker import JobWorker
from wavescope.service.outages import OUTAGES

log = get_logger(__name__)

REPORT_SECONDS = 0.25  # between two events of one job


class JobService:
    """The jobs of one store. One event loop; at most one service per store should run them (``start``).

    ``counts`` and ``ended``, for metrics: the jobs in each state now, and those that have ended since the start.
    """

    def __init__(
        self,
        records: JobRecords,
        runner: Runner,
        gate: Gate,
        limits: Limits,
        stored_as: StoredAs = not_stored,
        *,
        cluster: Callable[[JobViews], WorkerEnvironment] | None = None,
    ) -> None:
        self._records, self._folder = records, records.folder
        self._gate, self._limits = gate, limits
        self._views = JobViews()
        here = cluster(self._views) if cluster else WorkerEnvironment(LocalQueue(), LocalFiles(records.folder))
        self._queue, self._files = here.queue, here.files
        self._worker = JobWorker(records, runner, self._views, limits.space_seconds, here)
        self._mirror: JobMirror | None = None
        if self._queue.shared:
            self._mirror = JobMirror(records.table, self._views, self._is_here)
        self._arrivals = Arrivals(records, self._files, limits, stored_as)
        self.counts, self.ended = self._views.counts, self._worker.ended

    async def start(self, *, run: bool = True) -> None:
        """Resumes unfinished jobs, then works. Without ``run`` a node of a cluster only shows the jobs."""
        if self._mirror is not None:
            await self._records.all()  # stores those that were only noted
            await self._mirror.start()
        else:
            for record in reversed(await self._records.all()):
                if record.state in UNFINISHED and record.state != "held":
                    record = replace(record, state="queued", done=0, total=0)
                    self._worker.queue(record.id)
                self._views.put(JobView(record))
            await self.sweep()
        if run:
            self._worker.start()
        await self.sweep()

    @property
    def started(self) -> bool:
        """Whether this service runs the jobs of the store."""
        return self._worker.started or (self._mirror is not None and self._mirror.started)

    @property
    def shared(self) -> bool:
        """Whether other nodes run the jobs of the store too."""
        return self._queue.shared

    @property
    def worker_alive(self) -> bool:
        """False: this service should run the jobs of the store, and no job runs any more."""
        return self._worker.alive

    async def store_noted(self) -> None:
        """Stores the jobs that were accepted while the catalog did not answer. Raises CatalogAway, StoreFull."""
        await self._records.store_noted()

    def end_events(self) -> None:
        """The service is about to stop."""
        self._views.close()

    async def stop(self) -> None:
        """Stops working; the next ``start`` resumes unfinished jobs."""
        await self._worker.stop()
        if self._mirror is not None:
            await self._mirror.stop()

    def announced(self, _job_id: str = "") -> None:
        """Another node has changed a job."""
        if self._mirror is not None:
            self._mirror.announced()
            self._queue.announced()

    async def look(self, job_id: str = "") -> None:
        """Learns what other nodes have changed: of one job, or of all; nothing while the catalog does not answer."""
        if self._mirror is not None:
            with suppress(*OUTAGES):
                await (self._mirror.look_at(job_id) if job_id else self._mirror.look())

    async def sweep(self) -> tuple[str, ...]:
        """Removes the files of no unfinished job (ST65), if this service runs the jobs: no other one receives files."""
        return await self._arrivals.sweep(self.unfinished_job) if self.started else ()

    def _is_here(self, job_id: str) -> bool:
        return self._worker.runs(job_id) or self._records.noted(job_id)

    async def upload(
        self,
        principal: Principal,
        filename: str,
        options: UploadOptions,
        chunks: AsyncIterator[bytes],
        announced: int | None = None,
        *,
        hold: HoldPolicy = "never",
    ) -> JobView | StoredSlide:
        """Receives a file and queues its ingest, or holds it until ``begin``. Raises Forbidden and as receive_file."""
        self.check_upload(principal)
        job_id, name = uuid.uuid4().hex, safe_name(filename)
        path = self._folder / job_id / name
        with self._arrivals.receiving(job_id):
            await self._arrivals.receive(chunks, path, announced)
            return await self._received(principal, job_id, path, options, hold)

    def check_upload(self, principal: Principal) -> None:
        """Returns if an upload can become a job. Raises Forbidden, SignInRequired, Unavailable, TooLarge."""
        require(self._gate, principal, "upload")
        self._check_capacity()

    async def adopt(
        self, principal: Principal, file: Path, filename: str, options: UploadOptions, hold: HoldPolicy
    ) -> JobView | StoredSlide:
        """As ``upload``, of a file that this service has received already; moves it."""
        self.check_upload(principal)
        job_id = uuid.uuid4().hex
        path = self._folder / job_id / safe_name(filename)
        with self._arrivals.receiving(job_id):
            await asyncio.to_thread(move_received, file, path)
            return await self._received(principal, job_id, path, options, hold)

    async def _received(
        self, principal: Principal, job_id: str, path: Path, options: UploadOptions, hold: HoldPolicy
    ) -> JobView | StoredSlide:
        """The job of a file that lies in a folder made for it, which is removed if there is none."""
        path, stored = await self._arrivals.unpacked(principal, path, options, hold)
        if stored and hold == "answer":
            await asyncio.to_thread(discard, path)
            return StoredSlide(stored[0])
        if options.id and not await asyncio.to_thread(self._gate, principal, "rename slide", options.id):
            options = replace(options, id="", base=options.id)  # whether another slide has it is not revealed (AC24)
        options = replace(options, owner=principal.id, stored_as=stored)
        return await self._added(job_id, path, options, "held" if stored or hold == "always" else "queued")

    async def begin(
        self, principal: Principal, job_id: str, quality: str = "", target: str = "", original: str = ""
    ) -> JobView:
        """Queues a held job. One that was started with other options is restarted, from the uploaded file.
        ``quality``, ``original``, empty: what it has. ``target``, of a held job: the slide that gets a new version.
        Raises UnknownJob (also of a job that has ended), UnknownSlide, Forbidden.
        """
        require(self._gate, principal, "upload")
        view = self._views.owned(principal, job_id)
        if view.ended:
            raise UnknownJob(job_id)
        held, options = view.record.state == "held", dict(view.record.options)
        if target and held:
            await require_in_thread(self._gate, principal, "rename slide", target)
            options["id"] = target
        before = {"quality": DEFAULT, **options}
        options = before | ({"quality": quality} if quality else {}) | ({"original": original} if original else {})
        if not held and options == before:
            return view
        if self._worker.runs(job_id):
            return await self._worker.begin_anew(job_id, options)
        if (elsewhere := await self._queue.ask(job_id, "anew", options)) is not None:
            return self._views.put(JobView(elsewhere))
        record = replace(view.record, state="queued", options=options, error=None, updated=time.time())
        await self._records.save(record, soon=True)
        view = self._views.put(JobView(record))
        if held:
            self._worker.queue(job_id)
        return view

    async def ingest_files(
        self, source: Path, files: Sequence[Path], root: Path, options: UploadOptions | None = None
    ) -> JobView:
        """Queues the ingest of files of this machine, which stay there. Raises Unavailable, TooLarge, OSError,
        UnsupportedSource (a symbolic link that leads out of ``root``)."""
        self._check_capacity()
        path = self._folder / (job_id := uuid.uuid4().hex) / safe_name(source.name)
        with self._arrivals.receiving(job_id):
            await asyncio.to_thread(link_files, source, files, path, root)
            return await self._added(job_id, path, options or UploadOptions(), "queued")

    async def reencode(self, principal: Principal, name: str, options: UploadOptions) -> JobView:
        """Queues a new version of a stored slide; the caller has checked the rights to it. Raises Unavailable,
        TooLarge, StoreBusy (such a job of the slide has not ended).
        """
        self._check_capacity()
        if self._views.reencoding(options.id):
            raise StoreBusy(f"the slide {options.id}")
        job_id = uuid.uuid4().hex
        path = self._folder / job_id / safe_name(name)
        return await self._added(job_id, path, replace(options, owner=principal.id), "queued")

    def _check_capacity(self) -> None:
        if not self.started:
            raise Unavailable("ingesting", "this service runs no jobs; another one of this store may")
        if (unfinished := self._views.unfinished_count) >= self._limits.waiting_jobs:
            raise TooLarge("the number of unfinished jobs", unfinished + 1, self._limits.waiting_jobs)

    async def _added(self, job_id: str, path: Path, options: UploadOptions, state: JobState) -> JobView:
        stored = not options.reencodes
        try:
            if stored:
                await self._files.store(job_id)
            record = await self._records.add(job_id, path, options.to_json(), state)
        except BaseException:
            await asyncio.shield(self._files.discard(job_id, path.name)) if stored else discard(path)
            raise
        view = self._views.put(JobView(record))
        log.info("job made", job=job_id, state=state)
        if state == "queued":
            self._worker.queue(job_id)
        self._views.forget_oldest()
        return view

    def list(self, principal: Principal) -> tuple[JobView, ...]:
        """The principal's jobs, an admin's are all, the newest first."""
        require(self._gate, principal, "view jobs")
        return self._views.all_owned(principal)

    def get(self, principal: Principal, job_id: str) -> JobView:
        """Raises UnknownJob."""
        require(self._gate, principal, "view jobs")
        return self._views.owned(principal, job_id)

    async def cancel(self, principal: Principal, job_id: str) -> JobView:
        """Stops a job that has not ended; forgets one that has. Answers the job as it now is, or was."""
        require(self._gate, principal, "cancel job")
        view = self._views.owned(principal, job_id)
        if view.ended:
            await self._records.remove(job_id)
            self._views.remove(job_id)
        elif self._worker.runs(job_id):
            await self._worker.cancel(job_id)
        else:
            await self._worker.cancel_waiting(job_id)
        return self._views.find(job_id) or view

    async def events(self, principal: Principal, job_id: str) -> AsyncIterator[JobView]:
        """The job now and after each change, at most every REPORT_SECONDS, until it has ended or is forgotten."""
        view: JobView | None = self.get(principal, job_id)
        while view is not None:
            yield view
            if view.ended or self._views.closing:
                return
            await asyncio.sleep(REPORT_SECONDS)
            if self._views.find(job_id) is view and not self._views.closing:
                await self._views.changed(job_id)
            view = self._views.find(job_id)

    def unfinished_job(self, job_id: str) -> bool:
        """Whether there is such a job and it has not ended."""
        return self._views.unfinished(job_id)

    def source(self, principal: Principal, job_id: str) -> Path:
        """The file of a job that has not ended. Raises Forbidden, UnknownJob (also of one without a file)."""
        view = self.get(principal, job_id)
        if view.ended or view.reencodes:
            raise UnknownJob(job_id)
        return job_path(self._folder, view.record)

    async def file(self, principal: Principal, job_id: str) -> Path:
        """As ``source``, on this machine. Raises also Unavailable, NotEnoughSpace, StoreFull, UnreadableSource."""
        await self.look(job_id)
        self.source(principal, job_id)
        return await self._files.local(self._views[job_id].record)
