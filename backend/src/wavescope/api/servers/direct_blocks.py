"""GETs of blocks that are in memory, answered on their connection.

The application would give the same answer, byte for byte, at several times the CPU (WI15, ED40). It gets every request
that is not exactly the simple case: conditions, ranges, other methods, a right or a block that has to be fetched, and
every error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from fastapi import FastAPI
from starlette.routing import Route
from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from wavescope.access.principal import Principal
from wavescope.api.credentials import credentials_in
from wavescope.api.http.immutable import FOREVER, OWN, Headers, Immutable
from wavescope.api.http.numbers import query_integers
from wavescope.api.metrics.registry import Metrics
from wavescope.api.middleware.access_guard import given_id
from wavescope.api.middleware.csrf import OriginRule
from wavescope.api.middleware.forwarding import FORWARDED, TrustedProxies
from wavescope.api.middleware.forwarding import HEADERS as FORWARDING
from wavescope.api.middleware.hops import HEADER as HOP_HEADER
from wavescope.api.middleware.private_cache import private
from wavescope.api.middleware.security_headers import security_headers
from wavescope.api.routes.slides.blocks import FROM_TO, LAYERS, get_block, router
from wavescope.config import Config
from wavescope.logs.tracing import ID_HEADER, TRACE_HEADER, new_id
from wavescope.service.access.authenticator import Credentials
from wavescope.service.version_services import VersionServices

TARGET = re.compile(
    rb"/api/v1/slides/([A-Za-z0-9_-]{1,128})/v/([0-9a-f]{1,64})"
    rb"/blocks/([0-9]{1,9})/([0-9]{1,9})/([0-9]{1,9})/([0-9]{1,9})/([0-9]{1,9})"
    rb"(?:\?((?:from=[0-9]{1,3}&)?to=[0-9]{1,3}|from=[0-9]{1,3}))?"
)
BLOCKS = b"/blocks/"  # a part of every such target
METHOD, VERSION, END = b"GET ", b" HTTP/1.1", b"\r\n"
OTHER_ANSWER = frozenset(
    {
        b"range",
        b"if-range",
        b"if-none-match",
        b"expect",
        b"content-length",
        b"transfer-encoding",
        b"te",
        b"trailer",
        HOP_HEADER,
    }
)
"""Headers of requests that the application answers, or that announce a body, or that a node passed on."""
QUICK = 0.05  # seconds: no answer from memory is a slow request (OP55) where that is more
ROUTE = next(route.path for route in router.routes if isinstance(route, Route) and route.endpoint is get_block)
MEDIA_TYPE, ID, TRACE = LAYERS.encode(), ID_HEADER.encode(), TRACE_HEADER.encode()


class Admission(Protocol):
    """What else a service looks at before it answers."""

    def admits(self, principal: Principal, slide_id: str, client: str) -> bool:
        """Whether a request may be answered that nothing more has to be noted of."""
        ...

    def count(self, client: str) -> None:
        """A request that was let in is answered."""
        ...


@dataclass(frozen=True)
class DirectOptions:
    """What an application does with answers and requests around its routes.

    ``rule``, ``origins``: of its AccessGuard; ``proxies``: those that may pass requests on; ``private``: whether it has
    PrivateCache; ``more``: headers of an answer from memory.
    """

    rule: OriginRule
    origins: Sequence[str]
    proxies: TrustedProxies
    private: bool
    more: Headers | None = None
    admission: Admission | None = None


class Head(NamedTuple):
    """What the headers of a request say, which is the same for every request with these headers. ``request_id``: None
    where each has a new one.
    """

    credentials: Credentials
    client: str
    request_id: bytes | None


class RepeatedHead(NamedTuple):
    """Of requests on one connection that differ in their targets alone: a browser repeats all header lines. ``lines``:
    those of a request without a body, with the empty line that ends them; ``head``: what they say.
    """

    lines: bytes
    head: Head

    @classmethod
    def of(cls, data: bytes, target: bytes, head: Head) -> RepeatedHead | None:
        """From the bytes of one request, which the parser has read; None if its first line has another form."""
        first = METHOD + target + VERSION + END
        return cls(data[len(first) :], head) if data.startswith(first) else None

    def targets(self, data: bytes, most: int) -> Iterator[tuple[bytes, int]]:
        """Of each request with these lines at the beginning of ``data``: its target, and where the next one begins.
        ``most``: bytes of a request.
        """
        start = 0
        while start < len(data):
            line_end = data.find(END, start)
            end = line_end + len(END) + len(self.lines)
            if (
                line_end < 0
                or end - start > most
                or not data.startswith(METHOD, start)
                or not data.startswith(VERSION, line_end - len(VERSION))
                or not data.startswith(self.lines, line_end + len(END))
            ):
                return
            yield data[start + len(METHOD) : line_end - len(VERSION)], end
            start = end


class DirectBlocks:
    """See the module."""

    def __init__(self, services: VersionServices, metrics: Metrics, options: DirectOptions) -> None:
        self._versions, self._authenticator, self._blocks = services.versions, services.authenticator, services.blocks
        self._metrics, self._options, self._admission = metrics, options, options.admission
        self._excluded = OTHER_ANSWER | (frozenset({b"origin"}) if options.origins else frozenset())
        self._formats = {(public, empty): _format(options, public, empty) for public in (0, 1) for empty in (0, 1)}

    def head(self, headers: Sequence[tuple[bytes, bytes]], peer: str) -> Head | None:
        """What these headers of a GET over HTTP/1.1 say; None if anything around the routes treats it in another way
        than most. ``peer``: the address at the other end of the connection.
        """
        named, client = dict(headers), peer
        if not self._excluded.isdisjoint(named):
            return None
        scope: Scope = {"type": "http", "method": "GET", "path": "", "headers": headers}
        if not FORWARDING.isdisjoint(named):
            found = self._options.proxies.client_of(peer, headers)
            if found is None:
                return None
            client = scope[FORWARDED] = found
        if self._options.rule.refusal(scope) is not None:
            return None
        request_id = given_id(headers) if ID in named or TRACE in named else ""
        return Head(credentials_in(headers), client, request_id.encode() if request_id else None)

    def answer(self, target: bytes, head: Head, date: bytes) -> bytes | None:
        """The whole answer to a GET of ``target``; None: the application answers. ``date``: header lines that the
        server adds.
        """
        started, found = perf_counter(), TARGET.fullmatch(target)
        if found is None:
            return None
        slide, digest, z, c, level, x, y, query = found.groups()
        slide_id, version_digest, admission = slide.decode(), digest.decode(), self._admission
        asker: Principal | None = None

        def principal() -> Principal:
            nonlocal asker
            asker = self._authenticator.of(head.credentials)
            return asker

        try:
            opened = self._versions.open_now(principal, slide_id, version_digest)
            if opened is None or asker is None:
                return None
            version, public = opened
            address = version.block(int(z), int(c), int(level), int(x), int(y))
            layers = version.layer_range(*query_integers(query or b"", FROM_TO))
            if admission is not None and not admission.admits(asker, slide_id, head.client):
                return None
            body = self._blocks.get_now(version_digest, address, layers)
        except Exception:  # the application meets the same error, and reports it
            return None
        if body is None:
            return None
        if admission is not None:
            admission.count(head.client)
        size, etag = len(body), (version.tag, layers.start, layers.stop)
        numbers = (*etag, size) if size else etag
        text = self._formats[public, not size] % (date, *numbers, head.request_id or new_id().encode())
        self._metrics.block(size)
        self._metrics.request(ROUTE, "GET", 200 if size else 204, perf_counter() - started, size)
        return text + body


def _format(options: DirectOptions, public: int, empty: int) -> bytes:
    """The head of an answer, with conversions for the date's line, the entity tag, the size and the request's id."""
    control = FOREVER if public else OWN
    answer = Immutable(b"" if empty else b"?", MEDIA_TYPE, b"", more=options.more, cache_control=control)
    headers = private(answer.raw_headers) if options.private else answer.raw_headers
    conversions = {b"etag": b'"%b.%d-%d"', b"content-length": b"%d", ID: b"%b"}
    lines = [
        name + b": " + conversions.get(name, value.replace(b"%", b"%%")) + b"\r\n"
        for name, value in (*headers, *security_headers(options.origins), (ID, b""))
    ]
    return STATUS_LINE[answer.status_code] + b"%b" + b"".join(lines) + b"\r\n"


def may_be_direct(config: Config) -> bool:
    """Whether requests for blocks leave no lines in the log."""
    return config.log_access != "all" and config.slow_seconds >= QUICK


class DirectApplication(FastAPI):
    """``direct`` answers the simple case in its place; None where every answer leaves a line in the log, or a span."""

    def __init__(self, direct: DirectBlocks | None, **options: Any) -> None:
        super().__init__(**options)
        self.direct = direct
