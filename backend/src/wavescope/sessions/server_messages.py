"""Every message that the service sends over the live connection (sections 4 and 6)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from wavescope.sessions.client_messages import Number, Ref
from wavescope.sessions.events import Event
from wavescope.sessions.model import (
    Changes,
    Cursor,
    HexId,
    MemberId,
    PollAnswer,
    PollResults,
    State,
    Time,
    Value,
    ViewEntry,
)

Code = Literal[
    "not-allowed",
    "unknown-member",
    "unknown-slide",
    "unknown-tour",
    "unknown-poll",
    "unknown-question",
    "unknown-group",
    "name-taken",
    "busy",
    "paused",
    "closed",
    "full",
]


class Refusal(Value):
    """Why an operation was refused (SE21)."""

    code: Literal[Code, "too-fast"]
    detail: str


class Welcome(Value):
    """The service's first message (SE14)."""

    type: Literal["welcome"] = "welcome"
    version: int
    you: MemberId
    resumed: bool
    state: State | None
    last_ref: Number
    tick_ms: int
    time: Time


class EventMessage(Value):
    """A change of the state; ``by`` null: the service."""

    type: Literal["event"] = "event"
    sequence: Number
    time: Time
    by: MemberId | None
    event: Event


class Tick(Value):
    """The latest views, cursors and annotation changes (last write wins); unchanged fields are absent."""

    type: Literal["tick"] = "tick"
    time: Time
    stage: Number
    views: tuple[ViewEntry, ...] | None = None
    cursors: tuple[Cursor, ...] | None = None
    annotations: tuple[Changes, ...] | None = None


class Ack(Value):
    """The result of an operation: done or refused."""

    type: Literal["ack"] = "ack"
    ref: Ref
    sequence: Number
    error: Refusal | None = None


class Pong(Value):
    """The answer to ``ping``."""

    type: Literal["pong"] = "pong"
    t: float
    time: Time


class OwnAnswer(Value):
    """What the member has answered."""

    poll: HexId
    answer: PollAnswer


class HiddenResults(Value):
    """The results of a poll that not all may see."""

    poll: HexId
    results: PollResults


class Private(Value):
    """What one member alone may know (SE55), also which questions it asked and voted for; replaces the last one."""

    type: Literal["private"] = "private"
    answers: tuple[OwnAnswer, ...] = ()
    results: tuple[HiddenResults, ...] = ()
    questions: tuple[HexId, ...] = ()
    votes: tuple[HexId, ...] = ()


AnyServerMessage = Welcome | EventMessage | Tick | Ack | Pong | Private
ServerMessage = Annotated[AnyServerMessage, Field(discriminator="type")]
