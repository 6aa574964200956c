"""uvicorn's WebSocket protocol with small buffers, for clients that read slowly (SE27)."""

from __future__ import annotations

import socket
from asyncio import BaseTransport, Transport
from typing import cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from wavescope.api.http.sockets import CUT

UNSENT = 16 * 1024  # bytes in the send buffer of the kernel that are not sent yet
BUFFER = 16 * 1024  # bytes in the write buffer of this process


class LiveSocket(WebSocketsSansIOProtocol):
    """A waiting view can be replaced by a newer one only until it is written: so little is written ahead."""

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        cast(Transport, transport).set_write_buffer_limits(high=BUFFER)
        plain = transport.get_extra_info("socket")
        if plain is not None and hasattr(socket, "TCP_NOTSENT_LOWAT"):
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][CUT] = {"cut": self.transport.abort}

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # unread data would otherwise keep the connection open
