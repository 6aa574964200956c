"""Launches from learning platforms, and the platforms (shared/spec/lti.md)."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Annotated
from urllib.parse import parse_qsl, urlencode

from fastapi import Depends, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from wavescope.api.credentials import LAUNCH, set_frame_cookie, set_launch_cookie, set_sign_in_cookies
from wavescope.api.http.addresses import service_address
from wavescope.api.http.body import json_body, read_body, read_model
from wavescope.api.http.page_texts import texts_for
from wavescope.api.http.plain_page import Allowed, plain_page
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import ToolParameter
from wavescope.api.problems import PROBLEM, problem_of
from wavescope.api.routing import API, any_query, counted, new_router
from wavescope.api.schemas.slides import summary, time_of
from wavescope.api.state import PrincipalParameter
from wavescope.catalog.lti.platforms import PlatformFacts, PlatformRecord
from wavescope.catalog.lti.scores import UnsentScores
from wavescope.errors import InvalidParameter, LaunchRefused, UnknownPlatform
from wavescope.lti.claims import Kind, Target, target_of
from wavescope.service.lti.choosing import Offer
from wavescope.service.lti.launches import BEGUN_SECONDS, LaunchAnswer, LaunchRequest
from wavescope.service.lti.registration import RegistrationRequest, origin_of

router = new_router("lti", "reads")

NO_STORE = {"cache-control": "no-store"}
NOTHING: Mapping[Kind, str] = {
    "quizzes": "No quiz of yours is found. A quiz is written beside a slide, in the panel Tours.",
    "cases": "No case is found.",
    "tours": "No tour is found.",
    "slides": "No slide is found.",
}
FORM_BYTES = 256 * 1024
FORM = {
    "requestBody": {
        "required": True,
        "content": {"application/x-www-form-urlencoded": {"schema": {"type": "string", "format": "binary"}}},
    }
}
SEND = "document.forms[0].submit()"
CLOSE = "(window.opener || window.parent).postMessage({subject: 'org.imsglobal.lti.close'}, '*')"
Address = Annotated[str, Field(max_length=2000)]
Short = Annotated[str, Field(min_length=1, max_length=255)]


class NewPlatform(BaseModel):
    """A platform as an administrator enters it."""

    model_config = ConfigDict(extra="forbid")
    title: Annotated[str, Field(min_length=1, max_length=200)]
    issuer: Address
    client_id: Short
    authorize_url: Address
    token_url: Address
    keys_url: Address
    deployments: list[Short] = Field(default_factory=list, max_length=100, description="empty: any")
    frames: list[Address] = Field(
        default_factory=list, max_length=20, description="addresses of other pages of the platform that frame ours"
    )


class PlatformView(NewPlatform):
    """A registered platform. ``launched``: the last launch; ``scores_waiting``: those that it did not accept and that
    are sent again; ``scores_lost``: those that are not; ``fault``: what was wrong with one of them.
    """

    id: str
    created: datetime
    launched: datetime | None
    scores_waiting: int
    scores_lost: int
    fault: str


class PlatformList(BaseModel):
    """All platforms, and what an administrator enters at a platform."""

    platforms: list[PlatformView]
    login_url: str
    launch_url: str
    keys_url: str


class PlatformInvitation(BaseModel):
    """An address that an administrator of a platform enters for dynamic registration; good for one platform."""

    url: str
    expires: datetime


class ChoiceView(BaseModel):
    """A launch that waits for a choice."""

    platform: str


class CourseView(BaseModel):
    """The learners of a course from which a quiz is opened. ``people``: how many, null: the platform does not list
    them; ``names``: of those who have not begun, without those whose names the platform does not tell.
    """

    title: str
    people: Annotated[int, Field(ge=0)] | None
    not_begun: Annotated[int, Field(ge=0)]
    names: list[str]


class CourseList(BaseModel):
    """Who has not begun a quiz, by course."""

    courses: list[CourseView]


@router.get("/lti/courses/{quiz_id}", response_model=CourseList)
async def list_quiz_courses(quiz_id: str, tool: ToolParameter, principal: PrincipalParameter) -> Response:
    """Who of the author's courses has not begun the quiz, as the platforms say now (LT30)."""
    courses = [
        CourseView(title=title, people=people, not_begun=len(missing), names=[*filter(None, missing)])
        for title, people, missing in await tool.courses.of(principal, quiz_id)
    ]
    return Response(CourseList(courses=courses).model_dump_json(), 200, NO_STORE, "application/json")


