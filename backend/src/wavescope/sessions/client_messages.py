"""Every message that clients send over the live connection (sections 4 and 6)."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from wavescope.sessions import limits
from wavescope.sessions.model import (
    GroupId,
    HexId,
    Level0,
    MemberId,
    Motion,
    Name,
    NoteText,
    Pane,
    Place,
    PollAnswer,
    PollKind,
    PollOption,
    PollText,
    QuestionText,
    Scene,
    Settings,
    SlideId,
    Swipe,
    Value,
    View,
)

VERSIONS = (1, 2)
GROUPS_SINCE = 2  # the version (SE67)
Ref = Annotated[int, Field(ge=1, le=limits.LARGEST_REF)]
Number = Annotated[int, Field(ge=0, le=limits.LARGEST_REF)]


class Malformed(Exception):
    """A client sent something that is not a message of this protocol (close code 4400)."""


class Hello(Value):
    """The first message of a connection (SE13)."""

    type: Literal["hello"]
    versions: Annotated[tuple[Annotated[int, Field(ge=0, le=1_000_000)], ...], Field(min_length=1, max_length=16)]
    client: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
    sequence: Number | None = None


class Ping(Value):
    """Requests a ``pong``."""

    type: Literal["ping"]
    t: Annotated[float, Field(allow_inf_nan=False)]


class ViewMessage(Value):
    """The sender's view; last write wins (SE17)."""

    type: Literal["view"]
    pane: Pane
    stage: Number
    view: View
    motion: Motion | None = None
    swipe: Swipe | None = None


class CursorMessage(Value):
    """The sender's cursor; last write wins (SE17)."""

    type: Literal["cursor"]
    pane: Pane
    stage: Number
    l0_x: Level0 | None
    l0_y: Level0 | None
    laser: bool = False

    @model_validator(mode="after")
    def _both(self) -> CursorMessage:
        if (self.l0_x is None) != (self.l0_y is None):
            raise ValueError("l0_x and l0_y are both null or both numbers")
        return self


class Operation(Value):
    """Something that is done once, in order, and acknowledged (SE20)."""

    ref: Ref


class Follow(Operation):
    """Whether the sender follows the presenter."""

    type: Literal["follow"]
    following: bool


class Rename(Operation):
    """Changes the sender's nickname."""

    type: Literal["name"]
    name: Name


class RaiseHand(Operation):
    """Raises the sender's hand, or lowers a member's."""

    type: Literal["hand"]
    member: MemberId
    raised: bool


class LowerHands(Operation):
    """Lowers all raised hands."""

    type: Literal["lower-hands"]


class Present(Operation):
    """Makes another member the presenter, or the sender."""

    type: Literal["present"]
    member: MemberId


class GrantNavigation(Operation):
    """Grants or revokes the right to steer."""

    type: Literal["allow"]
    member: MemberId
    steers: bool


class Pause(Operation):
    """Pauses or resumes the session."""

    type: Literal["pause"]
    paused: bool


class ChangeSettings(Operation):
    """All settings of the session."""

    type: Literal["settings"]
    settings: Settings


class Slides(Operation):
    """Sets the session's slides, in order."""

    type: Literal["slides"]
    slides: Annotated[tuple[SlideId, ...], Field(min_length=1, max_length=limits.SLIDES)]

    @model_validator(mode="after")
    def _once(self) -> Slides:
        if len(set(self.slides)) < len(self.slides):
            raise ValueError("a slide stands there twice")
        return self


class StartView(Value):
    """The first view of a pane on a new stage."""

    pane: Pane
    view: View


class SetStage(Operation):
    """Sets the stage: another slide, comparison or step of a tour."""

    type: Literal["stage"]
    stage: Scene
    views: Annotated[tuple[StartView, ...], Field(max_length=limits.PANES)] = ()


class MakeNote(Operation):
    """Writes a note."""

    type: Literal["note"]
    text: NoteText


class AskPoll(Operation):
    """Asks all members; an open poll is closed by it."""

    type: Literal["ask-poll"]
    kind: PollKind
    question: PollText
    options: Annotated[tuple[PollOption, ...], Field(max_length=limits.POLL_OPTIONS)] = ()
    slide: SlideId | None = None
    named: bool = False

    @model_validator(mode="after")
    def _fitting(self) -> AskPoll:
        if self.kind == "point":
            if self.options or self.slide is None:
                raise ValueError("a point has a slide and no options")
        elif len(set(self.options)) < max(2, len(self.options)) or self.slide is not None:
            raise ValueError("a choice has at least 2 options, each once, and no slide")
        return self


