"""Bounded caches: one for threads, one for an event loop. Both drop what was used least recently."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def one(_: Any) -> int:
    """The size of a value where a cache counts its values."""
    return 1


class BoundedCache(Generic[Key, Value]):
    """Values by key, never None, whose sizes add up to ``limit`` at most. Thread-safe.

    ``size_of`` gives the size of a value, which must not change: 1 by default, so that ``limit`` is their number. A
    value larger than ``largest`` (default: ``limit``) is not cached. ``hits`` and ``misses`` count the lookups that
    found a value and the loads.
    """

    def __init__(self, limit: int, size_of: Callable[[Value], int] = one, largest: int | None = None) -> None:
        self.limit, self.size = limit, 0
        self.hits = self.misses = 0
        self._size_of, self._largest = size_of, limit if largest is None else largest
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._loads: dict[Key, Future[Value]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: Key) -> bool:
        return key in self._values

    def find(self, key: Key) -> Value | None:
        """The cached value, which thereby becomes the most recently used."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
                self.hits += 1
            return value

    def get(self, key: Key, load: Callable[[], Value]) -> Value:
        """The value, loaded if it is not cached. Threads that need it meanwhile wait for the one that loads it.

        Raises what ``load`` raises, in every waiting thread; a failure is not cached.
        """
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
                self.hits += 1
                return value
            running = self._loads.get(key)
            if running is None:
                self.misses += 1
                mine: Future[Value] = Future()
                self._loads[key] = mine
        return running.result() if running is not None else self._load(key, load, mine)

    def put(self, key: Key, value: Value) -> None:
        """Cache a value in place of the one that is cached."""
        with self._lock:
            self._put(key, value)

    def drop(self, matches: Callable[[Key], bool]) -> None:
        """Forget every value whose key matches; one that is being loaded will not be cached."""
        with self._lock:
            for key in [key for key in self._loads if matches(key)]:
                del self._loads[key]
            for key in [key for key in self._values if matches(key)]:
                self.size -= self._size_of(self._values.pop(key))

    def clear(self) -> None:
        """Forget everything."""
        self.drop(lambda _: True)

    def _load(self, key: Key, load: Callable[[], Value], mine: Future[Value]) -> Value:
        try:
            value = load()
        except BaseException as error:
            self._end_load(key, mine)
            mine.set_exception(error)
            raise
        self._end_load(key, mine, value)
        mine.set_result(value)
        return value

    def _end_load(self, key: Key, mine: Future[Value], value: Value | None = None) -> None:
        with self._lock:
            if self._loads.get(key) is mine:
                del self._loads[key]
                if value is not None:
                    self._put(key, value)

    def _put(self, key: Key, value: Value) -> None:
        replaced = self._values.pop(key, None)
        if replaced is not None:
            self.size -= self._size_of(replaced)
        size = self._size_of(value)
        if size > self._largest:
            return
        self._values[key] = value
        self.size += size
        while self.size > self.limit:
            _, oldest = self._values.popitem(last=False)
            self.size -= self._size_of(oldest)


class CountedCache(Protocol):
    """A cache that counts its use, for metrics. ``size`` and ``limit`` in bytes or values, as the cache counts."""

    @property
    def hits(self) -> int: ...
    @property
    def misses(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def limit(self) -> int: ...
    def __len__(self) -> int: ...


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
        self.misses = 0
        self._cache: BoundedCache[Key, Value] = BoundedCache(limit, size_of)
        self._loads: dict[Key, _Load[Value]] = {}

    def __len__(self) -> int:
        return len(self._cache)

    @property
    def hits(self) -> int:
        """The lookups that found a value."""
        return self._cache.hits

    @property
    def limit(self) -> int:
        """The greatest sum of the sizes."""
        return self._cache.limit

    @property
    def size(self) -> int:
        """The sum of the sizes of all cached values."""
        return self._cache.size

    def find(self, key: Key) -> Value | None:
        """The cached value, counted as a hit."""
        return self._cache.find(key)

    def contains(self, key: Key) -> bool:
        """Whether the value is cached or being loaded. Counts nothing."""
        return key in self._loads or key in self._cache

    async def get(self, key: Key, load: Callable[[], Awaitable[Value]]) -> Value:
        """The value, loaded if it is not cached. Raises what ``load`` raises; a failure is not cached."""
        value = self.find(key)
        if value is not None:
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

    def drop(self, matches: Callable[[Key], bool]) -> None:
        """Forget every value whose key matches; one that is being loaded will not be cached. From any thread."""
        for key in [key for key in list(self._loads) if matches(key)]:
            self._loads.pop(key, None)
        self._cache.drop(matches)

    async def _load(self, key: Key, load: Callable[[], Awaitable[Value]]) -> Value:
        mine = asyncio.current_task()
        try:
            value = await load()
            running = self._loads.get(key)
            if running is not None and running.task is mine:
                self._cache.put(key, value)
            return value
        finally:
            running = self._loads.get(key)
            if running is not None and running.task is mine:
                del self._loads[key]
