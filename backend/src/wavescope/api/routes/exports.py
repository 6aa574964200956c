"""Regions as files: estimated, made as a job with progress, fetched (WI44 to WI47)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Depends, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse

from wavescope.api.exported import ExportedImages, own_files
from wavescope.api.forwarding.nodes import PassedOn
from wavescope.api.http.disconnect import while_connected
from wavescope.api.http.events import EVENT_STREAM, event_stream
from wavescope.api.http.frontend import THUMBNAIL
from wavescope.api.middleware.audit_trail import audit_detail, audit_slide
from wavescope.api.parameters import (
    AnnotationsParameter,
    ColoursParameter,
    ExportsParameter,
    PixelsParameter,
    SlidesParameter,
    VersionParameter,
)
from wavescope.api.problems import job_problem
from wavescope.api.routes.slides.pixels import LONGEST_CHANNELS, view_of
from wavescope.api.routing import API, counted, new_router
from wavescope.api.schemas.annotations import page_text
from wavescope.api.schemas.jobs import JobProblem
from wavescope.api.schemas.numbers import Count, ParameterInteger
from wavescope.api.schemas.slides import time_of
from wavescope.api.state import PrincipalParameter
from wavescope.pixels.region import Region
from wavescope.service.exports.exports import ExportView
from wavescope.service.exports.plan import ArchivePlan, ExportFormat, ExportPlan
from wavescope.store.version import SlideVersion

router = new_router("exports", "reads")

LONGEST_MAGNIFICATION = 40

MEDIA = {
    "png": "image/png", "jpg": "image/jpeg", "tiff": "image/tiff", "tiff-jpeg": "image/tiff", "wsz": "application/zip",
}  # fmt: skip


@dataclass(frozen=True)
class ExportParameters:
    """``x, y`` in level-0 pixels, ``width, height`` in pixels of ``level``."""

    x: ParameterInteger
    y: ParameterInteger
    width: ParameterInteger
    height: ParameterInteger
    level: ParameterInteger = 0
    z: ParameterInteger | None = None
    layers: ParameterInteger | None = None
    format: ExportFormat = "tiff"
    scale_bar: bool = False
    name: bool = False
    magnification: Annotated[str | None, Query(max_length=LONGEST_MAGNIFICATION)] = None
    annotations: bool = False
    channels: Annotated[str | None, Query(max_length=LONGEST_CHANNELS)] = None

    def plan(self, version: SlideVersion, title: str, mpp: Mapping[str, float] | None = None) -> ExportPlan:
        """What the export writes (WI44); ``title`` and ``mpp`` as the catalog knows them."""
        level = version.level(self.level)
        entered = None if mpp is None else (mpp["x"], mpp["y"])
        z = version.middle_plane if self.z is None else self.z
        region = Region(z, level, self.x >> level, self.y >> level, self.width, self.height)
        count = version.layer_count(self.layers)
        mix = view_of(version, self.channels)
        caption = "  ·  ".join(filter(None, (title if self.name else "", self.magnification)))
        return ExportPlan(version, region, count, self.format, entered, self.scale_bar, caption, self.annotations, mix)


Parameters = Annotated[ExportParameters, Depends()]


class ExportEstimate(BaseModel):
    """The estimate of an export file (WI44)."""

    bytes: Count
    seconds: float
    free_bytes: Count
    pictures: Count


class ExportBody(BaseModel):
    """An export (WI45)."""

    id: str
    slide_id: str
    filename: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    done: Count
    total: Count
    bytes: int | None
    error: JobProblem | None
    created: datetime


@router.get("/slides/{slide_id}/v/{digest}/export-estimate")
@counted("pixels")
async def estimate_export(
    slide_id: str,
    parameters: Parameters,
    request: Request,
    exports: ExportsParameter,
    principal: PrincipalParameter,
    version: VersionParameter,
) -> ExportEstimate:
    """The size of an export file, estimated from samples (WI44)."""
    plan = parameters.plan(version, slide_id)
    found = await while_connected(request, exports.estimate(principal, slide_id, plan))
    return ExportEstimate(**vars(found), pictures=len(plan.images))


async def new_plan(
    slide_id: str,
    parameters: Parameters,
    slides: SlidesParameter,
    principal: PrincipalParameter,
    version: VersionParameter,
) -> ExportPlan:
    """What a new export is to write, with the slide's scale as the catalog has it now."""
    slide = await slides.get(principal, slide_id)
    return parameters.plan(version, slide.title, slide.mpp)