class AnswerPoll(Operation):
    """Answers an open poll, or changes the answer."""

    type: Literal["answer-poll"]
    poll: HexId
    answer: PollAnswer

    @model_validator(mode="after")
    def _once(self) -> AnswerPoll:
        if len(set(self.answer.choices)) < len(self.answer.choices):
            raise ValueError("an option stands there twice")
        return self


class ClosePoll(Operation):
    """Ends the answering. ``reveal``: whether all see the results."""

    type: Literal["close-poll"]
    poll: HexId
    reveal: bool


class DeletePoll(Operation):
    """Deletes a poll with its answers."""

    type: Literal["delete-poll"]
    poll: HexId


class RestorePoll(Operation):
    """Takes a deletion back, with the answers."""

    type: Literal["restore-poll"]
    poll: HexId


class AskQuestion(Operation):
    """Asks the presenter. ``named``: all see who asks; ``place``: what the question is about."""

    type: Literal["ask-question"]
    text: QuestionText
    place: Place | None = None
    named: bool = False


class VoteQuestion(Operation):
    """Wants the question of another member to be answered, or takes that back."""

    type: Literal["vote-question"]
    question: HexId
    vote: bool


class AnswerQuestion(Operation):
    """Marks a question as answered, or as open again."""

    type: Literal["answer-question"]
    question: HexId
    answered: bool


class HideQuestion(Operation):
    """Hides a question from all, or shows it again."""

    type: Literal["hide-question"]
    question: HexId
    hidden: bool


class DeleteQuestion(Operation):
    """Deletes the sender's own question."""

    type: Literal["delete-question"]
    question: HexId


class GroupPlan(Value):
    """A group to be: its members in order."""

    name: Name
    members: Annotated[tuple[MemberId, ...], Field(max_length=limits.MEMBERS)]


class Divide(Operation):
    """Divides members into groups, in place of those that there are; none: calls all back."""

    type: Literal["groups"]
    groups: Annotated[tuple[GroupPlan, ...], Field(max_length=limits.GROUPS)]

    @model_validator(mode="after")
    def _once(self) -> Divide:
        members = [one for group in self.groups for one in group.members]
        if len(set(members)) < len(members):
            raise ValueError("a member stands there twice")
        return self


class Move(Operation):
    """Brings a member into another group, or back to all."""

    type: Literal["move"]
    member: MemberId
    group: GroupId | None


class Record(Operation):
    """Starts or stops a recording."""

    type: Literal["record"]
    on: bool


def _fits_close_frame(text: str) -> str:
    if text and (len(text.encode()) > limits.REASON_BYTES or not text.isprintable()):
        raise ValueError(f"one line of at most {limits.REASON_BYTES} bytes of UTF-8")
    return text


class Remove(Operation):
    """Removes a member; only the member reads ``text``."""

    type: Literal["remove"]
    member: MemberId
    text: Annotated[str, Field(max_length=limits.REASON_BYTES), AfterValidator(_fits_close_frame)] = ""


class Readmit(Operation):
    """Takes a removal back."""

    type: Literal["readmit"]
    member: MemberId


class Leave(Operation):
    """Leaves the session permanently."""

    type: Literal["leave"]


class End(Operation):
    """Ends the session."""

    type: Literal["end"]


AnyOperation = (
    Follow
    | Rename
    | RaiseHand
    | LowerHands
    | Present
    | GrantNavigation
    | Pause
    | ChangeSettings
    | Slides
    | SetStage
    | MakeNote
    | AskPoll
    | AnswerPoll
    | ClosePoll
    | DeletePoll
    | RestorePoll
    | AskQuestion
    | VoteQuestion
    | AnswerQuestion
    | HideQuestion
    | DeleteQuestion
    | Divide
    | Move
    | Record
    | Remove
    | Readmit
    | Leave
    | End
)
AnyClientMessage = Hello | Ping | ViewMessage | CursorMessage | AnyOperation
ClientMessage = Annotated[AnyClientMessage, Field(discriminator="type")]
CLIENT_MESSAGES: tuple[str, ...] = tuple(
    get_args(message.model_fields["type"].annotation)[0] for message in get_args(AnyClientMessage)
)
"""The types of all messages that a client may send; each has a row in the access table."""

_CLIENT: TypeAdapter[AnyClientMessage] = TypeAdapter(ClientMessage, config=ConfigDict(defer_build=True))


def read_message(text: str) -> AnyClientMessage:
    """A client's message. Raises Malformed."""
    try:
        return _CLIENT.validate_json(text)
    except ValidationError as cause:
        fault = cause.errors(include_url=False, include_input=False)[0]
        path = ".".join(str(part) for part in fault["loc"])
        raise Malformed(f"{path}: {fault['msg']}" if path else fault["msg"]) from cause
