"""What the routes of WebSockets share: reading text messages, and closing."""

from __future__ import annotations

import asyncio

from starlette.websockets import WebSocket, WebSocketDisconnect

from wavescope.sessions.client_messages import Malformed

CLOSE_SECONDS = 5.0  # for the last messages to a client that does not read
REASON_BYTES = 120
CUT = "wavescope.cut"  # the extension of the server that drops a connection that does not read


async def next_text(socket: WebSocket) -> str:
    """The next message of the client. Raises Malformed, WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text")
    if text is None:
        raise Malformed("a message is text")
    return str(text)


async def close_socket(socket: WebSocket, code: int, reason: str) -> None:
    """Closes with code and reason; drops the connection if the client does not read."""
    reason = reason.encode()[:REASON_BYTES].decode(errors="ignore")
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await socket.close(code, reason)
    except TimeoutError:
        socket.scope["extensions"][CUT]["cut"]()
    except (RuntimeError, WebSocketDisconnect):
        return
