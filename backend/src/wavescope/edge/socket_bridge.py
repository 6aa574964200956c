"""WebSockets of clients, bridged to the origin: messages in both directions, codes of closing included."""

from __future__ import annotations

from collections import Counter

from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from wavescope.api.credentials import credentials_of
from wavescope.api.forwarding.headers import passed_on
from wavescope.api.forwarding.sockets import bridge, client_scheme, reject_socket
from wavescope.edge.origins import EdgeOrigin
from wavescope.service.access.audit import CLIENT
from wavescope.service.access.authenticator import NOTHING, Credentials

CLIENT_SHARE = 8  # one client has at most the eighth part of all bridges


class SocketBridge:
    """Bridges at most ``limit`` WebSockets at one time, so that requests go on whatever clients open (ED21)."""

    def __init__(self, limit: int) -> None:
        self._limit, self._own = limit, max(1, limit // CLIENT_SHARE)
        self._open: Counter[Credentials | str] = Counter()

    async def __call__(self, origin: EdgeOrigin, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        credentials = credentials_of(HTTPConnection(scope))
        client = CLIENT.get() if credentials == NOTHING else credentials
        if not origin.liveness.answering.is_set() or self._open.total() >= self._limit:
            await reject_socket(scope, send, 503)
        elif self._open[client] >= self._own:
            await reject_socket(scope, send, 429)
        else:
            self._open[client] += 1
            try:
                headers = passed_on(scope["headers"], client_scheme(scope))
                if not await bridge(origin.upstream, scope, receive, send, headers):
                    await reject_socket(scope, send, 503)
            finally:
                self._open[client] -= 1
                self._open += Counter()  # without the clients that have none any more
