"""The application of an edge: the routes below ``v/{digest}`` on its own block source; the rest is passed on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.routing import Route, WebSocketRoute
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from wavescope.api.app import exception_handlers
from wavescope.api.metrics.registry import Metrics
from wavescope.api.middleware.access_guard import AccessGuard
from wavescope.api.middleware.cors import listed_sites
from wavescope.api.middleware.csrf import METRICS, OriginRule
from wavescope.api.middleware.forwarding import Forwarding
from wavescope.api.middleware.open_protocols import OpenProtocols
from wavescope.api.middleware.private_cache import PrivateCache
from wavescope.api.middleware.request_log import RequestLog
from wavescope.api.routes.protocols import deep_zoom, iiif, ome_zarr
from wavescope.api.routes.slides import blocks, colour, pixels, push
from wavescope.api.routes.slides.current_version import VERSION
from wavescope.api.servers.repeated_blocks import RememberBlocks, RepeatedBlocks, may_be_repeated
from wavescope.api.state import ApiState
from wavescope.edge.cache_status import HIT, CacheStatus
from wavescope.edge.composition import EdgeServices
from wavescope.edge.control import control
from wavescope.edge.metrics import FAMILIES, readings_of
from wavescope.edge.operation import operation_routes
from wavescope.edge.status import EdgeStatus

ROUTERS = (blocks, pixels, colour, push, deep_zoom, ome_zarr, iiif)


def build_edge(services: EdgeServices) -> FastAPI:
    """The ASGI application of an edge, which stops with it."""
    metrics, config = Metrics(readings_of(services), FAMILIES), services.config
    status = EdgeStatus(services, metrics)
    repeated = RepeatedBlocks(services.blocks, metrics, hit=HIT) if may_be_repeated(config) else None
    app = FastAPI(
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=partial(_lifespan, status=status),
        middleware=_middleware(services, metrics, repeated),
        exception_handlers=exception_handlers(metrics),
    )
    app.state.api, app.state.repeated_blocks = ApiState(services, metrics), repeated
    found = [route for module in ROUTERS for route in module.router.routes]
    app.router.routes.extend(
        route
        for route in found
        if isinstance(route, Route | WebSocketRoute)
        and (VERSION in route.path or route.path.endswith(blocks.FIRST_VIEW_PATH))
    )
    app.router.routes.extend(operation_routes(services, status))
    app.router.default = services.pass_through
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI, status: EdgeStatus) -> AsyncIterator[None]:
    services = app.state.api.services
    samples = asyncio.ensure_future(status.run())
    try:
        async with control(services.origins, services.config.edge_cache):
            yield
    finally:
        samples.cancel()
        await asyncio.gather(samples, return_exceptions=True)
        await services.close()


def _middleware(services: EdgeServices, metrics: Metrics, repeated: RepeatedBlocks | None) -> list[Middleware]:
    """As a service has it; what only the origin can decide is decided there (PR6, PR10)."""
    config = services.config
    log = RequestLog(config.log_access, config.slow_seconds, config.audit_addresses)
    rule = OriginRule(config.allowed_hosts, config.cors_origins, named=METRICS)
    middleware = [] if repeated is None else [Middleware(RememberBlocks, repeated)]
    middleware.append(Middleware(Forwarding, config.trusted_proxies, warn=True))
    if config.trusted_proxies:
        middleware.append(Middleware(ProxyHeadersMiddleware, trusted_hosts=list(config.trusted_proxies)))
    guard = Middleware(AccessGuard, metrics, rule, config.cors_origins, (log,))
    opened = [Middleware(OpenProtocols)] if config.access != "local" else []
    opened += listed_sites(config.cors_origins)
    return [*middleware, guard, *opened, Middleware(PrivateCache), Middleware(CacheStatus)]
