"""Live sessions: create, find, join, change, end, delete (shared/spec/session.md)."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.body import json_body, read_model
from wavescope.api.http.guest_cookie import with_guest_cookie
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import GuestTokenParameter, SessionsParameter
from wavescope.api.routes.sessions.owner import response_of_owner
from wavescope.api.routing import API, counted, new_router
from wavescope.api.schemas.sessions import (
    Attendance,
    InvitationView,
    JoinRequest,
    Membership,
    NewSession,
    SessionBody,
    SessionChange,
    SessionList,
    attendance_body,
    invitation_body,
    session_body,
)
from wavescope.api.state import PrincipalParameter
from wavescope.errors import InvalidParameter
from wavescope.service.sessions.attendance import attendance_csv
from wavescope.service.sessions.descriptions import SessionRequest
from wavescope.sessions.model import Settings

router = new_router("sessions", "reads")

ID = re.compile(r"[0-9a-f]{32}")
CSV = {"content": {"text/csv": {"schema": {"type": "string"}}}}


@router.post("/sessions", status_code=201, openapi_extra=json_body(NewSession), response_model=SessionBody)
async def create_session(
    request: Request, sessions: SessionsParameter, principal: PrincipalParameter, token: GuestTokenParameter
) -> Response:
    """Creates a session, owned by the requesting user (SE3)."""
    payload = await read_model(request, NewSession)
    if len(set(payload.slides)) < len(payload.slides):
        raise InvalidParameter("slides", "a slide twice", "each slide once")
    settings = Settings(everyone_steers=payload.everyone_steers, guests_annotate=payload.guests_annotate)
    wanted = SessionRequest(
        payload.title or f"{payload.nickname}'s session", payload.slides, payload.nickname, payload.passcode,
        payload.guests, settings, payload.stage, payload.view,
    )  # fmt: skip
    view, fresh = await sessions.create(principal, token, wanted)
    body = session_body(view)
    audit_detail(request, session=body.id, title=body.title, slides=" ".join(payload.slides))
    headers = {"location": f"{API}/sessions/{body.id}", "cache-control": "no-store"}
    return with_guest_cookie(request, Response(body.model_dump_json(), 201, headers, "application/json"), fresh)


@router.get("/sessions")
async def list_sessions(
    sessions: SessionsParameter, principal: PrincipalParameter, token: GuestTokenParameter
) -> SessionList:
    """The sessions that the client owns or is a member of (SE9)."""
    return SessionList(sessions=[session_body(one) for one in await sessions.listed(principal, token)])


@router.get("/sessions/{code}", response_model=SessionBody | InvitationView)
@counted("join")
async def get_session(
    code: str, sessions: SessionsParameter, principal: PrincipalParameter, token: GuestTokenParameter
) -> SessionBody | InvitationView:
    """By code: what is shown before joining (SE5). By id: the session, for its members (SE9)."""
    if ID.fullmatch(code):
        return session_body(await sessions.get(principal, token, code))
    return invitation_body(await sessions.invitation(principal, token, code))


@router.post("/sessions/{code}/join", openapi_extra=json_body(JoinRequest), response_model=Membership)
@counted("join")
async def join_session(
    code: str, request: Request, sessions: SessionsParameter, principal: PrincipalParameter, token: GuestTokenParameter
) -> Response:
    """Makes the requesting user or guest a member (SE6)."""
    response = await response_of_owner(
        request, sessions, await sessions.admission.id_of(code) if sessions.shared else None
    )
    if isinstance(response, Response):
        return response
    payload = await read_model(response, JoinRequest)
    session_id, member, fresh = await sessions.join(principal, token, code, payload.nickname, payload.passcode)
    audit_detail(request, session=session_id, member=member)
    body = Membership(id=session_id, member=member, live=f"{API}/sessions/{session_id}/live")
    headers = {"cache-control": "no-store"}
    return with_guest_cookie(request, Response(body.model_dump_json(), 200, headers, "application/json"), fresh)


@router.get("/sessions/{session_id}/attendance", response_model=Attendance)
@counted("join")
async def get_attendance(
    session_id: str, sessions: SessionsParameter, principal: PrincipalParameter, token: GuestTokenParameter
) -> Response:
    """Who was present in a session and how long, for its owner (SE60)."""
    body = attendance_body(await sessions.attendees(principal, token, session_id))
    return Response(body.model_dump_json(), 200, {"cache-control": "no-store"}, "application/json")


@router.get("/sessions/{session_id}/attendance/file", responses={200: CSV}, response_class=Response)
@counted("join")
async def get_attendance_file(
    session_id: str,
    request: Request,
    sessions: SessionsParameter,
    principal: PrincipalParameter,
    token: GuestTokenParameter,
) -> Response:
    """Who was present in a session and how long, as CSV (SE60)."""
    text = attendance_csv(await sessions.attendees(principal, token, session_id))
    name = f"attendance-{session_id}.csv"
    audit_detail(request, file=name)
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text, 200, headers, "text/csv; charset=utf-8")


@router.patch("/sessions/{session_id}", openapi_extra=json_body(SessionChange), response_model=SessionBody)
@counted("join")
async def change_session(
    session_id: str,
    request: Request,
    sessions: SessionsParameter,
    principal: PrincipalParameter,
    token: GuestTokenParameter,
) -> SessionBody | Response:
    """Changes title, passcode or whether guests may join, or generates a new code (SE10)."""
    response = await response_of_owner(request, sessions, session_id)
    if isinstance(response, Response):
        return response
    payload = await read_model(response, SessionChange)
    fields = {name: getattr(payload, name) for name in ("passcode", "guests") if name in payload.model_fields_set}
    if fields.get("guests", True) is None:
        raise InvalidParameter("guests", None, "true or false")
    view = await sessions.change(
        principal, token, session_id, title=payload.title, fresh_code=payload.new_code, **fields
    )
    return session_body(view)


@router.post("/sessions/{session_id}/end", response_model=SessionBody)
async def end_session(
    session_id: str,
    request: Request,
    sessions: SessionsParameter,
    principal: PrincipalParameter,
    token: GuestTokenParameter,
) -> SessionBody | Response:
    """Ends a session for all (SE10)."""
    response = await response_of_owner(request, sessions, session_id)
    if isinstance(response, Response):
        return response
    return session_body(await sessions.end(principal, token, session_id))


@router.delete("/sessions/{session_id}", status_code=204, response_model=None)
@counted("join")
async def delete_session(
    session_id: str,
    request: Request,
    sessions: SessionsParameter,
    principal: PrincipalParameter,
    token: GuestTokenParameter,
) -> Response | None:
    """Deletes an ended session with its recordings (SE10)."""
    response = await response_of_owner(request, sessions, session_id)
    if isinstance(response, Response):
        return response
    await sessions.delete(principal, token, session_id)
    return None
