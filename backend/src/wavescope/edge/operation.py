"""Health, readiness and metrics of the edge itself, at the addresses that a service has them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from wavescope.api.credentials import credentials_of
from wavescope.api.state import state_of
from wavescope.edge.composition import EdgeServices


def operation_routes(services: EdgeServices) -> list[Route]:
    """The routes of one edge (ED30)."""

    async def healthz(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(_: Request) -> Response:
        """An edge is ready without an origin: it shows what it has. Names no host (OP60)."""
        reached = await services.origin.answers()
        return JSONResponse({"status": "ready", "origin": "ok" if reached else "lost"}, headers=NO_STORE)

    async def metrics(request: Request) -> Response:
        """For those who may read the metrics of the origin."""
        await services.grants.require_metrics(credentials_of(request))
        text = state_of(request).metrics.text()
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8", headers=NO_STORE)

    return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics)]


NO_STORE = {"cache-control": "no-store"}
