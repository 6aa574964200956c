"""Health, readiness, metrics: for operators and their tools."""

from __future__ import annotations

import asyncio

from starlette.responses import PlainTextResponse, Response

from wavescope.api.parameters import HealthParameter, JobsParameter, MetricsParameter
from wavescope.api.routing import counted, new_router
from wavescope.api.schemas.slides import Readiness
from wavescope.api.schemas.storage import StorageView
from wavescope.api.state import PrincipalParameter

router = new_router("operation", "probes", prefix="")


@router.get("/healthz", response_class=PlainTextResponse)
async def healthz() -> str:
    """Liveness: the process answers."""
    return "ok\n"


@router.get("/readyz")
async def readyz(health: HealthParameter) -> Readiness:
    """Readiness: catalog and store answer; else 503."""
    catalog = await health.check_ready()
    return Readiness(status="ready", disk=(await health.disk()).state, catalog=catalog)


@router.get("/api/v1/storage")
@counted("reads")
async def storage(health: HealthParameter, principal: PrincipalParameter) -> StorageView:
    """The disk of the store, for admins (OP23)."""
    health.check_metrics(principal)
    disk, space = await health.disk(), health.space
    return StorageView(
        state=disk.state,
        free_bytes=disk.free,
        total_bytes=disk.total,
        stored_bytes=space.stored,
        original_bytes=space.originals,
        overlay_bytes=space.overlays,
        low_bytes=space.low,
        reserved_bytes=space.reserve,
    )


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(
    counters: MetricsParameter, health: HealthParameter, jobs: JobsParameter, principal: PrincipalParameter
) -> Response:
    """Metrics for Prometheus; with accounts only for admins, with a personal token."""
    health.check_metrics(principal)
    await asyncio.gather(health.note_disk(), jobs.note_counts())
    return Response(counters.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