@router.get("/lti/keys", response_model=dict[str, list[dict[str, str]]])
def lti_keys(tool: ToolParameter) -> Response:
    """The keys by which this service signs, a JSON Web Key Set (LT4)."""
    return JSONResponse(tool.keys.public(), headers={"cache-control": "public, max-age=300"})


@router.get("/lti/login", status_code=303, response_class=Response)
@counted("sign_in")
@any_query
async def begin_launch(
    request: Request,
    tool: ToolParameter,
    iss: Annotated[str, Query(max_length=255)],
    login_hint: Annotated[str, Query(max_length=4000)],
    client_id: Annotated[str | None, Query(max_length=255)] = None,
    lti_message_hint: Annotated[str, Query(max_length=8000)] = "",
) -> Response:
    """Begins a launch: redirects to the platform (LT6)."""
    wanted = LaunchRequest(iss, client_id, login_hint, lti_message_hint)
    return await _or_readable(request, tool, _begin(request, tool, wanted))


@router.post("/lti/login", status_code=303, response_class=Response, openapi_extra=FORM)
@counted("sign_in")
@any_query
async def begin_launch_by_form(request: Request, tool: ToolParameter) -> Response:
    """As ``GET``, for platforms that send a form (LT6)."""
    form = await _form(request)
    hints = form.get("login_hint", ""), form.get("lti_message_hint", "")
    wanted = LaunchRequest(form.get("iss", ""), form.get("client_id"), *hints)
    return await _or_readable(request, tool, _begin(request, tool, wanted))


@router.post("/lti/launch", status_code=303, response_class=Response, openapi_extra=FORM)
@counted("sign_in")
@any_query
async def finish_launch(request: Request, tool: ToolParameter) -> Response:
    """What the platform has signed: signs the person in and opens the page of the link (LT10 to LT16)."""
    return await _or_readable(request, tool, _finish(request, tool))


async def _finish(request: Request, tool: ToolParameter) -> Response:
    form = await _form(request)
    answer = LaunchAnswer(
        form.get("state", ""), form.get("id_token", ""), request.cookies.get(LAUNCH.name, ""), form.get("error", "")
    )
    launched = await tool.launches.finish(answer, f"{service_address(request)}/")
    response = RedirectResponse(launched.page, 303, NO_STORE)
    set_frame_cookie(request, response)
    set_sign_in_cookies(request, response, launched.signed_in)
    set_launch_cookie(request, response, "", 0)
    return response


@router.get("/lti/launches/{launch_id}", response_model=ChoiceView)
async def get_choice(launch_id: str, tool: ToolParameter, principal: PrincipalParameter) -> Response:
    """A launch of the user that waits for a choice (LT20)."""
    waiting = await tool.choosing.waiting(principal, launch_id)
    return JSONResponse({"platform": waiting.platform.facts.title}, headers=NO_STORE)


@dataclass(frozen=True)
class WantedChoices:
    """What is looked for, and which page of it."""

    kind: Kind = "quizzes"
    search: Annotated[str, Query(max_length=200)] = ""
    page: Annotated[int, Query(ge=1, le=10**6)] = 1


