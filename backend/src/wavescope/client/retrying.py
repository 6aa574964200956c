"""Another attempt where an answer says that it may succeed: how long to wait (pure), and a BlockSource that does so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar

from wavescope.blocks.base import Answer, BlockRequest, BlockSource
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.errors import TooManyRequests, Unavailable, WavescopeError
from wavescope.geometry import Address
from wavescope.store.version import SlideVersion

FIRST_PAUSE = 0.2  # seconds; each further one is twice as long

Result = TypeVar("Result")
Sleep = Callable[[float], Awaitable[object]]


@dataclass
class Attempts:
    """The attempts of one request: at most ``maximum``, with pauses that add up to ``patience`` seconds at most."""

    maximum: int
    patience: float
    made: int = 1
    waited: float = 0.0

    def pause(self, error: WavescopeError) -> float | None:
        """Seconds to wait before the next attempt; None: there is none, and ``error`` is the answer."""
        if not isinstance(error, Unavailable | TooManyRequests) or self.made >= self.maximum:
            return None
        seconds = error.retry_after
        if seconds is None:
            own = float(error.seconds) if isinstance(error, TooManyRequests) else 0.0
            seconds = max(own, FIRST_PAUSE * 2.0 ** (self.made - 1))
        if self.waited + seconds > self.patience:
            return None
        self.made += 1
        self.waited += seconds
        return seconds


async def attempted(work: Callable[[], Awaitable[Result]], attempts: Attempts, sleep: Sleep = asyncio.sleep) -> Result:
    """The result of ``work``, begun again after each pause. Raises what its last attempt raises."""
    while True:
        try:
            return await work()
        except WavescopeError as error:
            seconds = attempts.pause(error)
            if seconds is None:
                raise
        await sleep(seconds)


class RetryingSource(SourceWrapper):
    """Requests again what ``inner`` could not answer now, within the bounds of ``attempts``."""

    def __init__(self, inner: BlockSource, attempts: Callable[[], Attempts], sleep: Sleep = asyncio.sleep) -> None:
        super().__init__(inner)
        self._attempts, self._sleep = attempts, sleep

    def version(self, slide: str) -> Coroutine[Any, Any, SlideVersion]:
        """See BlockSource."""
        return self._again(lambda: self._inner.version(slide))

    def get(self, slide: str, address: Address, layers: range) -> Coroutine[Any, Any, bytes]:
        """See BlockSource."""
        return self._again(lambda: self._inner.get(slide, address, layers))

    def approximation(self, slide: str, z: int, c: int, layers: range) -> Coroutine[Any, Any, bytes]:
        """See BlockSource."""
        return self._again(lambda: self._inner.approximation(slide, z, c, layers))

    def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> Coroutine[Any, Any, bytes]:
        """See BlockSource."""
        return self._again(lambda: self._inner.index_page(slide, z, c, level, page))

    def icc_profile(self, slide: str) -> Coroutine[Any, Any, bytes | None]:
        """See BlockSource."""
        return self._again(lambda: self._inner.icc_profile(slide))

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        """See BlockSource. What may succeed later is requested again in one batch after all others are answered."""
        attempts, positions = self._attempts(), list(range(len(requests)))
        while positions:
            failed: list[tuple[int, WavescopeError]] = []
            async with aclosing(self._inner.get_many(slide, [requests[at] for at in positions])) as answers:
                async for index, data in answers:
                    if isinstance(data, Unavailable | TooManyRequests):
                        failed.append((positions[index], data))
                    else:
                        yield positions[index], data
            if not failed:
                return
            seconds = attempts.pause(max((error for _, error in failed), key=lambda error: error.retry_after or 0.0))
            if seconds is None:
                for position, error in failed:
                    yield position, error
                return
            await self._sleep(seconds)
            positions = sorted(position for position, _ in failed)

    def _again(self, work: Callable[[], Awaitable[Result]]) -> Coroutine[Any, Any, Result]:
        return attempted(work, self._attempts(), self._sleep)
