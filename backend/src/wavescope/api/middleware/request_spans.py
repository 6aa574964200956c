"""A span of each request (OP64, OP65). Added only where traces are switched on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavescope.api.middleware.request_log import route_path
from wavescope.api.problems import SERVER_FAULT
from wavescope.logs.tracing import current_id

if TYPE_CHECKING:
    from wavescope.logs.spans import Spans


class RequestSpans:
    """Stands inside the AccessGuard, which reads the request's ids. The span of an event stream ends with its head."""

    def __init__(self, app: ASGIApp, spans: Spans) -> None:
        self._app, self._spans = app, spans

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        size = 0
        with self._spans.request() as span:

            async def watched(message: Message) -> None:
                nonlocal size
                if message["type"] == "http.response.start":
                    status = int(message["status"])
                    span.set_attribute("http.response.status_code", status)
                    if status >= SERVER_FAULT:
                        span.set_attribute("error.type", str(status))
                    if any(value.startswith(b"text/event-stream") for _, value in message["headers"]):
                        name()
                        span.end()
                else:
                    size += len(message.get("body", b""))
                await send(message)

            def name() -> None:
                """Says which request it is. Its path, query and headers are not said: they are texts of a client."""
                route = route_path(scope)
                span.update_name(f"{scope['method']} {route}")
                for key, value in {
                    "http.request.method": scope["method"], "http.route": route, "wavescope.request_id": current_id(),
                    "http.response.body.size": size,
                }.items():  # fmt: skip
                    span.set_attribute(key, value)

            try:
                await self._app(scope, receive, watched)
            finally:
                if span.is_recording():
                    name()
