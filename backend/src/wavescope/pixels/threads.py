"""The bounds on making pixels: threads, waiting requests, memory of pictures being put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from threading import Lock
from typing import Any, TypeVar

from wavescope.errors import Unavailable

Result = TypeVar("Result")


class PixelThreads:
    """A bounded pool of threads with a bounded queue of requests in front of it."""

    def __init__(self, threads: int, waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="pixels")
        self._lock, self._unfinished = Lock(), 0
        self.limit, self.threads = waiting, threads
        self.requests = self.rejected = self.working = 0

    @property
    def waiting(self) -> int:
        """Works that wait for a thread; a request is one or several works."""
        return max(0, self._unfinished - self.working)

    async def run(self, work: Callable[[], Result]) -> Result:
        """The result of ``work`` in a thread; work that has not begun is dropped when the caller is cancelled."""
        self._unfinished += 1
        try:
            return await asyncio.wrap_future(self._pool.submit(self._counted, work))
        finally:
            self._unfinished -= 1

    def begin(self, work: Callable[[], object]) -> None:
        """Lets a thread do this for later works. What it raises is left to them."""
        self._pool.submit(work)

    def _counted(self, work: Callable[[], Result]) -> Result:
        with self._lock:
            self.working += 1
        try:
            return work()
        finally:
            with self._lock:
                self.working -= 1

    @asynccontextmanager
    async def request(self) -> AsyncIterator[None]:
        """Counts one request while it is worked on. Raises Unavailable when too many are."""
        if self.requests >= self.limit:
            self.rejected += 1
            raise Unavailable("making pixels", f"{self.requests} requests are waiting")
        self.requests += 1
        try:
            yield
        finally:
            self.requests -= 1

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


class PixelBudget:
    """Bounds the memory of pictures being put together: a request that needs more than is left waits."""

    def __init__(self, pixels: int) -> None:
        self.limit, self.held = pixels, 0
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def hold(self, pixels: int) -> AsyncIterator[None]:
        """Reserves so many pixels; a picture larger than the whole budget is made alone."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.held == 0 or self.held + pixels <= self.limit)
            self.held += pixels
        try:
            yield
        finally:
            self.held -= pixels
            async with self._changed:
                self._changed.notify_all()


async def all_of(works: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """The results of all works at the same time. Raises what the first one to fail raises; the others are cancelled."""
    waiting = list(works)
    if len(waiting) == 1:
        return [await waiting[0]]
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work) for work in waiting]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from failures
    return [task.result() for task in tasks]
