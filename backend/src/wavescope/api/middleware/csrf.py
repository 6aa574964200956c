"""Which pages may change things here: what other sites forge is refused before a route sees it (PR6, PR7)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from urllib.parse import SplitResult, urlsplit

from starlette.types import Scope

from wavescope.api.middleware.forwarding import FORWARDED

HEALTH = frozenset({"/healthz", "/readyz"})  # answered under every name, as probes use addresses (OP13)
METRICS = HEALTH | {"/metrics"}  # the same where it needs a token, which no page of another site has
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
PLATFORMS = frozenset({"/api/v1/lti/login", "/api/v1/lti/launch"})
"""What learning platforms have the browser send: proven by a signature, a state and a cookie of its own (LT9, LT10)."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "[::1]"})
NOT_NAMED = (
    "this service does not answer to the name {!r}; if the name is right, its administrator adds it to the setting "
    "WAVESCOPE_ALLOWED_HOSTS (allowed_hosts in the configuration file)"
)
NOT_DIRECT = (
    "a proxy passed this request on, and this service has no accounts: everyone whom the proxy lets in could do "
    "everything. Its administrator sets WAVESCOPE_ACCESS=accounts, or WAVESCOPE_OPEN_TO_ALL=1 if that is what is wanted"
)
COOKIE_PREFIX = b"wavescope_"  # every cookie of this service that authenticates a request


class OriginRule:
    """``hosts`` empty: any name is answered; ``origins``: other sites that may change things, ``*`` any (but never
    with a cookie); ``direct``: requests that a proxy passed on are refused; ``named``: paths that are answered under
    every name; ``frames``: origins whose frames may show our pages.
    """

    def __init__(
        self,
        hosts: Collection[str] = (),
        origins: Collection[str] = (),
        direct: bool = False,
        named: Collection[str] = HEALTH,
        frames: Callable[[], Collection[str]] = tuple,
    ) -> None:
        self.frames = frames
        self._named = named
        self._hosts = frozenset() if "*" in hosts else frozenset(name.lower() for name in hosts)
        self._origins, self._direct = frozenset(origins), direct

    def rejection(self, scope: Scope) -> str | None:
        """Why this request or WebSocket is not let in; None if it is."""
        socket = scope["type"] == "websocket"
        safe = not socket and (scope["method"] in SAFE or scope["path"] in PLATFORMS)
        if safe and scope["path"] in self._named:
            return None
        if self._direct and FORWARDED in scope:
            return NOT_DIRECT
        if safe and not self._hosts:
            return None
        host, origin, site, cookie = _headers(scope)
        if self._hosts and host_name(host) not in self._hosts:
            return NOT_NAMED.format(host[:100])
        if (
            safe
            or site == "same-origin"
            or (host and origin and _split(origin).netloc == host)
            or origin in self._origins
        ):
            return None
        if cookie and not origin and not socket:
            return "a change asked for with a cookie must say which page asks (Origin); use a token instead of a cookie"
        if not origin or (not cookie and self._other_may(origin, host)):
            return None
        return f"pages of {origin} may not change anything here"

    def _other_may(self, origin: str, host: str) -> bool:
        """Without a cookie: any site if so configured, and pages of this machine if the service is reached here."""
        return "*" in self._origins or (_split(origin).hostname in LOOPBACK and host_name(host) in LOOPBACK)


def _split(origin: str) -> SplitResult:
    """The parts of an origin; all are empty if the text is not an origin."""
    try:
        return urlsplit(origin)
    except ValueError:
        return urlsplit("")


def _headers(scope: Scope) -> tuple[str, str, str, bool]:
    """Host, Origin, Sec-Fetch-Site, and whether a cookie of ours is there."""
    host = origin = site = ""
    cookie = False
    for name, value in scope["headers"]:
        if name == b"host":
            host = value.decode("latin-1")
        elif name == b"origin":
            origin = value.decode("latin-1")
        elif name == b"sec-fetch-site":
            site = value.decode("latin-1")
        elif name == b"cookie":
            cookie = cookie or COOKIE_PREFIX in value
    return host, origin, site, cookie


def host_name(host: str) -> str:
    """A Host header without its port."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()
