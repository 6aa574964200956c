"""Which pages may change things here: what other sites forge is refused before a route sees it (PR6, PR7)."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import SplitResult, urlsplit

from starlette.types import Scope

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "[::1]"})
COOKIE_PREFIX = b"wavescope_"  # every cookie of this service that authenticates a request


class OriginRule:
    """``hosts`` empty: any name is answered; ``origins``: other sites that may change things, ``*`` any (but never
    with a cookie).
    """

    def __init__(self, hosts: Collection[str] = (), origins: Collection[str] = ()) -> None:
        self._hosts = frozenset() if "*" in hosts else frozenset(hosts)
        self._origins = frozenset(origins)

    def refusal(self, scope: Scope) -> str | None:
        """Why this request or WebSocket is not let in; None if it is."""
        socket = scope["type"] == "websocket"
        safe = not socket and scope["method"] in SAFE
        if safe and not self._hosts:
            return None
        host, origin, site, cookie = _headers(scope)
        if self._hosts and host_name(host) not in self._hosts:
            return f"this service does not answer to the name {host!r}"
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
