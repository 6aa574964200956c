"""Answers below ``v/{digest}``: cached forever, conditional, in byte ranges (WI8)."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.problems import RangeNotSatisfiable
from wavescope.api.state import version_services_of

PUBLIC = "wavescope.public"  # the key of whether everyone may see the slide, in a request's scope
FOREVER = b"public, max-age=31536000, immutable"
OWN = b"private, max-age=60, immutable"  # after a minute the gate decides again: 304 (AC41)
RANGE = re.compile(rb"bytes=([0-9]{0,18})-([0-9]{0,18})")

Headers = list[tuple[bytes, bytes]]


class Immutable(Response):
    """A body that never changes under its URL. Empty: 204."""

    def __init__(
        self,
        body: bytes,
        media_type: bytes,
        etag: bytes,
        status: int = 200,
        more: Headers | None = None,
        cache_control: bytes = FOREVER,
    ):
        self.status_code = status if body or status != 200 else 204
        self.body = body
        self.background = None
        self.raw_headers = [(b"cache-control", cache_control), (b"etag", etag)]
        if self.status_code not in (204, 304):
            self.raw_headers += [
                (b"content-type", media_type),
                (b"content-length", b"%d" % len(body)),
                (b"accept-ranges", b"bytes"),
            ]
        if more:
            self.raw_headers += more


def header(request: Request, name: bytes) -> bytes | None:
    """A request header's value."""
    for key, value in request.scope["headers"]:
        if key == name:
            return bytes(value)
    return None


def not_modified(request: Request, etag: bytes) -> Response | None:
    """304 if the client has it."""
    condition = header(request, b"if-none-match")
    if condition is None or not matches(condition, etag):
        return None
    return Immutable(b"", b"", etag, 304, cache_control=cache_control_of(request))


def cache_control_of(request: Request) -> bytes:
    """Which caches may store an answer about the slide of this request, and for how long."""
    public: bool | None = request.scope.get(PUBLIC)
    if public is None:
        public = version_services_of(request).visibility.is_public(request.scope["path_params"].get("slide_id", ""))
    return FOREVER if public else OWN


def matches(condition: bytes, etag: bytes) -> bool:
    """Weak comparison of a list of entity tags with one."""
    tags = [tag.strip().removeprefix(b"W/") for tag in condition.split(b",")]
    return b"*" in tags or etag.removeprefix(b"W/") in tags


def immutable(request: Request, body: bytes, media_type: bytes, etag: bytes, more: Headers | None = None) -> Response:
    """The whole body, or the one byte range that the client requests; ``more``: headers of both. Raises
    RangeNotSatisfiable.
    """
    wanted, cache_control = header(request, b"range"), cache_control_of(request)
    if wanted is None or not body:
        return Immutable(body, media_type, etag, more=more, cache_control=cache_control)
    condition = header(request, b"if-range")
    span = byte_range(wanted, len(body)) if condition in (None, etag) else None
    if span is None:
        return Immutable(body, media_type, etag, more=more, cache_control=cache_control)
    content_range = b"bytes %d-%d/%d" % (span.start, span.stop - 1, len(body))
    return Immutable(
        body[span.start : span.stop],
        media_type,
        etag,
        206,
        [(b"content-range", content_range), *(more or ())],
        cache_control,
    )


def byte_range(wanted: bytes, size: int) -> range | None:
    """The bytes of a single range; None: the answer is the whole body. Raises RangeNotSatisfiable."""
    match = RANGE.fullmatch(wanted.strip())
    if match is None or match.groups() == (b"", b""):
        return None
    first, last = match.groups()
    if not first:
        span = range(max(0, size - int(last)), size)
    else:
        span = range(int(first), min(size, int(last) + 1) if last else size)
        if last and int(last) < int(first):
            return None
    if not span:
        raise RangeNotSatisfiable(size)
    return span
