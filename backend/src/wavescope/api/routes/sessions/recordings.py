"""Recordings of live sessions (SE39, SE40)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.body import json_body, read_model
from wavescope.api.parameters import PersonParameter, RecordingsParameter
from wavescope.api.routes.slides.tours import TourBody, tour_response
from wavescope.api.routing import API, new_router
from wavescope.api.schemas.sessions import (
    RecordingBody,
    RecordingChange,
    RecordingList,
    TourRequest,
    recording_body,
)
from wavescope.api.state import PrincipalParameter
from wavescope.sessions.model import Value
from wavescope.sessions.recording import RecordingEntry

router = new_router("recordings", "reads")


class Entries(Value):
    """A chunk of a recording."""

    entries: tuple[RecordingEntry, ...]
    chunk: int
    chunks: int


@router.get("/recordings")
async def list_recordings(
    recordings: RecordingsParameter, principal: PrincipalParameter, person: PersonParameter
) -> RecordingList:
    """The client's own recordings and the shared ones."""
    records = await recordings.listed(principal, person)
    bodies = [recording_body(one, recordings.owns(one, principal, person)) for one in records]
    return RecordingList(recordings=bodies)


@router.get("/recordings/{recording_id}")
async def get_recording(
    recording_id: str, recordings: RecordingsParameter, principal: PrincipalParameter, person: PersonParameter
) -> RecordingBody:
    """A recording without its entries."""
    record = await recordings.get(principal, person, recording_id)
    return recording_body(record, recordings.owns(record, principal, person))


@router.get("/recordings/{recording_id}/entries", response_model=Entries)
async def get_entries(
    recording_id: str,
    recordings: RecordingsParameter,
    principal: PrincipalParameter,
    person: PersonParameter,
    chunk: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """The entries of one chunk."""
    record = await recordings.get(principal, person, recording_id)
    lines = await recordings.lines(principal, person, recording_id, chunk)
    body = f'{{"entries":[{",".join(lines)}],"chunk":{chunk},"chunks":{record.chunks}}}'
    return Response(body, 200, {"cache-control": "private, no-cache"}, "application/json")


@router.patch("/recordings/{recording_id}", openapi_extra=json_body(RecordingChange))
async def change_recording(
    recording_id: str,
    request: Request,
    recordings: RecordingsParameter,
    principal: PrincipalParameter,
    person: PersonParameter,
) -> RecordingBody:
    """Changes the title, or whether the recording is shared."""
    payload = await read_model(request, RecordingChange)
    fields = payload.model_dump(exclude_none=True)
    return recording_body(await recordings.change(principal, person, recording_id, fields), owner=True)


@router.delete("/recordings/{recording_id}", status_code=204)
async def delete_recording(
    recording_id: str, recordings: RecordingsParameter, principal: PrincipalParameter, person: PersonParameter
) -> None:
    """Deletes a recording that has ended."""
    await recordings.delete(principal, person, recording_id)


@router.post(
    "/recordings/{recording_id}/tour", status_code=201, openapi_extra=json_body(TourRequest), response_model=TourBody
)
async def make_tour(
    recording_id: str,
    request: Request,
    recordings: RecordingsParameter,
    principal: PrincipalParameter,
    person: PersonParameter,
) -> Response:
    """Creates a guided tour from the recording (SE40)."""
    payload = await read_model(request, TourRequest)
    record = await recordings.make_tour(principal, person, recording_id, payload.title)
    return tour_response(record, 201, {"location": f"{API}/tours/{record.id}"})
