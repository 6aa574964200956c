"""Slides that are still being ingested, seen through their source files (WI48 to WI50)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.disconnect import while_connected
from wavescope.api.http.fast_route import binary
from wavescope.api.parameters import JobsParameter, PreviewsParameter
from wavescope.api.routes.slides.pixels import IMAGES, MEDIA
from wavescope.api.routing import API, new_router
from wavescope.api.schemas.advice import AdviceView
from wavescope.api.schemas.numbers import ParameterInteger
from wavescope.api.schemas.scale import Mpp
from wavescope.api.schemas.slides import PreviewView
from wavescope.api.state import PrincipalParameter
from wavescope.pixels.images import ImageFormat
from wavescope.service.jobs.previews import PreviewTile

router = new_router("previews", "pixels")

# Previews are requested as stored slides are.
LAYERS = Query(ge=1, description="accepted as for a stored slide; a source has no layers", examples=[3])
LONGEST = Query(alias="max", ge=1, description="accepted as for a stored slide; changes nothing", examples=[480])
HEADERS = {"cache-control": "private, max-age=300"}


@router.get("/jobs/{job_id}/preview")
async def get_preview(
    job_id: str, previews: PreviewsParameter, jobs: JobsParameter, principal: PrincipalParameter
) -> PreviewView:
    """The slide as its source file describes it (WI48)."""
    info = await previews.info(principal, job_id)
    record = (await jobs.get(principal, job_id)).record
    url = f"{API}/jobs/{job_id}/preview"
    return PreviewView(
        id=job_id,
        title=str(record.options.get("title") or record.filename),
        digest=f"preview-{job_id}",
        url=url,
        thumbnail=f"{url}/thumbnail",
        width=info.width,
        height=info.height,
        levels=info.pyramid.top + 1,
        planes=info.planes,
        channels=info.channels,
        mpp=None if info.mpp_x is None or info.mpp_y is None else Mpp(x=info.mpp_x, y=info.mpp_y),
        objective_power=info.objective_power,
        vendor=info.vendor,
    )


@dataclass(frozen=True)
class PreviewTileParameters:
    """A tile of the source, and as what."""

    z: ParameterInteger
    level: ParameterInteger
    x: ParameterInteger
    y: ParameterInteger
    kind: ImageFormat

    def tile(self) -> PreviewTile:
        """As the service knows it."""
        return PreviewTile(self.z, self.level, self.x, self.y, self.kind)


@router.get(
    "/jobs/{job_id}/preview/tiles/{z}/{level}/{x}/{y}.{kind}",
    responses=binary(*IMAGES, ranges=False),
    response_class=Response,
)
async def get_preview_tile(
    job_id: str,
    parameters: Annotated[PreviewTileParameters, Depends()],
    request: Request,
    previews: PreviewsParameter,
    principal: PrincipalParameter,
    layers: Annotated[int | None, LAYERS] = None,
) -> Response:
    """A tile of the source: exact at level 0, at coarser levels as the file contains it (WI49)."""
    body = await while_connected(request, previews.tile(principal, job_id, parameters.tile()))
    return Response(body, 200, HEADERS, MEDIA[parameters.kind].decode())


@router.get("/jobs/{job_id}/advice")
async def get_advice(
    job_id: str, request: Request, previews: PreviewsParameter, principal: PrincipalParameter
) -> AdviceView:
    """Size, PSNR and time of every preset, estimated from encoded samples (WI51)."""
    work = previews.advice(principal, job_id)
    return AdviceView.model_validate(await while_connected(request, work))


@router.get("/jobs/{job_id}/preview/thumbnail", responses=binary("image/webp", ranges=False), response_class=Response)
async def get_preview_thumbnail(
    job_id: str,
    request: Request,
    previews: PreviewsParameter,
    principal: PrincipalParameter,
    longest: Annotated[int | None, LONGEST] = None,
) -> Response:
    """The finest level of at most 512 pixels a side (WI49)."""
    body = await while_connected(request, previews.thumbnail(principal, job_id))
    return Response(body, 200, HEADERS, "image/webp")
