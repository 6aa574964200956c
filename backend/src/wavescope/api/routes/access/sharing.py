"""Sharing slides and cases, and links to them (AC20 to AC23)."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wavescope.api.credentials import keep_link
from wavescope.api.http.body import json_body, read_model
from wavescope.api.middleware.audit_trail import tell
from wavescope.api.routes.access.users import PersonView
from wavescope.api.routing import new_router
from wavescope.api.schemas.slides import time_of
from wavescope.api.state import PrincipalParameter, ServiceParameter
from wavescope.catalog.records import LinkRecord, Scope, Share
from wavescope.service.access.gate import Principal
from wavescope.service.access.sharing import SharedWith
from wavescope.service.service import Service

router = new_router("sharing")

Given = Literal["view", "annotate"]


class ShareBody(BaseModel):
    """A right given to a user or a group."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["user", "group"]
    id: str = Field(max_length=32)
    right: Given


class NamedShare(ShareBody):
    """The same with its name, for people."""

    title: str


class SharingView(BaseModel):
    """Who has a right to a slide or a case; no owner: it belongs to the admins."""

    owner: PersonView | None
    public: bool
    shares: list[NamedShare]


class SharingChange(BaseModel):
    """All who have a right afterwards; only an admin may name another ``owner`` (an id)."""

    model_config = ConfigDict(extra="forbid")
    public: bool
    shares: list[ShareBody] = Field(max_length=1000)
    owner: str | None = Field(default=None, max_length=32)


class LinkView(BaseModel):
    """A share link without its token."""

    id: str
    scope: Literal["slide", "case"]
    target: str
    right: Given
    title: str
    created: datetime
    expires: datetime | None
    revoked: datetime | None
    used: datetime | None
    over: bool


class LinkList(BaseModel):
    """Links, the newest first."""

    links: list[LinkView]


class NewLink(BaseModel):
    """A link to be made; it holds for so many seconds, null: until it is taken back."""

    model_config = ConfigDict(extra="forbid")
    right: Given = "view"
    title: str = Field(default="", max_length=200)
    seconds: Annotated[int, Field(ge=1, le=10 * 366 * 86400)] | None = 7 * 86400


class MadeLink(LinkView):
    """A new link with its token, which is told this once and belongs behind ``/open#``."""

    token: str


class LinkToken(BaseModel):
    """The token of a link."""

    model_config = ConfigDict(extra="forbid")
    token: str = Field(min_length=1, max_length=200)


class OpenedLink(BaseModel):
    """Where a link leads."""

    scope: Literal["slide", "case"]
    target: str
    right: Given
    expires: datetime | None


@router.get("/slides/{slide_id}/sharing")
async def get_slide_sharing(slide_id: str, service: ServiceParameter, principal: PrincipalParameter) -> SharingView:
    """Who has a right to the slide (AC20)."""
    return await _view(service, await service.sharing.get(principal, "slide", slide_id))


@router.put("/slides/{slide_id}/sharing", openapi_extra=json_body(SharingChange))
async def share_slide(
    slide_id: str, request: Request, service: ServiceParameter, principal: PrincipalParameter
) -> SharingView:
    """Makes these all that have a right to the slide (AC20)."""
    return await _put(request, service, principal, "slide", slide_id)


@router.get("/cases/{case_id}/sharing")
async def get_case_sharing(case_id: str, service: ServiceParameter, principal: PrincipalParameter) -> SharingView:
    """Who has a right to the case and the slides in it that its owner may share (AC20)."""
    return await _view(service, await service.sharing.get(principal, "case", case_id))


@router.put("/cases/{case_id}/sharing", openapi_extra=json_body(SharingChange))
async def share_case(
    case_id: str, request: Request, service: ServiceParameter, principal: PrincipalParameter
) -> SharingView:
    """Makes these all that have a right to the case (AC20)."""
    return await _put(request, service, principal, "case", case_id)


