"""Work stops when nobody waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from wavescope.api.http.disconnect import quick_while_connected, while_connected


@pytest.fixture(params=[while_connected, quick_while_connected])
def waiting(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Either of the two."""
    found: Callable[..., Any] = request.param
    return found


def request_of(gone: asyncio.Event) -> Request:
    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    return Request({"type": "http", "headers": []}, receive)


async def test_the_result_is_given_while_the_client_is_there(waiting: Callable[..., Any]) -> None:
    async def work() -> int:
        return 7

    assert await waiting(request_of(asyncio.Event()), work()) == 7


async def test_a_failure_is_passed_on(waiting: Callable[..., Any]) -> None:
    async def work() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await waiting(request_of(asyncio.Event()), work())


async def test_the_work_is_cancelled_when_the_client_goes_away(waiting: Callable[..., Any]) -> None:
    gone, cancelled = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        gone.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with pytest.raises(ClientDisconnect):
        await waiting(request_of(gone), work())
    assert cancelled.is_set()


async def test_the_work_is_cancelled_with_its_caller(waiting: Callable[..., Any]) -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    task = asyncio.ensure_future(waiting(request_of(asyncio.Event()), work()))
    await begun.wait()
    task.cancel()
    await asyncio.wait({task})
    assert cancelled.is_set()
