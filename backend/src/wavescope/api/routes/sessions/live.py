"""The live connection of a session: a WebSocket around a room (SE11 to SE14, SE24)."""

from __future__ import annotations

import asyncio
import contextlib
from typing import cast

from fastapi import APIRouter
from starlette.requests import Request
from starlette.websockets import WebSocket, WebSocketDisconnect

from wavescope.api.http.guest_cookie import guest_token
from wavescope.api.routing import API
from wavescope.api.state import PRINCIPAL, ApiState, principal_of
from wavescope.errors import WavescopeError
from wavescope.service.service import Service
from wavescope.service.sessions.connection import FAILED, MALFORMED, NOT_A_MEMBER, SILENT, Closing, Connection, Person
from wavescope.service.sessions.room import Room
from wavescope.sessions.messages import Hello, Malformed, read_message

router = APIRouter(prefix=API)

HELLO_SECONDS = 10.0
CLOSE_SECONDS = 5.0  # for the last messages to a connection that does not read
REASON_BYTES = 120
CUT = "wavescope.cut"  # the server's way to drop a connection that does not read


@router.websocket("/sessions/{session_id}/live")
async def live(socket: WebSocket, session_id: str) -> None:
    """The session as it goes on, for its members."""
    state: ApiState = socket.scope["app"].state.api
    await socket.accept()
    person = await _person(socket, state.service)
    room = None if person is None else await _room(state.service, session_id)
    if person is None or room is None or room.member_of(person.identity) is None:
        await _close(socket, NOT_A_MEMBER)
        return
    hello = await _hello(socket)
    if isinstance(hello, Hello):
        await _hold(socket, state.service, room, person, hello)
    elif hello is not None:
        await _close(socket, hello)


async def _person(socket: WebSocket, service: Service) -> Person | None:
    """Who is at the other end, asked anew."""
    socket.scope.pop(PRINCIPAL, None)
    request = cast(Request, socket)  # its headers are read, nothing else
    try:
        return await service.sessions.people.of(principal_of(request), guest_token(request))
    except WavescopeError:
        return None


async def _room(service: Service, session_id: str) -> Room | None:
    try:
        return await service.sessions.rooms.open(session_id)
    except WavescopeError:
        return None


async def _hello(socket: WebSocket) -> Hello | Closing | None:
    """The first message, or why there is none; None: the client has gone."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            message = read_message(await _text(socket))
    except TimeoutError:
        return SILENT
    except Malformed as cause:
        return Closing(MALFORMED, str(cause))
    except WebSocketDisconnect:
        return None
    return message if isinstance(message, Hello) else Closing(MALFORMED, "hello comes first")


async def _hold(socket: WebSocket, service: Service, room: Room, person: Person, hello: Hello) -> None:
    """Both directions, until either ends."""
    connection = Connection(person, hello.client, service.sessions.now(), lambda: _person(socket, service))
    room.connect(connection, hello)
    reading = asyncio.create_task(_read(socket, room, connection))
    writing = asyncio.create_task(_write(socket, connection))
    ending = asyncio.create_task(connection.ending.wait())
    try:
        await asyncio.wait((reading, writing, ending), return_when=asyncio.FIRST_COMPLETED)
        closing = connection.closing
        if closing is not None and not writing.done():
            await asyncio.wait((writing,), timeout=CLOSE_SECONDS)
    finally:
        if not room.failed:
            room.disconnect(connection)
        for task in (reading, writing, ending):
            task.cancel()
        await asyncio.gather(reading, writing, ending, return_exceptions=True)
    if closing is not None:
        await _close(socket, closing)


async def _read(socket: WebSocket, room: Room, connection: Connection) -> None:
    """Passes on incoming messages in order until the client disconnects or the service closes it."""
    try:
        while connection.closing is None:
            await room.receive(connection, await _text(socket))
    except Malformed as cause:
        connection.close(Closing(MALFORMED, str(cause)))
    except WebSocketDisconnect:
        return
    except Exception:
        connection.close(FAILED)
        raise


async def _write(socket: WebSocket, connection: Connection) -> None:
    """Sends what waits; waits itself while the client does not read."""
    with contextlib.suppress(WebSocketDisconnect):
        while (text := await connection.take()) is not None:
            await socket.send_text(text)


async def _text(socket: WebSocket) -> str:
    """The next message. Raises Malformed, WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text")
    if text is None:
        raise Malformed("a message is text")
    return str(text)


async def _close(socket: WebSocket, closing: Closing) -> None:
    """Says why; a client that does not read is cut off."""
    reason = closing.reason.encode()[:REASON_BYTES].decode(errors="ignore")
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await socket.close(closing.code, reason)
    except TimeoutError:
        socket.scope["extensions"][CUT]["cut"]()
    except (RuntimeError, WebSocketDisconnect):
        return
