"""The outermost ring of every request, in pure ASGI: who may come in, HEAD, headers of caution, counting."""

from __future__ import annotations

import time
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavescope.api.metrics import Metrics
from wavescope.api.problems import PROBLEMS, NotModifiable, problem_response

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "[::1]"})
CONTENT_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; "
    "img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'self'"
)
CAUTION = [(b"x-content-type-options", b"nosniff")]
PAGE_CAUTION = [(b"referrer-policy", b"same-origin"), (b"content-security-policy", CONTENT_POLICY.encode())]


class Edge:
    """Wraps the application. ``allowed_hosts`` empty: any; ``origins``: other sites that may change things."""

    def __init__(
        self, app: ASGIApp, metrics: Metrics, allowed_hosts: Collection[str] = (), origins: Collection[str] = ()
    ) -> None:
        self._app, self._metrics = app, metrics
        self._hosts = frozenset() if "*" in allowed_hosts else frozenset(allowed_hosts)
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, scope["method"] == "HEAD")
        if answer.head:
            scope["method"] = "GET"
        begun = time.perf_counter()
        try:
            if (refusal := self._refusal(scope)) is not None:
                problem = PROBLEMS[NotModifiable]
                await problem_response(problem, refusal)(scope, receive, answer.send)
            else:
                await self._app(scope, receive, answer.send)
        finally:
            key = (route_path(scope), "HEAD" if answer.head else scope["method"], answer.status)
            self._metrics.requests[key].add(time.perf_counter() - begun, answer.bytes)

    def _refusal(self, scope: Scope) -> str | None:
        """Why this request is not let in; None if it is."""
        if not self._hosts and scope["method"] in SAFE:
            return None
        host = origin = ""
        for name, value in scope["headers"]:
            if name == b"host":
                host = value.decode("latin-1")
            elif name == b"origin":
                origin = value.decode("latin-1")
        if self._hosts and host_name(host) not in self._hosts:
            return f"this service does not answer to the name {host!r}"
        if scope["method"] in SAFE or not origin or self._trusted(origin, host):
            return None
        return str(NotModifiable(origin))

    def _trusted(self, origin: str, host: str) -> bool:
        """The service's own pages, the configured sites, and pages of this machine if the service is reached here."""
        if origin in self._origins or "*" in self._origins:
            return True
        other = urlsplit(origin)
        return other.netloc == host or (other.hostname in LOOPBACK and host_name(host) in LOOPBACK)


class _Answer:
    """Watches what is sent and adds the headers."""

    __slots__ = ("_send", "bytes", "head", "status")

    def __init__(self, send: Send, head: bool) -> None:
        self._send, self.head = send, head
        self.status, self.bytes = 500, 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message["headers"], *CAUTION]
            if any(name == b"content-type" and value.startswith(b"text/html") for name, value in message["headers"]):
                message["headers"] += PAGE_CAUTION
        elif message["type"] == "http.response.body":
            if self.head:
                message = {**message, "body": b""}
            self.bytes += len(message.get("body", b""))
        await self._send(message)


def route_path(scope: Scope) -> str:
    """The template of the route that answered, so that labels stay few."""
    return str(getattr(scope.get("route"), "path", "unmatched"))


def host_name(host: str) -> str:
    """A Host header without its port."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()
