"""What passes over a WebSocket, for its line in the log (OP53)."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.types import Message, Receive, Scope, Send

from wavescope.api.middleware.request_log import Closed

ABNORMAL = 1006  # the code of a connection that ended without one
CloseListener = Callable[[Scope, Closed], None]


class SocketWatch:
    """Counts messages and notes why the connection ends: the first code that either side names."""

    __slots__ = ("_code", "_receive", "_received", "_received_bytes", "_send", "_sent", "_sent_bytes", "_started")

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send, self._started = receive, send, time.perf_counter()
        self._received = self._received_bytes = self._sent = self._sent_bytes = self._code = 0

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "websocket.receive":
            self._received += 1
            self._received_bytes += _size(message)
        elif message["type"] == "websocket.disconnect":
            self._code = self._code or message.get("code", ABNORMAL)
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            self._sent += 1
            self._sent_bytes += _size(message)
        elif message["type"] == "websocket.close":
            self._code = self._code or message.get("code", 1000)
        elif message["type"] == "websocket.http.response.start":
            self._code = message["status"]
        await self._send(message)

    def closed(self) -> Closed:
        """What there was, until now."""
        seconds = time.perf_counter() - self._started
        code = self._code or ABNORMAL
        return Closed(code, seconds, self._received, self._received_bytes, self._sent, self._sent_bytes)


def _size(message: Message) -> int:
    """Bytes of a message; characters beyond ASCII count as one."""
    return len(message.get("text") or message.get("bytes") or b"")
