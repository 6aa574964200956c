"""Steered push of blocks over a WebSocket (WI110 to WI119, WI121)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from contextlib import aclosing

from starlette.websockets import WebSocket, WebSocketDisconnect

from wavescope.api.credentials import credentials_of
from wavescope.api.http.sockets import close_socket, next_text
from wavescope.api.parameters import PushParameter
from wavescope.api.problems import UpgradeRequired
from wavescope.api.routing import any_query, new_router
from wavescope.api.state import PRINCIPAL
from wavescope.errors import OutOfRange
from wavescope.service.push.connection import (
    FAILED,
    FLOODING,
    MALFORMED,
    NO_VERSION,
    SILENT,
    Closing,
    PushConnection,
)
from wavescope.service.push.messages import VERSIONS, PushHello, PushView, PushWelcome, read_push_message
from wavescope.service.push.service import PushService
from wavescope.service.version_opener import Opened
from wavescope.sessions.buckets import Bucket
from wavescope.sessions.client_messages import Malformed
from wavescope.sessions.model import to_json

router = new_router("blocks", "live")

HELLO_SECONDS = 10.0  # for the first message
RECHECK_SECONDS = 15.0
MESSAGES = (100, 200)  # a second, at once


@router.websocket("/slides/{slide_id}/v/{digest}/push")
async def push_blocks(socket: WebSocket, slide_id: str, digest: str, push: PushParameter) -> None:
    """Sends a viewer what its view lacks."""
    await socket.accept()
    found = await _available(socket, push, slide_id, digest)
    if isinstance(found, Closing):
        await close_socket(socket, *found)
        return
    hello = await _hello(socket)
    if hello is None:
        return
    connection = push.connect(_client(socket, found), found.version, hello) if isinstance(hello, PushHello) else hello
    if not isinstance(connection, PushConnection):
        await close_socket(socket, *connection)
        return
    try:
        await _serve(socket, push, connection, (slide_id, digest))
    finally:
        push.disconnect(connection)


@router.get("/slides/{slide_id}/v/{digest}/push", include_in_schema=False)
@any_query
async def push_without_upgrade(slide_id: str, digest: str) -> None:
    """What a request gets that is no WebSocket handshake, or is none any more behind a proxy (OP14)."""
    raise UpgradeRequired


async def _available(socket: WebSocket, push: PushService, slide_id: str, digest: str) -> Opened | Closing:
    """The version, if the client of the connection may view it now."""
    found = await push.check(credentials_of(socket), slide_id, digest)
    if isinstance(found, Opened):
        socket.scope[PRINCIPAL] = found.principal
    return found


def _client(socket: WebSocket, opened: Opened) -> str:
    """Whose connections are counted together (WI114)."""
    return opened.principal.id or f"from {socket.client.host if socket.client else ''}"


async def _hello(socket: WebSocket) -> PushHello | Closing | None:
    """The first message, or why the connection is closed; None: the client has disconnected."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            message = read_push_message(await next_text(socket))
    except TimeoutError:
        return SILENT
    except Malformed as cause:
        return Closing(MALFORMED, str(cause))
    except WebSocketDisconnect:
        return None
    if not isinstance(message, PushHello):
        return Closing(MALFORMED, "hello comes first")
    return message if set(message.versions) & set(VERSIONS) else NO_VERSION


async def _serve(socket: WebSocket, push: PushService, connection: PushConnection, slide: tuple[str, str]) -> None:
    """Reads, writes and checks the access until one of them ends."""
    tasks = [
        asyncio.create_task(_read(socket, connection)),
        asyncio.create_task(_write(socket, connection)),
        asyncio.create_task(_check(socket, push, connection, slide)),
        asyncio.create_task(connection.ending.wait()),
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            if task.exception() is not None:
                connection.close(FAILED)
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if connection.closing is not None:
            await close_socket(socket, *connection.closing)


async def _read(socket: WebSocket, connection: PushConnection) -> None:
    """Passes on views and acks until the client disconnects."""
    messages = Bucket(*MESSAGES, _milliseconds())
    try:
        while connection.closing is None:
            message = read_push_message(await next_text(socket))
            if not messages.consume(_milliseconds()):
                connection.close(FLOODING)
            elif isinstance(message, PushHello):
                raise Malformed("hello comes once")
            elif isinstance(message, PushView):
                connection.set_view(message)
            else:
                connection.acknowledge(message)
    except (Malformed, OutOfRange) as cause:
        connection.close(Closing(MALFORMED, str(cause)))
    except WebSocketDisconnect:
        return


async def _write(socket: WebSocket, connection: PushConnection) -> None:
    """Sends blocks; pauses while the client does not read or acknowledge."""
    with contextlib.suppress(WebSocketDisconnect):
        await socket.send_text(to_json(PushWelcome(version=max(VERSIONS))))
        async with aclosing(connection.messages()) as messages:
            async for message in messages:
                await socket.send_bytes(message)


async def _check(socket: WebSocket, push: PushService, connection: PushConnection, slide: tuple[str, str]) -> None:
    """Closes the connection when its client may not view the slide any more (WI113)."""
    while True:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(connection.recheck_now.wait(), RECHECK_SECONDS)
        connection.recheck_now.clear()
        found = await _available(socket, push, *slide)
        if isinstance(found, Closing):
            connection.close(found)
            return


def _milliseconds() -> int:
    return int(time.monotonic() * 1000)
