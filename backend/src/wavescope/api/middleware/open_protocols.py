"""Other sites' pages may read what the protocols of other software answer, where accounts protect slides (IF13).

A browser sends no cookies with such a request, so a page gets what anyone may see who is not signed in, or what the
token allows that the page has.
"""

from __future__ import annotations

import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

OF_SLIDES = r"(?:slides/[^/]+(?:/v/[^/]+)?|cases/[^/]+)/(?:iiif|deepzoom|xyz|ome\.zarr)(?:/|$)"
PATHS = re.compile(rf"/api/v1/(?:{OF_SLIDES}|dicomweb/)")
RESOURCE_POLICY = b"cross-origin-resource-policy"
ANY_SITE = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Link, Content-Range, Accept-Ranges, Retry-After, Warning, X-Request-Id"),
    (RESOURCE_POLICY, b"cross-origin"),
]
PREFLIGHT = [
    *ANY_SITE,
    (b"access-control-allow-methods", b"GET, HEAD"),
    (b"access-control-allow-headers", b"Accept, Authorization, Range, If-None-Match, If-Range"),
    (b"access-control-max-age", b"86400"),
]


class OpenProtocols:
    """Wraps the application of a service with accounts."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not PATHS.match(scope["path"]) or _changes(scope):
            await self._app(scope, receive, send)
            return
        if scope["method"] == "OPTIONS":
            await send({"type": "http.response.start", "status": 204, "headers": list(PREFLIGHT)})
            await send({"type": "http.response.body", "body": b""})
            return

        async def send_open(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [one for one in message["headers"] if not one[0].startswith(b"access-control-")]
                message["headers"] = [*kept, *ANY_SITE]
            await send(message)

        await self._app(scope, receive, send_open)


def _changes(scope: Scope) -> bool:
    """Whether it is a request, or asks about one, that only the configured sites may send (WI33)."""
    wanted = scope["method"].encode()
    if scope["method"] == "OPTIONS":
        wanted = next((value for name, value in scope["headers"] if name == b"access-control-request-method"), b"GET")
    return wanted not in (b"GET", b"HEAD")
