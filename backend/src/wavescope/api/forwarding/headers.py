"""The headers of a request that is passed on, and of its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wavescope.api.middleware.security_headers import PAGE, security_headers
from wavescope.logs.tracing import outgoing_headers
from wavescope.service.access.audit import CLIENT

HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
        b"expect",
    }
)
REPLACED = frozenset(
    {
        b"forwarded",
        b"via",
        b"x-forwarded-for",
        b"x-forwarded-host",
        b"x-forwarded-port",
        b"x-forwarded-proto",
        b"x-forwarded-server",
        b"x-real-ip",
        b"x-request-id",
        b"traceparent",
        b"x-wavescope-hop",
    }
)
HANDSHAKE = ("sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions", "sec-websocket-protocol")
# of an answer, by the service that passes it on
ADDED = frozenset({b"date", b"server", b"x-request-id", *(name for name, _ in [*PAGE, *security_headers(())])})

Headers = list[tuple[str, str]]
RawHeaders = list[tuple[bytes, bytes]]


def client_headers() -> dict[str, str]:
    """Which client a request is passed on for, and the ids of the request that is worked on."""
    client = CLIENT.get()
    return {**({"X-Forwarded-For": client} if client else {}), **outgoing_headers()}


def end_to_end(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers of a client's request without those between two services."""
    given = list(headers)
    named = {part.strip().lower() for name, value in given if name == b"connection" for part in value.split(b",")}
    return [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in given
        if name not in HOP_BY_HOP and name not in REPLACED and name not in named
    ]


def passed_on(headers: Iterable[tuple[bytes, bytes]], scheme: str) -> Headers:
    """The headers of a client's request without those between two services, with the address of the client."""
    return [*end_to_end(headers), *client_headers().items(), ("X-Forwarded-Proto", scheme)]


def response_headers(headers: Iterable[tuple[bytes, bytes]]) -> RawHeaders:
    """The headers of an answer that is passed on."""
    return [
        (name.lower(), value) for name, value in headers if name.lower() not in HOP_BY_HOP and name.lower() not in ADDED
    ]


def has_body(headers: Sequence[tuple[bytes, bytes]]) -> bool:
    """Whether a request announces a body."""
    named = dict(headers)
    return b"transfer-encoding" in named or named.get(b"content-length", b"0") != b"0"
