"""Work that is begun at once, and what happens to work that has to wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from wavescope.api.http.begun import Waiting, begin


async def work(*waits: asyncio.Future[int]) -> int:
    return sum([await one for one in waits])


def future(value: int | None = None) -> asyncio.Future[int]:
    made = asyncio.get_running_loop().create_future()
    if value is not None:
        made.set_result(value)
    return made


async def test_work_that_waits_for_nothing_is_done_at_once() -> None:
    assert begin(work()) == 0
    with pytest.raises(ZeroDivisionError):
        begin(broken())


async def broken() -> int:
    return 1 // 0


async def test_work_that_waits_is_continued() -> None:
    first, second = future(), future()
    begun = begin(work(first, second, future(4)))
    assert isinstance(begun, Waiting)
    first.set_result(1)
    asyncio.get_running_loop().call_soon(second.set_result, 2)
    assert await begun == 7


async def test_work_that_waits_fails_as_what_it_waits_for() -> None:
    first = future()
    begun = begin(work(first))
    assert isinstance(begun, Waiting)
    first.set_exception(KeyError("gone"))
    with pytest.raises(KeyError):
        await begun


async def test_who_waits_for_begun_work_can_be_cancelled() -> None:
    first = future()
    begun = begin(work(first))
    assert isinstance(begun, Waiting)
    task = asyncio.ensure_future(asyncio.wait_for(begun, 20))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    assert first.cancelled()


async def test_begun_work_that_is_cancelled_closes_what_it_uses() -> None:
    closed = []

    async def numbers() -> AsyncGenerator[int, None]:
        try:
            yield await future()
        finally:
            await asyncio.sleep(0)
            closed.append(True)

    async def first() -> int:
        async with aclosing(numbers()) as found:
            return await anext(found)

    begun = begin(first())
    assert isinstance(begun, Waiting)
    await begun.cancel()
    assert closed == [True]
