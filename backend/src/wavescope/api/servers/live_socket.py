"""uvicorn's WebSocket for clients of all speeds: what one does not read waits here, not in its socket (SE27)."""

from __future__ import annotations

import socket
from asyncio import BaseTransport, Transport
from typing import cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from wavescope.api.routes.sessions.live import CUT

UNSENT = 16 * 1024  # bytes that the kernel takes beyond those on their way
BUFFER = 16 * 1024  # bytes that wait in this process


class LiveSocket(WebSocketsSansIOProtocol):
    """Views are replaced by newer ones only while they have not been written: so little is written ahead."""

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
        self.transport.abort()  # what it did not read would keep the connection open
