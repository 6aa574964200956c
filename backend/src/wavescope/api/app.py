"""The application: routes, rings around them, and the service's life."""

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
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from wavescope.api import (
    account,
    annotation_documents,
    annotation_objects,
    audit,
    belongings,
    blocks,
    calibration,
    cases,
    colour,
    exports,
    grants,
    jobs,
    live,
    oidc,
    operation,
    people,
    pixels,
    previews,
    problems,
    recordings,
    sessions,
    sharing,
    sign_in,
    slide_identity,
    slides,
    tours,
    trash,
)
from wavescope.api.audited import Recorder
from wavescope.api.edge import Edge
from wavescope.api.frontend import Frontend, default_dist
from wavescope.api.metrics import Metrics
from wavescope.api.private import PrivateAnswers
from wavescope.api.rates import Counter, RateLimits, read_rates
from wavescope.api.state import ApiState
from wavescope.errors import CorruptBlock, CorruptStore, WavescopeError
from wavescope.service.memo import Memo
from wavescope.service.service import Service

Handler = Callable[[Request, Exception], Coroutine[Any, Any, Response]]
# The hot routes first: matching goes in this order.
HOT = (blocks, pixels, colour)
ROOMS = (
    *HOT,
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
    slide_identity,
    jobs,
    previews,
    audit,
    belongings,
    sign_in,
    oidc,
    account,
    people,
    sharing,
    grants,
    operation,
)
EXPOSED = ["ETag", "Content-Range", "Accept-Ranges", "Location", "Retry-After"]


def build_app(service: Service) -> FastAPI:
    """The ASGI application of a service, which starts and stops with it."""
    metrics = Metrics()
    app = Application(
        title="Wavescope",
        version=metadata.version("wavescope"),
        summary="A virtual microscope's wavelet tile service",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        middleware=_rings(service, metrics),
        exception_handlers=_handlers(metrics),
    )
    app.state.api = ApiState(service, metrics)
    _measure(metrics, service)
    dist = service.config.frontend or default_dist()
    routes = app.router.routes
    for room in ROOMS:
        routes.extend(room.router.routes)  # not include_router, which matches each request twice
    routes.extend(slides.redirects())
    app.router.redirect_slashes = False
    app.router.default = Frontend(dist)
    return app


class Application(FastAPI):
    """Its OpenAPI document has the schema of problems, to which every route refers by name (WI30)."""

    def openapi(self) -> dict[str, Any]:
        document = super().openapi()
        problem = problems.ProblemView.model_json_schema()
        document["components"]["schemas"].setdefault(problems.ProblemView.__name__, problem)
        return document


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    service: Service = app.state.api.service
    await service.start()
    try:
        yield
    finally:
        await service.stop()


def _rings(service: Service, metrics: Metrics) -> list[Middleware]:
    config = service.config
    rings = [Middleware(Edge, metrics, config.allowed_hosts, config.cors_origins, Recorder(service.audit))]
    if config.trusted_proxies:
        rings.insert(0, Middleware(ProxyHeadersMiddleware, trusted_hosts=list(config.trusted_proxies)))
    if config.access != "local":
        rings.append(Middleware(PrivateAnswers))
    if config.cors_origins:
        rings.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(config.cors_origins),
                allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
                allow_headers=["Content-Type", "Range", "If-None-Match", "If-Range", "If-Match"],
                expose_headers=EXPOSED,
                max_age=86400,
            )
        )
    if config.rate_limits and (config.access == "accounts" or config.open_to_all):
        rings.append(Middleware(RateLimits, read_rates(config.rates), Counter(config.rate_storage)))
    return rings


def _handlers(metrics: Metrics) -> dict[int | type[Exception], Handler]:
    async def damaged(request: Request, error: Exception) -> Response:
        metrics.corrupt_blocks += 1
        return await problems.wavescope_error(request, error)

    return {
        WavescopeError: problems.wavescope_error,
        CorruptBlock: damaged,
        CorruptStore: damaged,
        HTTPException: problems.http_error,
        RequestValidationError: problems.validation_error,
        ClientDisconnect: problems.client_gone,
        Exception: problems.internal_error,
    }


def _measure(metrics: Metrics, service: Service) -> None:
    """The caches' numbers."""
    memos: dict[str, Memo[Any, Any]] = {"samples_cache": service.pixels.samples, "image_cache": service.pixels.images}
    for name, memo in memos.items():
        metrics.counters[f"{name}_hits"] = "Askings that the cache answered", partial(getattr, memo, "hits")
        metrics.counters[f"{name}_misses"] = "Askings that it did not", partial(getattr, memo, "misses")
        metrics.gauges[f"{name}_bytes"] = "Bytes held", partial(getattr, memo, "bytes")
    metrics.counters["audit_failures"] = "Audit entries that could not be written", lambda: service.audit.failures
    metrics.gauges["unfinished_jobs"] = "Ingest jobs queued or running", lambda: service.jobs.unfinished
