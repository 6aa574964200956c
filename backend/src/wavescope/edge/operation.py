"""Health, readiness, metrics and state of the edge itself, at the addresses that a service has them."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from wavescope.api.credentials import credentials_of
from wavescope.api.routing import reject_unknown
from wavescope.api.state import state_of
from wavescope.edge.composition import EdgeServices
from wavescope.edge.status import EdgeStatus
from wavescope.errors import InvalidParameter


def operation_routes(services: EdgeServices, status: EdgeStatus) -> list[Route]:
    """The routes of one edge (ED30, ED32)."""

    async def healthz(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(_: Request) -> Response:
        """An edge is ready without an origin: it shows what it has. Names no host (OP60)."""
        reached = await services.origins.first.liveness.answers_soon()
        return JSONResponse({"status": "ready", "origin": "ok" if reached else "lost"}, headers=NO_STORE)

    async def metrics(request: Request) -> Response:
        """For those who may read the metrics of the origin."""
        await services.rights.require_metrics(credentials_of(request))
        text = state_of(request).metrics.text()
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8", headers=NO_STORE)

    async def edge_status(request: Request) -> Response:
        """For the same."""
        since = request.query_params.get("since", "0")
        if not re.fullmatch(r"[0-9]{1,15}", since):
            raise InvalidParameter("since", since, "the number of a sample")
        await services.rights.require_metrics(credentials_of(request))
        view = await status.view(int(since))
        return Response(view.model_dump_json(), media_type="application/json", headers=NO_STORE)

    shown = Route("/api/v1/edge/status", edge_status)
    reject_unknown(shown, lambda: ("since",))
    return [shown, Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics)]


NO_STORE = {"cache-control": "no-store"}
