"""A wrapper that fetches once what several callers ask for at the same time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar

from wavescope.blocks.base import Answer, BlockRequest, BlockSource
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.errors import Unavailable, WavescopeError
from wavescope.geometry import Address
from wavescope.store.version import SlideVersion

BATCH = 64  # blocks of one fetch for a batch
AHEAD = 2  # pieces under way of one batch

Result = TypeVar("Result")
Block = bytes | WavescopeError


class _Fetch:
    """Work under way for ``waiting`` callers. ``blocks``: what it brings, if it is for blocks."""

    def __init__(self) -> None:
        self.task: asyncio.Task[Any] | None = None
        self.blocks: list[_Pending] = []
        self.waiting = 0

    def leave(self) -> asyncio.Task[Any] | None:
        """A caller has what it waited for, or does not want it any more. The last one ends the work: its task."""
        self.waiting -= 1
        if self.waiting == 0 and self.task is not None and not self.task.done():
            self.task.cancel()
            return self.task
        return None


@dataclass(eq=False)
class _Pending:
    """A block that is being fetched, or that came and that not all who wait for it have taken."""

    key: Hashable
    data: asyncio.Future[Block]
    fetch: _Fetch
    waiting: int = 0


@dataclass
class FetchCounts:
    """Parts that were fetched. ``coalesced``: how many callers waited for another caller's fetch, and what they got."""

    fetched: int = 0
    fetched_bytes: int = 0
    coalesced: int = 0
    coalesced_bytes: int = 0


class CoalescingSource(SourceWrapper):
    """One fetch for all who wait for the same bytes.

    A fetch is joined until the last of its callers has taken the bytes. So a caller who finds nothing in a cache above
    either joins it or, after that, finds the bytes there.
    """

    def __init__(self, inner: BlockSource, *, batch: int = BATCH) -> None:
        super().__init__(inner)
        self.counts, self._batch = FetchCounts(), batch
        self._single: dict[Hashable, _Fetch] = {}
        self._blocks: dict[Hashable, _Pending] = {}

    async def version(self, slide: str) -> SlideVersion:
        """See BlockSource."""
        return await self._once(("version", slide), lambda: self._inner.version(slide))

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        """See BlockSource. A block that a batch is fetching is awaited there."""
        async with aclosing(self.get_many(slide, [BlockRequest(address, layers)])) as answers:
            _, data = await anext(answers)
        if isinstance(data, WavescopeError):
            raise data
        return data

    async def approximation(self, slide: str, z: int, c: int, layers: range) -> bytes:
        """See BlockSource."""
        return await self._once((slide, z, c, layers), lambda: self._inner.approximation(slide, z, c, layers))

    async def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> bytes:
        """See BlockSource."""
        return await self._once(
            (slide, "index", z, c, level, page), lambda: self._inner.index_page(slide, z, c, level, page)
        )

    async def icc_profile(self, slide: str) -> bytes | None:
        """See BlockSource."""
        return await self._once((slide, "icc"), lambda: self._inner.icc_profile(slide))

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        """See BlockSource. In the order of the requests, fetched in batches of ``batch`` blocks, AHEAD at a time."""
        size = self._batch
        batches = [requests[start : start + size] for start in range(0, len(requests), size)]
        pending: deque[tuple[_Pending, bool]] = deque()
        begun = position = 0
        try:
            for number, batch in enumerate(batches):
                while begun < min(number + AHEAD, len(batches)):
                    pending += self._join(slide, batches[begun])
                    begun += 1
                for _ in batch:
                    block, own = pending[0]
                    data = await asyncio.shield(block.data)
                    if not own:
                        self._waited(data)
                    yield position, data
                    self._leave(block)
                    pending.popleft()
                    position += 1
        finally:
            ended = [self._leave(block) for block, _ in pending]
            await _wait_for(ended)

    def _join(self, slide: str, requests: Sequence[BlockRequest]) -> list[tuple[_Pending, bool]]:
        """Joins the fetches of what is under way, and begins one for the rest; with each, whether it is the own one."""
        loop = asyncio.get_running_loop()
        fetch = _Fetch()
        wanted: list[BlockRequest] = []
        joined = []
        for request in requests:
            key = (slide, request.address, request.layers)
            pending = self._blocks.get(key)
            if pending is None:
                pending = self._blocks[key] = _Pending(key, loop.create_future(), fetch)
                fetch.blocks.append(pending)
                wanted.append(request)
            if pending.fetch is not fetch:
                self.counts.coalesced += 1
            pending.waiting += 1
            pending.fetch.waiting += 1
            joined.append((pending, pending.fetch is fetch))
        if wanted:
            fetch.task = loop.create_task(self._fetch(slide, wanted, fetch.blocks))
        return joined

    def _leave(self, pending: _Pending) -> asyncio.Task[Any] | None:
        """A caller has the block, or does not want it any more. Returns the task that this ended."""
        pending.waiting -= 1
        ended = pending.fetch.leave()
        for block in pending.fetch.blocks if ended else [pending]:  # nobody joins what ends
            if block.waiting == 0 and (ended or block.data.done()):
                self._forget(block)
        return ended

    def _forget(self, pending: _Pending) -> None:
        if self._blocks.get(pending.key) is pending:
            del self._blocks[pending.key]

    async def _fetch(self, slide: str, wanted: Sequence[BlockRequest], blocks: Sequence[_Pending]) -> None:
        """Gives ``blocks`` their data as these come; those without any at the end fail."""
        failure: Exception = Unavailable("the block", "its source did not answer")
        try:
            async with aclosing(self._inner.get_many(slide, wanted)) as answers:
                async for position, data in answers:
                    pending = blocks[position]
                    pending.data.set_result(data)
                    self._fetched(data)
                    if pending.waiting == 0:
                        self._forget(pending)
        except Exception as error:
            failure = error
        finally:
            for pending in [block for block in blocks if not block.data.done()]:
                self._forget(pending)
                if isinstance(failure, WavescopeError):
                    pending.data.set_result(failure)
                else:
                    pending.data.set_exception(failure)
                    pending.data.exception()  # marked as seen: perhaps nobody waits

    def _fetched(self, entry: object) -> None:
        if isinstance(entry, bytes):
            self.counts.fetched += 1
            self.counts.fetched_bytes += len(entry)

    def _waited(self, entry: object) -> None:
        if isinstance(entry, bytes):
            self.counts.coalesced_bytes += len(entry)

    async def _once(self, key: Hashable, work: Callable[[], Awaitable[Result]]) -> Result:
        fetch = self._single.get(key)
        own = fetch is None
        if fetch is None:
            fetch = self._single[key] = _Fetch()
            fetch.task = asyncio.ensure_future(work())
        else:
            self.counts.coalesced += 1
        fetch.waiting += 1
        try:
            result: Result = await asyncio.shield(fetch.task)  # type: ignore[arg-type]
            (self._fetched if own else self._waited)(result)
            return result
        finally:
            ended = fetch.leave()
            if fetch.waiting == 0 and self._single.get(key) is fetch:
                del self._single[key]
            await _wait_for([ended])


async def _wait_for(tasks: Iterable[asyncio.Task[Any] | None]) -> None:
    """Waits for the end of tasks that were cancelled; without any, it does not give way to other tasks."""
    if ended := [task for task in tasks if task is not None]:
        await asyncio.gather(*ended, return_exceptions=True)
