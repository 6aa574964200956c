"""Where jobs are stored: in the catalog, and beside their files while the catalog does not answer (OP42, OP43)."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from wavescope.catalog.jobs.table import JobTable
from wavescope.catalog.records import JobRecord, JobState
from wavescope.logs.loggers import get_logger
from wavescope.service.outages import OUTAGES, CatalogRetry
from wavescope.store.durable import write_file

P = ParamSpec("P")
Result = TypeVar("Result")

NOTE = ".job.json"  # beside the file of a job that the catalog does not have yet; no uploaded file has such a name

log = get_logger(__name__)


class JobRecords:
    """The jobs of one store; ``folder``: where their files are. One event loop.

    A change waits for a catalog that does not answer, as long as ``retry`` allows. A new job waits ``seconds`` only:
    then it is noted beside its file, which is as durable, and stored in the catalog later. ``announce``: tells other
    nodes that a job has changed.
    """

    def __init__(
        self,
        table: JobTable,
        folder: Path,
        retry: CatalogRetry,
        seconds: float,
        announce: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.folder, self._announce = folder, announce
        self.table = self._table = table
        self._retry, self._soon = retry, retry.within(seconds)
        self._noted: dict[str, JobRecord] = {}
        self._storing = asyncio.Lock()

    async def all(self) -> tuple[JobRecord, ...]:
        """Every job, the newest first, also those that were only noted. Raises CatalogAway."""
        stored = await asyncio.to_thread(self._table.all)
        noted = await asyncio.to_thread(_read_notes, self.folder)
        known = {record.id for record in stored}
        new = sorted((record for record in noted if record.id not in known), key=lambda one: -one.created)
        self._noted = {record.id: record for record in new}
        await self.store_noted()
        return (*new, *stored)

    def noted(self, job_id: str) -> bool:
        """Whether the catalog does not have this job yet."""
        return job_id in self._noted

    async def add(self, job_id: str, path: Path, options: Mapping[str, Any], state: JobState) -> JobRecord:
        """A new job of a file that is on the disk. Raises StoreFull if neither the catalog nor the disk takes it."""
        try:
            record = await self._soon.in_thread("add a job", self._table.add, job_id, path.name, options, state)
        except OUTAGES:
            now = time.time()
            record = JobRecord(job_id, state, path.name, options, None, 0, 0, None, now, now)
            await asyncio.to_thread(_write_note, path.parent / NOTE, record)
            self._noted[job_id] = record
            log.warning("job noted on disk", job=job_id)
        self._announce(job_id)
        return record

    async def save(self, record: JobRecord, *, soon: bool = False) -> None:
        """Writes what may change. ``soon``: a client waits for it.

        Raises UnknownJob, CatalogAway, StoreFull, JobLeaseLost.
        """
        retry = self._soon if soon else self._retry
        if record.id in self._noted:
            await retry.run("store a noted job", self.store_noted)
        await retry.in_thread("save a job", self._table.save, record)
        self._announce(record.id)

    async def look_up(self, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result | None:
        """What ``work`` reads from the catalog, in a thread; None if the catalog does not answer."""
        try:
            return await self._soon.in_thread("look up", work, *args, **kwargs)
        except OUTAGES:
            return None

    async def remove(self, job_id: str) -> None:
        """Forgets a job. Raises UnknownJob, CatalogAway."""
        await self._soon.in_thread("remove a job", self._table.remove, job_id)
        self._announce(job_id)

    async def store_noted(self) -> None:
        """Stores in the catalog what was only noted; to be called now and then. Raises CatalogAway, StoreFull."""
        async with self._storing:
            for job_id, record in list(self._noted.items()):
                added = (record.id, record.filename, record.options, record.state)
                await asyncio.to_thread(self._table.add, *added)
                self._noted.pop(job_id, None)
                await asyncio.to_thread(_remove_note, self.folder / job_id / NOTE)
                log.info("noted job stored", job=job_id)


def _write_note(path: Path, record: JobRecord) -> None:
    write_file(path, [json.dumps(asdict(record)).encode()], private=True)


def _remove_note(path: Path) -> None:
    with suppress(OSError):  # a note of a job that is stored is ignored
        path.unlink(missing_ok=True)


def _read_notes(folder: Path) -> list[JobRecord]:
    found = []
    for path in folder.glob(f"*/{NOTE}"):
        with suppress(OSError, ValueError, TypeError):  # one that was not written completely was not answered either
            record = JobRecord(**json.loads(path.read_bytes()))
            found += [record] if record.id == path.parent.name else []
    return found
