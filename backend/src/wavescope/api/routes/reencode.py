"""New versions of stored slides in another quality (WI73, WI74)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.disconnect import while_connected
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import ReencodeParameter
from wavescope.api.routing import API, counted, new_router
from wavescope.api.schemas.advice import AdviceView
from wavescope.api.schemas.jobs import JobBody, job_body
from wavescope.api.state import PrincipalParameter
from wavescope.ingest.quality.presets import FORMS, quality_of

router = new_router("jobs", "reads")


@router.get("/slides/{slide_id}/reencode")
async def get_reencode_advice(
    slide_id: str, request: Request, reencoding: ReencodeParameter, principal: PrincipalParameter
) -> AdviceView:
    """Size, PSNR and time of every preset for a new version of the slide (WI73)."""
    return AdviceView.model_validate(await while_connected(request, reencoding.advice(principal, slide_id)))


@router.post("/slides/{slide_id}/reencode", status_code=202)
@counted("uploads")
async def post_reencode(
    slide_id: str,
    request: Request,
    response: Response,
    reencoding: ReencodeParameter,
    principal: PrincipalParameter,
    quality: Annotated[str, Query(max_length=20, description=FORMS)],
) -> JobBody:
    """Starts a job that makes a new version of the slide from its stored pixels (WI74)."""
    view = await reencoding.start(principal, slide_id, quality_of(quality).name)
    audit_detail(request, quality=view.record.options["quality"], job=view.record.id)
    response.headers["location"] = f"{API}/jobs/{view.record.id}"
    return job_body(view)