@router.post("/slides/{slide_id}/v/{digest}/exports", status_code=202)
@counted("exports")
async def create_export(
    slide_id: str,
    request: Request,
    plan: Annotated[ExportPlan, Depends(new_plan)],
    response: Response,
    exports: ExportsParameter,
    principal: PrincipalParameter,
) -> ExportBody:
    """Starts an export (WI45)."""
    view = await exports.create(principal, slide_id, plan)
    audit_detail(request, file=view.filename)
    response.headers["location"] = f"{API}/exports/{view.id}"
    return _body(view)


async def made_of(pixels: PixelsParameter, colours: ColoursParameter, version: VersionParameter) -> ExportedImages:
    """What the service makes of a version for an archive."""
    return ExportedImages(await pixels.thumbnail(version, THUMBNAIL, "jpg"), await colours.colour(version))


async def annotations_of(
    slide_id: str, stored: AnnotationsParameter, principal: PrincipalParameter, annotations: bool = False
) -> str | None:
    """The annotations that an archive is to have, as one AnnotationList; None: none are wanted."""
    if not annotations:
        return None
    page = await stored.without_authors(principal, slide_id)
    return await asyncio.to_thread(page_text, page, None)


async def new_archive(
    slide_id: str,
    slides: SlidesParameter,
    made: Annotated[ExportedImages, Depends(made_of)],
    annotations: Annotated[str | None, Depends(annotations_of)],
    principal: PrincipalParameter,
    version: VersionParameter,
) -> ArchivePlan:
    """What a new archive is to have beside the files of the version."""
    return ArchivePlan(version, own_files(await slides.get(principal, slide_id), made, annotations))


@router.post("/slides/{slide_id}/v/{digest}/archive", status_code=202)
@counted("exports")
async def create_archive(
    slide_id: str,
    request: Request,
    plan: Annotated[ArchivePlan, Depends(new_archive)],
    response: Response,
    exports: ExportsParameter,
    principal: PrincipalParameter,
) -> ExportBody:
    """Starts an export of the whole slide as one file that needs no service (WI143)."""
    view = await exports.create_archive(principal, slide_id, plan)
    audit_detail(request, file=view.filename)
    response.headers["location"] = f"{API}/exports/{view.id}"
    return _body(view)


@router.get("/exports/{export_id}", response_model=ExportBody)
async def get_export(export_id: str, exports: ExportsParameter, principal: PrincipalParameter) -> ExportBody | Response:
    """The progress of an export (WI45)."""
    if (node := exports.elsewhere(export_id)) is not None:
        return PassedOn(node)
    return _body(await asyncio.to_thread(exports.get, principal, export_id))


@router.delete("/exports/{export_id}", response_model=ExportBody)
async def cancel_export(
    export_id: str, exports: ExportsParameter, principal: PrincipalParameter
) -> ExportBody | Response:
    """Cancels an export that has not ended, deletes one that has (WI46)."""
    if (node := exports.elsewhere(export_id)) is not None:
        return PassedOn(node)
    return _body(await exports.cancel(principal, export_id))


@router.get(
    "/exports/{export_id}/events",
    response_class=StreamingResponse,
    responses=EVENT_STREAM,
)
async def export_events(export_id: str, exports: ExportsParameter, principal: PrincipalParameter) -> Response:
    """Events with the export: at once, and after each change until it ends (WI46)."""
    if (node := exports.elsewhere(export_id)) is not None:
        return PassedOn(node)
    await asyncio.to_thread(exports.get, principal, export_id)
    return event_stream("export", exports.events(principal, export_id), _body)


@router.get(
    "/exports/{export_id}/file",
    response_class=FileResponse,
    responses={
        200: {"content": {media: {"schema": {"type": "string", "format": "binary"}} for media in MEDIA.values()}}
    },
)
async def get_export_file(
    export_id: str, request: Request, exports: ExportsParameter, principal: PrincipalParameter
) -> Response:
    """The finished file (WI47)."""
    if (node := exports.elsewhere(export_id)) is not None:
        return PassedOn(node)
    view = await asyncio.to_thread(exports.get, principal, export_id)
    path = await asyncio.to_thread(exports.file, principal, export_id)
    audit_slide(request, view.slide_id, file=view.filename)
    return FileResponse(path, media_type=MEDIA[view.plan.kind], filename=view.filename)


def _body(view: ExportView) -> ExportBody:
    problem = job_problem(view.error)
    return ExportBody(
        id=view.id,
        slide_id=view.slide_id,
        filename=view.filename,
        state=view.state,
        done=view.done,
        total=view.total,
        bytes=view.bytes,
        error=JobProblem.model_validate(problem) if problem else None,
        created=time_of(view.created),
    )
