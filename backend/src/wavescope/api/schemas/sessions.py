"""The request and response bodies of live sessions (SE3 to SE10, SE39)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from wavescope.api.schemas.numbers import Count
from wavescope.api.schemas.slides import time_of
from wavescope.catalog.sessions.records import RecordingRecord
from wavescope.service.sessions.descriptions import Attendee, Invitation, SessionView
from wavescope.sessions import limits
from wavescope.sessions.model import Name, Phase, Recording, Scene, Settings, Slide, SlideId, Title, View

Passcode = Annotated[str, Field(min_length=4, max_length=64)]


class RequestBody(BaseModel):
    """Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class NewSession(RequestBody):
    """The session to create (SE3)."""

    slides: Annotated[list[SlideId], Field(min_length=1, max_length=limits.SLIDES)]
    nickname: Name
    title: Title | None = None
    passcode: Passcode | None = None
    guests: bool = True
    everyone_steers: bool = False
    guests_annotate: bool = False
    stage: Scene | None = None
    view: View | None = None


class JoinRequest(RequestBody):
    """The person who joins (SE6)."""

    nickname: Name
    passcode: Annotated[str, Field(max_length=64)] | None = None


class SessionChange(RequestBody):
    """The owner's changes (SE10); absent fields stay unchanged."""

    title: Title | None = None
    passcode: Passcode | None = None
    guests: bool | None = None
    new_code: bool = False


class SessionBody(BaseModel):
    """A session (SE9)."""

    id: str
    code: str
    link: str
    title: str
    state: Phase
    owner: bool
    slides: list[Slide]
    members: Count
    passcode: bool
    guests: bool
    settings: Settings
    recording: Recording | None
    created: datetime
    ended: datetime | None


class SessionList(BaseModel):
    """Sessions, the newest first."""

    sessions: list[SessionBody]


class JoinedBody(BaseModel):
    """The client's membership."""

    id: str
    member: str


class InvitationView(BaseModel):
    """What a person sees of a session before joining (SE5)."""

    code: str
    title: str
    host: str
    state: Phase
    passcode: bool
    account: bool
    recording: bool = Field(description="whether it is being recorded: people must know before they join")
    joined: JoinedBody | None


class Membership(BaseModel):
    """The session that was joined (SE6)."""

    id: str
    member: str
    live: str


class VisitBody(BaseModel):
    """From when to when a member was present; ``ended`` null: still."""

    began: datetime
    ended: datetime | None


class AttendeeBody(BaseModel):
    """A person that was present; ``seconds``: in all."""

    member: str
    name: str
    guest: bool
    visits: list[VisitBody]
    seconds: float


class Attendance(BaseModel):
    """Who was present, in the order of the first arrival (SE60)."""

    people: list[AttendeeBody]


class RecordingBody(BaseModel):
    """A recording (SE39)."""

    id: str
    session: str
    title: str
    created: datetime
    duration: int
    bytes: int
    slides: list[Slide]
    state: Literal["running", "done"]
    shared: bool
    owner: bool
    chunks: Count


class RecordingList(BaseModel):
    """Recordings, the newest first."""

    recordings: list[RecordingBody]


class RecordingChange(RequestBody):
    """The owner's changes; absent fields stay unchanged."""

    title: Title | None = None
    shared: bool | None = None


class TourRequest(RequestBody):
    """The tour to create (SE40)."""

    title: Title


def session_body(view: SessionView) -> SessionBody:
    """A session as its members see it."""
    record, state = view.record, view.state
    over = record.ended is not None or state.state == "ended"
    return SessionBody(
        id=record.id, code=state.code, link=f"/join/{state.code}", title=state.title,
        state="ended" if over else state.state, owner=view.owner, slides=list(state.slides),
        members=sum(member.present for member in state.members), passcode=record.passcode is not None,
        guests=record.guests, settings=state.settings, recording=None if over else state.recording,
        created=time_of(record.created), ended=None if record.ended is None else time_of(record.ended),
    )  # fmt: skip


def attendance_body(people: Sequence[Attendee]) -> Attendance:
    """Who was present."""
    return Attendance(
        people=[
            AttendeeBody(
                member=one.member, name=one.name, guest=one.guest, seconds=one.seconds,
                visits=[
                    VisitBody(
                        began=time_of(visit.began / 1000),
                        ended=None if visit.ended is None else time_of(visit.ended / 1000),
                    )
                    for visit in one.visits
                ],
            )
            for one in people
        ]
    )  # fmt: skip


def invitation_body(invitation: Invitation) -> InvitationView:
    """What is shown of a session before joining."""
    joined = None if invitation.joined is None else JoinedBody(id=invitation.id, member=invitation.joined)
    return InvitationView(
        code=invitation.code, title=invitation.title, host=invitation.host, state=invitation.state,
        passcode=invitation.passcode, account=invitation.account, recording=invitation.recording, joined=joined,
    )  # fmt: skip


def recording_body(record: RecordingRecord, owner: bool) -> RecordingBody:
    """A recording as it is listed."""
    return RecordingBody(
        id=record.id, session=record.session_id, title=record.title, created=time_of(record.created),
        duration=record.duration, bytes=record.bytes, slides=[Slide.model_validate(dict(one)) for one in record.slides],
        state="done" if record.done else "running", shared=record.shared, owner=owner, chunks=record.chunks,
    )  # fmt: skip
