"""The jobs that wait for this service: in memory, or (in a cluster) in the catalog."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, Protocol

from wavescope.catalog.records import JobRecord
from wavescope.service.jobs.files import JobFiles

Wish = Literal["cancel", "anew", "lost"]
"""What ends the run of a job: a client, or that another node has it."""
Interrupt = Callable[[str, Wish, Mapping[str, Any]], None]


class JobQueue(Protocol):
    """Jobs in the order in which they were made. ``shared``: other nodes take them too."""

    @property
    def shared(self) -> bool: ...

    def put(self, job_id: str) -> None:
        """A job waits."""
        ...

    def announced(self) -> None:
        """A job may wait that another service has put there."""
        ...

    async def get(self) -> str:
        """The next job; from now on it runs here."""
        ...

    async def beat(self, record: JobRecord, interrupt: Interrupt) -> None:
        """While a job runs here: shows it to other nodes, and interrupts it if they want that."""
        ...

    async def give_back(self, record: JobRecord, error: Mapping[str, str] | None = None) -> None:
        """A job that ran here waits again. ``error``: why."""
        ...

    async def ask(
        self, job_id: str, wish: Literal["cancel", "anew"], options: Mapping[str, Any] | None = None
    ) -> JobRecord | None:
        """What a client asks of a job that does not run here: as it is then. None: no other node can run it."""
        ...


class WorkerEnvironment(NamedTuple):
    """Where the jobs wait, where their files are, and how many of them may run at one time now; whether the runner
    fetches the files that it reads.
    """

    queue: JobQueue
    files: JobFiles
    at_once: Callable[[], int] = lambda: 1
    runner_fetches: bool = False


class LocalQueue:
    """The queue of the only service that runs the jobs of its store."""

    shared = False

    def __init__(self) -> None:
        self._ids: asyncio.Queue[str] = asyncio.Queue()

    def put(self, job_id: str) -> None:
        self._ids.put_nowait(job_id)

    def announced(self) -> None:
        """There is no other service."""

    async def get(self) -> str:
        return await self._ids.get()

    async def beat(self, record: JobRecord, interrupt: Interrupt) -> None:
        """No other service needs it."""

    async def give_back(self, record: JobRecord, error: Mapping[str, str] | None = None) -> None:
        self._ids.put_nowait(record.id)

    async def ask(
        self, job_id: str, wish: Literal["cancel", "anew"], options: Mapping[str, Any] | None = None
    ) -> JobRecord | None:
        return None
