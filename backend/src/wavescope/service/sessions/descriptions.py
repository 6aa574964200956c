"""Sessions as clients create and see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wavescope.catalog.sessions.records import SessionRecord
from wavescope.sessions.model import Phase, Scene, Settings, State, View


@dataclass(frozen=True)
class SessionRequest:
    """A session to be created."""

    title: str
    slides: Sequence[str]
    nickname: str
    passcode: str | None = None
    guests: bool = True
    settings: Settings = field(default_factory=Settings)
    scene: Scene | None = None
    view: View | None = None


@dataclass(frozen=True)
class SessionView:
    """A session as its members see it (SE9)."""

    record: SessionRecord
    state: State
    owner: bool


class Visit(NamedTuple):
    """From when to when, in milliseconds since 1970; ``ended`` None: still present."""

    began: int
    ended: int | None


@dataclass(frozen=True)
class Attendee:
    """A person that was present: under its last name; ``seconds``: in all."""

    member: str
    name: str
    guest: bool
    visits: Sequence[Visit]
    seconds: float


@dataclass(frozen=True)
class Invitation:
    """What a person sees of a session before joining (SE5). ``recording``: whether it is being recorded now;
    ``joined``: the member id of the client, if it is a member already.
    """

    id: str
    code: str
    title: str
    host: str
    state: Phase
    passcode: bool
    account: bool
    recording: bool
    joined: str | None
