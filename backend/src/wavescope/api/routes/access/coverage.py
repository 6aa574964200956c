"""What the requesting user saw of slides, and what many saw of one (shared/spec/page.md, section 11)."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from wavescope.api.http.body import json_body, read_model
from wavescope.api.parameters import CoverageParameter
from wavescope.api.routing import new_router
from wavescope.api.state import PrincipalParameter
from wavescope.catalog.coverage import SeenViews

router = new_router("account", "reads")

VIEWS = 4000  # of one slide (CV6)
BODY = 100 * VIEWS + 1000  # bytes
FAR = 1 << 26  # level-0 pixels, beyond every slide

Place = Annotated[float, Field(ge=-FAR, le=FAR, allow_inf_nan=False)]
Length = Annotated[float, Field(gt=0, le=FAR, allow_inf_nan=False)]
Rotation = Annotated[float, Field(ge=0, le=360, allow_inf_nan=False)]
Scale = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, le=1e8, allow_inf_nan=False)]
View = tuple[Place, Place, Length, Length, Rotation, Scale, Seconds, Literal[0, 1]]


class SeenBody(BaseModel):
    """The log of views of a slide: ``x, y, width, height, rotation, scale, seconds, sharp`` each (CV6)."""

    views: list[View] = Field(max_length=VIEWS)
    at: tuple[Place, Place] | None = Field(description="where the way through the tissue has come to")
    reviewed: int | None = Field(
        default=None, ge=0, le=1 << 40, description="when the user marked the slide as reviewed, in seconds since 1970"
    )


class SeenChange(SeenBody):
    """The log, and that the user agreed to store it with the account (CV8)."""

    model_config = ConfigDict(extra="forbid")
    consent: Literal[True]


class SeenSlides(BaseModel):
    """The slides of which the user stored what was seen, the one changed last first; none that was cleared."""

    slides: list[str]
    reviewed: list[str] = Field(description="the slides that the user marked as reviewed")
    agreed: bool = Field(description="whether any log is stored, be it empty: the user has agreed")
    shared: bool = Field(description="whether those who own a slide get the user's log of it, without the name")


class SharingChange(BaseModel):
    """Whether those who own a slide get the user's log of it, without the name, among those of others (CV12)."""

    model_config = ConfigDict(extra="forbid")
    shared: bool


class PeopleMap(BaseModel):
    """How many people saw each part of a slide (CV13)."""

    people: int = Field(description="who share what they saw of the slide; at most 1,000")
    reviewed: int | None = Field(description="how many of them marked it as reviewed; null where they are fewer than 3")
    columns: int
    rows: int
    counts: list[int] | None = Field(
        description="how many of them saw the centre of each cell sharply, row by row; null where they are fewer than 3"
    )


@router.get("/me/coverage")
async def list_coverage(coverage: CoverageParameter, principal: PrincipalParameter, response: Response) -> SeenSlides:
    """Of which slides the user has stored what was seen (CV8)."""
    response.headers["cache-control"] = "no-store"
    return SeenSlides.model_validate((await coverage.slides(principal))._asdict())


@router.delete("/me/coverage", status_code=204)
async def delete_coverage(coverage: CoverageParameter, principal: PrincipalParameter) -> None:
    """Deletes what was seen of all slides: the user no longer agrees (CV8)."""
    await coverage.forget(principal)


@router.put("/me/coverage", openapi_extra=json_body(SharingChange))
async def share_coverage(request: Request, coverage: CoverageParameter, principal: PrincipalParameter) -> SeenSlides:
    """Shares what the user saw without the name, or no longer, with those who own the slides (CV12)."""
    change = await read_model(request, SharingChange, 1000)
    return SeenSlides.model_validate((await coverage.share(principal, change.shared))._asdict())


@router.get("/slides/{slide_id}/coverage")
async def get_people_map(
    slide_id: str,
    coverage: CoverageParameter,
    principal: PrincipalParameter,
    response: Response,
    scale: Annotated[float, Query(ge=0, le=1000)] = 0,
) -> PeopleMap:
    """How many of those who share it saw each part of a slide, without their names (CV13)."""
    response.headers["cache-control"] = "no-store"
    return PeopleMap.model_validate((await coverage.together(principal, slide_id, scale))._asdict())


@router.get("/me/coverage/{slide_id}")
async def get_coverage(
    slide_id: str, coverage: CoverageParameter, principal: PrincipalParameter, response: Response
) -> SeenBody:
    """What the user saw of a slide; empty if nothing is stored (CV8)."""
    response.headers["cache-control"] = "no-store"
    return SeenBody.model_validate((await coverage.get(principal, slide_id))._asdict())


@router.put("/me/coverage/{slide_id}", status_code=204, openapi_extra=json_body(SeenChange))
async def save_coverage(
    slide_id: str, request: Request, coverage: CoverageParameter, principal: PrincipalParameter
) -> None:
    """Replaces what the user saw of a slide, which only this user reads (CV8)."""
    change = await read_model(request, SeenChange, BODY)
    await coverage.save(principal, slide_id, SeenViews(change.views, change.at, change.reviewed))
