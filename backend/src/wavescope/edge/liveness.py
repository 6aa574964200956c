"""Whether an origin answers: found by one request for all who wait for it (ED5)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Collection
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

import aiohttp

from wavescope.blocks.remote.client import OriginClient, Permit, Permits
from wavescope.edge.origin import OriginUpstream

SOON_SECONDS = 0.8
AGAIN_SECONDS = 1.0  # after which an origin that did not answer is asked again


Result = TypeVar("Result")


class Silent(TimeoutError):
    """The origin does not answer, which is known already."""


class Liveness:
    """``timeout``: seconds without an answer after which an origin is silent. Nothing waits for one that is silent: it
    is asked every AGAIN_SECONDS until it answers. ``answering`` is set while it is not silent.
    """

    def __init__(self, probe: OriginUpstream, timeout: float) -> None:
        self._probe, self._half = probe, timeout / 2
        self._answered_at = 0.0
        self._check: asyncio.Task[bool] | None = None
        self._recovery: asyncio.Task[None] | None = None
        self.answering = asyncio.Event()
        self.answering.set()

    def require(self) -> None:
        """Raises Silent."""
        if not self.answering.is_set():
            raise Silent

    def timed_out(self) -> None:
        """A request had no answer for the silence time."""
        if self.answering.is_set():
            self.answering.clear()
            self._recovery = asyncio.ensure_future(self._recover())

    async def answers(self) -> bool:
        """Whether the origin answers a probe now."""
        found = await self._probe.answers()
        if found:
            self._answered_at = monotonic()
            self.answering.set()
        return found

    async def answers_soon(self) -> bool:
        """``answers``, for those who do not wait: at once of an origin that is silent."""
        if not self.answering.is_set():
            return False
        try:
            async with asyncio.timeout(SOON_SECONDS):
                return await self.answers()
        except TimeoutError:
            return False

    async def first(self, asked: Awaitable[Result]) -> Result:
        """What is awaited, as ``wait`` waits for it."""
        work = asyncio.ensure_future(asked)
        try:
            await self.wait({work})
            return work.result()
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def wait(self, work: Collection[asyncio.Future[Any]]) -> None:
        """Returns when one of these is done. Raises TimeoutError if the origin is silent meanwhile: a request may take
        long while its origin answers a probe.
        """
        since = monotonic()
        while True:
            left = since + self._half - monotonic()
            done, _ = await asyncio.wait(work, timeout=max(0.0, left), return_when=asyncio.FIRST_COMPLETED)
            if done:
                return
            if self._answered_at <= since:
                self.require()
                check = self._shared_check()
                done, _ = await asyncio.wait({*work, check}, return_when=asyncio.FIRST_COMPLETED)
                if not done <= {check}:
                    return
                if not check.result():
                    raise Silent
            since = self._answered_at

    async def close(self) -> None:
        """Ends the probes."""
        tasks = [task for task in (self._check, self._recovery) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._probe.close()

    def _shared_check(self) -> asyncio.Task[bool]:
        if self._check is None or self._check.done():
            self._check = asyncio.ensure_future(self._checked())
        return self._check

    async def _checked(self) -> bool:
        """Whether it answers a probe in the second half of the silence time."""
        try:
            async with asyncio.timeout(self._half):
                found = await self.answers()
        except TimeoutError:
            found = False
        if not found:
            self.timed_out()
        return found

    async def _recover(self) -> None:
        while not await self.answers():
            await asyncio.sleep(AGAIN_SECONDS)


class LiveClient(OriginClient):
    """Asks an origin for parts of versions, unless it is silent."""

    def __init__(self, url: str, permits: Permits, connections: int, timeout: float, liveness: Liveness) -> None:
        super().__init__(url, permits, connections, timeout)
        self._liveness = liveness

    @asynccontextmanager
    async def request(
        self, slide: str, path: str, body: str | None = None, permit: Permit | None = None
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """See OriginClient."""
        self._liveness.require()
        try:
            async with super().request(slide, path, body, permit) as response:
                yield response
        except TimeoutError:
            self._liveness.timed_out()
            raise

    async def answered(self, asked: Awaitable[aiohttp.ClientResponse]) -> aiohttp.ClientResponse:
        """See OriginClient. Also ends the wait for a connection."""
        return await self._liveness.first(asked)
