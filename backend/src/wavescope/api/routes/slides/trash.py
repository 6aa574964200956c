"""The trash: slides that were deleted and can come back (WI36 to WI38)."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.fast_route import binary
from wavescope.api.middleware.audit_trail import audit_detail, audit_slide
from wavescope.api.parameters import PixelsParameter, TrashParameter
from wavescope.api.routes.slides.pixels import IMAGES, ThumbnailParameter, get_version_thumbnail
from wavescope.api.routing import API, counted, new_router
from wavescope.api.schemas.slides import SlideSummary, summary, time_of
from wavescope.api.state import PrincipalParameter
from wavescope.catalog.records import SlideRecord

router = new_router("trash", "reads")


class TrashedSlide(SlideSummary):
    """A slide in the trash."""

    trashed: datetime
    purged_after: datetime = Field(description="when it is deleted permanently")


class TrashList(BaseModel):
    """The slides in the trash, the most recently deleted first."""

    slides: list[TrashedSlide]


@router.get("/trash")
async def list_trash(trash: TrashParameter, principal: PrincipalParameter) -> TrashList:
    """The slides in the trash (WI36)."""
    records = await trash.list(principal)
    return TrashList(slides=[_trashed(record, trash.seconds) for record in records])


@router.post("/trash/{slide_id}/restore")
async def restore_slide(slide_id: str, trash: TrashParameter, principal: PrincipalParameter) -> SlideSummary:
    """Restores the slide from the trash (WI37)."""
    return summary(await trash.restore(principal, slide_id))


@router.delete("/trash/{slide_id}", status_code=204)
async def purge_slide(slide_id: str, request: Request, trash: TrashParameter, principal: PrincipalParameter) -> None:
    """Permanently deletes the slide and frees its space (WI38)."""
    audit_detail(request, title=(await trash.purge(principal, slide_id)).title)


@router.delete("/trash", status_code=204)
async def empty_trash(request: Request, trash: TrashParameter, principal: PrincipalParameter) -> None:
    """Permanently deletes all slides in the trash (WI38)."""
    for record in await trash.empty(principal):
        audit_slide(request, record.id, title=record.title)


@router.get("/trash/{slide_id}/thumbnail", responses=binary(*IMAGES), response_class=Response)
@counted("pixels")
async def get_trashed_thumbnail(
    slide_id: str,
    parameters: ThumbnailParameter,
    request: Request,
    trash: TrashParameter,
    pixels: PixelsParameter,
    principal: PrincipalParameter,
) -> Response:
    """The thumbnail of a slide in the trash (WI36)."""
    version = await trash.version(principal, slide_id)
    response = await get_version_thumbnail(parameters, request, pixels, version)
    response.headers["cache-control"] = "no-cache"
    return response


def _trashed(record: SlideRecord, seconds: float) -> TrashedSlide:
    trashed = record.trashed or 0.0
    fields = summary(record).model_dump() | {"thumbnail": f"{API}/trash/{record.id}/thumbnail"}
    return TrashedSlide(**fields, trashed=time_of(trashed), purged_after=time_of(trashed + seconds))
