"""A cache bounded in bytes whose concurrent askers share one computation."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class _Flight(Generic[Value]):
    """A computation under way and how many wait for it."""

    def __init__(self, task: asyncio.Task[Value]) -> None:
        self.task = task
        self.waiting = 0


class Memo(Generic[Key, Value]):
    """Values by key, least recently used first out, at most ``budget`` bytes as told by ``size``.

    For one event loop. When every asker of a computation was cancelled, so is the computation. Failures are not kept.
    """

    def __init__(self, budget: int, size: Callable[[Value], int]) -> None:
        self.budget, self._size = budget, size
        self.bytes = self.hits = self.misses = 0
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._flights: dict[Key, _Flight[Value]] = {}

    async def get(self, key: Key, make: Callable[[], Awaitable[Value]]) -> Value:
        """The value of ``key``, made if it is not here."""
        if key in self._values:
            self.hits += 1
            self._values.move_to_end(key)
            return self._values[key]
        flight = self._flights.get(key)
        if flight is None:
            self.misses += 1
            flight = _Flight(asyncio.ensure_future(self._fly(key, make)))
            self._flights[key] = flight
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if flight.waiting == 0 and not flight.task.done():
                self._flights.pop(key, None)
                flight.task.cancel()

    async def _fly(self, key: Key, make: Callable[[], Awaitable[Value]]) -> Value:
        mine = asyncio.current_task()
        try:
            value = await make()
            self._keep(key, value)
            return value
        finally:
            flight = self._flights.get(key)
            if flight is not None and flight.task is mine:
                del self._flights[key]

    def _keep(self, key: Key, value: Value) -> None:
        size = self._size(value)
        if size > self.budget:
            return
        replaced = self._values.pop(key, None)
        if replaced is not None:
            self.bytes -= self._size(replaced)
        self._values[key] = value
        self.bytes += size
        while self.bytes > self.budget:
            _, dropped = self._values.popitem(last=False)
            self.bytes -= self._size(dropped)
