"""The state of a session and its parts (SE2): immutable, validated values with a JSON form."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from wavescope.sessions import limits


class Value(BaseModel):
    """A value of the wire: strict types, no unknown fields, immutable."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, json_schema_serialization_defaults_required=True
    )


def _optional(schema: dict[str, Any], *names: str) -> None:
    schema["required"] = [name for name in schema["required"] if name not in names]


def to_json(value: Value) -> str:
    """A value as it is sent and stored."""
    return value.model_dump_json()


def line(text: str) -> str:
    """The text without surrounding space. Raises ValueError if it is not one printable line."""
    stripped = text.strip()
    if not stripped or not stripped.isprintable():
        raise ValueError("one line of printable characters, not empty")
    return stripped


Adjustment = (
    float | int | bool | None | Annotated[tuple[Annotated[float, Field(allow_inf_nan=False)], ...], Field(max_length=4)]
)


def _small(adjustments: dict[str, Adjustment]) -> dict[str, Adjustment]:
    if len(json.dumps(adjustments, allow_nan=False)) > limits.ADJUSTMENTS_BYTES:
        raise ValueError(f"at most {limits.ADJUSTMENTS_BYTES} bytes of JSON")
    return adjustments


Name = Annotated[str, Field(min_length=1, max_length=limits.NAME), AfterValidator(line)]
Title = Annotated[str, Field(min_length=1, max_length=limits.TITLE), AfterValidator(line)]
NoteText = Annotated[str, Field(min_length=1, max_length=limits.NOTE)]
SlideId = Annotated[str, Field(min_length=1, max_length=128)]
HexId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
GroupId = Annotated[str, Field(pattern=r"^g[1-9][0-9]?$")]
MemberId = Annotated[str, Field(pattern=r"^m[1-9][0-9]{0,8}$")]
Pane = Annotated[int, Field(ge=0, le=limits.PANES - 1)]
Count = Annotated[int, Field(ge=0)]
Time = Annotated[int, Field(ge=0, description="milliseconds since 1970")]
Level0 = Annotated[float, Field(ge=-limits.COORDINATE, le=limits.COORDINATE, allow_inf_nan=False)]
Extent = Annotated[float, Field(gt=0, le=limits.COORDINATE, allow_inf_nan=False)]
Turn = Annotated[float, Field(ge=0, lt=360, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Factor = Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)]
Adjustments = Annotated[dict[str, Adjustment], AfterValidator(_small)]
Phase = Literal["live", "paused", "ended"]


class Member(Value):
    """A person in the session, connected or not."""

    id: MemberId
    name: Name
    color: str
    kind: Literal["user", "guest"]
    steers: bool
    following: bool
    present: bool
    hand: Time | None
    joined: Time


class Settings(Value):
    """Settings that the owner has chosen; ``names``: whose names pointers show, unless a person chooses otherwise.

    Recordings that were made before there was such a choice have no ``names``.
    """

    model_config = ConfigDict(json_schema_extra=lambda schema: _optional(schema, "names"))

    everyone_steers: bool = False
    guests_annotate: bool = False
    locked: bool = False
    names: Literal["presenter", "hover", "all", "none"] = "presenter"


class Slide(Value):
    """A slide of the session."""

    id: SlideId
    title: str


class Link(Value):
    """The alignment of the right slide to the left one: right = scale R(rotation) M left + (l0_dx, l0_dy)."""

    scale: Factor
    rotation: Turn
    mirrored: bool
    plane_step: Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
    plane_shift: Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
    l0_dx: Level0
    l0_dy: Level0
    zoom: Factor
    automatic: bool = False  # by the registration of both slides, which this comes nearest to at the view (RE11)


class Beside(Value):
    """A third or fourth slide."""

    slide: SlideId
    link: Link | None = None


class LandmarkPoint(Value):
    """Where a landmark is on a slide."""

    l0_x: Level0
    l0_y: Level0


