"""Ingest jobs: one after another, with progress, cancellation and reasons, surviving a restart."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from wavescope.catalog.jobs.queue import JobCommand
from wavescope.catalog.jobs.table import StateCount
from wavescope.catalog.records import JobRecord, JobState
from wavescope.config import Limits
from wavescope.errors import StoreBusy, TooLarge, Unavailable, UnknownJob
from wavescope.ingest.quality.presets import DEFAULT
from wavescope.logs.loggers import get_logger
from wavescope.service.access.gate import Gate, Principal, require, require_in_thread
from wavescope.service.jobs.duplicates import HoldPolicy, StoredAs, StoredSlide, not_stored
from wavescope.service.jobs.files import LocalFiles, job_path
from wavescope.service.jobs.records import JobRecords
from wavescope.service.jobs.runs import Runner
from wavescope.service.jobs.upload_receiver import UploadReceiver
from wavescope.service.jobs.uploads import UploadOptions, discard, link_files, move_received, safe_name
from wavescope.service.jobs.views import JobView
from wavescope.service.jobs.worker import JobWorker, WorkerEnvironment
from wavescope.service.outages import OUTAGES

log = get_logger(__name__)

ASKED_SECONDS = 10.0  # that a client waits until a running job does what it asked
COUNT_SECONDS = 5.0  # in which the jobs are counted for the metrics
KEEPALIVE_SECONDS = 15.0  # between two events of a job that does not change
REPORT_SECONDS = 0.25  # between two events of one job


class JobService:
    """The jobs of one store. One event loop; at most one service per store should run them (``start``).

    ``started``: whether it runs the jobs, or is a node that shows them. For metrics: ``counted``, the jobs in each
    state when they were counted last; ``ended``, those that have ended since the start.
    """

    def __init__(
        self,
        records: JobRecords,
        runner: Runner,
        gate: Gate,
        limits: Limits,
        stored_as: StoredAs = not_stored,
        *,
        cluster: WorkerEnvironment | None = None,
    ) -> None:
        self._records, self._folder = records, records.folder
        self._gate, self._limits = gate, limits
        here = cluster or WorkerEnvironment(LocalFiles(records.folder))
        self._files = here.files
        self._worker = JobWorker(records, runner, limits.space_seconds, here)
        self._receiver = UploadReceiver(records, self._files, limits, stored_as)
        self._closing = False
        self.started = False
        self.ended = self._worker.ended
        self.counted: Mapping[JobState, StateCount] = {}

    async def start(self, *, run: bool = True) -> None:
        """Resumes unfinished jobs, then works. Without ``run`` a node of a cluster only shows the jobs."""
        await self._records.restore()
        if not self.shared:
            with suppress(*OUTAGES):  # what is not written now is taken all the same
                await asyncio.to_thread(self._records.queue.restart)
        self.started = True
        if run:
            self._worker.start()
        await self.sweep()

    @property
    def shared(self) -> bool:
        """Whether other nodes run the jobs of the store too."""
        return self._records.queue.shared

    @property
    def worker_alive(self) -> bool:
        """False: this service should run the jobs of the store, and no job runs any more."""
        return self._worker.alive

    async def flush_journal(self) -> None:
        """Stores the jobs that were accepted while the catalog did not answer. Raises CatalogAway, StoreFull."""
        await self._records.flush_journal()

    def end_events(self) -> None:
        """The service is about to stop."""
        self._closing = True
        self._records.changed()

    async def stop(self) -> None:
        """Stops working; the next ``start`` resumes unfinished jobs."""
        await self._worker.stop()

    def announced(self, job_id: str = "") -> None:
        """Another node has changed a job."""
        self._worker.asked(job_id)
        self._records.changed(job_id)

    async def sweep(self) -> tuple[str, ...]:
        """Removes the files of no unfinished job (ST65), if this service runs the jobs: no other one receives files.
        While the catalog does not answer, nothing is known to be needless.
        """
        if self.started:
            with suppress(*OUTAGES):
                return await self._receiver.sweep()
        return ()

    async def note_counts(self) -> None:
        """Counts the jobs for the metrics; while the catalog does not answer, the last numbers stay."""
        with suppress(*OUTAGES, TimeoutError):
            async with asyncio.timeout(COUNT_SECONDS):
                self.counted = await asyncio.to_thread(self._records.queue.counts)

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
        await self.check_upload(principal, options.overlay_of)
        job_id, name = uuid.uuid4().hex, safe_name(filename)
        path = self._folder / job_id / name
        with self._receiver.receiving(job_id):
            await self._receiver.receive(chunks, path, announced)
            return await self._received(principal, job_id, path, options, hold)

    async def check_upload(self, principal: Principal, overlay_of: str = "") -> None:
        """Returns if an upload can become a job. ``overlay_of``: the slide to which it is to add an overlay. Raises
        Forbidden, SignInRequired, UnknownSlide, Unavailable, TooLarge.
        """
        await self._check_right(principal, overlay_of)
        await self._check_capacity()

    async def adopt(
        self, principal: Principal, file: Path, filename: str, options: UploadOptions, hold: HoldPolicy
    ) -> JobView | StoredSlide:
        """As ``upload``, of a file that this service has received already; moves it."""
        await self.check_upload(principal, options.overlay_of)
        job_id = uuid.uuid4().hex
        path = self._folder / job_id / safe_name(filename)
        with self._receiver.receiving(job_id):
            await asyncio.to_thread(move_received, file, path)
            return await self._received(principal, job_id, path, options, hold)

    async def _received(
        self, principal: Principal, job_id: str, path: Path, options: UploadOptions, hold: HoldPolicy
    ) -> JobView | StoredSlide:
        """The job of a file that lies in a folder made for it, which is removed if there is none."""
        if options.overlay_of:
            path, _ = await self._receiver.unpacked(principal, path, options, "never")
            options = replace(options, owner=principal.id, author=principal.name)
            return await self._added(job_id, path, options, "queued")
        path, stored = await self._receiver.unpacked(principal, path, options, hold)
        if stored and hold == "answer":
            await asyncio.to_thread(discard, path)
            return StoredSlide(stored[0])
        if options.id and not await asyncio.to_thread(self._gate, principal, "rename slide", options.id):
            options = replace(options, id="", base=options.id)  # whether another slide has it is not revealed (AC24)
        options = replace(options, owner=principal.id, stored_as=stored)
        return await self._added(job_id, path, options, "held" if stored or hold == "always" else "queued")

    async def begin(
        self, principal: Principal, job_id: str, changes: Mapping[str, Any] | None = None, target: str = ""
    ) -> JobView:
        """Queues a held job. One that was started with other options is restarted, from the uploaded file.
        ``changes``: of its UploadOptions. ``target``, of a held job: the slide that gets a new version.
        Raises UnknownJob (also of a job that has ended), UnknownSlide, Forbidden.
        """
        require(self._gate, principal, "view jobs")
        view = await self._owned(principal, job_id)
        await self._check_right(principal, view.overlay_of or "")
        if view.ended:
            raise UnknownJob(job_id)
        held, options = view.record.state == "held", dict(view.record.options)
        if target and held:
            await require_in_thread(self._gate, principal, "rename slide", target)
            options["id"] = target
        before = {"quality": DEFAULT, **options}
        options = {name: value for name, value in (before | dict(changes or {})).items() if value}
        if not held and options == before:
            return view
        record = await self._send_command(job_id, "anew", options)
        if held:
            self._worker.queued(job_id)
        return JobView(record or view.record)

    async def ingest_files(
        self, source: Path, files: Sequence[Path], root: Path, options: UploadOptions | None = None
    ) -> JobView:
        """Queues the ingest of files of this machine, which stay there. Raises Unavailable, TooLarge, OSError,
        UnsupportedSource (a symbolic link that leads out of ``root``)."""
        await self._check_capacity()
        path = self._folder / (job_id := uuid.uuid4().hex) / safe_name(source.name)
        with self._receiver.receiving(job_id):
            await asyncio.to_thread(link_files, source, files, path, root)
            return await self._added(job_id, path, options or UploadOptions(), "queued")

    async def reencode(self, principal: Principal, name: str, options: UploadOptions) -> JobView:
        """Queues a new version of a stored slide; the caller has checked the rights to it. Raises Unavailable,
        TooLarge, StoreBusy (such a job of the slide has not ended).
        """
        await self._check_capacity()
        views = map(JobView, await self._records.all())
        if any(view.reencodes == options.id and not view.ended for view in views):
            raise StoreBusy(f"the slide {options.id}")
        job_id = uuid.uuid4().hex
        path = self._folder / job_id / safe_name(name)
        return await self._added(job_id, path, replace(options, owner=principal.id), "queued")

    async def _check_right(self, principal: Principal, overlay_of: str) -> None:
        if overlay_of:
            await require_in_thread(self._gate, principal, "edit overlays", overlay_of)
        else:
            require(self._gate, principal, "upload")

    async def _check_capacity(self) -> None:
        if not self.started:
            raise Unavailable("ingesting", "this service runs no jobs; another one of this store may")
        try:
            unfinished = len(await self._records.unfinished())
        except OUTAGES:  # only those that were noted since can be counted
            unfinished = len(self._records.journaled)
        if unfinished >= self._limits.waiting_jobs:
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
        log.info("job made", job=job_id, state=state)
        if state == "queued":
            self._worker.queued(job_id)
        return JobView(record)

    async def list(self, principal: Principal) -> tuple[JobView, ...]:
        """The principal's jobs, an admin's are all, the newest first. Raises CatalogAway."""
        require(self._gate, principal, "view jobs")
        return tuple(view for view in map(JobView, await self._records.all()) if view.of(principal))

    async def get(self, principal: Principal, job_id: str) -> JobView:
        """Raises UnknownJob, CatalogAway."""
        require(self._gate, principal, "view jobs")
        return await self._owned(principal, job_id)

    async def cancel(self, principal: Principal, job_id: str) -> JobView:
        """Stops a job that has not ended; forgets one that has. Answers the job as it now is, or was."""
        require(self._gate, principal, "cancel job")
        view = await self._owned(principal, job_id)
        if view.ended:
            await self._records.remove(job_id)
            return view
        return JobView(await self._send_command(job_id, "cancel") or view.record)

    async def events(self, principal: Principal, job_id: str) -> AsyncIterator[JobView]:
        """The job now and after each change, at most every REPORT_SECONDS, until it has ended or is forgotten; an
        unchanged one every KEEPALIVE_SECONDS. While the catalog does not answer, there is no change.
        """
        view: JobView | None = await self.get(principal, job_id)
        while view is not None:
            yield view
            if view.ended:
                return
            await asyncio.sleep(REPORT_SECONDS)
            view = await self._next(view)

    async def source(self, principal: Principal, job_id: str) -> Path:
        """The file of a job that has not ended. Raises Forbidden, UnknownJob (also of one without a file)."""
        return job_path(self._folder, await self._with_file(principal, job_id))

    async def file(self, principal: Principal, job_id: str) -> Path:
        """As ``source``, on this machine. Raises also Unavailable, NotEnoughSpace, StoreFull, UnreadableSource."""
        return await self._files.local(await self._with_file(principal, job_id))

    async def unfinished(self) -> frozenset[str]:
        """The ids of the jobs that have not ended. Raises CatalogAway."""
        return await self._records.unfinished()

    async def _with_file(self, principal: Principal, job_id: str) -> JobRecord:
        view = await self.get(principal, job_id)
        if view.ended or view.reencodes or view.overlay_of:
            raise UnknownJob(job_id)
        return view.record

    async def _owned(self, principal: Principal, job_id: str) -> JobView:
        """The principal's own job, an admin's any. Raises UnknownJob, CatalogAway."""
        record = await self._records.find(job_id)
        if record is None or not (view := JobView(record)).of(principal):
            raise UnknownJob(job_id)
        return view

    async def _next(self, view: JobView) -> JobView | None:
        """A job after its next change, or as it is after KEEPALIVE_SECONDS; None: it is forgotten, or the service
        stops.
        """
        end = time.monotonic() + KEEPALIVE_SECONDS
        async for _ in self._records.polls(view.record.id):
            if self._closing:
                break
            with suppress(*OUTAGES):
                record = await self._records.find(view.record.id)
                if record != view.record or time.monotonic() >= end:
                    return None if record is None else JobView(record)
        return None

    async def _send_command(
        self, job_id: str, command: JobCommand, options: Mapping[str, Any] | None = None
    ) -> JobRecord | None:
        """What a client asks of a job that has not ended: the job when that is done, or as it is after ASKED_SECONDS.
        Raises CatalogAway, StoreFull: nothing has changed.
        """
        record = await self._records.send_command(job_id, command, options)
        self._worker.asked(job_id)
        if record.state == "cancelled":
            await self._worker.discard(record)
        if record.state != "running":
            return record
        found: JobRecord | None = record
        with suppress(TimeoutError, *OUTAGES):
            async with asyncio.timeout(ASKED_SECONDS):
                async for _ in self._records.polls(job_id):
                    found = await self._records.find(job_id)
                    if found is None or not (found.wish or (command == "cancel" and self._worker.runs(job_id))):
                        break
        return found
