"""The bodies of a request and of its answer, piece by piece, while the client is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect
from starlette.types import Receive, Send

from wavescope.api.http.disconnect import disconnected
from wavescope.deferred import deferred

if TYPE_CHECKING:
    import aiohttp
else:
    aiohttp = deferred("aiohttp")


async def first_done(work: Collection[asyncio.Future[Any]]) -> None:
    """Returns when one of these is done."""
    await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)


Waiting = Callable[[Collection[asyncio.Future[Any]]], Awaitable[None]]
"""``first_done``, or what raises TimeoutError when the other service is lost meanwhile."""


class RequestBody:
    """The body of a client's request, and whether the client is still there."""

    def __init__(self, receive: Receive, expected: bool) -> None:
        self._receive, self.expected = receive, expected
        self._read, self._left = asyncio.Event(), False
        if not expected:
            self._read.set()

    async def chunks(self) -> AsyncIterator[bytes]:
        """As they come. Raises ClientDisconnect."""
        while not self._read.is_set():
            message = await self._receive()
            if message["type"] == "http.disconnect":
                self._left = True
                raise ClientDisconnect
            if not message.get("more_body", False):
                self._read.set()
            if message.get("body"):
                yield message["body"]

    async def disconnected(self) -> None:
        """Returns when the client has left; not before its body was read, which ends if it leaves."""
        await self._read.wait()
        await disconnected(self._receive)

    async def while_connected(
        self, asked: Awaitable[aiohttp.ClientResponse], wait: Waiting = first_done
    ) -> aiohttp.ClientResponse:
        """The head of the answer. Ends the request and raises ClientDisconnect if the client leaves before."""
        work, gone = asyncio.ensure_future(_await(asked)), asyncio.ensure_future(self.disconnected())
        try:
            await wait({work, gone})
            if not work.done() or self._left:
                raise ClientDisconnect
            return work.result()
        finally:
            for task in (work, gone):
                task.cancel()
            await asyncio.gather(work, gone, return_exceptions=True)


async def relay(
    response: aiohttp.ClientResponse,
    body: RequestBody,
    send: Send,
    sees: Callable[[bytes], None] | None = None,
    wait: Waiting = first_done,
) -> None:
    """Sends the body of an answer on, as it comes; ``sees`` is called with each piece. Raises ClientDisconnect, and
    aiohttp.ClientError if the answer is cut, and what ``wait`` raises.
    """
    gone: asyncio.Future[None] = asyncio.ensure_future(body.disconnected())
    chunk: asyncio.Future[bytes | None] | None = None
    try:
        reader = response.content.iter_any().__aiter__()
        while True:
            chunk = asyncio.ensure_future(_next(reader))
            await wait({chunk, gone})
            if gone.done():  # also if more is there: a stream that does not end ends with its client
                raise ClientDisconnect
            data = chunk.result()
            if data is None:
                break
            if sees is not None:
                sees(data)
            await send({"type": "http.response.body", "body": data, "more_body": True})
    finally:
        ended: list[asyncio.Future[Any]] = [gone] if chunk is None else [gone, chunk]
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)
    await send({"type": "http.response.body", "body": b""})


async def _await(asked: Awaitable[aiohttp.ClientResponse]) -> aiohttp.ClientResponse:
    return await asked


async def _next(reader: AsyncIterator[bytes]) -> bytes | None:
    with suppress(StopAsyncIteration):
        return await reader.__anext__()
    return None
