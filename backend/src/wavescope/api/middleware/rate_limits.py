"""Counts requests per client and class of routes (PR10 to PR14, OP12). The ``limits`` library does the counting."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, get_args

from limits import RateLimitItem, parse
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavescope.access.hops import Hop
from wavescope.api.middleware.forwarding import FORWARDED, Forwarded
from wavescope.api.middleware.hops import COUNTED, HOP
from wavescope.api.middleware.route_classes import RouteClasses
from wavescope.api.problems import PROBLEM, wavescope_error
from wavescope.api.routing import RouteClass
from wavescope.caches import BoundedCache
from wavescope.config import Rates
from wavescope.errors import InvalidParameter, TooManyRequests
from wavescope.service.access.limiter import SharedLimiter
from wavescope.service.sessions.connections import NOT_A_MEMBER

CLASSES: tuple[RouteClass, ...] = get_args(RouteClass)
REJECTED = frozenset({401, 403, 404})
LEASE = 50  # requests for blocks that are counted at one time: the fast routes need no storage
SHARED = 20  # clients behind one proxy that is not trusted, as far as rates are concerned
LEASES = 65536  # clients whose lease is cached


class Rate(NamedTuple):
    """Of one class; None: unlimited."""

    requests: RateLimitItem | None
    failures: RateLimitItem | None
    lease: int

    def shared(self) -> Rate:
        """The rate of all clients of one proxy."""
        return Rate(_times(self.requests), _times(self.failures), self.lease)


class RateLimits:
    """Wraps the application; answers 429 to requests beyond the rates."""

    def __init__(self, app: ASGIApp, rates: Mapping[RouteClass, Rate], counter: Counter, classes: RouteClasses) -> None:
        self._app, self._rates, self._counter, self._classes = app, rates, counter, classes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        hop: Hop | None = scope.get(HOP)
        if hop is not None and hop.counted:  # by the node that passed it on
            await self._app(scope, receive, send)
            return
        scope[COUNTED] = True
        http_scope: Scope = scope if scope["type"] == "http" else {**scope, "type": "http", "method": "GET"}
        name: RouteClass = "live" if http_scope is not scope else self._classes.of(scope["method"], scope["path"])
        counted = counted_as(scope, self._rates[name])
        for rate, client in counted:
            seconds = await self._counter.count(rate, name, client)
            if seconds is not None:
                answer = await wavescope_error(Request(http_scope), TooManyRequests(name.replace("_", " "), seconds))
                scope[PROBLEM] = http_scope[PROBLEM]
                await answer(scope, receive, send)
                return
        if self._rates[name].failures is None:
            await self._app(scope, receive, send)
            return
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "websocket.close" and message.get("code") == NOT_A_MEMBER.code:
                status = 403
            status = message.get("status", status)
            await send(message)

        await self._app(scope, receive, watched)
        if status in REJECTED:
            for rate, client in counted:
                await self._counter.failed(rate, name, client)


def counted_as(scope: Scope, rate: Rate) -> list[tuple[Rate, str]]:
    """The client of a request with its rate. Where failures are counted and a proxy that is not trusted passed the
    request on: first the client that the proxy names, then the proxy itself, which may do SHARED times as much (OP12).
    """
    peer = client_key((scope.get("client") or ("unknown", 0))[0])
    forwarded: Forwarded | None = scope.get(FORWARDED)
    if rate.failures is None or forwarded is None or forwarded.trusted or not forwarded.claimed:
        return [(rate, peer)]
    return [(rate, f"{client_key(forwarded.claimed)} by {peer}"), (rate.shared(), f"all by {peer}")]


class Counter:
    """Counts requests and failures; blocks in groups (PR12)."""

    def __init__(self, limiter: SharedLimiter) -> None:
        self._limiter = limiter
        self._leases: BoundedCache[str, tuple[int, float]] = BoundedCache(LEASES)

    async def count(self, rate: Rate, name: str, client: str) -> int | None:
        """Counts a request. None: the request is allowed; else the seconds after which the client may try again."""
        if rate.requests is None:
            return None
        if rate.lease > 1 and self.has_lease(client):
            self.use_lease(client)
            return None
        if rate.failures is not None and not await self._limiter.test(rate.failures, f"{name} failures", client):
            return await self._limiter.wait(rate.failures, f"{name} failures", client)
        if not await self._limiter.hit(rate.requests, name, client, cost=rate.lease):
            return await self._limiter.wait(rate.requests, name, client)
        if rate.lease > 1:
            self._leases.put(client, (rate.lease - 1, time.monotonic() + rate.requests.get_expiry()))
        return None

    def has_lease(self, client: str) -> bool:
        """Whether the next request of a client for a block is counted already."""
        left, until = self._leases.find(client) or (0, 0.0)
        return left > 0 and time.monotonic() < until

    def use_lease(self, client: str) -> None:
        """A request that ``has_lease`` allowed."""
        left, until = self._leases.find(client) or (0, 0.0)
        self._leases.put(client, (left - 1, until))

    async def failed(self, rate: Rate, name: str, client: str) -> None:
        """Counts a request that was refused."""
        if rate.failures is not None:
            await self._limiter.hit(rate.failures, f"{name} failures", client)


def read_rates(rates: Rates) -> Mapping[RouteClass, Rate]:
    """The rates of all classes. Raises InvalidParameter."""
    return {name: _rate(rates, name) for name in CLASSES}


def _rate(rates: Rates, name: RouteClass) -> Rate:
    requests, failures = _item(rates, f"rate_{name}"), _item(rates, f"rate_{name}_failures")
    lease = LEASE if name == "blocks" and requests is not None and requests.amount >= 2 * LEASE else 1
    return Rate(requests, failures, lease)


def _item(rates: Rates, field: str) -> RateLimitItem | None:
    """Raises InvalidParameter."""
    text = getattr(rates, field, "")
    try:
        return parse(text) if text else None
    except ValueError as cause:
        raise InvalidParameter(f"WAVESCOPE_{field.upper()}", text, "a rate such as 10 per minute") from cause


def _times(item: RateLimitItem | None) -> RateLimitItem | None:
    return None if item is None else type(item)(item.amount * SHARED, item.multiples)


@lru_cache(maxsize=4096)
def client_key(address: str) -> str:
    """What a client is counted by: its IPv4 address, or its IPv6 network of 64 bits, of which it has all addresses."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return address
