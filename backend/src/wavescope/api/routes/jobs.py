"""Uploads and the ingest jobs they become."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from wavescope.api.http.body import announced_length
from wavescope.api.http.events import EVENT_STREAM, event_stream
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import ConfigParameter, JobsParameter
from wavescope.api.routing import API, new_router
from wavescope.api.schemas.jobs import JobBody, JobList, job_body
from wavescope.api.state import PrincipalParameter
from wavescope.catalog.slide_rows import check_id, check_title
from wavescope.ingest.quality.presets import DEFAULT, FORMS, quality_of
from wavescope.service.jobs.jobs import HoldPolicy
from wavescope.service.jobs.uploads import UploadOptions

router = new_router("jobs")

FILE_NAME = 300  # characters of a file's name that the audit log stores
QualityName = Annotated[str, Query(max_length=20, description=FORMS)]

RAW_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@dataclass(frozen=True)
class UploadParameters:
    """The name and the options of an upload."""

    filename: Annotated[str, Query(min_length=1, max_length=1000)]
    title: Annotated[str, Query(max_length=400)] = ""
    id: Annotated[str, Query(max_length=128)] = ""
    quality: QualityName = DEFAULT
    start: bool = True
    ask_if_stored: bool = False

    def options(self) -> UploadOptions:
        """Checked. Raises InvalidParameter."""
        title = check_title(self.title) if self.title else ""
        return UploadOptions(title, check_id(self.id) if self.id else "", quality_of(self.quality).name)

    def hold(self) -> HoldPolicy:
        """Whether the job is to wait."""
        if not self.start:
            return "always"
        return "if stored" if self.ask_if_stored else "never"


@router.post("/uploads", status_code=202, openapi_extra=RAW_BODY)
async def post_upload(
    parameters: Annotated[UploadParameters, Depends()],
    request: Request,
    response: Response,
    jobs: JobsParameter,
    config: ConfigParameter,
    principal: PrincipalParameter,
) -> JobBody:
    """Uploads a slide file (the raw body) and creates an ingest job (WI25)."""
    view = await jobs.upload(
        principal,
        parameters.filename,
        parameters.options(),
        request.stream(),
        announced_length(request),
        hold=parameters.hold(),
    )
    audit_detail(request, file=None if config.deidentify else parameters.filename[:FILE_NAME], job=view.record.id)
    response.headers["location"] = f"{API}/jobs/{view.record.id}"
    return job_body(view)


@router.get("/jobs")
async def list_jobs(jobs: JobsParameter, principal: PrincipalParameter) -> JobList:
    """All jobs, the newest first (WI27)."""
    return JobList(jobs=[job_body(view) for view in jobs.list(principal)])


@router.get("/jobs/{job_id}")
async def get_job(job_id: str, jobs: JobsParameter, principal: PrincipalParameter) -> JobBody:
    """One job (WI27)."""
    return job_body(jobs.get(principal, job_id))


@router.post("/jobs/{job_id}/start")
async def start_job(
    job_id: str,
    jobs: JobsParameter,
    principal: PrincipalParameter,
    quality: QualityName = "",
    replace: Annotated[str, Query(max_length=128)] = "",
) -> JobBody:
    """Starts a held job, or restarts one in another quality (WI70, WI71)."""
    name = quality_of(quality).name if quality else ""
    return job_body(await jobs.begin(principal, job_id, name, replace))


@router.delete("/jobs/{job_id}")
async def cancel_job(job_id: str, jobs: JobsParameter, principal: PrincipalParameter) -> JobBody:
    """Cancels a job that has not ended, deletes one that has (WI27)."""
    return job_body(await jobs.cancel(principal, job_id))


@router.get(
    "/jobs/{job_id}/events",
    response_class=StreamingResponse,
    responses=EVENT_STREAM,
)
async def job_events(job_id: str, jobs: JobsParameter, principal: PrincipalParameter) -> Response:
    """Events with the job: at once, and after each change until it ends (WI28)."""
    jobs.get(principal, job_id)
    return event_stream("job", jobs.events(principal, job_id), job_body)
