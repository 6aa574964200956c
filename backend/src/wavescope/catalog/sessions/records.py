"""The records of the session tables: plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class StoredEvent(NamedTuple):
    """A stored event; ``event`` is canonical JSON, ``time`` milliseconds since 1970."""

    sequence: int
    time: int
    by: str | None
    client: str | None
    ref: int | None
    event: str


class StoredMember(NamedTuple):
    """The identity behind a member. ``gone``: left, removed, or None."""

    member: str
    identity: str
    name: str
    gone: str | None = None


class StoredBallot(NamedTuple):
    """A member's answer about an item, as canonical JSON. ``member`` None: of all members; ``answer`` None: deleted."""

    item: str
    member: str | None
    answer: str | None


class VisitChange(NamedTuple):
    """A member came or went at ``time``, in milliseconds since 1970."""

    member: str
    time: int
    arrived: bool


class StoredVisit(NamedTuple):
    """When a member was present, in milliseconds since 1970; ``ended`` None: still. ``name``: its last one."""

    member: str
    identity: str
    name: str
    began: int
    ended: int | None


@dataclass(frozen=True)
class SessionRecord:
    """A session without its state. Times in seconds since 1970."""

    id: str
    code: str | None
    owner: str
    title: str
    passcode: str | None
    guests: bool
    annotating: bool
    slides: Sequence[str]
    created: float
    touched: float
    ended: float | None
    tour: str | None = None  # that its stage shows


@dataclass(frozen=True)
class SessionSnapshot:
    """A stored session: ``state`` and ``views`` are canonical JSON; ``events`` are all retained events in order;
    those after ``sequence`` are not yet part of the state.
    """

    record: SessionRecord
    sequence: int
    state: str
    views: str
    refs: Mapping[str, int]
    members: Sequence[StoredMember]
    events: Sequence[StoredEvent]
    ballots: Sequence[StoredBallot] = ()


@dataclass(frozen=True)
class SessionUpdate:
    """What is written in one transaction: events, changed members, answers, visits, and fields of the session's row."""

    events: Sequence[StoredEvent] = ()
    members: Sequence[StoredMember] = ()
    fields: Mapping[str, Any] | None = None
    ballots: Sequence[StoredBallot] = ()
    visits: Sequence[VisitChange] = ()


@dataclass(frozen=True)
class RecordingRecord:
    """A recording without its entries. ``created`` in seconds since 1970, ``duration`` in milliseconds."""

    id: str
    session_id: str
    owner: str
    title: str
    slides: Sequence[Mapping[str, Any]]
    created: float
    duration: int
    bytes: int
    chunks: int
    done: bool
    shared: bool
