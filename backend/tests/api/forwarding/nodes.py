"""Small nodes on real connections: each passes on what its ``owner`` names."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send

from wavescope.api.forwarding.nodes import NodeForwarder, forward, forward_or_reject
from wavescope.api.forwarding.sockets import reject_socket
from wavescope.api.metrics.registry import Metrics
from wavescope.api.middleware.access_guard import AccessGuard
from wavescope.api.middleware.hops import Hops
from wavescope.errors import Unavailable

KEY = b"k" * 32

Handler = Callable[[Scope, Receive, Send], Awaitable[None]]


class Node:
    """``owner``: the URL of the node that answers, or empty: ``handler`` does."""

    def __init__(self, name: str, handler: Handler | None = None, owner: str = "", key: bytes = KEY) -> None:
        self.name, self.owner, self.handler, self.url = name, owner, handler, ""
        self.app = Starlette(middleware=[Middleware(Hops, key), Middleware(AccessGuard, Metrics({}))])
        self.app.router.default = self._answer
        self.app.state.forwarder = self.forwarder = NodeForwarder(name, key)
        self.refused: list[str] = []

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self.owner:
            assert self.handler is not None
            await self.handler(scope, receive, send)
        elif scope["type"] == "http":
            await forward_or_reject(scope, receive, send, self.owner)
        else:
            try:
                await forward(scope, receive, send, self.owner)
            except Unavailable as error:
                self.refused.append(str(error))
                await reject_socket(scope, send, 503)


@asynccontextmanager
async def running(*nodes: Node) -> AsyncIterator[None]:
    """Serves the nodes on free ports of loopback; each knows its URL then."""
    servers = [uvicorn.Server(_config(node.app)) for node in nodes]
    tasks = [asyncio.ensure_future(server.serve()) for server in servers]
    try:
        for node, server, task in zip(nodes, servers, tasks, strict=True):
            async with asyncio.timeout(10):
                while not server.started:
                    assert not task.done(), task.result()
                    await asyncio.sleep(0.001)
            node.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        yield
    finally:
        for server in servers:
            server.should_exit = True
        await asyncio.gather(*tasks)
        for node in nodes:
            await node.forwarder.close()


def _config(app: ASGIApp) -> uvicorn.Config:
    options: dict[str, Any] = {"proxy_headers": False, "lifespan": "off", "timeout_graceful_shutdown": 2}
    return uvicorn.Config(app, "127.0.0.1", 0, ws="websockets-sansio", log_config=None, **options)


async def read_all(receive: Receive) -> bytes:
    """The body of a request."""
    body, more = b"", True
    while more:
        message = await receive()
        assert message["type"] == "http.request", message
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


async def answer(send: Send, body: bytes, status: int = 200, *headers: tuple[bytes, bytes]) -> None:
    """A whole answer."""
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})


def seen(scope: Scope) -> dict[str, Any]:
    """What the owner sees of a request."""
    headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
    raw = (scope.get("raw_path") or b"").decode()
    return {
        "method": scope.get("method"),
        "path": raw,
        "query": scope["query_string"].decode(),
        "client": scope["client"][0],
        "scheme": scope["scheme"],
        "headers": headers,
    }
