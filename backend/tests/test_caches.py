"""The bounded caches: for threads, and for an event loop."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from wavescope.caches import AsyncCache, BoundedCache


def fail() -> bytes:
    raise RuntimeError("no value")


def not_needed() -> bytes:
    raise AssertionError("it is cached")


def test_a_value_is_loaded_once() -> None:
    cache: BoundedCache[str, bytes] = BoundedCache(2)
    assert cache.find("a") is None
    assert cache.get("a", lambda: b"1") == b"1"
    assert cache.get("a", not_needed) == cache.find("a") == b"1"


async def test_hits_and_loads_are_counted_op61() -> None:
    """A look-up by ``find`` that finds nothing is no miss: the load that follows is."""
    cache: BoundedCache[str, bytes] = BoundedCache(2)
    cache.find("a")
    cache.get("a", lambda: b"1")
    cache.get("a", not_needed)
    cache.find("a")
    assert (cache.hits, cache.misses, len(cache), cache.size, cache.limit) == (2, 1, 1, 1, 2)

    async def load() -> bytes:
        return b"123"

    loaded: AsyncCache[str, bytes] = AsyncCache(10, len)
    await asyncio.gather(*(loaded.get("a", load) for _ in range(3)))
    await loaded.get("a", load)
    assert (loaded.hits, loaded.misses, len(loaded), loaded.size, loaded.limit) == (1, 1, 1, 3, 10)


@pytest.mark.parametrize("touch", ["find", "get"])
def test_the_least_recently_used_value_is_dropped_when_there_are_too_many(touch: str) -> None:
    cache: BoundedCache[str, bytes] = BoundedCache(3)
    for key in ("a", "b", "c"):
        cache.put(key, b"x")
    assert (cache.find("a") if touch == "find" else cache.get("a", not_needed)) == b"x"
    cache.put("d", b"x")
    assert [cache.find(key) is not None for key in ("a", "b", "c", "d")] == [True, False, True, True]
    assert len(cache) == cache.size == 3


def test_a_cache_of_bytes_stays_within_its_limit() -> None:
    cache: BoundedCache[str, bytes] = BoundedCache(10, len)
    for key, value in (("a", b"1234"), ("b", b"1234"), ("c", b"1234"), ("b", b"12")):
        cache.put(key, value)
    assert (cache.find("a"), cache.find("b"), cache.find("c")) == (None, b"12", b"1234")
    assert (len(cache), cache.size) == (2, 6)


def test_a_value_larger_than_the_largest_is_returned_and_not_cached() -> None:
    cache: BoundedCache[str, bytes] = BoundedCache(100, len, largest=25)
    assert cache.get("a", lambda: bytes(26)) == bytes(26)
    assert cache.get("b", lambda: bytes(25)) == bytes(25)
    assert (cache.find("a"), cache.find("b")) == (None, bytes(25))


def test_what_is_dropped_is_loaded_again() -> None:
    cache: BoundedCache[tuple[str, int], bytes] = BoundedCache(10, len)
    for key in (("a", 1), ("a", 2), ("b", 1)):
        cache.put(key, b"old")
    cache.drop(lambda key: key[0] == "a")
    assert cache.get(("a", 1), lambda: b"new") == b"new"
    assert cache.get(("b", 1), not_needed) == b"old"
    assert (len(cache), cache.size) == (2, 6)
    cache.clear()
    assert (len(cache), cache.size) == (0, 0)


def test_threads_that_need_the_same_value_share_one_load() -> None:
    cache: BoundedCache[str, bytes] = BoundedCache(10)
    loads: list[int] = []
    begun, release = threading.Event(), threading.Event()

    def load() -> bytes:
        loads.append(1)
        begun.set()
        assert release.wait(10)
        return b"1"

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(cache.get, "a", load)
        assert begun.wait(10)
        others = [pool.submit(cache.get, "a", load) for _ in range(3)]
        release.set()
        assert [future.result(10) for future in (first, *others)] == [b"1"] * 4
    assert len(loads) == 1


def test_a_value_that_is_dropped_while_it_is_loaded_is_not_cached() -> None:
    cache: BoundedCache[str, bytes] = BoundedCache(10)

    def load() -> bytes:
        cache.drop(lambda key: key == "a")
        return b"old"

    assert cache.get("a", load) == b"old"
    assert cache.get("a", lambda: b"new") == b"new"


def test_threads_find_put_and_drop_at_the_same_time() -> None:
    cache: BoundedCache[int, bytes] = BoundedCache(200)
    stop = threading.Event()

    def find() -> None:
        while not stop.is_set():
            for key in range(100):
                cache.find(key)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as pool:
            finding = [pool.submit(find) for _ in range(2)]
            try:
                for _ in range(100):
                    for key in range(200):
                        cache.put(key, b"x")
                    cache.drop(lambda key: key >= 150)
            finally:
                stop.set()
        for future in finding:
            future.result()
    finally:
        sys.setswitchinterval(interval)
    assert len(cache) == cache.size == 150


def test_a_failed_load_raises_and_is_tried_again_next_time() -> None:
    cache: BoundedCache[str, bytes] = BoundedCache(10)
    with pytest.raises(RuntimeError, match="no value"):
        cache.get("a", fail)
    assert cache.get("a", lambda: b"1") == b"1"


def value(data: bytes) -> Callable[[], Awaitable[bytes]]:
    async def load() -> bytes:
        return data

    return load


async def failing() -> bytes:
    raise RuntimeError("no value")


async def unneeded() -> bytes:
    raise AssertionError("it is cached")


async def test_an_event_loop_loads_a_value_once() -> None:
    cache: AsyncCache[str, bytes] = AsyncCache(100, len)
    assert await cache.get("a", value(b"1")) == b"1"
    assert await cache.get("a", unneeded) == b"1"
    assert (cache.hits, cache.misses, cache.size) == (1, 1, 1)


async def test_an_event_loop_drops_the_least_recently_used_value() -> None:
    cache: AsyncCache[str, bytes] = AsyncCache(3, len)
    for key in ("a", "b", "a", "c", "d"):
        await cache.get(key, value(b"x"))
    assert cache.size == 3
    for key in ("a", "c", "d"):
        await cache.get(key, unneeded)
    with pytest.raises(AssertionError):
        await cache.get("b", unneeded)


async def test_an_event_loop_does_not_cache_a_value_larger_than_the_limit() -> None:
    cache: AsyncCache[str, bytes] = AsyncCache(3, len)
    await cache.get("a", value(b"x"))
    assert await cache.get("b", value(b"xxxx")) == b"xxxx"
    assert cache.size == 1


async def test_callers_at_the_same_time_share_one_load() -> None:
    cache: AsyncCache[str, bytes] = AsyncCache(100, len)
    release, loads = asyncio.Event(), 0

    async def load() -> bytes:
        nonlocal loads
        loads += 1
        await release.wait()
        return b"1"

    callers = [asyncio.ensure_future(cache.get("a", load)) for _ in range(5)]
    await asyncio.sleep(0)
    release.set()
    assert await asyncio.gather(*callers) == [b"1"] * 5
    assert loads == 1


async def test_a_failure_reaches_every_caller_and_is_not_cached() -> None:
    cache: AsyncCache[str, bytes] = AsyncCache(100, len)
    results = await asyncio.gather(cache.get("a", failing), cache.get("a", failing), return_exceptions=True)
    assert [type(result) for result in results] == [RuntimeError, RuntimeError]
    assert await cache.get("a", value(b"1")) == b"1"


async def test_a_load_continues_while_a_caller_waits_and_stops_when_none_does() -> None:
    cache: AsyncCache[str, bytes] = AsyncCache(100, len)
    cancelled, forever = asyncio.Event(), asyncio.Event()

    async def load() -> bytes:
        try:
            await forever.wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return b"1"

    first, second = (asyncio.ensure_future(cache.get("a", load)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait({first})
    assert not cancelled.is_set()
    second.cancel()
    await asyncio.wait({second})
    await asyncio.wait_for(cancelled.wait(), 1)
    assert await cache.get("a", value(b"2")) == b"2"