@router.get("/lti/launches/{launch_id}/choices", response_class=HTMLResponse)
async def list_choices(
    launch_id: str,
    request: Request,
    tool: ToolParameter,
    principal: PrincipalParameter,
    wanted: Annotated[WantedChoices, Depends()],
) -> Response:
    """A page in which a teacher chooses what the link leads to (LT20)."""
    t, kind, search, page = texts_for(request), wanted.kind, wanted.search, wanted.page
    found = await tool.choosing.offered(principal, launch_id, kind, search, page)
    tabs = "".join(
        f'<a href="{_choices(one, search)}"{" aria-current=page" if one == kind else ""}>{t(one.capitalize())}</a>'
        for one in NOTHING
    )
    searching = (
        f'<form role="search"><input type="hidden" name="kind" value="{kind}">'
        f'<input type="search" name="search" aria-label="{t("Title")}" placeholder="{t("Title")}" maxlength="200" '
        f'value="{escape(search)}"><button>{t("Search")}</button></form>'
    )
    offers = "".join(map(_offer, found.offers))
    listed = f'<form method="post" action="choice"><ul>{offers}</ul></form>' if offers else f"<p>{t(NOTHING[kind])}</p>"
    others = [(page - 1, t("Previous")), (page + 1, t("Next"))]
    ways = [f'<a href="{_choices(kind, search, at)}">{name}</a>' for at, name in others if 1 <= at <= found.pages]
    at = t("Page {page} of {pages}", page=page, pages=found.pages)
    footer = f"<footer><span>{at}</span>{''.join(ways)}</footer>" if found.pages > 1 else ""
    body = f'<nav aria-label="{t("Kind")}">{tabs}</nav>{searching}{listed}{footer}'
    frames = tool.platforms.frames.listed()
    return plain_page(t("Choose what the link opens"), body, t.language, Allowed(form="'self'", frames=frames))


@router.post("/lti/launches/{launch_id}/choice", response_class=HTMLResponse, openapi_extra=FORM)
async def choose_target(
    launch_id: str, request: Request, tool: ToolParameter, principal: PrincipalParameter
) -> Response:
    """Answers the platform with a link to ``target``, a path such as ``/slides/ID``: a page that sends the signed
    answer (LT21).
    """
    target = _target((await _form(request)).get("target", ""))
    own_page = f"{service_address(request)}/"
    chosen, t = await tool.choosing.choose(principal, launch_id, target, own_page), texts_for(request)
    body = (
        f'<form method="post" action="{escape(chosen.return_url)}">'
        f'<input type="hidden" name="JWT" value="{escape(chosen.token)}"><button>{t("Continue")}</button></form>'
    )
    frames = tool.platforms.frames.listed()
    to = origin_of(chosen.return_url)
    return plain_page(t("Adding the link"), body, t.language, Allowed(SEND, to, frames))


@router.get("/lti/register", response_class=HTMLResponse)
@counted("sign_in")
@any_query
async def register_platform(
    request: Request,
    tool: ToolParameter,
    openid_configuration: Annotated[str, Query(max_length=2000)],
    invitation: Annotated[str, Query(max_length=200)],
    registration_token: Annotated[str, Query(max_length=8000)] = "",
) -> Response:
    """Dynamic registration, by an invitation of an administrator (LT5)."""
    wanted = RegistrationRequest(openid_configuration, registration_token, invitation)
    made = await tool.platforms.register(wanted, service_address(request) + API)
    audit_detail(request, platform=made.facts.issuer)
    t, frames = texts_for(request), [origin_of(openid_configuration)]
    return plain_page(t("Wavescope is registered"), "", t.language, Allowed(CLOSE, frames=frames))


@router.get("/lti/platforms")
async def list_platforms(request: Request, tool: ToolParameter, principal: PrincipalParameter) -> PlatformList:
    """The platforms that may launch (LT1)."""
    base = f"{service_address(request)}{API}/lti"
    return PlatformList(
        platforms=[_platform(*one) for one in await tool.platforms.list(principal)],
        login_url=f"{base}/login",
        launch_url=f"{base}/launch",
        keys_url=f"{base}/keys",
    )


