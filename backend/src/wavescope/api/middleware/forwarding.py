"""Requests that a proxy passes on: which proxy is trusted, and which client the others name (PR14, OP10 to OP12)."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from wavescope.caches import BoundedCache
from wavescope.logs.loggers import get_logger

log = get_logger(__name__)

HEADERS = frozenset(
    {
        b"forwarded",
        b"via",
        b"x-forwarded-for",
        b"x-forwarded-host",
        b"x-forwarded-port",
        b"x-forwarded-proto",
        b"x-forwarded-server",
        b"x-real-ip",
    }
)
FORWARDED = "wavescope.forwarded"  # the key of Forwarded in a request's scope; absent: no proxy passed it on
WARNED = 1000  # proxies that a warning names


class Forwarded(NamedTuple):
    """Of a request that a proxy passed on. ``claimed``: the address of the client, as the proxy states it."""

    trusted: bool
    claimed: str


class TrustedProxies:
    """The proxies whose statements about their clients are believed; ``*``: all."""

    def __init__(self, addresses: Collection[str]) -> None:
        self._any = "*" in addresses
        self._networks = tuple(ipaddress.ip_network(one) for one in addresses if one != "*")
        self._hosts = ProxyHeadersMiddleware(_no_app, trusted_hosts=list(addresses)).trusted_hosts
        self.trusts = lru_cache(maxsize=4096)(self._trusts)

    def client_of(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """The client of a request that a proxy at ``peer`` passed on; None if the proxy is not trusted."""
        if not self.trusts(peer):
            return None
        stated = b", ".join(value for name, value in headers if name == b"x-forwarded-for")
        host, _ = self._hosts.get_trusted_client_address(stated.decode("latin-1")) if stated else ("", 0)
        return host or peer

    def _trusts(self, peer: str) -> bool:
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return self._any
        return self._any or any(address in network for network in self._networks)


async def _no_app(*_: object) -> None:
    """Is never called."""


class Forwarding:
    """Wraps all other middleware: notes in the scope that a request was passed on, and warns once of each proxy that
    is not trusted.
    """

    def __init__(self, app: ASGIApp, trusted: Collection[str], warn: bool) -> None:
        self._app, self._warn = app, warn
        self._trusts = TrustedProxies(trusted).trusts
        self._warned: BoundedCache[str, bool] = BoundedCache(WARNED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan" and not HEADERS.isdisjoint(name for name, _ in scope["headers"]):
            peer = (scope.get("client") or ("", 0))[0]
            trusted = self._trusts(peer)
            scope[FORWARDED] = Forwarded(trusted, claimed_client(scope["headers"]))
            if not trusted and self._warn:
                self._warn_of(peer)
        await self._app(scope, receive, send)

    def _warn_of(self, peer: str) -> None:
        if self._warned.find(peer) is None:
            self._warned.put(peer, True)
            log.warning(
                "requests come through a proxy that is not trusted: all its clients share the limits of one client and "
                "have one address in the audit log; if it is yours, add it to WAVESCOPE_TRUSTED_PROXIES",
                proxy=peer or "unknown",
            )


def claimed_client(headers: Collection[tuple[bytes, bytes]]) -> str:
    """The client that the nearest proxy names, in X-Forwarded-For, X-Real-IP or Forwarded; empty: none."""
    found = {name: value.decode("latin-1") for name, value in headers if name in HEADERS}  # the last of each name
    if b"x-forwarded-for" in found:
        return _address(found[b"x-forwarded-for"].rpartition(",")[2])
    if b"x-real-ip" in found:
        return _address(found[b"x-real-ip"])
    last = found.get(b"forwarded", "").rpartition(",")[2]
    parts = dict(part.strip().lower().partition("=")[::2] for part in last.split(";"))
    return _address(parts.get("for", ""))


def _address(text: str) -> str:
    """Without quotes, brackets and port."""
    text = text.strip().strip('"')
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
