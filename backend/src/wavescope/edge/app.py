"""The application of an edge: the routes below ``v/{digest}`` on its own block source; the rest is passed on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.routing import Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from wavescope.api.app import exception_handlers
from wavescope.api.metrics import Metrics
from wavescope.api.middleware.access_guard import AccessGuard
from wavescope.api.middleware.csrf import OriginRule
from wavescope.api.middleware.forwarding import Forwarding
from wavescope.api.middleware.private_cache import PrivateCache
from wavescope.api.middleware.request_log import RequestLog
from wavescope.api.routes.slides import blocks, colour, pixels
from wavescope.api.routes.slides.current_version import VERSION
from wavescope.api.state import ApiState
from wavescope.edge.composition import EdgeServices
from wavescope.edge.operation import operation_routes

ROUTERS = (blocks, pixels, colour)


def build_edge(services: EdgeServices) -> FastAPI:
    """The ASGI application of an edge, which stops with it."""
    metrics = Metrics(services.source_reads)
    app = FastAPI(
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
        middleware=_middleware(services, metrics),
        exception_handlers=exception_handlers(metrics),
    )
    app.state.api = ApiState(services, metrics)
    _measure(metrics, services)
    found = [route for module in ROUTERS for route in module.router.routes]
    app.router.routes.extend(route for route in found if isinstance(route, Route) and VERSION in route.path)
    app.router.routes.extend(operation_routes(services))
    app.router.default = services.pass_through
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    try:
        yield
    finally:
        await app.state.api.services.close()


def _middleware(services: EdgeServices, metrics: Metrics) -> list[Middleware]:
    """As a service has it; what only the origin can decide is decided there (PR6, PR10)."""
    config = services.config
    rule = OriginRule(config.allowed_hosts, config.cors_origins)
    log = RequestLog(config.log_access, config.slow_seconds, config.audit_addresses)
    middleware = [Middleware(Forwarding, config.trusted_proxies, warn=True)]
    if config.trusted_proxies:
        middleware.append(Middleware(ProxyHeadersMiddleware, trusted_hosts=list(config.trusted_proxies)))
    return [*middleware, Middleware(AccessGuard, metrics, rule, config.cors_origins, (log,)), Middleware(PrivateCache)]


def _measure(metrics: Metrics, services: EdgeServices) -> None:
    """Adds what the parts of the edge count themselves."""
    cached, coalescing = services.cached, services.coalescing
    memory, disk, counts = cached.memory, cached.disk, cached.counts
    counters: dict[str, tuple[str, Any]] = {
        "edge_memory_hits": ("Blocks and other parts answered from memory", lambda: counts.memory_hits),
        "edge_disk_hits": ("Those answered from disk", lambda: counts.disk_hits),
        "edge_misses": ("Those fetched from an origin", lambda: counts.misses),
        "edge_hit_bytes": ("Bytes answered from the cache", lambda: counts.hit_bytes),
        "edge_missed_bytes": ("Bytes fetched from an origin", lambda: counts.missed_bytes),
        "edge_coalesced": ("Requests that waited for the fetch of another one", lambda: coalescing.coalesced),
        "edge_memory_evicted": ("Entries that memory gave up", lambda: memory.evicted),
    }
    gauges: dict[str, tuple[str, Any]] = {"edge_memory_bytes": ("Bytes in memory", lambda: memory.bytes)}
    if disk is not None:
        for name, text in (
            ("evicted", "Entries that the disk gave up"),
            ("damaged", "Entries of the disk that did not fit their checksum"),
            ("dropped", "Entries that the disk was too slow or too full for"),
        ):
            counters[f"edge_disk_{name}"] = text, partial(getattr, disk, name)
        gauges["edge_disk_bytes"] = "Bytes of the cache file in use", lambda: disk.bytes
    metrics.counters.update(counters)
    metrics.gauges.update(gauges)
