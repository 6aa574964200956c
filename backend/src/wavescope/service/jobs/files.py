"""Where the files of jobs are: in a folder of this machine, or (in a cluster) where each node reads them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import Protocol

from wavescope.catalog.records import JobRecord
from wavescope.service.jobs.uploads import discard
from wavescope.store.durable import remove_tree


def job_path(folder: Path, record: JobRecord) -> Path:
    """The path of a job's file."""
    return folder / record.id / record.filename


class JobFiles(Protocol):
    """The files of the jobs of one store. ``folder``: of those that lie on this machine."""

    @property
    def folder(self) -> Path: ...

    async def store(self, job_id: str) -> None:
        """The files of a new job, which lie in its folder here, survive this machine. Raises Unavailable, OSError."""
        ...

    async def local(self, record: JobRecord) -> Path:
        """The path of a job's file on this machine. Raises Unavailable, NotEnoughSpace, StoreFull."""
        ...

    async def discard(self, job_id: str, filename: str) -> None:
        """Removes the files of a job that has ended."""
        ...

    async def sweep(self, found: Collection[str], needed: Collection[str]) -> tuple[str, ...]:
        """Removes those of the jobs ``found`` here that are not ``needed``, and what no node needs any more elsewhere;
        the ids of these jobs.
        """
        ...


class LocalFiles:
    """Those of one machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def folder(self) -> Path:
        return self._folder

    async def store(self, job_id: str) -> None:
        """They are there."""

    async def local(self, record: JobRecord) -> Path:
        return job_path(self._folder, record)

    async def discard(self, job_id: str, filename: str) -> None:
        await asyncio.to_thread(discard, self._folder / job_id / filename)

    async def sweep(self, found: Collection[str], needed: Collection[str]) -> tuple[str, ...]:
        left = tuple(job_id for job_id in found if job_id not in needed)
        for job_id in left:
            await asyncio.to_thread(remove_tree, self._folder / job_id)
        return left