@router.post("/lti/platforms", status_code=201, openapi_extra=json_body(NewPlatform))
async def add_platform(request: Request, tool: ToolParameter, principal: PrincipalParameter) -> PlatformView:
    """Registers a platform (LT1)."""
    new = await read_model(request, NewPlatform)
    audit_detail(request, platform=new.issuer)
    facts = {**new.model_dump(), "deployments": tuple(new.deployments), "frames": tuple(new.frames)}
    return _platform(await tool.platforms.add(principal, PlatformFacts(**facts)), UnsentScores())


@router.delete("/lti/platforms/{platform_id}", status_code=204)
async def remove_platform(
    platform_id: str, request: Request, tool: ToolParameter, principal: PrincipalParameter
) -> None:
    """Ends the launches of a platform; scores that wait are not sent (LT3)."""
    removed = await tool.platforms.remove(principal, platform_id)
    audit_detail(request, platform=removed.facts.issuer)


@router.post("/lti/invitations", status_code=201, response_model=PlatformInvitation)
async def invite_platform(request: Request, tool: ToolParameter, principal: PrincipalParameter) -> Response:
    """An address at which one platform may register itself (LT5)."""
    secret, expires = await tool.platforms.invite(principal)
    url = f"{service_address(request)}{API}/lti/register?invitation={secret}"
    view = PlatformInvitation(url=url, expires=time_of(expires))
    return Response(view.model_dump_json(), 201, NO_STORE, "application/json")


async def _begin(request: Request, tool: ToolParameter, wanted: LaunchRequest) -> Response:
    begun = await tool.launches.begin(wanted, f"{service_address(request)}{API}/lti/launch")
    response = RedirectResponse(begun.url, 303, NO_STORE)
    set_launch_cookie(request, response, begun.browser, int(BEGUN_SECONDS))
    return response


async def _or_readable(request: Request, tool: ToolParameter, answering: Awaitable[Response]) -> Response:
    """The answer; a browser gets a page that tells why there is no launch, not JSON (LT11)."""
    try:
        return await answering
    except (LaunchRefused, UnknownPlatform) as error:
        if "text/html" not in request.headers.get("accept", ""):
            raise
        problem = problem_of(error)
        request.scope[PROBLEM] = problem.name
        reason = error.reason if isinstance(error, LaunchRefused) else "the learning platform is not registered here"
        t = texts_for(request)
        again = "Open the link in the course again. If it fails again, show this message to your teacher."
        body = f"<p>{t('Reason: {reason}.', reason=escape(t(reason)))}</p><p>{t(again)}</p>"
        frames = tool.platforms.frames.listed()
        return plain_page(t(problem.title), body, t.language, Allowed(frames=frames), problem.status)


async def _form(request: Request) -> dict[str, str]:
    """Raises TooLarge, InvalidParameter."""
    body = await read_body(request, FORM_BYTES)
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=100))
    except ValueError as cause:
        raise InvalidParameter("the body", "...", "a form") from cause


def _target(path: str) -> Target:
    found = target_of(path, "/")
    if found is None:
        raise InvalidParameter("target", path[:200], "the path of a slide, tour, case or quiz")
    return found


def _choices(kind: Kind, search: str, page: int = 1) -> str:
    """The address of a page of what may be chosen, from another one."""
    return escape(f"?{urlencode({'kind': kind, 'search': search, 'page': page})}")


def _offer(offer: Offer) -> str:
    picture = (
        "" if offer.slide is None else f'<img src="{summary(offer.slide).thumbnail}?max=128" alt="" loading="lazy">'
    )
    return f'<li><button name="target" value="{escape(offer.target.path)}">{picture}{escape(offer.title)}</button></li>'


def _platform(record: PlatformRecord, unsent: UnsentScores) -> PlatformView:
    launched = None if record.launched is None else time_of(record.launched)
    scores = {"scores_waiting": unsent.waiting, "scores_lost": unsent.lost, "fault": unsent.fault}
    times = {"created": time_of(record.created), "launched": launched}
    return PlatformView.model_validate({**vars(record.facts), "id": record.id, **times, **scores})
