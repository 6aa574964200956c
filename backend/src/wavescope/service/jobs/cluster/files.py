"""The files of the jobs of a cluster: in the object store, with copies on the nodes that read them (CL45 to CL47)."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable, Collection
from pathlib import Path

from wavescope.catalog.records import JobRecord
from wavescope.errors import Unavailable, UnreadableSource
from wavescope.service.jobs.files import LocalFiles, job_path
from wavescope.store.objects.uploads import FETCHING, UploadObjects

ABANDONED_SECONDS = 3600.0
"""Age of an upload of which no job is known; it may be one that is just stored."""


class SharedFiles:
    """The files of jobs in an object store. ``unfinished``: reads the ids of jobs that have not ended from the catalog.

    A copy on this node is made once, complete or not at all, only while the disk has room for it (``check_space``).
    """

    def __init__(
        self,
        folder: Path,
        objects: UploadObjects,
        check_space: Callable[[int], None],
        unfinished: Callable[[], Collection[str]],
    ) -> None:
        self._here, self._objects, self._check_space = LocalFiles(folder), objects, check_space
        self._unfinished = unfinished
        self._fetching: set[str] = set()
        self._turns: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    @property
    def folder(self) -> Path:
        return self._here.folder

    async def store(self, job_id: str) -> None:
        """Returns when the object store has them all, with their hashes."""
        try:
            await asyncio.to_thread(self._objects.send, job_id, self.folder / job_id)
        except BaseException:
            await asyncio.shield(asyncio.to_thread(self._forget, job_id))
            raise

    async def local(self, record: JobRecord) -> Path:
        """Fetches them, unless they are here."""
        path = job_path(self.folder, record)
        return path if record.options.get("reencodes") else await self.fetched(path)

    async def fetched(self, path: Path) -> Path:
        """As ``local``, of the path that a job's file has here."""
        job_id = path.parent.name
        turn = self._turns.setdefault(job_id, asyncio.Lock())
        async with turn:
            if not await asyncio.to_thread(path.exists):
                self._fetching.add(job_id)
                try:
                    await asyncio.to_thread(self._objects.fetch, job_id, path.parent, self._check_space)
                except FileNotFoundError as cause:
                    raise UnreadableSource(path, "its file is no longer in the object store") from cause
                finally:
                    self._fetching.discard(job_id)
        return path

    async def discard(self, job_id: str, filename: str) -> None:
        await self._here.discard(job_id, filename)
        await asyncio.to_thread(self._forget, job_id)

    async def sweep(self, found: Collection[str], needed: Collection[str]) -> tuple[str, ...]:
        arriving = {f"{FETCHING}{job_id}" for job_id in self._fetching}
        left = await self._here.sweep([one for one in found if one not in arriving], needed)
        swept = await asyncio.to_thread(self._objects.sweep, self._unfinished, ABANDONED_SECONDS)
        return (*left, *swept)

    def _forget(self, job_id: str) -> None:
        """What an object store that does not answer still has is swept later."""
        try:
            self._objects.remove(job_id)
        except Unavailable:
            return
