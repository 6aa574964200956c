"""WebSockets of clients, bridged to the origin: messages in both directions, codes of closing included."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress

import aiohttp
from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from wavescope.api.credentials import credentials_of
from wavescope.edge.origin import Origin, passed_on
from wavescope.service.access.audit import CLIENT
from wavescope.service.access.authenticator import NOTHING, Credentials

CONNECT_SECONDS = 10.0
NOT_SENT = (1004, 1005, 1006, 1015)  # codes that no close frame may have
MOST_BYTES = 16 << 20  # of a message from the origin
HANDSHAKE = ("sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions", "sec-websocket-protocol")
ORIGIN_LOST = 1012  # service restart: clients come back
CLIENT_SHARE = 8  # one client has at most the eighth part of all bridges


class SocketBridge:
    """Bridges at most ``most`` WebSockets at one time, so that requests go on whatever clients open (ED21)."""

    def __init__(self, origin: Origin, most: int) -> None:
        self._origin, self._most, self._own = origin, most, max(1, most // CLIENT_SHARE)
        self._open: Counter[Credentials | str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        credentials = credentials_of(HTTPConnection(scope))
        client = CLIENT.get() if credentials == NOTHING else credentials
        if self._open.total() >= self._most:
            await _refuse(scope, send, 503)
        elif self._open[client] >= self._own:
            await _refuse(scope, send, 429)
        else:
            self._open[client] += 1
            try:
                await _bridge(self._origin, scope, receive, send)
            finally:
                self._open[client] -= 1
                self._open += Counter()  # without the clients that have none any more


async def _bridge(origin: Origin, scope: Scope, receive: Receive, send: Send) -> None:
    """Connects to the origin first: what it refuses, the client is refused."""
    scheme = "wss" if origin.url.scheme == "https" else "ws"
    url = origin.address(scope.get("raw_path") or scope["path"].encode(), scope["query_string"], scheme)
    client_scheme = "https" if scope["scheme"] == "wss" else "http"
    headers = [one for one in passed_on(scope["headers"], client_scheme) if one[0].lower() not in HANDSHAKE]
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            connected = await origin.sockets.ws_connect(
                url,
                headers=headers,
                protocols=scope.get("subprotocols", ()),
                autoclose=False,
                max_msg_size=MOST_BYTES,
                compress=0,
            )
    except aiohttp.WSServerHandshakeError as error:
        await _refuse(scope, send, error.status)
        return
    except (aiohttp.ClientError, TimeoutError, OSError):
        await _refuse(scope, send, 503)
        return
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
    """From the origin, until it closes."""
    code, reason = ORIGIN_LOST, ""
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


async def _refuse(scope: Scope, send: Send, status: int) -> None:
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1011})
        return
    start: Message = {"type": "websocket.http.response.start", "status": status, "headers": []}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": b""})
