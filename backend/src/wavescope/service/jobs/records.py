"""Where jobs are stored: in the catalog, and beside their files while the catalog does not answer (OP42, OP43)."""

from __future__ import annotations

import asyncio
import json
import time
import weakref
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from wavescope.catalog.jobs.queue import JobCommand, JobQueue
from wavescope.catalog.records import JobRecord, JobState
from wavescope.logs.loggers import get_logger
from wavescope.service.outages import OUTAGES, CatalogRetry
from wavescope.store.durable import write_file

P = ParamSpec("P")
Result = TypeVar("Result")

JOURNAL_ENTRY = ".job.json"
"""Beside the file of a job that the catalog does not have yet; no uploaded file has such a name."""
POLL_SECONDS = 1.0  # between two looks at a job that a client follows, if no change is announced

log = get_logger(__name__)


class JobRecords:
    """The jobs of one store; ``folder``: where their files are. One event loop.

    What is read and changed is in the catalog: while it does not answer, that fails. Only a new job waits
    ``seconds``: then it is in a journal beside its file, which is as durable, and stored in the catalog later.
    ``announce``: tells other nodes that a job has changed.
    """

    def __init__(
        self,
        queue: JobQueue,
        folder: Path,
        retry: CatalogRetry,
        seconds: float,
        announce: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.folder, self.queue, self._announce = folder, queue, announce
        self._retry, self._soon = retry, retry.within(seconds)
        self._journal: dict[str, JobRecord] = {}
        self._storing = asyncio.Lock()
        self._changed = weakref.WeakValueDictionary[str, asyncio.Event]()  # of those who wait, by job; "": of any

    # -- reading

    async def find(self, job_id: str) -> JobRecord | None:
        """The job; None: there is none. Raises CatalogAway."""
        return self._journal.get(job_id) or await asyncio.to_thread(self.queue.find, job_id)

    async def all(self) -> tuple[JobRecord, ...]:
        """Every job, the newest first. Raises CatalogAway."""
        journal = dict(self._journal)  # before: one that is stored meanwhile is found twice, not never
        stored = await asyncio.to_thread(self.queue.all)
        found = journal | {record.id: record for record in stored}
        return tuple(sorted(found.values(), key=lambda record: -record.created))

    async def unfinished(self) -> frozenset[str]:
        """The ids of the jobs that have not ended. Raises CatalogAway."""
        journal = self.journaled
        return journal | await asyncio.to_thread(self.queue.unfinished)

    @property
    def journaled(self) -> frozenset[str]:
        """The ids of the jobs that the catalog does not have yet."""
        return frozenset(self._journal)

    async def polls(self, job_id: str = "", seconds: float = POLL_SECONDS) -> AsyncIterator[None]:
        """At once, and whenever the job, or any one, may have changed; at least so often."""
        while True:
            if (changed := self._changed.get(job_id)) is None:
                changed = self._changed[job_id] = asyncio.Event()
            yield
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):  # unlike ``wait_for`` it never swallows a cancellation
                    await changed.wait()

    def changed(self, job_id: str = "") -> None:
        """A job may have changed, or any one: those who wait for it look."""
        for one in {job_id, ""} if job_id else list(self._changed):
            if (changed := self._changed.pop(one, None)) is not None:
                changed.set()

    async def look_up(self, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result | None:
        """What ``work`` reads from the catalog, in a thread; None if the catalog does not answer."""
        try:
            return await self._soon.in_thread("look up", work, *args, **kwargs)
        except OUTAGES:
            return None

    # -- changing

    async def add(self, job_id: str, path: Path, options: Mapping[str, Any], state: JobState) -> JobRecord:
        """A new job of a file that is on the disk. Raises StoreFull if neither the catalog nor the disk takes it."""
        try:
            record = await self._soon.in_thread("add a job", self.queue.add, job_id, path.name, options, state)
        except OUTAGES:
            now = time.time()
            record = JobRecord(job_id, state, path.name, options, None, 0, 0, None, now, now)
            await asyncio.to_thread(_write_entry, path.parent / JOURNAL_ENTRY, record)
            self._journal[job_id] = record
            log.warning("job noted on disk", job=job_id)
        self.announce(job_id)
        return record

    async def send_command(
        self, job_id: str, command: JobCommand, options: Mapping[str, Any] | None = None
    ) -> JobRecord:
        """See JobQueue. Raises UnknownJob, CatalogAway, StoreFull."""
        if job_id in self._journal:
            await self._soon.run("store a noted job", self.flush_journal)
        record = await self._soon.in_thread("ask for a job", self.queue.send_command, job_id, command, options)
        self.announce(job_id)
        return record

    async def save(self, record: JobRecord) -> JobRecord:
        """See JobQueue; waits for the catalog. Raises UnknownJob, JobLeaseLost, CatalogAway, StoreFull."""
        saved = await self._retry.in_thread("save a job", self.queue.save, record)
        self.announce(record.id)
        return saved

    async def remove(self, job_id: str) -> None:
        """Forgets a job. Raises UnknownJob, CatalogAway."""
        await self._soon.in_thread("remove a job", self.queue.remove, job_id)
        self.announce(job_id)

    def announce(self, job_id: str) -> None:
        """A job has changed: here and to other nodes."""
        self.changed(job_id)
        self._announce(job_id)

    # -- the journal: jobs that the catalog does not have yet

    async def restore(self) -> None:
        """Finds the journal of an earlier service, and stores it. Raises CatalogAway, StoreFull."""
        self._journal = {record.id: record for record in await asyncio.to_thread(_read_journal, self.folder)}
        await self.flush_journal()

    async def flush_journal(self) -> None:
        """Stores in the catalog what is only in the journal; called periodically. Raises CatalogAway, StoreFull."""
        async with self._storing:
            for job_id, record in list(self._journal.items()):
                added = (record.id, record.filename, record.options, record.state)
                await asyncio.to_thread(self.queue.add, *added)
                self._journal.pop(job_id, None)
                await asyncio.to_thread(_remove_entry, self.folder / job_id / JOURNAL_ENTRY)
                log.info("noted job stored", job=job_id)
                self.announce(job_id)


def _write_entry(path: Path, record: JobRecord) -> None:
    write_file(path, [json.dumps(asdict(record)).encode()], private=True)


def _remove_entry(path: Path) -> None:
    with suppress(OSError):  # an entry of a job that is stored is ignored
        path.unlink(missing_ok=True)


def _read_journal(folder: Path) -> list[JobRecord]:
    found = []
    for path in folder.glob(f"*/{JOURNAL_ENTRY}"):
        with suppress(OSError, ValueError, TypeError):  # one that was not written completely was not answered either
            record = JobRecord(**json.loads(path.read_bytes()))
            found += [record] if record.id == path.parent.name else []
    return sorted(found, key=lambda record: record.created)
