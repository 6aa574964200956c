"""The application: routes, middleware around them, and the service's life."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from importlib import metadata
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from wavescope.api import problems
from wavescope.api.description.document import complete
from wavescope.api.forwarding.nodes import NodeForwarder
from wavescope.api.http.body import describe_body
from wavescope.api.http.frontend import Frontend
from wavescope.api.metrics.readings import readings_of
from wavescope.api.metrics.registry import Metrics
from wavescope.api.middleware.access_guard import AccessGuard
from wavescope.api.middleware.audit_trail import Recorder
from wavescope.api.middleware.cors import listed_sites
from wavescope.api.middleware.csrf import HEALTH, METRICS, OriginRule
from wavescope.api.middleware.forwarding import Forwarding
from wavescope.api.middleware.hops import Hops
from wavescope.api.middleware.open_protocols import OpenProtocols
from wavescope.api.middleware.private_cache import PrivateCache
from wavescope.api.middleware.rate_limits import Counter, RateLimits, read_rates
from wavescope.api.middleware.request_log import RequestLog
from wavescope.api.middleware.request_spans import RequestSpans
from wavescope.api.middleware.route_classes import RouteClasses
from wavescope.api.routes import edge, exports, health, jobs, kernel, previews, reencode, resumable
from wavescope.api.routes.access import (
    account,
    audit,
    coverage,
    data_export,
    grants,
    lti,
    oidc,
    second_factor,
    sharing,
    sign_in,
    user_import,
    users,
)
from wavescope.api.routes.protocols import (
    deep_zoom,
    dicom_frames,
    dicom_retrieve,
    dicom_search,
    dicom_store,
    iiif,
    iiif_current,
    ome_zarr,
    presentation,
)
from wavescope.api.routes.sessions import live, recordings, sessions
from wavescope.api.routes.slides import (
    annotation_documents,
    annotation_objects,
    blocks,
    calibration,
    cases,
    colour,
    comments,
    current_version,
    mixes,
    originals,
    overlay_tiles,
    overlays,
    phi,
    pixels,
    push,
    quiz_results,
    quizzes,
    registrations,
    slides,
    tours,
    trash,
)
from wavescope.api.routing import reject_unknown
from wavescope.api.servers.repeated_blocks import RememberBlocks, RepeatedBlocks, may_be_repeated
from wavescope.api.state import ApiState
from wavescope.api.warm_up import warm_up
from wavescope.config import Config
from wavescope.errors import CorruptBlock, CorruptStore, WavescopeError
from wavescope.installation import additions, page_folder
from wavescope.service.composition import Services
from wavescope.service.lifecycle import Lifecycle

Handler = Callable[[Request, Exception], Coroutine[Any, Any, Response]]
# The most frequent first: a request is matched in this order.
ROUTERS = (
    blocks,
    pixels,
    colour,
    push,
    registrations,
    overlay_tiles,
    overlays,
    deep_zoom,
    ome_zarr,
    iiif,
    presentation,
    iiif_current,
    dicom_frames,
    dicom_retrieve,
    dicom_search,
    dicom_store,
    slides,
    calibration,
    annotation_objects,
    annotation_documents,
    comments,
    cases,
    quiz_results,
    quizzes,
    tours,
    mixes,
    sessions,
    live,
    recordings,
    trash,
    exports,
    originals,
    phi,
    jobs,
    resumable,
    previews,
    reencode,
    audit,
    coverage,
    data_export,
    sign_in,
    oidc,
    lti,
    account,
    second_factor,
    users,
    user_import,
    sharing,
    grants,
    edge,
    kernel,
    health,
)


def all_routes() -> list[BaseRoute]:
    """The routes of the service and of what other installed packages add to it."""
    routers = [module.router for module in ROUTERS] + [point.load() for point in additions("routes")]
    routes: list[BaseRoute] = [route for router in routers for route in router.routes]
    return routes + current_version.redirects(routes)


def build_app(services: Services) -> Application:
    """The ASGI application of a service, which starts and stops with it."""
    metrics, classes, counter = Metrics(readings_of(services)), RouteClasses(), _counter(services)
    repeated = _repeated(services, metrics, counter)
    app = Application(
        title="Wavescope",
        version=metadata.version("wavescope"),
        summary="A virtual microscope's wavelet tile service",
        docs_url=None,
        redirect_slashes=False,
        redoc_url=None,
        lifespan=_lifespan,
        middleware=_middleware(services, metrics, counter, classes, repeated),
        exception_handlers=exception_handlers(metrics),
    )
    app.state.api, app.state.repeated_blocks = ApiState(services, metrics), repeated
    if services.hop_key is not None:
        app.state.forwarder = NodeForwarder(services.config.node_name, services.hop_key)
    dist = services.config.frontend or page_folder()
    routes = all_routes()
    classes.read(route for route in routes if isinstance(route, Route))
    for described in app.router.routes:  # the document of the routes
        if isinstance(described, Route):
            reject_unknown(described, tuple)
    app.router.routes.extend(routes)  # not include_router, which matches each request twice
    app.router.default = Frontend(dist)
    return app


class Application(FastAPI):
    """Its OpenAPI document says everything that a client needs to know (WI92)."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            for route in self.router.routes:
                if isinstance(route, APIRoute) and route.openapi_extra:
                    describe_body(route.openapi_extra)
            self.openapi_schema = complete(super().openapi(), self.router.routes)
        return self.openapi_schema


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    lifecycle = Lifecycle(app.state.api.services)
    await lifecycle.start()
    if app.state.api.services.config.access == "accounts":
        await warm_up(app.state.api.services)
    try:
        yield
    finally:
        if (forwarder := getattr(app.state, "forwarder", None)) is not None:
            await forwarder.close()
        await lifecycle.stop()


