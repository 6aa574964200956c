"""``Cache-Status`` (RFC 9211) of the answers that an edge makes from its own cache (ED41)."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavescope.api.middleware.request_log import BULK, route_path
from wavescope.blocks.cache.use import USE, CacheUse

NAME = b"wavescope-edge"
STATUS = b"cache-status"
HIT = (STATUS, NAME + b"; hit")
FAILED = 400


class CacheStatus:
    """Wraps the routes of an edge. The head of a batch is sent before its blocks are looked up: it has no status."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        use = CacheUse()
        USE.set(use)

        async def with_status(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < FAILED and BULK in route_path(scope):
                message["headers"] = [*message["headers"], status_of(use)]
            await send(message)

        await self._app(scope, receive, with_status)


def status_of(use: CacheUse) -> tuple[bytes, bytes]:
    """The header of an answer that was made of these parts. Without any, all of it was at hand."""
    if not use.misses:
        return HIT
    forwarded = b"; fwd=partial" if use.hits else b"; fwd=miss"
    return STATUS, NAME + forwarded + (b"; stored" if use.stored else b"")
