"""Requests for live sessions on a node that does not own them: they are passed on to the owner (CL21, CL24)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message
from starlette.websockets import WebSocket

from wavescope.api.forwarding.nodes import forward
from wavescope.api.http.body import read_body
from wavescope.api.http.sockets import close_socket
from wavescope.api.state import limits_of
from wavescope.errors import Unavailable
from wavescope.service.sessions.connections import MOVED
from wavescope.service.sessions.sessions import SessionService

OWNER_SECONDS = 5.0  # in which a session has an owner again after a node has died
PAUSE_SECONDS = 0.1  # before the owner is looked up again


async def response_of_owner(request: Request, sessions: SessionService, session_id: str | None) -> Response | Request:
    """The answer of the node that owns the session; or the request, if this node does or if there is no such session.

    Waits for an owner if the last one has died. Raises Unavailable, TooLarge.
    """
    if session_id is None or not sessions.shared:
        return request
    body: bytes | None = None
    async for url in _owners(sessions, session_id):
        if url is None:
            return request if body is None else Request(request.scope, _again(body))
        if body is None:
            body = await read_body(request, limits_of(request).json_body)
        response = _Collected()
        with contextlib.suppress(Unavailable):  # the owner is gone
            await forward(request.scope, _again(body), response.send, url)
            return response.response()
    raise Unavailable("the session", "no node has it now")


async def bridged(socket: WebSocket, sessions: SessionService, session_id: str) -> bool:
    """Whether the socket, which was not accepted yet, was bridged to the node that owns the session, and is closed now;
    False: it belongs here. Raises Unavailable.
    """
    if not sessions.shared:
        return False
    await socket.receive()  # websocket.connect
    async for url in _owners(sessions, session_id):
        if url is None:
            return False
        with contextlib.suppress(Unavailable):  # the owner is gone
            await _bridge(socket, sessions, url)
            return True
    raise Unavailable("the session", "no node has it now")


async def _owners(sessions: SessionService, session_id: str) -> AsyncIterator[str | None]:
    """The URL of the owner, again and again until OWNER_SECONDS have passed; None: this node. Raises Unavailable."""
    end = time.monotonic() + OWNER_SECONDS
    while True:
        try:
            yield await sessions.elsewhere(session_id)
        except Unavailable:
            if time.monotonic() >= end:
                raise
        if time.monotonic() >= end:
            return
        await asyncio.sleep(PAUSE_SECONDS)


async def _bridge(socket: WebSocket, sessions: SessionService, url: str) -> None:
    """Until either side closes, or the owner is dead: then the client connects again (CL24)."""
    connected = True

    async def receive() -> Message:
        nonlocal connected
        if connected:
            connected = False
            return {"type": "websocket.connect"}
        return await socket.receive()

    bridging = asyncio.ensure_future(forward(socket.scope, receive, socket.send, url))
    gone = asyncio.ensure_future(sessions.node_gone(url))
    try:
        await asyncio.wait({bridging, gone}, return_when=asyncio.FIRST_COMPLETED)
        if bridging.done():
            bridging.result()
    finally:
        for task in (bridging, gone):
            task.cancel()
        await asyncio.gather(bridging, gone, return_exceptions=True)
    if gone.done() and not gone.cancelled():
        await close_socket(socket, *MOVED)


def _again(body: bytes) -> Callable[[], Awaitable[Message]]:
    """The receiving end of a request whose body was read; its client is taken to stay."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        await asyncio.Event().wait()
        raise AssertionError

    return receive


class _Collected:
    """An answer that is small, as messages of ASGI."""

    def __init__(self) -> None:
        self._start: Message = {}
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        else:
            self._body += message.get("body", b"")

    def response(self) -> Response:
        response = Response(bytes(self._body), self._start["status"])
        response.raw_headers[:] = [(name, value) for name, value in self._start["headers"] if name != b"content-length"]
        if self._body:
            response.raw_headers.append((b"content-length", str(len(self._body)).encode()))
        return response
