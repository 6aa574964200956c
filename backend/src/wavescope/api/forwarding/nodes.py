"""Requests that this node passes on to the node that has what they are for: a live session, an upload, an export.

At most one hop: what another node has passed on is answered here or not at all (CL11).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from wavescope.access.hops import Hop, sign
from wavescope.api.forwarding.headers import Headers, end_to_end, has_body, response_headers
from wavescope.api.forwarding.sockets import bridge, client_scheme
from wavescope.api.forwarding.streams import RequestBody, relay
from wavescope.api.forwarding.upstream import Upstream
from wavescope.api.middleware.access_guard import IS_HEAD
from wavescope.api.middleware.forwarding import FORWARDED
from wavescope.api.middleware.hops import COUNTED, HEADER, HOP, target_of
from wavescope.api.middleware.request_log import PASSED_ON
from wavescope.api.problems import wavescope_error
from wavescope.deferred import deferred
from wavescope.errors import Unavailable
from wavescope.logs.tracing import outgoing_headers
from wavescope.service.access.audit import CLIENT

if TYPE_CHECKING:
    import aiohttp
    import yarl
else:
    aiohttp = deferred("aiohttp")
    yarl = deferred("yarl")

OWNER = "the node that has this"
SILENCE_SECONDS = 10.0
"""Without a byte of an answer, after which its node is asked whether it is alive."""


class OtherNode(Upstream):
    """A node of the cluster; ``connections`` for requests, and one for probes."""

    def __init__(self, url: str, connections: int) -> None:
        super().__init__(yarl.URL(url), connections)
        self._probe = Upstream(self.url, 1)

    async def wait(self, work: Collection[asyncio.Future[Any]]) -> None:
        """Returns when one of these is done. Raises TimeoutError if the node does not even answer a probe meanwhile: a
        large upload is checked before it is answered, and a stream of events may be silent for long.
        """
        while not (await asyncio.wait(work, timeout=SILENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED))[0]:
            if not await self._probe.answers():
                raise TimeoutError

    async def close(self) -> None:
        """Ends all connections."""
        await self._probe.close()
        await super().close()


class NodeForwarder:
    """Of the node with this name. ``key``: by which nodes sign. ``connections``: to each other node, for requests."""

    def __init__(self, name: str, key: bytes, connections: int = 512) -> None:
        self._name, self._key, self._connections = name, key, connections
        self._nodes: dict[str, OtherNode] = {}

    async def forward(self, scope: Scope, receive: Receive, send: Send, node_url: str) -> None:
        """Answers with what the node at ``node_url`` answers, piece by piece in both directions; a WebSocket that was
        not accepted yet is bridged to it.

        Raises Unavailable if it does not answer, or if the request has come from another node already; nothing was sent
        to the client then. Raises ClientDisconnect.
        """
        if HOP in scope:
            raise Unavailable(OWNER, "it moves to another node now")
        scope[PASSED_ON] = True
        node = self._node(node_url)
        if scope["type"] == "websocket":
            await receive()  # websocket.connect
            if not await bridge(node, scope, receive, send, self._headers(scope, client_scheme(scope))):
                raise Unavailable(OWNER, "it does not answer")
        else:
            await self._pass(node, scope, receive, send)

    async def close(self) -> None:
        """Ends all connections to other nodes."""
        for node in self._nodes.values():
            await node.close()

    def _node(self, url: str) -> OtherNode:
        found = self._nodes.get(url)
        if found is None:
            found = self._nodes[url] = OtherNode(url, self._connections)
        return found

    async def _pass(self, node: OtherNode, scope: Scope, receive: Receive, send: Send) -> None:
        body, begun = RequestBody(receive, has_body(scope["headers"])), False
        path: bytes = scope.get("raw_path") or scope["path"].encode()
        asked = node.http.request(
            scope["method"],
            node.address(path, scope["query_string"]),
            headers=self._headers(scope, scope["scheme"]),
            data=body.chunks() if body.expected else None,
            allow_redirects=False,
        )
        try:
            async with await body.while_connected(asked, node.wait) as response:
                begun = True
                start = {"status": response.status, "headers": response_headers(response.raw_headers)}
                await send({"type": "http.response.start", **start})
                if IS_HEAD not in scope:  # else the answer is complete
                    await relay(response, body, send, wait=node.wait)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            if begun:
                raise ClientDisconnect from error  # the answer is cut: nothing else can be said any more
            raise Unavailable(OWNER, "it does not answer") from error

    def _headers(self, scope: Scope, scheme: str) -> Headers:
        forwarded = scope.get(FORWARDED)
        claimed = forwarded.claimed if forwarded is not None and not forwarded.trusted else ""
        hop = Hop(self._name, scheme, CLIENT.get(), claimed, bool(scope.get(COUNTED)))
        signed = sign(self._key, hop, scope.get("method", "GET"), target_of(scope), time.time())
        return [*end_to_end(scope["headers"]), *outgoing_headers().items(), (HEADER.decode(), signed)]


async def forward(scope: Scope, receive: Receive, send: Send, node_url: str) -> None:
    """See NodeForwarder.forward: of the application that serves this request. Raises Unavailable, ClientDisconnect."""
    forwarder: NodeForwarder | None = getattr(scope["app"].state, "forwarder", None)
    if forwarder is None:
        raise Unavailable(OWNER, "this service is no node of a cluster")
    await forwarder.forward(scope, receive, send, node_url)


class PassedOn(Response):
    """The answer of a route whose request another node answers. The route has not read the body."""

    def __init__(self, node_url: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(headers=headers)
        self._node_url = node_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await forward_or_reject(scope, receive, send, self._node_url)


async def forward_or_reject(scope: Scope, receive: Receive, send: Send, node_url: str) -> None:
    """``forward`` for HTTP; a node that does not answer is ``unavailable`` (503)."""
    try:
        await forward(scope, receive, send, node_url)
    except Unavailable as error:
        response = await wavescope_error(Request(scope), error)
        await response(scope, receive, send)
