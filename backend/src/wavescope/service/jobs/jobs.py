"""Ingest jobs: one after another, with progress, cancellation and reasons, surviving a restart."""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol

from wavescope.catalog.jobs import KEPT, UNFINISHED, JobTable
from wavescope.catalog.records import JobRecord, JobState
from wavescope.config import Limits
from wavescope.errors import TooLarge, Unavailable, UnknownJob
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.jobs.rate import Rate
from wavescope.service.jobs.uploads import UploadOptions, bring, discard, receive_file, safe_name, uploads_in
from wavescope.store.durable import remove_tree

REPORT_SECONDS = 0.25  # between two events of one job
KEEPALIVE_SECONDS = 15.0

Report = Callable[[int, int], None]
StoredAs = Callable[[Principal, Path], tuple[str, ...]]
"""The slides made of the same file that the principal may see; waits for the disk and for SQL."""
Hold = Literal["never", "if stored", "always"]
"""Whether a job waits for ``begin``; "if stored": where its owner has to say what becomes of the slide there is."""


def not_stored(_principal: Principal, _path: Path) -> tuple[str, ...]:
    """No slide is made of the same file."""
    return ()


class JobFailed(Exception):
    """An ingest ended without a slide. ``cause`` is the name of the error's class, ``detail`` what to tell the user."""

    def __init__(self, cause: str, detail: str) -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause, self.detail = cause, detail


class Runner(Protocol):
    """Ingests files."""

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> str:
        """Ingests a file, calling ``report(done, total)``; the slide's id. Raises JobFailed; stops when cancelled."""
        ...

    async def discard(self, path: Path) -> None:
        """Removes what a run that did not finish has left for a later one."""
        ...


@dataclass(frozen=True)
class JobView:
    """A job as clients see it; ``rate`` in tiles a second, None while unknown."""

    record: JobRecord
    rate: float | None = None
    seconds_left: float | None = None

    @property
    def ended(self) -> bool:
        return self.record.state not in UNFINISHED


