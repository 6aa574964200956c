"""WebSockets of clients, bridged to another service: messages in both directions, codes of closing included."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.types import Message, Receive, Scope, Send

from wavescope.api.forwarding.headers import HANDSHAKE, Headers
from wavescope.api.forwarding.upstream import Upstream
from wavescope.deferred import deferred

if TYPE_CHECKING:
    import aiohttp
else:
    aiohttp = deferred("aiohttp")

CONNECT_SECONDS = 10.0
NOT_SENT = (1004, 1005, 1006, 1015)  # codes that no close frame may have
MAX_BYTES = 16 << 20  # of a message from the other service
LOST = 1012  # service restart: clients come back


def client_scheme(scope: Scope) -> str:
    """Of the request by which a WebSocket was opened."""
    return "https" if scope["scheme"] in ("wss", "https") else "http"


async def bridge(upstream: Upstream, scope: Scope, receive: Receive, send: Send, headers: Headers) -> bool:
    """Bridges a client whose ``websocket.connect`` was received. Connects to the other service first: what it refuses,
    the client is refused. ``headers``: of the request to it. False if it does not answer: nothing was sent then.
    """
    scheme = "wss" if upstream.url.scheme == "https" else "ws"
    url = upstream.address(scope.get("raw_path") or scope["path"].encode(), scope["query_string"], scheme)
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            connected = await upstream.sockets.ws_connect(
                url,
                headers=[one for one in headers if one[0].lower() not in HANDSHAKE],
                protocols=scope.get("subprotocols", ()),
                autoclose=False,
                max_msg_size=MAX_BYTES,
                compress=0,
            )
    except aiohttp.WSServerHandshakeError as error:
        await reject_socket(scope, send, error.status)
        return True
    except (aiohttp.ClientError, TimeoutError, OSError):
        return False
    async with connected:
        await send({"type": "websocket.accept", "subprotocol": connected.protocol})
        up = asyncio.ensure_future(_up(connected, receive))
        down = asyncio.ensure_future(_down(connected, send))
        try:
            await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in (up, down):
                pump.cancel()
            await asyncio.gather(up, down, return_exceptions=True)
    return True


async def _up(connected: aiohttp.ClientWebSocketResponse, receive: Receive) -> None:
    """From the client, until it leaves."""
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            await connected.close(code=_code(message.get("code"), 1001))
            return
        if message.get("text") is not None:
            await connected.send_str(message["text"])
        elif message.get("bytes") is not None:
            await connected.send_bytes(message["bytes"])


async def _down(connected: aiohttp.ClientWebSocketResponse, send: Send) -> None:
    """From the other service, until it closes."""
    code, reason = LOST, ""
    with suppress(aiohttp.ClientError, OSError):
        while True:
            message = await connected.receive()
            if message.type is aiohttp.WSMsgType.TEXT:
                await send({"type": "websocket.send", "text": message.data})
            elif message.type is aiohttp.WSMsgType.BINARY:
                await send({"type": "websocket.send", "bytes": message.data})
            elif message.type is aiohttp.WSMsgType.CLOSE:
                code, reason = _code(message.data, 1000), str(message.extra or "")
                break
            else:
                break
    await send({"type": "websocket.close", "code": code, "reason": reason})


def _code(code: int | None, instead: int) -> int:
    """What the other side reads: a code that a close frame may have."""
    return code if code is not None and 1000 <= code < 5000 and code not in NOT_SENT else instead


async def reject_socket(scope: Scope, send: Send, status: int) -> None:
    """Answers a handshake with a status."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1011})
        return
    start: Message = {"type": "websocket.http.response.start", "status": status, "headers": []}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": b""})
