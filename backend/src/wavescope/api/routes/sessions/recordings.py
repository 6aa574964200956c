"""Recordings of live sessions (SE39, SE40)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.body import json_body, read_model
from wavescope.api.http.guest_cookie import guest_token
from wavescope.api.routes.slides.tours import TourBody, tour_answer
from wavescope.api.routing import API, new_router
from wavescope.api.schemas.sessions import (
    RecordingBody,
    RecordingChange,
    RecordingList,
    TourRequest,
    recording_body,
)
from wavescope.api.state import PrincipalParameter, ServiceParameter
from wavescope.sessions.model import Value
from wavescope.sessions.recording import RecordingEntry

router = new_router("recordings")

Token = Annotated[str | None, Depends(guest_token)]


class Entries(Value):
    """A chunk of a recording."""

    entries: tuple[RecordingEntry, ...]
    chunk: int
    chunks: int


@router.get("/recordings")
async def list_recordings(service: ServiceParameter, principal: PrincipalParameter, token: Token) -> RecordingList:
    """The client's own recordings and the shared ones."""
    person = await service.sessions.participants.identify(principal, token)
    records = await service.recordings.listed(principal, person)
    bodies = [recording_body(one, service.recordings.owns(one, principal, person)) for one in records]
    return RecordingList(recordings=bodies)


@router.get("/recordings/{recording_id}")
async def get_recording(
    recording_id: str, service: ServiceParameter, principal: PrincipalParameter, token: Token
) -> RecordingBody:
    """A recording without its entries."""
    person = await service.sessions.participants.identify(principal, token)
    record = await service.recordings.get(principal, person, recording_id)
    return recording_body(record, service.recordings.owns(record, principal, person))


@router.get("/recordings/{recording_id}/entries", response_model=Entries)
async def get_entries(
    recording_id: str,
    service: ServiceParameter,
    principal: PrincipalParameter,
    token: Token,
    chunk: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """The entries of one chunk."""
    person = await service.sessions.participants.identify(principal, token)
    record = await service.recordings.get(principal, person, recording_id)
    lines = await service.recordings.lines(principal, person, recording_id, chunk)
    body = f'{{"entries":[{",".join(lines)}],"chunk":{chunk},"chunks":{record.chunks}}}'
    return Response(body, 200, {"cache-control": "private, no-cache"}, "application/json")


@router.patch("/recordings/{recording_id}", openapi_extra=json_body(RecordingChange))
async def change_recording(
    recording_id: str, request: Request, service: ServiceParameter, principal: PrincipalParameter, token: Token
) -> RecordingBody:
    """Changes the title, or whether the recording is shared."""
    asked = await read_model(request, RecordingChange, service.config.limits.json_body)
    person = await service.sessions.participants.identify(principal, token)
    fields = asked.model_dump(exclude_none=True)
    return recording_body(await service.recordings.change(principal, person, recording_id, fields), owner=True)


@router.delete("/recordings/{recording_id}", status_code=204)
async def delete_recording(
    recording_id: str, service: ServiceParameter, principal: PrincipalParameter, token: Token
) -> None:
    """Deletes a recording that has ended."""
    person = await service.sessions.participants.identify(principal, token)
    await service.recordings.delete(principal, person, recording_id)


@router.post(
    "/recordings/{recording_id}/tour", status_code=201, openapi_extra=json_body(TourRequest), response_model=TourBody
)
async def make_tour(
    recording_id: str, request: Request, service: ServiceParameter, principal: PrincipalParameter, token: Token
) -> Response:
    """Makes a guided tour of what was shown (SE40)."""
    asked = await read_model(request, TourRequest, service.config.limits.json_body)
    person = await service.sessions.participants.identify(principal, token)
    record = await service.recordings.make_tour(principal, person, recording_id, asked.title)
    return tour_answer(record, 201, {"location": f"{API}/tours/{record.id}"})