@router.get("/slides/{slide_id}/links")
async def list_slide_links(slide_id: str, service: ServiceParameter, principal: PrincipalParameter) -> LinkList:
    """The links to the slide, with their last use (AC21)."""
    return await _links(service, principal, "slide", slide_id)


@router.post("/slides/{slide_id}/links", status_code=201, openapi_extra=json_body(NewLink))
async def create_slide_link(
    slide_id: str, request: Request, service: ServiceParameter, principal: PrincipalParameter
) -> MadeLink:
    """A new link to the slide (AC21)."""
    return await _made(request, service, principal, "slide", slide_id)


@router.get("/cases/{case_id}/links")
async def list_case_links(case_id: str, service: ServiceParameter, principal: PrincipalParameter) -> LinkList:
    """The links to the case (AC21)."""
    return await _links(service, principal, "case", case_id)


@router.post("/cases/{case_id}/links", status_code=201, openapi_extra=json_body(NewLink))
async def create_case_link(
    case_id: str, request: Request, service: ServiceParameter, principal: PrincipalParameter
) -> MadeLink:
    """A new link to the case (AC21)."""
    return await _made(request, service, principal, "case", case_id)


@router.delete("/links/{link_id}")
async def revoke_link(link_id: str, service: ServiceParameter, principal: PrincipalParameter) -> LinkView:
    """Takes a link back (AC22)."""
    return _link(await service.sharing.revoke_link(principal, link_id))


@router.post("/links/open", openapi_extra=json_body(LinkToken), response_model=OpenedLink)
async def open_link(request: Request, service: ServiceParameter) -> Response:
    """Keeps the link's token in a cookie and tells where it leads (AC23)."""
    given = await read_model(request, LinkToken, service.config.limits.json_body)
    link, _ = await service.sharing.open(given.token)
    body = OpenedLink(scope=link.scope, target=link.target, right=link.right, expires=_time(link.expires))
    response = JSONResponse(body.model_dump(mode="json"), headers={"cache-control": "no-store"})
    keep_link(request, response, given.token, link.expires)
    return response


async def _put(request: Request, service: Service, principal: Principal, scope: Scope, target: str) -> SharingView:
    new = await read_model(request, SharingChange, service.config.limits.case_body)
    tell(request, public=new.public, shares=len(new.shares))
    shares = [Share(one.kind, one.id, one.right) for one in new.shares]
    return await _view(service, await service.sharing.put(principal, scope, target, new.public, shares, new.owner))


async def _links(service: Service, principal: Principal, scope: Scope, target: str) -> LinkList:
    await asyncio.to_thread(service.identity.write_uses)
    return LinkList(links=[_link(record) for record in await service.sharing.links(principal, scope, target)])


async def _made(request: Request, service: Service, principal: Principal, scope: Scope, target: str) -> MadeLink:
    new = await read_model(request, NewLink, service.config.limits.json_body)
    token, record = await service.sharing.add_link(principal, scope, target, new.right, new.title, new.seconds)
    return MadeLink(**_link(record).model_dump(), token=token)


async def _view(service: Service, shared: SharedWith) -> SharingView:
    users, groups = await asyncio.to_thread(service.accounts.titles)
    owner = users.get(shared.owner)
    titles = {one.subject: (users if one.kind == "user" else groups).get(one.subject) for one in shared.shares}
    return SharingView(
        owner=None if owner is None else PersonView(id=shared.owner, title=owner, name=owner),
        public=shared.public,
        shares=[
            NamedShare(kind=one.kind, id=one.subject, right=one.right, title=title)
            for one in shared.shares
            if (title := titles[one.subject]) is not None
        ],
    )


def _link(record: LinkRecord) -> LinkView:
    return LinkView(
        id=record.id,
        scope=record.scope,
        target=record.target,
        right=record.right,
        title=record.title,
        created=time_of(record.created),
        expires=_time(record.expires),
        revoked=_time(record.revoked),
        used=_time(record.used),
        over=record.over(time.time()),
    )


def _time(seconds: float | None) -> datetime | None:
    return None if seconds is None else time_of(seconds)
