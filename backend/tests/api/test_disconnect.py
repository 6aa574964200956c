"""Work stops when nobody waits for it."""

from __future__ import annotations

import asyncio

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from wavescope.api.http.disconnect import while_connected


def request_of(gone: asyncio.Event) -> Request:
    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    return Request({"type": "http", "headers": []}, receive)


async def test_the_result_is_given_while_the_client_is_there() -> None:
    async def work() -> int:
        return 7

    assert await while_connected(request_of(asyncio.Event()), work()) == 7


async def test_a_failure_is_passed_on() -> None:
    async def work() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await while_connected(request_of(asyncio.Event()), work())


async def test_the_work_is_cancelled_when_the_client_goes_away() -> None:
    gone, cancelled = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        gone.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with pytest.raises(ClientDisconnect):
        await while_connected(request_of(gone), work())
    assert cancelled.is_set()


async def test_the_work_is_cancelled_with_its_caller() -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    task = asyncio.ensure_future(while_connected(request_of(asyncio.Event()), work()))
    await begun.wait()
    task.cancel()
    await asyncio.wait({task})
    assert cancelled.is_set()
