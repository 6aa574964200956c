"""Files that arrive, until they belong to a job."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import NamedTuple

from wavescope.config import Limits
from wavescope.service.access.gate import Principal
from wavescope.service.jobs.archives.unpacking import is_archive, unpack
from wavescope.service.jobs.duplicates import HoldPolicy, StoredAs
from wavescope.service.jobs.files import JobFiles
from wavescope.service.jobs.records import JobRecords
from wavescope.service.jobs.uploads import UploadOptions, discard, receive_file, uploads_in
from wavescope.store.space import StoreSpace


class ReceivedUpload(NamedTuple):
    """A file that is here; an archive is unpacked. ``stored``: slides that were made of it already."""

    path: Path
    stored: tuple[str, ...]


class UploadReceiver:
    """Files on their way into the folder of the jobs. One event loop."""

    def __init__(self, records: JobRecords, files: JobFiles, limits: Limits, stored_as: StoredAs) -> None:
        self._records, self._files, self._limits, self._stored_as = records, files, limits, stored_as
        self._space = StoreSpace(files.folder.parent, limits.free_bytes, limits.low_bytes)
        self._ids: set[str] = set()

    @contextlib.contextmanager
    def receiving(self, job_id: str) -> Iterator[None]:
        """While its files arrive, before there is a job of this id."""
        self._ids.add(job_id)
        try:
            yield
        finally:
            self._ids.discard(job_id)

    async def receive(self, chunks: AsyncIterator[bytes], path: Path, announced: int | None) -> None:
        """Raises as ``receive_file``."""
        limit, timeout = self._limits.upload_bytes, self._limits.upload_seconds
        check_space = self._space.check
        await receive_file(chunks, path, limit=limit, timeout=timeout, announced=announced, check_space=check_space)

    async def unpacked(
        self, principal: Principal, path: Path, options: UploadOptions, hold: HoldPolicy
    ) -> ReceivedUpload:
        """What has arrived in a folder made for it, which is removed on any failure. Raises as ``unpack``."""
        try:
            if await asyncio.to_thread(is_archive, path):
                path = await asyncio.to_thread(unpack, path, self._limits)
            wanted = hold == "if stored" or (hold == "answer" and not options.id)
            asked = (principal, path, options, hold == "answer")
            found = await self._records.look_up(self._stored_as, *asked) if wanted else None
        except BaseException:
            await asyncio.to_thread(discard, path)
            raise
        return ReceivedUpload(path, found or ())

    async def sweep(self) -> tuple[str, ...]:
        """Removes the files of no unfinished job; the ids of these jobs (ST65). Raises CatalogAway."""
        found = await asyncio.to_thread(uploads_in, self._files.folder)
        arriving = frozenset(self._ids)  # before the jobs are read: what arrives until then has one
        return await self._files.sweep(found, arriving | await self._records.unfinished())
