"""A wrapper that fetches once what several callers ask for at the same time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, NamedTuple, TypeVar

from wavescope.blocks.base import Answer, BlockRequest, BlockSource
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.errors import Unavailable, WavescopeError
from wavescope.geometry import Address
from wavescope.store.version import SlideVersion

PIECE = 64  # blocks of one fetch for a batch
AHEAD = 2  # pieces under way of one batch

Result = TypeVar("Result")
Block = bytes | WavescopeError


class _Fetch:
    """Work under way for some callers: ``forget`` makes sure that no other joins it."""

    def __init__(self, forget: Callable[[], None]) -> None:
        self.task: asyncio.Task[Any] | None = None
        self.waiting, self._forget = 0, forget

    def leave(self) -> list[asyncio.Task[Any]]:
        """A caller has what it waited for, or does not want it any more. The last one ends the work: its task."""
        self.waiting -= 1
        if self.waiting == 0 and self.task is not None and not self.task.done():
            self._forget()
            self.task.cancel()
            return [self.task]
        return []


class _Pending(NamedTuple):
    """A block that is being fetched."""

    data: asyncio.Future[Block]
    fetch: _Fetch


class CoalescingSource(SourceWrapper):
    """One fetch for all who wait for the same bytes. ``coalesced``: how many waited for another caller's fetch."""

    def __init__(self, inner: BlockSource) -> None:
        super().__init__(inner)
        self.coalesced = 0
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
        """See BlockSource. In the order of the requests, fetched in pieces of PIECE blocks, AHEAD of them at a time."""
        pieces = [requests[start : start + PIECE] for start in range(0, len(requests), PIECE)]
        pending: deque[_Pending] = deque()
        begun = position = 0
        try:
            for number, piece in enumerate(pieces):
                while begun < min(number + AHEAD, len(pieces)):
                    pending += self._join(slide, pieces[begun])
                    begun += 1
                for _ in piece:
                    data = await asyncio.shield(pending[0].data)
                    pending.popleft().fetch.leave()
                    yield position, data
                    position += 1
        finally:
            ended = [task for one in pending for task in one.fetch.leave()]
            await asyncio.gather(*ended, return_exceptions=True)

    def _join(self, slide: str, requests: Sequence[BlockRequest]) -> list[_Pending]:
        """Joins the fetches of what is under way, and begins one for the rest."""
        loop = asyncio.get_running_loop()
        wanted: dict[Hashable, BlockRequest] = {}
        fetch = _Fetch(lambda: self._forget(wanted))
        joined = []
        for request in requests:
            key = (slide, request.address, request.layers)
            if key not in self._blocks:
                wanted[key] = request
                self._blocks[key] = _Pending(loop.create_future(), fetch)
            elif key not in wanted:
                self.coalesced += 1
            joined.append(self._blocks[key])
            joined[-1].fetch.waiting += 1
        if wanted:
            futures = {key: self._blocks[key].data for key in wanted}
            fetch.task = loop.create_task(self._fetch(slide, wanted, futures))
        return joined

    async def _fetch(
        self,
        slide: str,
        wanted: Mapping[Hashable, BlockRequest],
        futures: Mapping[Hashable, asyncio.Future[Block]],
    ) -> None:
        """Answers each of ``wanted`` as it comes; what is missing at the end fails."""
        keys = list(wanted)
        failure: Exception = Unavailable("the block", "its source did not answer")
        try:
            async with aclosing(self._inner.get_many(slide, list(wanted.values()))) as answers:
                async for position, data in answers:
                    self._blocks.pop(keys[position], None)
                    futures[keys[position]].set_result(data)
        except Exception as error:
            failure = error
        finally:
            missing = [key for key, future in futures.items() if not future.done()]
            for key in missing:
                if self._blocks.get(key, (None,))[0] is futures[key]:
                    del self._blocks[key]
                if isinstance(failure, WavescopeError):
                    futures[key].set_result(failure)
                else:
                    futures[key].set_exception(failure)
                    futures[key].exception()  # marked as seen: perhaps nobody waits

    def _forget(self, wanted: Mapping[Hashable, BlockRequest]) -> None:
        for key in wanted:
            self._blocks.pop(key, None)

    async def _once(self, key: Hashable, work: Callable[[], Awaitable[Result]]) -> Result:
        fetch = self._single.get(key)
        if fetch is None:
            fetch = self._single[key] = _Fetch(lambda: self._drop(key))
            fetch.task = asyncio.ensure_future(self._finish(key, fetch, work))
        else:
            self.coalesced += 1
        fetch.waiting += 1
        try:
            result: Result = await asyncio.shield(fetch.task)  # type: ignore[arg-type]
            return result
        finally:
            await asyncio.gather(*fetch.leave(), return_exceptions=True)

    async def _finish(self, key: Hashable, fetch: _Fetch, work: Callable[[], Awaitable[Result]]) -> Result:
        try:
            return await work()
        finally:
            if self._single.get(key) is fetch:
                del self._single[key]

    def _drop(self, key: Hashable) -> None:
        self._single.pop(key, None)
