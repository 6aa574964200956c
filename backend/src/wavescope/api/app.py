"""The application: routes, middleware around them, and the service's life."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from importlib import metadata
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from wavescope.api import problems
from wavescope.api.description.document import complete
from wavescope.api.http.frontend import Frontend, default_dist
from wavescope.api.metrics import Metrics
from wavescope.api.middleware.access_guard import AccessGuard
from wavescope.api.middleware.audit_trail import Recorder
from wavescope.api.middleware.csrf import OriginRule
from wavescope.api.middleware.forwarding import Forwarding
from wavescope.api.middleware.private_cache import PrivateCache
from wavescope.api.middleware.rate_limits import Counter, RateLimits, read_rates
from wavescope.api.middleware.request_log import RequestLog
from wavescope.api.middleware.route_classes import RouteClasses
from wavescope.api.routes import exports, health, jobs, previews, reencode, resumable
from wavescope.api.routes.access import account, audit, data_export, grants, oidc, sharing, sign_in, users
from wavescope.api.routes.sessions import live, recordings, sessions
from wavescope.api.routes.slides import (
    annotation_documents,
    annotation_objects,
    blocks,
    calibration,
    cases,
    colour,
    current_version,
    phi,
    pixels,
    push,
    slides,
    tours,
    trash,
)
from wavescope.api.routing import refuse_unknown
from wavescope.api.state import ApiState
from wavescope.caches import AsyncCache
from wavescope.errors import CorruptBlock, CorruptStore, WavescopeError
from wavescope.service.access.limiter import SharedLimiter
from wavescope.service.composition import Services
from wavescope.service.lifecycle import Lifecycle

Handler = Callable[[Request, Exception], Coroutine[Any, Any, Response]]
# The most frequent first: a request is matched in this order.
ROUTERS = (
    blocks,
    pixels,
    colour,
    push,
    slides,
    calibration,
    annotation_objects,
    annotation_documents,
    cases,
    tours,
    sessions,
    live,
    recordings,
    trash,
    exports,
    phi,
    jobs,
    resumable,
    previews,
    reencode,
    audit,
    data_export,
    sign_in,
    oidc,
    account,
    users,
    sharing,
    grants,
    health,
)
_LOW = {"ok": 0, "low": 1, "full": 2}
EXPOSED = ["ETag", "Content-Range", "Accept-Ranges", "Location", "Retry-After", "Content-Location", "X-Request-Id"]
TUS_REQUEST = ["Tus-Resumable", "Upload-Length", "Upload-Metadata", "Upload-Offset"]
EXPOSED += ["Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size", "Upload-Offset", "Upload-Length"]


def build_app(services: Services) -> FastAPI:
    """The ASGI application of a service, which starts and stops with it."""
    metrics, classes = Metrics(services.source_reads), RouteClasses()
    app = Application(
        title="Wavescope",
        version=metadata.version("wavescope"),
        summary="A virtual microscope's wavelet tile service",
        docs_url=None,
        redirect_slashes=False,
        redoc_url=None,
        lifespan=_lifespan,
        middleware=_middleware(services, metrics, classes),
        exception_handlers=_handlers(metrics),
    )
    app.state.api = ApiState(services, metrics)
    _measure(metrics, services)
    dist = services.config.frontend or default_dist()
    routes: list[BaseRoute] = [route for module in ROUTERS for route in module.router.routes]
    routes += current_version.redirects(routes)
    classes.read(route for route in routes if isinstance(route, Route))
    for described in app.router.routes:  # the document of the routes
        if isinstance(described, Route):
            refuse_unknown(described, ())
    app.router.routes.extend(routes)  # not include_router, which matches each request twice
    app.router.default = Frontend(dist)
    return app


class Application(FastAPI):
    """Its OpenAPI document says everything that a client needs to know (WI92)."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            self.openapi_schema = complete(super().openapi(), self.router.routes)
        return self.openapi_schema


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    lifecycle = Lifecycle(app.state.api.services)
    await lifecycle.start()
    try:
        yield
    finally:
        await lifecycle.stop()


