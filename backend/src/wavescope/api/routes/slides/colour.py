"""A slide's colours: its ICC profile as it came, and what a viewer needs to apply it (WI60 to WI62)."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wavescope.api.http.fast_route import binary
from wavescope.api.http.immutable import immutable, not_modified
from wavescope.api.parameters import ColoursParameter, VersionParameter
from wavescope.api.routes.slides.pixels import MEDIA
from wavescope.api.routing import new_router
from wavescope.pixels.colour import NODES

router = new_router("colour", "pixels", default_response_class=Response)

PROFILE = b"application/vnd.iccprofile"


class ColourView(BaseModel):
    """The facts about a slide's ICC profile (WI61)."""

    profile: str | None = Field(description="the profile's own name")
    state: Literal["none", "same", "table", "unusable", "unapplied"]
    nodes: int = Field(ge=2, le=256, description="steps a channel of the table")


@router.get("/slides/{slide_id}/v/{digest}/icc", responses=binary("application/vnd.iccprofile"))
async def get_icc(request: Request, colours: ColoursParameter, version: VersionParameter) -> Response:
    """The ICC profile of the source, unchanged (WI60)."""
    etag = b'"%b.i"' % version.tag
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    return immutable(request, await colours.profile(version), PROFILE, etag)


@router.get("/slides/{slide_id}/v/{digest}/colour", response_model=ColourView, response_class=JSONResponse)
async def get_colour(request: Request, colours: ColoursParameter, version: VersionParameter) -> Response:
    """Which ICC profile the slide has, and how to apply it (WI61)."""
    etag = b'"%b.c"' % version.tag
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    colour = await colours.colour(version)
    view = ColourView(profile=colour.profile, state=colour.state, nodes=NODES)
    return immutable(request, view.model_dump_json().encode(), b"application/json", etag)


@router.get("/slides/{slide_id}/v/{digest}/colour/table.png", responses=binary("image/png"))
async def get_colour_table(request: Request, colours: ColoursParameter, version: VersionParameter) -> Response:
    """The table that converts stored colours to sRGB (WI62)."""
    etag = b'"%b.l"' % version.tag
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    return immutable(request, await colours.table(version), MEDIA["png"], etag)