class Pair(Value):
    """A second slide, beside the first one or over it, and perhaps more of them.

    Recordings of before there could be more have neither ``more`` nor ``swiped`` nor ``marks``.
    """

    model_config = ConfigDict(json_schema_extra=lambda schema: _optional(schema, "more", "swiped", "marks"))

    slide: SlideId
    mode: Literal["side", "swipe"]
    swapped: bool = False
    link: Link | None = None
    more: Annotated[tuple[Beside, ...], Field(max_length=limits.PANES - 2)] = ()
    swiped: tuple[Pane, Pane] = (0, 1)
    marks: Annotated[
        tuple[Annotated[tuple[LandmarkPoint | None, ...], Field(min_length=2, max_length=limits.PANES)], ...],
        Field(max_length=limits.LANDMARKS, description="landmarks: where each is on the slide of each pane"),
    ] = ()


class TourStep(Value):
    """A waypoint of a guided tour."""

    id: Annotated[str, Field(min_length=1, max_length=32)]
    waypoint: Annotated[str, Field(min_length=1, max_length=64)]


class Scene(Value):
    """A stage without its number, as a client requests it."""

    slide: SlideId
    pair: Pair | None = None
    tour: TourStep | None = None

    def slides(self) -> tuple[str, ...]:
        """The ids of the slides that are shown."""
        if self.pair is None:
            return (self.slide,)
        return (self.slide, self.pair.slide, *(beside.slide for beside in self.pair.more))


class Stage(Scene):
    """What all members look at together; ``number`` counts its changes."""

    number: Count

    def scene(self) -> Scene:
        """The stage without its number."""
        return Scene(slide=self.slide, pair=self.pair, tour=self.tour)


class View(Value):
    """A field of view in level-0 pixels, as in tours (TO5)."""

    l0_x: Level0
    l0_y: Level0
    l0_width: Extent
    l0_height: Extent
    rotation: Turn = 0.0
    flip: bool = False
    plane: Annotated[int, Field(ge=0, le=limits.PLANES)] = 0
    adjustments: Adjustments | None = None


class Motion(Value):
    """Where the view is moving: a hint for prefetch."""

    l0_vx: Level0 = 0.0
    l0_vy: Level0 = 0.0
    target: View | None = None


class Swipe(Value):
    """The position of the divider between two slides, and the opacity of the upper one."""

    divider: Share
    blend: Share


class ViewEntry(Value):
    """The view of one pane; an entry of ``views``."""

    pane: Pane
    stage: Count
    by: MemberId
    view: View
    motion: Motion | None = None
    swipe: Swipe | None = None


class Cursor(Value):
    """The position of a member's cursor; null, null: hidden."""

    by: MemberId
    pane: Pane = 0
    l0_x: Level0 | None = None
    l0_y: Level0 | None = None
    laser: bool = False

    @property
    def hidden(self) -> bool:
        """Whether the cursor is not drawn."""
        return self.l0_x is None or self.l0_y is None


class Note(Value):
    """A note that a member has written."""

    time: Time
    by: MemberId
    text: NoteText


class PollAnswer(Value):
    """What a member answers: the numbers of options, from 0, or a point on the slide."""

    choices: Annotated[
        tuple[Annotated[int, Field(ge=0, le=limits.POLL_OPTIONS - 1)], ...], Field(max_length=limits.POLL_OPTIONS)
    ] = ()
    point: LandmarkPoint | None = None


class GivenAnswer(Value):
    """An answer among the results; ``by`` null: nobody is to know whose it is."""

    by: MemberId | None
    answer: PollAnswer


class PollResults(Value):
    """``counts``: how many chose each option. ``answers``: of a point, and where names are shown, each of them."""

    counts: Annotated[tuple[Count, ...], Field(max_length=limits.POLL_OPTIONS)]
    answers: Annotated[tuple[GivenAnswer, ...], Field(max_length=limits.MEMBERS)]


PollText = Annotated[str, Field(min_length=1, max_length=limits.POLL_QUESTION), AfterValidator(line)]
PollOption = Annotated[str, Field(min_length=1, max_length=limits.POLL_OPTION), AfterValidator(line)]
PollKind = Literal["single", "multiple", "point"]


