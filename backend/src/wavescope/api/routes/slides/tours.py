"""Guided tours (shared/spec/tours.md)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field, field_validator
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.body import json_body, read_model
from wavescope.api.http.revisions import required_revision, revision_tag
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import ToursParameter
from wavescope.api.routing import API, new_router
from wavescope.api.schemas.documents import Level0, Text, check_place, check_view, facts_of, file_body
from wavescope.api.schemas.numbers import Count, Revision
from wavescope.api.state import PrincipalParameter, limits_of
from wavescope.catalog.records import DocumentRecord
from wavescope.catalog.slide_rows import check_title

router = new_router("tours", "reads")


class Mark(BaseModel):
    """Something drawn for one waypoint (TO7)."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["point", "rectangle", "ellipse", "arrow"]
    l0_x: Level0
    l0_y: Level0
    l0_width: Level0 = 0
    l0_height: Level0 = 0
    text: str = Field(default="", max_length=200)


class Waypoint(BaseModel):
    """One stop of a tour (TO3 to TO7)."""

    model_config = ConfigDict(extra="forbid")
    id: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    title: str = Field(default="", max_length=200)
    text: Text = ""
    slide: str | None = Field(default=None, max_length=128)
    view: dict[str, Any]
    annotations: list[Annotated[str, Field(min_length=1, max_length=128)]] = Field(default=[], max_length=1000)
    marks: list[Mark] = Field(default=[], max_length=100)

    _small = field_validator("view")(check_view)


class Tour(BaseModel):
    """A guided tour (TO1 to TO3)."""

    model_config = ConfigDict(extra="forbid")
    format: Literal["wavescope-tour"] = "wavescope-tour"
    version: Literal[1] = 1
    title: str = Field(min_length=1, max_length=200)
    text: Text = ""
    waypoints: list[Waypoint] = Field(default=[], max_length=500)

    @field_validator("waypoints")
    @classmethod
    def _check_ids_differ(cls, waypoints: list[Waypoint]) -> list[Waypoint]:
        if len({waypoint.id for waypoint in waypoints}) < len(waypoints):
            raise ValueError("two waypoints have the same id")
        return waypoints


class TourSummary(BaseModel):
    """A tour in a listing (TO8)."""

    id: str
    slide_id: str | None
    case_id: str | None
    title: str
    revision: Revision
    waypoints: Count
    created: datetime
    updated: datetime


class TourBody(BaseModel):
    """A stored tour (TO8)."""

    id: str
    slide_id: str | None
    case_id: str | None
    revision: Revision
    created: datetime
    updated: datetime
    tour: Tour


class TourList(BaseModel):
    """Tours by title."""

    tours: list[TourSummary]


@router.get("/tours")
async def list_tours(
    tours: ToursParameter,
    principal: PrincipalParameter,
    slide: Annotated[str | None, Query(max_length=128)] = None,
    case: Annotated[str | None, Query(max_length=32)] = None,
) -> TourList:
    """The tours of a slide or a case, or all (TO8)."""
    return TourList(tours=[_summary(record) for record in await tours.list(principal, slide, case)])


@router.post("/tours", status_code=201, openapi_extra=json_body(Tour), response_model=TourBody)
async def create_tour(
    request: Request,
    tours: ToursParameter,
    principal: PrincipalParameter,
    slide: Annotated[str | None, Query(max_length=128)] = None,
    case: Annotated[str | None, Query(max_length=32)] = None,
) -> Response:
    """A new tour of a slide or of a case (TO8)."""
    check_place(slide, case)
    document = await _document(request, limits_of(request).tour_bytes)
    record = await tours.create(principal, document, slide, case)
    return tour_response(record, 201, {"location": f"{API}/tours/{record.id}"})


@router.get("/tours/{tour_id}", response_model=TourBody)
async def get_tour(tour_id: str, tours: ToursParameter, principal: PrincipalParameter) -> Response:
    """A tour (TO8)."""
    return tour_response(await tours.get(principal, tour_id))


@router.get("/tours/{tour_id}/file", response_model=Tour)
async def get_tour_file(
    tour_id: str, request: Request, tours: ToursParameter, principal: PrincipalParameter
) -> Response:
    """The tour as a file to download (TO10)."""
    record = await tours.get(principal, tour_id)
    name = f"tour-{record.id}.json"
    audit_detail(request, file=name)
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-cache"}
    return Response(file_body(record), 200, headers, "application/json")


@router.put("/tours/{tour_id}", openapi_extra=json_body(Tour), response_model=TourBody)
async def save_tour(tour_id: str, request: Request, tours: ToursParameter, principal: PrincipalParameter) -> Response:
    """Replaces the tour, unless it was changed since (TO9)."""
    revision = required_revision(request)
    document = await _document(request, limits_of(request).tour_bytes)
    return tour_response(await tours.save(principal, tour_id, document, revision))


@router.delete("/tours/{tour_id}", status_code=204)
async def delete_tour(tour_id: str, request: Request, tours: ToursParameter, principal: PrincipalParameter) -> None:
    """Deletes the tour, unless it was changed since (TO9)."""
    await tours.delete(principal, tour_id, required_revision(request))


async def _document(request: Request, limit: int) -> dict[str, Any]:
    tour = await read_model(request, Tour, limit)
    return {**tour.model_dump(), "title": check_title(tour.title)}


def _summary(record: DocumentRecord) -> TourSummary:
    return TourSummary(
        **facts_of(record),
        title=record.title,
        waypoints=len(record.document["waypoints"]),
    )


def tour_response(record: DocumentRecord, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """The tour with its revision."""
    body = TourBody(
        **facts_of(record),
        tour=Tour.model_validate(record.document),
    )
    tags = {"etag": revision_tag(record.revision), "cache-control": "no-cache", **(headers or {})}
    return Response(body.model_dump_json(), status, tags, "application/json")
