"""The cache whose concurrent askers share one computation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from wavescope.service.slides.memo import Memo


def value(text: bytes) -> Callable[[], Awaitable[bytes]]:
    async def make() -> bytes:
        return text

    return make


async def fail() -> bytes:
    raise RuntimeError("no value")


async def never() -> bytes:
    raise AssertionError("it is here already")


async def test_a_value_is_made_once_and_kept() -> None:
    memo: Memo[str, bytes] = Memo(100, len)
    assert await memo.get("a", value(b"1")) == b"1"
    assert await memo.get("a", never) == b"1"
    assert (memo.hits, memo.misses, memo.bytes) == (1, 1, 1)


async def test_the_least_recently_used_goes_when_the_budget_is_spent() -> None:
    memo: Memo[str, bytes] = Memo(3, len)
    for key in ("a", "b", "a", "c", "d"):
        await memo.get(key, value(b"x"))
    assert memo.bytes == 3
    for key in ("a", "c", "d"):
        await memo.get(key, never)
    with pytest.raises(AssertionError):
        await memo.get("b", never)


async def test_a_value_larger_than_the_budget_is_given_but_not_kept() -> None:
    memo: Memo[str, bytes] = Memo(3, len)
    await memo.get("a", value(b"x"))
    assert await memo.get("b", value(b"xxxx")) == b"xxxx"
    assert memo.bytes == 1


async def test_askers_at_the_same_time_share_one_computation() -> None:
    memo: Memo[str, bytes] = Memo(100, len)
    release, made = asyncio.Event(), 0

    async def make() -> bytes:
        nonlocal made
        made += 1
        await release.wait()
        return b"1"

    askers = [asyncio.ensure_future(memo.get("a", make)) for _ in range(5)]
    await asyncio.sleep(0)
    release.set()
    assert await asyncio.gather(*askers) == [b"1"] * 5
    assert made == 1


async def test_a_failure_reaches_every_asker_and_is_not_kept() -> None:
    memo: Memo[str, bytes] = Memo(100, len)
    results = await asyncio.gather(memo.get("a", fail), memo.get("a", fail), return_exceptions=True)
    assert [type(result) for result in results] == [RuntimeError, RuntimeError]
    assert await memo.get("a", value(b"1")) == b"1"


async def test_the_computation_goes_on_while_anybody_waits_and_stops_when_nobody_does() -> None:
    memo: Memo[str, bytes] = Memo(100, len)
    cancelled, forever = asyncio.Event(), asyncio.Event()

    async def make() -> bytes:
        try:
            await forever.wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return b"1"

    first, second = (asyncio.ensure_future(memo.get("a", make)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait({first})
    assert not cancelled.is_set()
    second.cancel()
    await asyncio.wait({second})
    await asyncio.wait_for(cancelled.wait(), 1)
    assert await memo.get("a", value(b"2")) == b"2"
