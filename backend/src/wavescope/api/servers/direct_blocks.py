"""GETs of blocks that are in memory, answered on their connection.

The application would give the same answer, byte for byte, at several times the CPU (WI15, ED40). It gets every request
that is not exactly the simple case: conditions, ranges, other methods, a right or a block that has to be fetched, and
every error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from starlette.routing import Route

from wavescope.access.principal import Principal
from wavescope.api.credentials import credentials_in
from wavescope.api.http.immutable import FOREVER, OWN, Headers, Immutable
from wavescope.api.http.numbers import query_integers
from wavescope.api.metrics.registry import Metrics
from wavescope.api.middleware.access_guard import trace_of
from wavescope.api.middleware.csrf import OriginRule
from wavescope.api.middleware.forwarding import HEADERS as FORWARDED
from wavescope.api.middleware.private_cache import private
from wavescope.api.middleware.security_headers import security_headers
from wavescope.api.routes.slides.blocks import FROM_TO, LAYERS, get_block, router
from wavescope.config import Config
from wavescope.errors import WavescopeError
from wavescope.logs.tracing import ID_HEADER
from wavescope.service.version_services import VersionServices

TARGET = re.compile(
    rb"/api/v1/slides/([A-Za-z0-9_-]{1,128})/v/([0-9a-f]{1,64})"
    rb"/blocks/([0-9]{1,9})/([0-9]{1,9})/([0-9]{1,9})/([0-9]{1,9})/([0-9]{1,9})"
    rb"(?:\?((?:from=[0-9]{1,3}&)?to=[0-9]{1,3}|from=[0-9]{1,3}))?"
)
OTHER_ANSWER = frozenset(
    {b"range", b"if-range", b"if-none-match", b"expect", b"content-length", b"transfer-encoding", b"te", b"trailer"}
)
"""Headers of requests that the application answers, or that announce a body."""
QUICK = 0.05  # seconds: no answer from memory is a slow request (OP55) where that is more
ROUTE = next(route.path for route in router.routes if isinstance(route, Route) and route.endpoint is get_block)
MEDIA_TYPE, ID = LAYERS.encode(), ID_HEADER.encode()


class Admission(Protocol):
    """What else a service looks at before it answers."""

    def admits(self, principal: Principal, slide_id: str, peer: str) -> bool:
        """Whether a request may be answered that nothing more has to be noted of."""
        ...

    def count(self, peer: str) -> None:
        """A request that was let in is answered."""
        ...


@dataclass(frozen=True)
class Circumstances:
    """What an application does with answers and requests around its routes.

    ``rule``, ``origins``: of its AccessGuard; ``trusts``: whether a proxy at this address may pass requests on;
    ``private``: whether it has PrivateCache; ``more``: headers of an answer from memory.
    """

    rule: OriginRule
    origins: Sequence[str]
    private: bool
    trusts: Callable[[str], bool] = lambda _: False
    more: Headers | None = None
    admission: Admission | None = None


class DirectBlocks:
    """See the module."""

    def __init__(self, services: VersionServices, metrics: Metrics, around: Circumstances) -> None:
        self._versions, self._authenticator, self._blocks = services.versions, services.authenticator, services.blocks
        self._metrics, self._around = metrics, around
        self._security = security_headers(around.origins)
        cross_site = frozenset({b"origin"}) if around.origins else frozenset()
        self._left = OTHER_ANSWER | cross_site

    def answer(self, target: bytes, headers: Sequence[tuple[bytes, bytes]], peer: str) -> Immutable | None:
        """The answer to a GET of ``target`` over HTTP/1.1, complete but for what the server adds; None: the application
        answers. ``peer``: the address at the other end of the connection.
        """
        started = perf_counter()
        found = TARGET.fullmatch(target)
        if found is None or not self._is_simple(target, headers, peer):
            return None
        slide_id, digest = found[1].decode(), found[2].decode()
        asker: Principal | None = None
        admission = self._around.admission

        def principal() -> Principal:
            nonlocal asker
            asker = self._authenticator.of(credentials_in(headers))
            return asker

        try:
            opened = self._versions.open_now(principal, slide_id, digest)
            if opened is None or asker is None:
                return None
            version, public = opened
            address = version.block(*map(int, found.groups()[2:7]))
            layers = version.layer_range(*query_integers(found[8] or b"", FROM_TO))
            if admission is not None and not admission.admits(asker, slide_id, peer):
                return None
            body = self._blocks.get_now(digest, address, layers)
        except WavescopeError:
            return None
        if body is None:
            return None
        if admission is not None:
            admission.count(peer)
        answer = Immutable(
            body, MEDIA_TYPE, b'"%b.%d-%d"' % (version.tag, layers.start, layers.stop),
            more=self._around.more, cache_control=FOREVER if public else OWN,
        )  # fmt: skip
        if self._around.private:
            answer.raw_headers = private(answer.raw_headers)
        answer.raw_headers += (*self._security, (ID, trace_of(headers).id.encode()))
        self._metrics.block(len(body))
        self._metrics.request(ROUTE, "GET", answer.status_code, perf_counter() - started, len(body))
        return answer

    def _is_simple(self, target: bytes, headers: Sequence[tuple[bytes, bytes]], peer: str) -> bool:
        """Whether nothing around the routes treats the request in another way than most."""
        named = dict(headers)
        if not self._left.isdisjoint(named):
            return False
        if not FORWARDED.isdisjoint(named) and not self._around.trusts(peer):
            return False
        scope = {"type": "http", "method": "GET", "path": target, "headers": headers}
        return self._around.rule.refusal(scope) is None


def may_be_direct(config: Config) -> bool:
    """Whether requests for blocks leave no lines in the log."""
    return config.log_access != "all" and config.slow_seconds >= QUICK
