"""Requests that another node of the cluster has passed on: who their clients are (CL10, CL11)."""

from __future__ import annotations

import time

from starlette.types import ASGIApp, Receive, Scope, Send

from wavescope.access import hops
from wavescope.api.middleware.forwarding import FORWARDED, HEADERS, Forwarded

HEADER = b"x-wavescope-hop"
HOP = "wavescope.hop"  # the key of a request that a node has passed on, in its scope: a Hop, or None if it is stale
COUNTED = "wavescope.counted"  # the key of a request that was counted against the rates
SOCKET_SCHEMES = {"https": "wss", "http": "ws"}


class Hops:
    """Wraps all other middleware of a node. ``key``: by which nodes sign.

    A request with a valid signature is one of the client that the other node names. Without one it is like any other,
    and the header is removed.
    """

    def __init__(self, app: ASGIApp, key: bytes) -> None:
        self._app, self._key = app, key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan" and any(name == HEADER for name, _ in scope["headers"]):
            self._read(scope)
        await self._app(scope, receive, send)

    def _read(self, scope: Scope) -> None:
        stated = [value.decode("latin-1") for name, value in scope["headers"] if name == HEADER]
        scope["headers"] = [one for one in scope["headers"] if one[0] != HEADER]
        found = None
        if len(stated) == 1:
            found = hops.read(self._key, stated[0], scope.get("method", "GET"), target_of(scope), time.time())
        if found is None:
            return
        hop, fresh = found
        scope[HOP] = hop if fresh else None  # a stale one is not passed on either, so that nothing goes in circles
        if fresh:
            scope["client"] = (hop.client, 0)
            scope["scheme"] = SOCKET_SCHEMES[hop.scheme] if scope["type"] == "websocket" else hop.scheme
            scope["headers"] = [one for one in scope["headers"] if one[0] not in HEADERS]
            if hop.claimed:
                scope[FORWARDED] = Forwarded(False, hop.claimed)


def target_of(scope: Scope) -> str:
    """Path and query of a request, as they were sent."""
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope["query_string"]
    return path.decode("latin-1") + (f"?{query.decode('latin-1')}" if query else "")
