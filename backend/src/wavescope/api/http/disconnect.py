"""Work that ends when the client disconnects."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive

Result = TypeVar("Result")

WATCHED_AFTER = 0.05  # seconds


async def disconnected(receive: Receive) -> None:
    """Returns when the client has disconnected. The request's body must have been read."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of ``work``, which is cancelled when the client disconnects. Raises ClientDisconnect then."""
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(disconnected(request.receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        for one in (task, gone):
            one.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def quick_while_connected(request: Request, work: Awaitable[Result]) -> Result:
    """As ``while_connected``; the connection is watched after WATCHED_AFTER, so that quick work costs no task."""
    own, left = asyncio.current_task(), False
    watching: list[asyncio.Task[None]] = []
    assert own is not None

    async def cancel_when_gone() -> None:
        nonlocal left
        await disconnected(request.receive)
        left = True
        own.cancel()

    later = asyncio.get_running_loop().call_later(
        WATCHED_AFTER, lambda: watching.append(asyncio.ensure_future(cancel_when_gone()))
    )
    try:
        return await work
    except asyncio.CancelledError:
        if not left:
            raise
        own.uncancel()
        raise ClientDisconnect from None
    finally:
        later.cancel()
        for task in watching:
            task.cancel()