def _middleware(services: Services, metrics: Metrics, classes: RouteClasses) -> list[Middleware]:
    config = services.config
    without_accounts = config.access == "local" and not config.open_to_all
    rule = OriginRule(config.allowed_hosts, config.cors_origins, direct=without_accounts)
    log = RequestLog(config.log_access, config.slow_seconds, config.audit_addresses)
    listeners = (Recorder(services.audit), log)
    middleware = [Middleware(AccessGuard, metrics, rule, config.cors_origins, listeners)]
    if config.trusted_proxies:
        middleware.insert(0, Middleware(ProxyHeadersMiddleware, trusted_hosts=list(config.trusted_proxies)))
    middleware.insert(0, Middleware(Forwarding, config.trusted_proxies, warn=not without_accounts))
    if config.access != "local":
        middleware.append(Middleware(PrivateCache))
    if config.cors_origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(config.cors_origins),
                allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
                allow_headers=["Content-Type", "Range", "If-None-Match", "If-Range", "If-Match", *TUS_REQUEST],
                expose_headers=EXPOSED,
                max_age=86400,
            )
        )
    if config.rate_limits and (config.access == "accounts" or config.open_to_all):
        counter = Counter(SharedLimiter(config.rate_storage))
        middleware.append(Middleware(RateLimits, read_rates(config.rates), counter, classes))
    return middleware


def _handlers(metrics: Metrics) -> dict[int | type[Exception], Handler]:
    async def corrupt(request: Request, error: Exception) -> Response:
        metrics.corrupt_block()
        return await problems.wavescope_error(request, error)

    return {
        WavescopeError: problems.wavescope_error,
        CorruptBlock: corrupt,
        CorruptStore: corrupt,
        HTTPException: problems.http_error,
        RequestValidationError: problems.validation_error,
        ClientDisconnect: problems.client_disconnected,
        Exception: problems.internal_error,
    }


def _measure(metrics: Metrics, services: Services) -> None:
    """Adds what the parts of the service count themselves."""
    pixels = services.pixels
    caches: dict[str, AsyncCache[Any, Any]] = {"samples_cache": pixels.samples, "image_cache": pixels.images}
    for name, cache in caches.items():
        metrics.counters[f"{name}_hits"] = "Requests that the cache answered", partial(getattr, cache, "hits")
        metrics.counters[f"{name}_misses"] = "Requests that it did not answer", partial(getattr, cache, "misses")
        metrics.gauges[f"{name}_bytes"] = "Bytes in the cache", partial(getattr, cache, "size")
    metrics.gauges["tiles_cache_bytes"] = "Bytes in the cache", lambda: pixels.tiles.size
    metrics.counters["audit_failures"] = "Audit entries that could not be written", lambda: services.audit.failures
    pushed = services.push
    metrics.gauges["push_connections"] = "Push connections that are open", lambda: pushed.connections
    metrics.gauges["push_window_bytes"] = "Bytes that they may have on their way", lambda: pushed.window
    metrics.counters["push_connections"] = "Push connections that were opened", lambda: pushed.counts.connections
    metrics.counters["push_blocks"] = "Blocks pushed", lambda: pushed.counts.blocks
    metrics.counters["push_bytes"] = "Bytes pushed", lambda: pushed.counts.bytes
    metrics.counters["push_stale_blocks"] = "Blocks that a new view made needless", lambda: pushed.counts.stale
    space = services.health.space
    metrics.gauges["stored_bytes"] = "Bytes of all stored versions of slides", lambda: space.stored
    metrics.gauges["disk_free_bytes"] = "Free bytes on the disk of the store", lambda: space.now().free
    metrics.gauges["disk_total_bytes"] = "Size of the disk of the store", lambda: space.now().total
    metrics.gauges["disk_low"] = "1: little space is left; 2: uploads are refused", lambda: _LOW[space.now().state]
    waiting, jobs = services.retry.waiting, services.jobs
    metrics.gauges["waiting_for_catalog"] = "Works that wait for the catalog to answer", lambda: waiting.works
    metrics.counters["catalog_retries"] = "Attempts that failed because it did not", lambda: waiting.retries
    metrics.gauges["worker_alive"] = "0: the job worker has stopped", lambda: jobs.worker_alive
    metrics.gauges["unfinished_jobs"] = "Ingest jobs queued or running", lambda: services.jobs.unfinished
