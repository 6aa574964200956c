"""The outermost middleware of every request, in pure ASGI: hosts and origins, HEAD, security headers, counting."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavescope.api.metrics import Metrics
from wavescope.api.middleware.csrf import OriginRule
from wavescope.api.middleware.security_headers import PAGE, Headers, security_headers
from wavescope.api.problems import PROBLEMS, NotModifiable, problem_response
from wavescope.service.access.audit import CLIENT

POLICY_VIOLATION = 1008
Answered = Callable[[Scope, str, str, int, bool], None]
"""Receives each answered request: its scope, route, method and status, and whether a file was sent."""


class HeadAnswered(Exception):
    """Stops the application when the head of a HEAD's answer is sent and its body is a file or a stream of events."""


class AccessGuard:
    """Wraps the application. ``origins``: other sites that may change things; ``answered`` is called when a request is
    over.
    """

    def __init__(
        self,
        app: ASGIApp,
        metrics: Metrics,
        rule: OriginRule | None = None,
        origins: Collection[str] = (),
        answered: Answered = lambda *_: None,
    ) -> None:
        self._app, self._metrics, self._answered = app, metrics, answered
        self._rule = rule or OriginRule()
        self._security_headers = security_headers(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        CLIENT.set((scope.get("client") or ("", 0))[0])
        if scope["type"] == "websocket" and (refusal := self._rule.refusal(scope)) is not None:
            if "websocket.http.response" in scope.get("extensions", {}):
                await problem_response(PROBLEMS[NotModifiable], refusal)(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": POLICY_VIOLATION})  # before it is accepted: 403
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, scope["method"] == "HEAD", self._security_headers)
        if answer.head:
            scope = {**scope, "method": "GET"}  # a copy: the server must know that no body follows (PR17)
        started = time.perf_counter()
        try:
            if (refusal := self._rule.refusal(scope)) is not None:
                problem = PROBLEMS[NotModifiable]
                await problem_response(problem, refusal)(scope, receive, answer.send)
            else:
                await self._app(scope, receive, answer.send)
        except HeadAnswered:
            pass
        finally:
            route, method = route_path(scope), "HEAD" if answer.head else scope["method"]
            self._metrics.requests[route, method, answer.status].add(time.perf_counter() - started, answer.bytes)
            self._answered(scope, route, method, answer.status, answer.attachment)


class _Answer:
    """Watches what is sent and adds the headers. The answer to HEAD has no body.

    Raises HeadAnswered at a piece of a file, or of events, that would be followed by others: the one is long, the other
    does not end. Other streams run to their end, so that they close what they read.
    """

    __slots__ = ("_endless", "_security_headers", "_send", "attachment", "bytes", "head", "status")

    def __init__(self, send: Send, head: bool, headers: Headers) -> None:
        self._send, self.head, self._security_headers = send, head, headers
        self.status, self.bytes, self.attachment, self._endless = 500, 0, False, False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message["headers"], *self._security_headers]
            for name, value in message["headers"]:
                self._endless = self._endless or name == b"content-length" or value.startswith(b"text/event-stream")
                if name == b"content-type" and value.startswith(b"text/html"):
                    message["headers"] += PAGE
                    break
                self.attachment = self.attachment or (name == b"content-disposition" and value.startswith(b"attach"))
        elif self.head:  # the head is sent and the answer complete
            if self._endless and message.get("more_body", False):
                raise HeadAnswered
            return
        elif message["type"] == "http.response.body":
            self.bytes += len(message.get("body", b""))
        await self._send(message)
        if self.head:
            await self._send({"type": "http.response.body", "body": b""})


def route_path(scope: Scope) -> str:
    """The template of the route that answered, so that labels stay few."""
    return str(getattr(scope.get("route"), "path", "unmatched"))