class JobService:
    """The jobs of one store. One event loop; at most one service per store should run them (``start``)."""

    def __init__(
        self,
        table: JobTable,
        runner: Runner,
        folder: Path,
        gate: Gate,
        limits: Limits,
        stored_as: StoredAs = not_stored,
    ) -> None:
        self._table, self._runner, self._folder = table, runner, folder
        self._gate, self._limits, self._stored_as = gate, limits, stored_as
        self._views: dict[str, JobView] = {}
        self._changed: dict[str, asyncio.Event] = {}
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None
        self._closing = False
        self._arriving: set[str] = set()
        self._running: tuple[str, asyncio.Task[str]] | None = None
        self._anew: dict[str, Mapping[str, Any]] = {}  # options with which running jobs are to begin once more

    async def start(self) -> None:
        """Takes up the jobs that an earlier run of the service left unfinished, then works."""
        for record in reversed(await asyncio.to_thread(self._table.all)):
            if record.state in UNFINISHED and record.state != "held":
                record = replace(record, state="queued", done=0, total=0)
                self._queue.put_nowait(record.id)
            self._views[record.id] = JobView(record)
        await self.sweep()
        self._worker = asyncio.create_task(self._work())
        await self.sweep()

    def end_events(self) -> None:
        """The service is about to stop: nobody is kept listening."""
        self._closing = True
        for job_id in list(self._changed):
            self._announce(job_id)

    async def stop(self) -> None:
        """Stops working; what is unfinished is taken up by the next ``start``."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def sweep(self) -> tuple[str, ...]:
        """Removes the files of no unfinished job: what a killed service was receiving or about to discard (ST65).

        Without effect unless this service runs the jobs of the store; no other one receives files then.
        """
        if self._worker is None:
            return ()
        found = await asyncio.to_thread(uploads_in, self._folder)  # before it is known what is wanted
        left = tuple(job_id for job_id in found if not (job_id in self._arriving or self.unfinished_job(job_id)))
        for job_id in left:
            await asyncio.to_thread(remove_tree, self._folder / job_id)
        return left

    @contextlib.contextmanager
    def _receiving(self, job_id: str) -> Iterator[None]:
        """While its files arrive, before there is a job of this id."""
        self._arriving.add(job_id)
        try:
            yield
        finally:
            self._arriving.discard(job_id)

    # -- what clients ask

    async def upload(
        self,
        principal: Principal,
        filename: str,
        options: UploadOptions,
        chunks: AsyncIterator[bytes],
        announced: int | None = None,
        *,
        hold: Hold = "never",
    ) -> JobView:
        """Receives a file and queues its ingest, or holds it until ``begin``. Raises Forbidden and as receive_file."""
        require(self._gate, principal, "upload")
        if options.id and not self._gate(principal, "rename slide", options.id):
            options = replace(options, id="", base=options.id)  # whether another has it is not told (AC24)
        self._check_room()
        job_id, name = uuid.uuid4().hex, safe_name(filename)
        path = self._path(job_id, name)
        limit, patience = self._limits.upload_bytes, self._limits.upload_seconds
        with self._receiving(job_id):
            await receive_file(chunks, path, limit=limit, patience=patience, announced=announced)
            stored = await asyncio.to_thread(self._stored_as, principal, path) if hold == "if stored" else ()
            options = replace(options, owner=principal.id, stored_as=stored)
            return await self._added(job_id, path, options, "held" if stored or hold == "always" else "queued")

    async def begin(self, principal: Principal, job_id: str, profile: str = "", target: str = "") -> JobView:
        """Queues a held job. One that was begun in another profile begins once more, from the file that was uploaded.

        ``profile``, empty: the one it has. ``target``, of a held job: the slide that gets a new version.
        Raises UnknownJob (also of a job that has ended), UnknownSlide, Forbidden.
        """
        require(self._gate, principal, "upload")
        view = self._owned(principal, job_id)
        if view.ended:
            raise UnknownJob(job_id)
        held, options = view.record.state == "held", dict(view.record.options)
        if target and held:
            require(self._gate, principal, "rename slide", target)
            options["id"] = target
        before, options["profile"] = options.get("profile", "visual"), profile or options.get("profile", "visual")
        if not held and options["profile"] == before:
            return view
        if self._running is not None and self._running[0] == job_id:
            return await self._begin_anew(job_id, options, self._running[1])
        record = replace(view.record, state="queued", options=options, updated=time.time())
        view = self._set(JobView(record))
        await asyncio.to_thread(self._table.save, record)
        if held:
            self._queue.put_nowait(job_id)
        return view

    async def _begin_anew(self, job_id: str, options: Mapping[str, Any], task: asyncio.Task[str]) -> JobView:
        """Stops the running job; the worker takes it up again with these options. One that ends meanwhile has ended."""
        self._anew[job_id] = options
        task.cancel()
        while job_id in self._anew and not self._closing:
            await self._wait(job_id, KEEPALIVE_SECONDS)
        return self._views[job_id]

    async def take(self, source: Path, files: Sequence[Path], root: Path) -> JobView:
        """Queues the ingest of files of this machine, which stay there. Raises Unavailable, TooLarge, OSError,
        UnsupportedSource (a symbolic link that leads out of ``root``).
        """
        self._check_room()
        job_id = uuid.uuid4().hex
        path = self._path(job_id, safe_name(source.name))
        with self._receiving(job_id):
            await asyncio.to_thread(bring, source, files, path, root)
            return await self._added(job_id, path, UploadOptions(), "queued")

    def _check_room(self) -> None:
        if self._worker is None:
            raise Unavailable("ingesting", "this service runs no jobs; another one of this store may")
        if self.unfinished >= self._limits.waiting_jobs:
            raise TooLarge("the number of unfinished jobs", self.unfinished + 1, self._limits.waiting_jobs)

    async def _added(self, job_id: str, path: Path, options: UploadOptions, state: JobState) -> JobView:
        try:
            record = await asyncio.to_thread(self._table.add, job_id, path.name, options.to_json(), state)
        except BaseException:
            discard(path)
            raise
        view = self._set(JobView(record))
        if state == "queued":
            self._queue.put_nowait(job_id)
        self._forget_oldest()
        return view

    def list(self, principal: Principal) -> tuple[JobView, ...]:
        """The principal's jobs, an admin's are all, the newest first."""
        require(self._gate, principal, "view jobs")
        mine = [view for view in self._views.values() if _owns(principal, view.record)]
        return tuple(sorted(mine, key=lambda view: -view.record.created))

    def get(self, principal: Principal, job_id: str) -> JobView:
        """Raises UnknownJob."""
        require(self._gate, principal, "view jobs")
        return self._owned(principal, job_id)

    async def cancel(self, principal: Principal, job_id: str) -> JobView:
        """Stops a job that has not ended; forgets one that has. Answers the job as it now is, or was."""
        require(self._gate, principal, "cancel job")
        view = self._owned(principal, job_id)
        if view.ended:
            await asyncio.to_thread(self._table.remove, job_id)
            self._views.pop(job_id, None)
            self._announce(job_id)
        elif self._running is not None and self._running[0] == job_id:
            task = self._running[1]
            self._anew.pop(job_id, None)
            task.cancel()
            await asyncio.wait({task})
            await self._until_ended(job_id)
        else:
            await self._end(job_id, "cancelled")
        return self._views.get(job_id, view)

    async def events(self, principal: Principal, job_id: str) -> AsyncIterator[JobView]:
        """The job now and after each change, at most every REPORT_SECONDS, until it has ended or is forgotten."""
        view: JobView | None = self.get(principal, job_id)
        while view is not None:
            yield view
            if view.ended or self._closing:
                return
            await asyncio.sleep(REPORT_SECONDS)
            if self._views.get(job_id) is view and not self._closing:
                await self._wait(job_id, KEEPALIVE_SECONDS)
            view = self._views.get(job_id)

    @property
    def unfinished(self) -> int:
        """How many jobs are held, queued or running."""
        return sum(not view.ended for view in self._views.values())

    def unfinished_job(self, job_id: str) -> bool:
        """Whether there is such a job and it has not ended."""
        view = self._views.get(job_id)
        return view is not None and not view.ended

    def source(self, principal: Principal, job_id: str) -> Path:
        """The file of a job that has not ended. Raises Forbidden, UnknownJob."""
        view = self.get(principal, job_id)
        if view.ended:
            raise UnknownJob(job_id)
        return self._path(job_id, view.record.filename)

    # -- work

    async def _work(self) -> None:
        while True:
            job_id = await self._queue.get()
            while job_id in self._views and self._views[job_id].record.state in ("queued", "running"):
                await self._run(job_id)

    async def _run(self, job_id: str) -> None:
        """Runs one job to its end; only the end of the service stops it without one."""
        record = self._set(JobView(replace(self._views[job_id].record, state="running", updated=time.time()))).record
        await asyncio.to_thread(self._table.save, record)
        path = self._path(job_id, record.filename)
        task = asyncio.ensure_future(self._runner.run(path, record.options, Rate(self.progress, job_id).report))
        self._running = job_id, task
        try:
            slide_id = await asyncio.shield(task)
            await self._end(job_id, "done", slide_id=slide_id)
        except JobFailed as failure:
            await self._end(job_id, "failed", error={"cause": failure.cause, "detail": failure.detail})
        except asyncio.CancelledError:
            if not task.cancelled():  # not the job is cancelled, but this worker
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                raise
            if job_id in self._anew:
                await self._requeue(job_id, path)
            else:
                await self._end(job_id, "cancelled")
        except Exception as failure:  # the reason reaches the user as the job's error
            await self._end(job_id, "failed", error={"cause": type(failure).__name__, "detail": str(failure)})
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
                self._set(JobView(record))
                return
        await self._end(job_id, "cancelled")

    async def _end(
        self, job_id: str, state: JobState, slide_id: str | None = None, error: Mapping[str, str] | None = None
    ) -> None:
        self._anew.pop(job_id, None)
        record = self._views[job_id].record
        record = replace(record, state=state, slide_id=slide_id, error=error, updated=time.time())
        path = self._path(job_id, record.filename)
        if state != "done":
            await self._runner.discard(path)
        await asyncio.to_thread(discard, path)
        with contextlib.suppress(UnknownJob):  # forgotten by another service of this store: told, not kept
            await asyncio.to_thread(self._table.save, record)
        self._set(JobView(record))

    # -- views

    def progress(self, job_id: str, done: int, total: int, rate: float | None) -> None:
        """Notes how far a running job is."""
        record = replace(self._views[job_id].record, done=done, total=total, updated=time.time())
        left = (total - done) / rate if rate else None
        self._set(JobView(record, rate, left))

    def _owned(self, principal: Principal, job_id: str) -> JobView:
        view = self._views.get(job_id)
        if view is None or not _owns(principal, view.record):
            raise UnknownJob(job_id)
        return view

    def _set(self, view: JobView) -> JobView:
        self._views[view.record.id] = view
        self._announce(view.record.id)
        return view

    def _forget_oldest(self) -> None:
        """Keeps as many ended jobs in memory as the table does."""
        ended = [job_id for job_id, view in self._views.items() if view.ended]
        for job_id in ended[: max(0, len(ended) - KEPT)]:
            del self._views[job_id]

    def _announce(self, job_id: str) -> None:
        changed = self._changed.pop(job_id, None)
        if changed is not None:
            changed.set()

    async def _wait(self, job_id: str, seconds: float) -> None:
        changed = self._changed.setdefault(job_id, asyncio.Event())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), seconds)

    async def _until_ended(self, job_id: str) -> None:
        while job_id in self._views and not self._views[job_id].ended:
            await self._wait(job_id, KEEPALIVE_SECONDS)

    def _path(self, job_id: str, filename: str) -> Path:
        return self._folder / job_id / filename


def _owns(principal: Principal, record: JobRecord) -> bool:
    """Whether it is the principal's own job, or the principal may see all."""
    return principal.has_role("admin") or (principal.user and record.options.get("owner") == principal.id)
