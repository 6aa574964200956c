"""The outermost middleware of every request, in pure ASGI: hosts and origins, HEAD, security headers, counting."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavescope.api.metrics.registry import Metrics
from wavescope.api.middleware.csrf import OriginRule
from wavescope.api.middleware.request_log import CompletedRequest, Listener, route_path
from wavescope.api.middleware.security_headers import Headers, page_headers, security_headers
from wavescope.api.middleware.socket_watch import CloseListener, SocketWatch
from wavescope.api.problems import FAILURE, INTERNAL, PROBLEM, PROBLEMS, NotModifiable, problem_response
from wavescope.logs.tracing import ID_HEADER, TRACE, TRACE_HEADER, request_trace
from wavescope.service.access.audit import CLIENT

POLICY_VIOLATION = 1008
IS_HEAD = "wavescope.head"  # the key of a HEAD, which the application answers as a GET, in a request's scope
FOREIGN = "foreign-origin"  # what a request by another name, from another site or by a refused proxy is counted as


class HeadSent(Exception):
    """Stops the application when the head of a HEAD's answer is sent and its body is a file or a stream of events."""


class AccessGuard:
    """Wraps the application. ``origins``: other sites that may change things; ``listeners`` are called when a
    request is over.
    """

    def __init__(
        self,
        app: ASGIApp,
        metrics: Metrics,
        rule: OriginRule | None = None,
        origins: Collection[str] = (),
        listeners: Collection[Listener] = (),
        closed: CloseListener | None = None,
    ) -> None:
        self._app, self._metrics, self._listeners = app, metrics, tuple(listeners)
        self._rule, self._closed = rule or OriginRule(), closed
        self._security_headers = security_headers(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        CLIENT.set((scope.get("client") or ("", 0))[0])
        headers = scope.get("headers", ())
        trace = request_trace(_single(headers, ID_HEADER), _single(headers, TRACE_HEADER))
        TRACE.set(trace)
        if scope["type"] == "websocket":
            watch = SocketWatch(receive, send)
            try:
                await self._connect(scope, watch.receive, watch.send)
            finally:
                if self._closed is not None:
                    self._closed(scope, watch.closed())
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        identified = [*self._security_headers, (ID_HEADER.encode(), trace.id.encode())]
        answer = _WatchedResponse(
            receive, send, scope["method"] == "HEAD", (identified, lambda: self._page(headers)), self._metrics
        )
        if answer.head:
            scope = {
                **scope,
                "method": "GET",
                IS_HEAD: True,
            }  # a copy: the server must know that no body follows (PR17)
        started = answer.received
        try:
            if (refusal := self._rule.rejection(scope)) is not None:
                problem, scope[PROBLEM] = PROBLEMS[NotModifiable], FOREIGN
                await problem_response(problem, refusal)(scope, receive, answer.send)
            else:
                await self._app(scope, answer.receive, answer.send)
        except HeadSent:
            pass
        except Exception as error:
            scope[FAILURE], scope[PROBLEM] = error, INTERNAL.name
            raise
        finally:
            self._over(scope, answer, started)

    def _page(self, headers: Iterable[tuple[bytes, bytes]]) -> Headers:
        return page_headers(b"; ".join(value for name, value in headers if name == b"cookie"), self._rule.frames())

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A WebSocket."""
        if (refusal := self._rule.rejection(scope)) is not None:
            scope[PROBLEM] = FOREIGN
            self._metrics.websockets["refused"] += 1
            if "websocket.http.response" in scope.get("extensions", {}):
                await problem_response(PROBLEMS[NotModifiable], refusal)(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": POLICY_VIOLATION})  # before it is accepted: 403
            return
        with self._metrics.websocket():
            await self._app(scope, receive, send)

    def _over(self, scope: Scope, response: _WatchedResponse, started: float) -> None:
        """Counts a request. Its time begins when it has arrived: a slow upload is no slow service. Event streams and
        downloads last as long as their clients like: their time ends when the answer begins (OP62).
        """
        now = time.perf_counter()
        seconds, thinking = now - started, (response.begun or now) - response.received
        route, method = route_path(scope), "HEAD" if response.head else scope["method"]
        over = CompletedRequest(route, method, response.status, response.attachment, response.bytes, seconds, thinking)
        counted = thinking if response.events or response.attachment else now - response.received
        self._metrics.end(response.events)
        self._metrics.request(route, method, response.status, counted, response.bytes)
        for listener in self._listeners:
            listener(scope, over)


class _WatchedResponse:
    """Watches what is sent and adds the headers. The answer to HEAD has no body.

    Raises HeadSent at a piece of a file, or of events, that would be followed by others: the one is long, the other
    does not end. Other streams run to their end, so that they close what they read.
    """

    __slots__ = (
        "_endless", "_headers", "_metrics", "_page", "_receive", "_send", "attachment", "begun", "bytes", "events",
        "head", "received", "status",
    )  # fmt: skip

    def __init__(
        self, receive: Receive, send: Send, head: bool, headers: tuple[Headers, Callable[[], Headers]], metrics: Metrics
    ) -> None:
        self._receive, self._send, self.head, self._metrics = receive, send, head, metrics
        self._headers, self._page = headers  # of every answer, and of a page that brings none of its own
        metrics.begin()
        self.status, self.bytes, self.attachment, self._endless, self.events = 500, 0, False, False, False
        self.received, self.begun = time.perf_counter(), 0.0  # when the request's last byte came, when the answer began

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self.received = time.perf_counter()
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.begun = message["status"], time.perf_counter()
            own = {name for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(one for one in self._headers if one[0] not in own)]
            for name, value in message["headers"]:
                self.events = self.events or value.startswith(b"text/event-stream")
                self._endless = self._endless or name == b"content-length" or self.events
                if name == b"content-type" and value.startswith(b"text/html"):
                    message["headers"] += [one for one in self._page() if one[0] not in own]
                    break
                self.attachment = self.attachment or (name == b"content-disposition" and value.startswith(b"attach"))
            if self.events:
                self._metrics.stream()
        elif self.head:  # the head is sent and the answer complete
            if self._endless and message.get("more_body", False):
                raise HeadSent
            return
        elif message["type"] == "http.response.body":
            self.bytes += len(message.get("body", b""))
        await self._send(message)
        if self.head:
            await self._send({"type": "http.response.body", "body": b""})


def given_id(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The id that the headers of a request give it; empty if it gets a new one."""
    found = request_trace(_single(headers, ID_HEADER), _single(headers, TRACE_HEADER), made="")
    return found.id


def _single(headers: Iterable[tuple[bytes, bytes]], name: str) -> str:
    """The value of a header; empty without it, or if there are several."""
    wanted = name.encode()
    found = [value for key, value in headers if key == wanted]
    return found[0].decode("latin-1") if len(found) == 1 else ""
