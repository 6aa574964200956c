"""The answers of one batch that are ready to be sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from heapq import heappop, heappush
from typing import Any

from wavescope.blocks.base import Answer
from wavescope.errors import WavescopeError

AHEAD_BYTES = 8 << 20  # that were fetched and are not sent


class Batch:
    """The first requested goes first. Who adds waits while much is ready."""

    def __init__(self) -> None:
        self._ready: list[tuple[int, bytes | WavescopeError]] = []
        self._bytes, self._ended = 0, False
        self._filled, self._drained = asyncio.Event(), asyncio.Event()

    async def add(self, position: int, data: bytes | WavescopeError) -> None:
        """Adds an answer; waits while too much is ready."""
        heappush(self._ready, (position, data))  # positions differ, so that the data are never compared
        self._bytes += len(data) if isinstance(data, bytes) else 0
        self._filled.set()
        while self._bytes > AHEAD_BYTES:
            self._drained.clear()
            await self._drained.wait()

    def end(self) -> None:
        """No more answers follow."""
        self._ended = True
        self._filled.set()

    async def next(self) -> Answer | None:
        """The next answer; None after the last."""
        while not self._ready:
            if self._ended:
                return None
            self._filled.clear()
            await self._filled.wait()
        position, data = heappop(self._ready)
        self._bytes -= len(data) if isinstance(data, bytes) else 0
        if self._bytes <= AHEAD_BYTES // 2:
            self._drained.set()
        return position, data


async def filled(fill: Callable[[Batch], Coroutine[Any, Any, None]]) -> AsyncGenerator[Answer, None]:
    """The answers that ``fill`` adds meanwhile; it is cancelled when the caller leaves. Raises as ``fill``."""
    batch = Batch()
    work = asyncio.ensure_future(fill(batch))
    try:
        while (answer := await batch.next()) is not None:
            yield answer
        await work
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
