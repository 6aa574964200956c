"""With accounts, only the client itself may cache an answer of the API, unless the slide is public (AC40)."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

VARY = b"Cookie, Authorization"


class PrivateCache:
    """Wraps the application of a service with accounts."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return

        async def send_private(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = private(message["headers"])
            await send(message)

        await self._app(scope, receive, send_private)


def private(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers, with a word to caches where there was none, or none about whom the answer is for."""
    named = dict(headers)
    control = named.get(b"cache-control")
    if control is not None and b"public" in control:
        return headers
    if control is None:
        headers = [*headers, (b"cache-control", b"private, no-cache")]
    elif b"private" not in control and b"no-store" not in control:
        headers = [(name, b"private, " + value if name == b"cache-control" else value) for name, value in headers]
    vary = named.get(b"vary")
    if vary is not None and VARY in vary:  # said by a service behind this one
        return headers
    others = [(name, value) for name, value in headers if name != b"vary"]
    return [*others, (b"vary", vary + b", " + VARY if vary else VARY)]
