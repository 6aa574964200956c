"""The overlays of slides (shared/spec/overlays.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Depends, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from wavescope.api.http.body import announced_length, json_body, read_model
from wavescope.api.http.fast_route import OPENED, version_of
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import DicomParameter, JobsParameter, OverlaysParameter
from wavescope.api.routes.jobs import FILE_NAME, RAW_BODY, reject_multipart
from wavescope.api.routes.slides.originals import disposition
from wavescope.api.routing import API, counted, new_router
from wavescope.api.schemas.jobs import JobBody, job_body
from wavescope.api.schemas.numbers import Count
from wavescope.api.schemas.slides import time_of
from wavescope.api.state import PrincipalParameter, config_of
from wavescope.catalog.overlays import OverlayRecord
from wavescope.errors import InvalidParameter
from wavescope.overlays.reading.files import parse_content, parse_element, parse_transform
from wavescope.overlays.region import Region
from wavescope.overlays.writing.raster import RasterFormat
from wavescope.service.access.gate import Principal
from wavescope.service.jobs.duplicates import StoredSlide
from wavescope.service.jobs.uploads import UploadOptions
from wavescope.service.overlays.overlays import overlay_name
from wavescope.service.protocols.dicom.dataset import instance_dataset
from wavescope.service.protocols.dicom.objects import DicomObject, DicomObjects

router = new_router("overlays", "reads")

OVERLAYS = "/slides/{slide_id}/overlays"
OVERLAY = OVERLAYS + "/{overlay_id}"
MEDIA = {
    "geojson": "application/geo+json",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "dicom": "application/dicom",
}
FILE = {"schema": {"type": "string", "format": "binary"}}
EXPORTS: dict[str, Any] = {
    "application/geo+json": {"schema": {"type": "object"}},
    "text/csv": {"schema": {"type": "string"}},
    MEDIA["parquet"]: FILE,
    MEDIA["dicom"]: FILE,
}
RASTERS = {"npy": "application/octet-stream", "tiff": "image/tiff"}
PIXELS: dict[str, Any] = dict.fromkeys(RASTERS.values(), FILE)
TRANSFORM = "x-wavescope-transform"
"""From columns and rows of the array to pixels of level 0: a,b,c,d,e,f as OV26."""
REACH = 1 << 27  # beyond every coordinate


class OverlayClassBody(BaseModel):
    """A class of the shapes of an overlay (OV2)."""

    name: str
    color: str = Field(description="RRGGBB")
    count: Count


class OverlayScoreBody(BaseModel):
    """What the scores of 0 and 255 stand for (OV3)."""

    name: str
    least: float
    most: float


class OverlayRasterBody(BaseModel):
    """The raster of an overlay (OV65)."""

    kind: Literal["values", "labels"]
    width: Count = Field(description="pixels of the raster")
    height: Count
    last: Count = Field(description="the largest sample")
    transform: list[float] = Field(description="from pixels of the raster to those of level 0")
    exact: bool = Field(description="samples are the values of the source, not rounded")
    labels: list[Count] = Field(description="the label of each class; empty: every label is of class 0")
    bytes: list[Count] | None = Field(default=None, description="of the tiles of each level (OV74); null: not known")


class OverlayBody(BaseModel):
    """An overlay of a slide (OV28)."""

    id: str
    name: str
    digest: str = Field(description="the SHA-256 of its file")
    shapes: Count
    bytes: Count
    classes: list[OverlayClassBody]
    score: OverlayScoreBody | None
    top: Count = Field(description="the highest level of its tiles (OV5)")
    width: Count = Field(description="pixels of level 0")
    height: Count
    outlines: list[Count] | None = Field(description="how many shapes belong to each level (OV7); null: not known")
    raster: OverlayRasterBody | None = Field(default=None, description="what it has instead of shapes")
    created: datetime
    author: str
    hidden: bool = Field(default=False, description="shown only when a person asks for it (QM11)")
    transform: list[float] = Field(description="what its import applied to the coordinates of the source (OV26)")


class OverlayList(BaseModel):
    """The overlays of a slide, in their order."""

    overlays: list[OverlayBody]


class OverlayChange(BaseModel):
    """Another name, another place among the overlays of the slide (OV30)."""

    model_config = ConfigDict(extra="forbid")
    name: str | None = None
    position: int | None = Field(default=None, ge=0, le=1 << 31)


@dataclass(frozen=True)
class OverlayParameters:
    """The slide, the name of a file of shapes, and how it is read."""

    slide_id: str
    filename: Annotated[str, Query(min_length=1, max_length=1000)]
    name: Annotated[str, Query(max_length=200)] = ""
    score: Annotated[str, Query(max_length=200)] = ""
    transform: Annotated[str, Query(max_length=300)] = ""
    content: Annotated[str, Query(max_length=20)] = ""
    element: Annotated[str, Query(max_length=300)] = ""

    def options(self) -> UploadOptions:
        """Checked. Raises InvalidParameter."""
        name = overlay_name(self.name) if self.name else ""
        transform = parse_transform(self.transform) or ()
        content, element, slide = parse_content(self.content), parse_element(self.element), self.slide_id
        read = UploadOptions(score=self.score, transform=transform, content=content, element=element)
        return replace(read, title=name, overlay_of=slide)


@router.get(OVERLAYS)
async def list_overlays(slide_id: str, overlays: OverlaysParameter, principal: PrincipalParameter) -> OverlayList:
    """The overlays of a slide, in their order (OV28)."""
    return OverlayList(overlays=[overlay_body(one) for one in await overlays.list(principal, slide_id)])


@router.post(OVERLAYS, status_code=202, openapi_extra=RAW_BODY, response_model=JobBody)
@counted("uploads")
async def post_overlay(
    parameters: Annotated[OverlayParameters, Depends()],
    request: Request,
    response: Response,
    jobs: JobsParameter,
    overlays: OverlaysParameter,
    principal: PrincipalParameter,
) -> JobBody:
    """Uploads a file of shapes or a raster as the raw body, and creates the job that makes an overlay of it (OV25)."""
    reject_multipart(request)
    options = parameters.options()
    await overlays.list(principal, parameters.slide_id)  # no upload for a slide that is not there
    view = await jobs.upload(principal, parameters.filename, options, request.stream(), announced_length(request))
    assert not isinstance(view, StoredSlide)
    file = None if config_of(request).deidentify else parameters.filename[:FILE_NAME]
    audit_detail(request, file=file, job=view.record.id, overlay=view.record.id)
    response.headers["location"] = f"{API}/jobs/{view.record.id}"
    return job_body(view)


@router.patch(OVERLAY, openapi_extra=json_body(OverlayChange))
async def change_overlay(
    slide_id: str, overlay_id: str, request: Request, overlays: OverlaysParameter, principal: PrincipalParameter
) -> OverlayBody:
    """Renames an overlay, or moves it to another place among those of its slide (OV30)."""
    change = await read_model(request, OverlayChange)
    return overlay_body(await overlays.change(principal, slide_id, overlay_id, change.name, change.position))


@router.delete(OVERLAY, status_code=204)
async def delete_overlay(
    slide_id: str, overlay_id: str, request: Request, overlays: OverlaysParameter, principal: PrincipalParameter
) -> None:
    """Deletes an overlay; it can be restored (OV31)."""
    removed = await overlays.remove(principal, slide_id, overlay_id)
    audit_detail(request, file=removed.file.name)


@router.post(OVERLAY + "/restore")
async def restore_overlay(
    slide_id: str, overlay_id: str, overlays: OverlaysParameter, principal: PrincipalParameter
) -> OverlayBody:
    """Restores a deleted overlay (OV31)."""
    return overlay_body(await overlays.restore(principal, slide_id, overlay_id))


@dataclass(frozen=True)
class ShapesParameters:
    """Which shapes, and how they are written."""

    slide_id: str
    overlay_id: str
    format: Literal["geojson", "csv", "parquet", "dicom"] = "geojson"
    region: Annotated[str, Query(max_length=100)] = ""


@router.get(OVERLAY + "/shapes", responses={200: {"content": EXPORTS}}, response_class=StreamingResponse)
@counted("exports")
async def get_overlay_shapes(
    request: Request,
    overlays: OverlaysParameter,
    dicom: DicomParameter,
    principal: PrincipalParameter,
    parameters: Annotated[ShapesParameters, Depends()],
) -> Response:
    """The shapes whose bounding box touches a region, or all, as a document (OV33)."""
    slide_id, overlay_id, form = parameters.slide_id, parameters.overlay_id, parameters.format
    region = parse_region(parameters.region)
    if form == "dicom":
        image = await _level_0(request, dicom, principal)
        record, whole = await overlays.annotations(principal, slide_id, overlay_id, region, image)
        pieces = iter([whole])
    else:
        record, pieces = await overlays.export(principal, slide_id, overlay_id, form, region)
    name = f"{record.file.name}.{'dcm' if form == 'dicom' else form}"
    audit_detail(request, file=name)
    headers = {"cache-control": "no-store", "content-disposition": disposition(name), "content-type": MEDIA[form]}
    return StreamingResponse(pieces, 200, headers)


@dataclass(frozen=True)
class RasterParameters:
    """Which pixels of a raster, and how they are written."""

    slide_id: str
    overlay_id: str
    region: Annotated[str, Query(min_length=1, max_length=100)]
    level: Annotated[int, Query(ge=0, le=20)] = 0
    format: RasterFormat = "npy"


@router.get(OVERLAY + "/raster", responses={200: {"content": PIXELS}}, response_class=Response)
@counted("pixels")
async def get_overlay_raster(
    request: Request,
    overlays: OverlaysParameter,
    principal: PrincipalParameter,
    parameters: Annotated[RasterParameters, Depends()],
) -> Response:
    """The pixels of a level of a raster that a region touches, as a file (OV76)."""
    region, form = parse_region(parameters.region), parameters.format
    assert region is not None
    slide_id, overlay_id = parameters.slide_id, parameters.overlay_id
    record, file, transform = await overlays.raster_region(
        principal, slide_id, overlay_id, region, parameters.level, form
    )
    name = f"{record.file.name}.{form}"
    audit_detail(request, file=name)
    numbers = ",".join(map(repr, transform))
    headers = {"cache-control": "no-store", "content-disposition": disposition(name), TRANSFORM: numbers}
    return Response(file, 200, headers, RASTERS[form])


async def _level_0(request: Request, dicom: DicomObjects, principal: Principal) -> Callable[[], Any]:
    """Makes the data set of the slide's level 0, as DICOMweb serves it (DW4)."""
    await version_of(request)
    found = DicomObject(request.scope["path_params"]["slide_id"], request.scope[OPENED], None)
    slide = await dicom.described(principal, found)
    return lambda: instance_dataset(slide, 0)


def parse_region(text: str) -> Region | None:
    """``x,y,width,height``; None for an empty text. Raises InvalidParameter."""
    if not text:
        return None
    try:
        region = Region(*map(float, text.split(",")))
        if not (all(abs(one) < REACH for one in region) and region.width >= 0 and region.height >= 0):
            raise ValueError
    except (TypeError, ValueError) as cause:
        raise InvalidParameter("region", text[:80], "x,y,width,height in pixels of level 0") from cause
    return region


def overlay_body(record: OverlayRecord) -> OverlayBody:
    """An overlay as served."""
    manifest = record.manifest
    return OverlayBody(
        id=record.id,
        name=record.file.name,
        digest=record.file.sha256,
        bytes=record.file.size,
        created=time_of(record.created),
        author=record.author,
        hidden=record.hidden,
        transform=list(record.transform),
        outlines=manifest.get("outlines"),
        raster=manifest.get("raster"),
        **{key: manifest[key] for key in ("shapes", "classes", "score", "top", "width", "height")},
    )
