"""Cases and collections (WI40 to WI43)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.body import json_body, read_model
from wavescope.api.http.revisions import given_revision, revision_tag
from wavescope.api.parameters import CasesParameter
from wavescope.api.routing import API, new_router
from wavescope.api.schemas.numbers import Count, Revision
from wavescope.api.schemas.slides import SlideSummary, summary, time_of
from wavescope.api.state import PrincipalParameter, limits_of
from wavescope.catalog import records
from wavescope.catalog.cases import DESCRIPTION
from wavescope.catalog.records import CaseRecord, ListedCase

router = new_router("cases", "reads")

Kind = Literal["case", "collection"]
Description = Annotated[str, Field(max_length=DESCRIPTION, description="Markdown")]
PARENT = "the collection that it lies in; empty: in none, or in one that you do not see"
Place = Annotated[str, Field(max_length=32, description="the id of the collection that it lies in; empty: in none")]
SlideIds = Annotated[list[Annotated[str, Field(min_length=1, max_length=128)]], Field(max_length=2000)]


class CaseSummary(BaseModel):
    """A case in a listing; ``thumbnail`` shows its first slide."""

    id: str
    title: str
    kind: Kind
    revision: Revision
    parent: str = Field(default="", description=PARENT)
    slides: Count
    below: Count = Field(default=0, description="different slides in it and in all that lies in it")
    thumbnail: str | None
    created: datetime
    updated: datetime


class CaseList(BaseModel):
    """Cases by title."""

    cases: list[CaseSummary]


class CaseSlide(SlideSummary):
    """A slide of a case."""

    number: int = Field(ge=1, description="its place in the case; the same for everybody, so some may be missing")
    shared: bool = Field(description="whether a right to the case is a right to this slide (AC15)")


class CaseBody(BaseModel):
    """A case with its slides in their order."""

    id: str
    title: str
    kind: Kind
    description: str = Field(default="", description="Markdown")
    parent: str = Field(default="", description=PARENT)
    revision: Revision
    created: datetime
    updated: datetime
    slides: list[CaseSlide]


class NewCase(BaseModel):
    """A case to create."""

    model_config = ConfigDict(extra="forbid")
    title: str = Field(min_length=1, max_length=400)
    kind: Kind = "case"
    description: Description = ""
    slides: SlideIds = []
    parent: Place = ""


class CaseChange(BaseModel):
    """The fields of a case that can be changed."""

    model_config = ConfigDict(extra="forbid")
    title: str | None = Field(default=None, min_length=1, max_length=400)
    kind: Kind | None = None
    description: Description | None = None
    parent: Place | None = None


class CaseSlides(BaseModel):
    """Slides to put into a case, or all of its slides in a new order."""

    model_config = ConfigDict(extra="forbid")
    slides: SlideIds


@router.get("/cases")
async def list_cases(
    cases: CasesParameter, principal: PrincipalParameter, search: Annotated[str, Query(max_length=200)] = ""
) -> CaseList:
    """Cases by title (WI40)."""
    return case_list(await cases.list(principal, search))


@router.post("/cases", status_code=201, openapi_extra=json_body(NewCase), response_model=CaseBody)
async def create_case(request: Request, cases: CasesParameter, principal: PrincipalParameter) -> Response:
    """A new case (WI40)."""
    new = await read_model(request, NewCase, limits_of(request).case_body)
    record = await cases.create(principal, new.title, new.kind, new.slides, new.description, new.parent)
    return _response(record, 201, {"location": f"{API}/cases/{record.id}"})


@router.get("/cases/{case_id}", response_model=CaseBody)
async def get_case(case_id: str, cases: CasesParameter, principal: PrincipalParameter) -> Response:
    """A case with its slides (WI40)."""
    return _response(await cases.get(principal, case_id))


@router.patch("/cases/{case_id}", openapi_extra=json_body(CaseChange), response_model=CaseBody)
async def change_case(case_id: str, request: Request, cases: CasesParameter, principal: PrincipalParameter) -> Response:
    """Changes title, kind, description, or the collection that the case lies in (WI41)."""
    change = await read_model(request, CaseChange, limits_of(request).case_body)
    return _response(
        await cases.change(principal, case_id, records.CaseChange(**vars(change)), given_revision(request))
    )


@router.delete("/cases/{case_id}", status_code=204)
async def delete_case(case_id: str, cases: CasesParameter, principal: PrincipalParameter) -> None:
    """Deletes the case; its slides stay (WI41)."""
    await cases.delete(principal, case_id)


@router.post("/cases/{case_id}/slides", openapi_extra=json_body(CaseSlides), response_model=CaseBody)
async def add_case_slides(
    case_id: str, request: Request, cases: CasesParameter, principal: PrincipalParameter
) -> Response:
    """Appends slides (WI42)."""
    payload = await read_model(request, CaseSlides, limits_of(request).case_body)
    return _response(await cases.add(principal, case_id, payload.slides))


@router.put("/cases/{case_id}/slides", openapi_extra=json_body(CaseSlides), response_model=CaseBody)
async def arrange_case_slides(
    case_id: str, request: Request, cases: CasesParameter, principal: PrincipalParameter
) -> Response:
    """All slides of the case in their order (WI42)."""
    payload = await read_model(request, CaseSlides, limits_of(request).case_body)
    return _response(await cases.arrange(principal, case_id, payload.slides, given_revision(request)))


@router.delete("/cases/{case_id}/slides/{slide_id}", response_model=CaseBody)
async def remove_case_slide(
    case_id: str, slide_id: str, cases: CasesParameter, principal: PrincipalParameter
) -> Response:
    """Removes a slide from the case (WI42)."""
    return _response(await cases.remove(principal, case_id, slide_id))


def case_list(found: Sequence[ListedCase]) -> CaseList:
    """Cases as listed."""
    return CaseList(cases=[_summary(record) for record in found])


def _summary(record: ListedCase) -> CaseSummary:
    return CaseSummary(
        id=record.id,
        title=record.title,
        kind=_kind(record.kind),
        parent=record.parent,
        revision=record.revision,
        slides=record.slides,
        below=record.below,
        thumbnail=summary(record.first).thumbnail if record.first else None,
        created=time_of(record.created),
        updated=time_of(record.updated),
    )


def _response(record: CaseRecord, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = CaseBody(
        id=record.id,
        title=record.title,
        kind=_kind(record.kind),
        parent=record.parent,
        description=record.description,
        revision=record.revision,
        created=time_of(record.created),
        updated=time_of(record.updated),
        slides=[
            CaseSlide(**dict(summary(slide)), number=record.numbers[slide.id], shared=slide.id in record.shared)
            for slide in record.slides
        ],
    )
    tags = {"etag": revision_tag(record.revision), "cache-control": "no-cache", **(headers or {})}
    return Response(body.model_dump_json(), status, tags, "application/json")


def _kind(kind: str) -> Kind:
    return "collection" if kind == "collection" else "case"
