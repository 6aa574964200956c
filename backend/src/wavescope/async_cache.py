"""A bounded cache for an event loop; apart from ``caches``, because commands without an event loop do not load one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic

from wavescope.caches import BoundedCache, Key, Value, one


class _Load(Generic[Value]):
    """A load under way and how many callers wait for it."""

    def __init__(self, task: asyncio.Task[Value]) -> None:
        self.task = task
        self.waiting = 0


class AsyncCache(Generic[Key, Value]):
    """A BoundedCache for one event loop: callers that need a value at the same time share one load.

    A load whose callers were all cancelled is cancelled too. ``hits`` and ``misses`` count the calls and the loads.
    """

    def __init__(self, limit: int, size_of: Callable[[Value], int] = one) -> None:
        self.hits = self.misses = 0
        self._cache: BoundedCache[Key, Value] = BoundedCache(limit, size_of)
        self._loads: dict[Key, _Load[Value]] = {}

    @property
    def size(self) -> int:
        """The sum of the sizes of all cached values."""
        return self._cache.size

    async def get(self, key: Key, load: Callable[[], Awaitable[Value]]) -> Value:
        """The value, loaded if it is not cached. Raises what ``load`` raises; a failure is not cached."""
        value = self._cache.find(key)
        if value is not None:
            self.hits += 1
            return value
        running = self._loads.get(key)
        if running is None:
            self.misses += 1
            running = self._loads[key] = _Load(asyncio.ensure_future(self._load(key, load)))
        running.waiting += 1
        try:
            return await asyncio.shield(running.task)
        finally:
            running.waiting -= 1
            if running.waiting == 0 and not running.task.done():
                self._loads.pop(key, None)
                running.task.cancel()

    async def _load(self, key: Key, load: Callable[[], Awaitable[Value]]) -> Value:
        mine = asyncio.current_task()
        try:
            value = await load()
            self._cache.put(key, value)
            return value
        finally:
            running = self._loads.get(key)
            if running is not None and running.task is mine:
                del self._loads[key]