class Poll(Value):
    """A question to all members (SE54). ``named``: the results show whose answer is which; ``slide``: of a point;
    ``answered``: how many have answered; ``results``: while all may see them.
    """

    id: HexId
    kind: PollKind
    question: PollText
    options: Annotated[tuple[PollOption, ...], Field(max_length=limits.POLL_OPTIONS)]
    slide: SlideId | None
    named: bool
    by: MemberId
    asked: Time
    open: bool
    answered: Count
    results: PollResults | None


QuestionText = Annotated[str, Field(min_length=1, max_length=limits.QUESTION), AfterValidator(line)]


def _plain(view: View) -> View:
    if view.adjustments is not None:
        raise ValueError("a place has no adjustments")
    return view


class Place(Value):
    """A view of a slide that a question is about, without adjustments."""

    slide: SlideId
    view: Annotated[View, AfterValidator(_plain)]


class Question(Value):
    """A question to the presenter (SE56). ``by`` null: asked without a name; ``votes``: of how many others."""

    id: HexId
    text: QuestionText
    place: Place | None
    by: MemberId | None
    asked: Time
    votes: Count
    answered: bool


class AskedQuestion(Value):
    """What its asker alone knows, and what stays of a hidden question (SE58)."""

    text: QuestionText
    place: Place | None
    named: bool
    asked: Time
    answered: bool = False


class Vote(Value):
    """A member wants a question of another to be answered."""

    vote: Literal[True] = True


Answer = PollAnswer | AskedQuestion | Vote


class Group(Value):
    """Members who look at slides by themselves for a while (SE62): what the state is for all, this is for them.
    ``stage`` has a number that no other stage has.
    """

    id: GroupId
    name: Name
    members: Annotated[tuple[MemberId, ...], Field(max_length=limits.MEMBERS)]
    presenter: MemberId | None
    lost_until: Time | None
    stage: Stage
    views: tuple[ViewEntry, ...]


class Recording(Value):
    """The running recording."""

    id: str
    since: Time


class Changes(Value):
    """The newest change of a slide's annotations (AN8)."""

    slide: SlideId
    sequence: Count


class State(Value):
    """The state of the session that every client has (SE2). Recordings have no ``questions``; those of before there
    were polls have no ``polls``, those of before there were groups no ``groups``.
    """

    model_config = ConfigDict(json_schema_extra=lambda schema: _optional(schema, "polls", "questions", "groups"))

    id: str
    code: str
    title: Title
    state: Phase
    sequence: Count
    started: Time
    owner: MemberId
    presenter: MemberId | None
    lost_until: Time | None
    settings: Settings
    recording: Recording | None
    slides: tuple[Slide, ...]
    stage: Stage
    members: tuple[Member, ...]
    notes: tuple[Note, ...] = ()
    views: tuple[ViewEntry, ...] = ()
    cursors: tuple[Cursor, ...] = ()
    annotations: tuple[Changes, ...] = ()
    polls: tuple[Poll, ...] = ()
    questions: tuple[Question, ...] = ()
    groups: tuple[Group, ...] = ()

    def member(self, member_id: str) -> Member | None:
        """The member with this id; None: there is none."""
        return next((one for one in self.members if one.id == member_id), None)

    def poll(self, poll_id: str) -> Poll | None:
        """The poll with this id; None: there is none."""
        return next((one for one in self.polls if one.id == poll_id), None)

    def question(self, question_id: str) -> Question | None:
        """The question with this id; None: there is none, or it is hidden."""
        return next((one for one in self.questions if one.id == question_id), None)

    def group_of(self, member_id: str) -> Group | None:
        """The group that a member is in; None: with all."""
        return next((one for one in self.groups if member_id in one.members), None)

    def may_steer(self, member_id: str) -> bool:
        """Whether the member is owner or presenter, has the right to steer, or everyone may."""
        one = self.member(member_id)
        return one is not None and (
            self.settings.everyone_steers or one.steers or member_id in (self.owner, self.presenter)
        )
