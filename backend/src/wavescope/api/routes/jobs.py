"""Uploads and the ingest jobs they become."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from wavescope.api.http.body import announced_length
from wavescope.api.http.events import EVENT_STREAM, event_stream
from wavescope.api.http.immutable import header
from wavescope.api.middleware.audit_trail import audit_detail, audit_slide
from wavescope.api.parameters import JobsParameter, SlidesParameter
from wavescope.api.problems import UnsupportedBody
from wavescope.api.routing import API, counted, new_router
from wavescope.api.schemas.jobs import JobBody, JobList, job_body
from wavescope.api.schemas.slides import ManifestView, manifest_view
from wavescope.api.state import PrincipalParameter, config_of
from wavescope.catalog.slide_rows import check_id, check_title
from wavescope.ingest.quality.presets import DEFAULT, FORMS, quality_of
from wavescope.overlays.reading.files import parse_content, parse_element, parse_transform
from wavescope.service.jobs.duplicates import HoldPolicy, StoredSlide
from wavescope.service.jobs.uploads import UploadOptions

router = new_router("jobs", "reads")

FILE_NAME = 300  # characters of a file's name that the audit log stores
QualityName = Annotated[str, Query(max_length=20, description=FORMS)]
ChannelQuality = Annotated[str, Query(max_length=20, description="of a file of channels, in place of `quality`")]
MAX_TIME = 1_000_000
TimePoint = Query(ge=1, le=MAX_TIME, description="which one is imported of a file that has several")

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
    channel_quality: ChannelQuality = ""
    time: Annotated[int, TimePoint] = 1
    start: bool = True
    ask_if_stored: bool = False
    again: bool = False
    keep_original: bool | None = None
    overlay_of: Annotated[str, Query(max_length=128)] = ""
    score: Annotated[str, Query(max_length=200)] = ""
    transform: Annotated[str, Query(max_length=300)] = ""
    content: Annotated[str, Query(max_length=20)] = ""
    element: Annotated[str, Query(max_length=300)] = ""

    def options(self, request: Request) -> UploadOptions:
        """Checked. Raises InvalidParameter."""
        title = check_title(self.title) if self.title else ""
        if self.overlay_of:
            transform = parse_transform(self.transform) or ()
            content, element, slide = parse_content(self.content), parse_element(self.element), self.overlay_of
            read = UploadOptions(score=self.score, transform=transform, content=content, element=element)
            return replace(read, title=title, overlay_of=slide)
        original = original_option(self.keep_original, request)
        slide_id, quality = check_id(self.id) if self.id else "", quality_of(self.quality).name
        of_channels = quality_of(self.channel_quality).name if self.channel_quality else ""
        return UploadOptions(title, slide_id, quality, of_channels, original=original, time=self.time - 1)

    def hold(self) -> HoldPolicy:
        """Whether the job is to wait."""
        if not self.start:
            return "always"
        if self.ask_if_stored:
            return "if stored"
        return "never" if self.again else "answer"


@router.post(
    "/uploads",
    status_code=202,
    openapi_extra=RAW_BODY,
    response_model=JobBody,
    responses={200: {"model": ManifestView, "description": "the slide that the same file is already (WI93)"}},
)
@counted("uploads")
async def post_upload(
    parameters: Annotated[UploadParameters, Depends()],
    request: Request,
    response: Response,
    jobs: JobsParameter,
    slides: SlidesParameter,
    principal: PrincipalParameter,
) -> Response | JobBody:
    """Uploads a slide file, or a ZIP archive of its files, as the raw body, and creates an ingest job (WI25, WI94)."""
    reject_multipart(request)
    file = None if config_of(request).deidentify else parameters.filename[:FILE_NAME]
    view = await jobs.upload(
        principal,
        parameters.filename,
        parameters.options(request),
        request.stream(),
        announced_length(request),
        hold=parameters.hold(),
    )
    if isinstance(view, StoredSlide):
        audit_slide(request, view.slide_id, file=file)
        record = await slides.get(principal, view.slide_id)
        shown = await slides.shown(principal, record.id)
        body = manifest_view(record, principal, shown).model_dump_json()
        return Response(body, 200, {"content-location": f"{API}/slides/{record.id}"}, "application/json")
    audit_detail(request, file=file, job=view.record.id)
    response.headers["location"] = f"{API}/jobs/{view.record.id}"
    return job_body(view)


def original_option(keep: bool | None, request: Request) -> str:
    """The option of a job. Raises InvalidParameter where identifying data is not stored (ST96)."""
    if keep:
        from wavescope.ingest.originals import check_keeping  # here: it imports all readers of slide files

        check_keeping("", config_of(request).deidentify)
    return "" if keep is None else "keep" if keep else "drop"


def reject_multipart(request: Request) -> None:
    """Raises UnsupportedBody before a byte is read: a form would be stored with its boundaries (WI94)."""
    media = (header(request, b"content-type") or b"").decode("latin-1").partition(";")[0].strip().lower()
    if media.startswith("multipart/"):
        raise UnsupportedBody(
            media,
            "the file as the raw body",
            "; several files of one slide: one ZIP archive (curl --data-binary @FILE)",
        )


@router.get("/jobs")
async def list_jobs(jobs: JobsParameter, principal: PrincipalParameter) -> JobList:
    """All jobs, the newest first (WI27)."""
    return JobList(jobs=[job_body(view) for view in await jobs.list(principal)])


@router.get("/jobs/{job_id}")
async def get_job(job_id: str, jobs: JobsParameter, principal: PrincipalParameter) -> JobBody:
    """One job (WI27)."""
    return job_body(await jobs.get(principal, job_id))


@dataclass(frozen=True)
class StartParameters:
    """The options of a job that is started; those that are absent stay as they are."""

    quality: QualityName = ""
    channel_quality: ChannelQuality = ""
    time: Annotated[int | None, TimePoint] = None
    replace: Annotated[str, Query(max_length=128)] = ""
    keep_original: bool | None = None

    def changes(self, request: Request) -> dict[str, Any]:
        """Of the job's options, checked: a quality holds for channels, too, unless they have one of their own. Raises
        InvalidParameter.
        """
        found: dict[str, Any] = {}
        if self.quality:
            found |= {"quality": quality_of(self.quality).name, "channel_quality": ""}
        if self.channel_quality:
            found["channel_quality"] = quality_of(self.channel_quality).name
        if self.time is not None:
            found["time"] = self.time - 1
        original = original_option(self.keep_original, request)
        return found | ({"original": original} if original else {})


@router.post("/jobs/{job_id}/start")
async def start_job(
    job_id: str,
    parameters: Annotated[StartParameters, Depends()],
    request: Request,
    jobs: JobsParameter,
    principal: PrincipalParameter,
) -> JobBody:
    """Starts a held job, or restarts one with other options (WI70, WI71)."""
    return job_body(await jobs.begin(principal, job_id, parameters.changes(request), parameters.replace))


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
    await jobs.get(principal, job_id)
    return event_stream("job", jobs.events(principal, job_id), job_body)
