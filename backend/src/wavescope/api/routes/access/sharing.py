"""Sharing slides and cases, and links to them (AC20 to AC23)."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Depends
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wavescope.api.credentials import set_link_cookie
from wavescope.api.http.body import json_body, read_model
from wavescope.api.middleware.audit_trail import audit_detail, audit_slide
from wavescope.api.parameters import SharingParameter
from wavescope.api.routes.access.users import PersonView
from wavescope.api.routing import counted, new_router
from wavescope.api.schemas.slides import time_of
from wavescope.api.state import PrincipalParameter, limits_of
from wavescope.catalog.records import LinkRecord, Share
from wavescope.service.access.sharing import SharedWith, ShareTarget, SharingService

router = new_router("sharing", "reads")

Given = Literal["view", "annotate"]
AUDITED = 1000  # characters of names in an audit entry


class ShareBody(BaseModel):
    """The right of a user or a group."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["user", "group"]
    id: str = Field(max_length=32)
    right: Given


class NamedShare(ShareBody):
    """A share with the name of the user or group."""

    title: str


class SharingView(BaseModel):
    """Who has a right to a slide or a case; no owner: it belongs to the admins."""

    owner: PersonView | None
    public: bool
    shares: list[NamedShare]


class SharingChange(BaseModel):
    """All rights after the change; only an admin may set another ``owner`` (an id)."""

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
    """A link to create; ``seconds``: its validity, null: until it is revoked."""

    model_config = ConfigDict(extra="forbid")
    right: Given = "view"
    title: str = Field(default="", max_length=200)
    seconds: Annotated[int, Field(ge=1, le=10 * 366 * 86400)] | None = 7 * 86400


class CreatedLink(LinkView):
    """A new link with its token, which is returned only here; the link's address is ``/open#`` and the token."""

    token: str


class LinkToken(BaseModel):
    """The token of a link."""

    model_config = ConfigDict(extra="forbid")
    token: str = Field(min_length=1, max_length=200)


class OpenedLink(BaseModel):
    """The target of a link."""

    scope: Literal["slide", "case"]
    target: str
    right: Given
    expires: datetime | None


async def target_of(request: Request) -> ShareTarget:
    """The slide or the case that the path names."""
    path = request.path_params
    return ShareTarget("slide", path["slide_id"]) if "slide_id" in path else ShareTarget("case", path["case_id"])


async def slide_path(slide_id: str) -> None:
    """Describes the path of a route of a slide."""


async def case_path(case_id: str) -> None:
    """Describes the path of a route of a case."""


TargetParameter = Annotated[ShareTarget, Depends(target_of)]
SLIDE, CASE = [Depends(slide_path)], [Depends(case_path)]


@router.get(
    "/slides/{slide_id}/sharing",
    name="get_slide_sharing",
    description="Who has a right to the slide (AC20).",
    dependencies=SLIDE,
)
@router.get(
    "/cases/{case_id}/sharing",
    name="get_case_sharing",
    description="Who has a right to the case and the slides in it that its owner may share (AC20).",
    dependencies=CASE,
)
async def get_sharing(target: TargetParameter, sharing: SharingParameter, principal: PrincipalParameter) -> SharingView:
    """Who has a right to a slide or a case."""
    return await _view(sharing, await sharing.get(principal, target))


@router.put(
    "/slides/{slide_id}/sharing",
    name="share_slide",
    description="Replaces all rights to the slide (AC20).",
    dependencies=SLIDE,
    openapi_extra=json_body(SharingChange),
)
@router.put(
    "/cases/{case_id}/sharing",
    name="share_case",
    description="Replaces all rights to the case (AC20).",
    dependencies=CASE,
    openapi_extra=json_body(SharingChange),
)
async def share(
    target: TargetParameter, request: Request, sharing: SharingParameter, principal: PrincipalParameter
) -> SharingView:
    """Replaces the rights to a slide or a case."""
    new = await read_model(request, SharingChange, limits_of(request).case_body)
    audit_detail(request, public=new.public, shares=len(new.shares))
    shares = [Share(one.kind, one.id, one.right) for one in new.shares]
    view = await _view(sharing, await sharing.put(principal, target, new.public, shares, new.owner))
    given = ", ".join(f"{one.title} ({one.right})" for one in view.shares)[:AUDITED]
    owner = view.owner.title if view.owner and new.owner is not None else None
    audit_detail(request, to=given or None, owner=owner)
    return view


@router.get(
    "/slides/{slide_id}/links",
    name="list_slide_links",
    description="The links to the slide, with their last use (AC21).",
    dependencies=SLIDE,
)
@router.get(
    "/cases/{case_id}/links", name="list_case_links", description="The links to the case (AC21).", dependencies=CASE
)
async def list_links(target: TargetParameter, sharing: SharingParameter, principal: PrincipalParameter) -> LinkList:
    """The links to a slide or a case."""
    return LinkList(links=[_link(record) for record in await sharing.links(principal, target)])


@router.post(
    "/slides/{slide_id}/links",
    status_code=201,
    name="create_slide_link",
    description="A new link to the slide (AC21).",
    dependencies=SLIDE,
    openapi_extra=json_body(NewLink),
)
@router.post(
    "/cases/{case_id}/links",
    status_code=201,
    name="create_case_link",
    description="A new link to the case (AC21).",
    dependencies=CASE,
    openapi_extra=json_body(NewLink),
)
async def create_link(
    target: TargetParameter, request: Request, sharing: SharingParameter, principal: PrincipalParameter
) -> CreatedLink:
    """A new link to a slide or a case."""
    new = await read_model(request, NewLink)
    token, record = await sharing.add_link(principal, target, new.right, new.title, new.seconds)
    return CreatedLink(**_link(record).model_dump(), token=token)


@router.delete("/links/{link_id}")
async def revoke_link(
    link_id: str, request: Request, sharing: SharingParameter, principal: PrincipalParameter
) -> LinkView:
    """Revokes a link (AC22)."""
    record = await sharing.revoke_link(principal, link_id)
    audit_detail(request, link=record.title or link_id, **({"case": record.target} if record.scope == "case" else {}))
    if record.scope == "slide":
        audit_slide(request, record.target)
    return _link(record)


@router.post("/links/open", openapi_extra=json_body(LinkToken), response_model=OpenedLink)
@counted("sign_in")
async def open_link(request: Request, sharing: SharingParameter) -> Response:
    """Stores the link's token in a cookie and returns the link's target (AC23)."""
    payload = await read_model(request, LinkToken)
    link, _ = await sharing.open(payload.token)
    body = OpenedLink(scope=link.scope, target=link.target, right=link.right, expires=_time(link.expires))
    response = JSONResponse(body.model_dump(mode="json"), headers={"cache-control": "no-store"})
    set_link_cookie(request, response, payload.token, link.expires)
    return response


async def _view(sharing: SharingService, shared: SharedWith) -> SharingView:
    users, groups = await sharing.names()
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