def _without_accounts(config: Config) -> bool:
    return config.access == "local" and not config.open_to_all


def _origin_rule(config: Config, frames: Callable[[], Collection[str]]) -> OriginRule:
    named = METRICS if config.access != "local" else HEALTH
    return OriginRule(config.allowed_hosts, config.cors_origins, _without_accounts(config), named, frames)


def _counter(services: Services) -> Counter | None:
    """None where requests are not counted."""
    config = services.config
    counted = config.rate_limits and (config.access == "accounts" or config.open_to_all)
    return Counter(services.limiter) if counted else None


def _repeated(services: Services, metrics: Metrics, counter: Counter | None) -> RepeatedBlocks | None:
    """None where every answer leaves a line in the log, or a span."""
    config = services.config
    if services.spans is not None or not may_be_repeated(config):
        return None
    counts = counter is not None and read_rates(config.rates)["blocks"].requests is not None
    return RepeatedBlocks(services.blocks, metrics, audit=services.audit, counter=counter if counts else None)


def _middleware(
    services: Services,
    metrics: Metrics,
    counter: Counter | None,
    classes: RouteClasses,
    repeated: RepeatedBlocks | None,
) -> list[Middleware]:
    config = services.config
    rule = _origin_rule(config, tuple if services.lti is None else services.lti.platforms.frames.listed)
    log = RequestLog(config.log_access, config.slow_seconds, config.audit_addresses)
    listeners = (Recorder(services.audit), log)
    middleware = [Middleware(AccessGuard, metrics, rule, config.cors_origins, listeners, log.closed)]
    if services.spans is not None:
        middleware.append(Middleware(RequestSpans, services.spans))
    if config.trusted_proxies:
        middleware.insert(0, Middleware(ProxyHeadersMiddleware, trusted_hosts=list(config.trusted_proxies)))
    middleware.insert(0, Middleware(Forwarding, config.trusted_proxies, warn=not _without_accounts(config)))
    if services.hop_key is not None:
        middleware.insert(0, Middleware(Hops, services.hop_key))
    if repeated is not None:
        middleware.insert(0, Middleware(RememberBlocks, repeated))
    if config.access != "local":
        middleware.append(Middleware(PrivateCache))
    if config.access != "local":
        middleware.append(Middleware(OpenProtocols))
    middleware += listed_sites(config.cors_origins)
    if counter is not None:
        middleware.append(Middleware(RateLimits, read_rates(config.rates), counter, classes))
    return middleware


def exception_handlers(metrics: Metrics) -> dict[int | type[Exception], Handler]:
    """What answers the errors of routes."""

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
