"""The live connection of a session, over a WebSocket (SE11 to SE14, SE24)."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.websockets import WebSocket, WebSocketDisconnect

from wavescope.api.http.guest_cookie import guest_token
from wavescope.api.http.sockets import CLOSE_SECONDS, close_socket, next_text
from wavescope.api.parameters import SessionsParameter
from wavescope.api.problems import UpgradeRequired
from wavescope.api.routes.sessions.owner import bridged
from wavescope.api.routing import any_query, new_router
from wavescope.api.state import PRINCIPAL, principal_without_waiting
from wavescope.errors import Unavailable, WavescopeError
from wavescope.service.sessions.connections import FAILED, MALFORMED, MOVED, NOT_A_MEMBER, SILENT, Closing, Connection
from wavescope.service.sessions.live_session import LiveSession
from wavescope.service.sessions.members import Person
from wavescope.service.sessions.sessions import SessionService
from wavescope.sessions.client_messages import Hello, Malformed, read_message

router = new_router("sessions", "live")

HELLO_SECONDS = 10.0  # for the first message


@router.websocket("/sessions/{session_id}/live")
async def live(socket: WebSocket, session_id: str, sessions: SessionsParameter) -> None:
    """Connects a member to a session."""
    try:
        if await bridged(socket, sessions, session_id):
            return
    except Unavailable:  # no node can be its owner now: the client comes back
        await socket.accept()
        await close_socket(socket, *MOVED)
        return
    await socket.accept()
    try:
        person = await _person(socket, sessions)
        session = None if person is None else await _session(sessions, session_id)
    except Unavailable:  # whether it is a member cannot be known now: the client comes back
        await close_socket(socket, *FAILED)
        return
    if person is None or session is None:
        await close_socket(socket, *NOT_A_MEMBER)
        return
    refusal = session.rejection_of(person.identity)
    if refusal is not None:
        await close_socket(socket, *refusal)
        return
    hello = await _hello(socket)
    if isinstance(hello, Hello):
        await _serve(socket, sessions, session, person, hello)
    elif hello is not None:
        await close_socket(socket, *hello)


@router.get("/sessions/{session_id}/live", include_in_schema=False)
@any_query
async def live_without_upgrade(session_id: str) -> None:
    """What a request gets that is no WebSocket handshake, or is none any more behind a proxy (OP14)."""
    raise UpgradeRequired


async def _person(socket: WebSocket, sessions: SessionService) -> Person | None:
    """The user or guest of the connection as of now; None: no access any more. Raises Unavailable."""
    socket.scope.pop(PRINCIPAL, None)
    try:
        principal = await principal_without_waiting(socket)
        return await sessions.participants.identify(principal, guest_token(socket))
    except Unavailable:
        raise
    except WavescopeError:
        return None


async def _session(sessions: SessionService, session_id: str) -> LiveSession | None:
    """The open session; None: there is none. Raises Unavailable."""
    try:
        return await sessions.open(session_id)
    except Unavailable:
        raise
    except WavescopeError:
        return None


async def _hello(socket: WebSocket) -> Hello | Closing | None:
    """The first message, or why the connection is closed; None: the client has disconnected."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            message = read_message(await next_text(socket))
    except TimeoutError:
        return SILENT
    except Malformed as cause:
        return Closing(MALFORMED, str(cause))
    except WebSocketDisconnect:
        return None
    return message if isinstance(message, Hello) else Closing(MALFORMED, "hello comes first")


async def _serve(
    socket: WebSocket, sessions: SessionService, session: LiveSession, person: Person, hello: Hello
) -> None:
    """Reads and writes until either ends."""
    connection = session.connect(person, hello, lambda: _person(socket, sessions))
    if isinstance(connection, Closing):
        await close_socket(socket, *connection)
        return
    reading = asyncio.create_task(_read(socket, session, connection))
    writing = asyncio.create_task(_write(socket, connection))
    ending = asyncio.create_task(connection.ending.wait())
    try:
        await asyncio.wait((reading, writing, ending), return_when=asyncio.FIRST_COMPLETED)
        closing = connection.closing
        if closing is not None and not writing.done():
            await asyncio.wait((writing,), timeout=CLOSE_SECONDS)
    finally:
        session.disconnect(connection)
        for task in (reading, writing, ending):
            task.cancel()
        await asyncio.gather(reading, writing, ending, return_exceptions=True)
    if closing is not None:
        await close_socket(socket, *closing)


async def _read(socket: WebSocket, session: LiveSession, connection: Connection) -> None:
    """Passes on incoming messages in order until the client disconnects or the service closes it."""
    try:
        while connection.closing is None:
            await session.receive(connection, await next_text(socket))
    except Malformed as cause:
        connection.close(Closing(MALFORMED, str(cause)))
    except WebSocketDisconnect:
        return
    except Unavailable:  # the operation is not answered: the client sends it again
        connection.close(FAILED)
    except Exception:
        connection.close(FAILED)
        raise


async def _write(socket: WebSocket, connection: Connection) -> None:
    """Sends waiting messages; pauses while the client does not read."""
    with contextlib.suppress(WebSocketDisconnect):
        while (text := await connection.next_text()) is not None:
            await socket.send_text(text)
