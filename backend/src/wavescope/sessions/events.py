"""The events that change the state, numbered and in order (section 5). Client and service apply them alike."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from wavescope.sessions import limits
from wavescope.sessions.model import (
    Count,
    Group,
    HexId,
    Member,
    MemberId,
    Note,
    Phase,
    Poll,
    Question,
    Recording,
    Settings,
    Slide,
    Stage,
    State,
    Time,
    Title,
    Value,
    ViewEntry,
)


class MemberChanged(Value):
    """A member joined or changed."""

    kind: Literal["member"] = "member"
    member: Member


class MembersAbsent(Value):
    """These members have no connection any more; their hands are lowered, their cursors hidden."""

    kind: Literal["absent"] = "absent"
    members: tuple[MemberId, ...]


class MemberGone(Value):
    """A member left or was removed."""

    kind: Literal["gone"] = "gone"
    member: MemberId
    reason: Literal["left", "removed"]


class HandsLowered(Value):
    """The hands of these members were lowered at once."""

    kind: Literal["hands-lowered"] = "hands-lowered"
    members: tuple[MemberId, ...]


class PresenterChanged(Value):
    """The presenter has changed; ``lost_until``: how long the session waits for an absent presenter."""

    kind: Literal["presenter"] = "presenter"
    presenter: MemberId | None
    lost_until: Time | None
    reason: Literal["handed", "taken", "steering", "lost", "returned", "grace", "left"]


class PhaseChanged(Value):
    """The session was paused, resumed or ended."""

    kind: Literal["state"] = "state"
    state: Phase
    reason: Literal["asked", "lost", "returned", "idle"]


class SettingsChanged(Value):
    """The owner has changed the settings."""

    kind: Literal["settings"] = "settings"
    settings: Settings


class TitleChanged(Value):
    """The title or the code of the session has changed."""

    kind: Literal["title"] = "title"
    title: Title
    code: str


class SlidesChanged(Value):
    """The slides of the session have changed."""

    kind: Literal["slides"] = "slides"
    slides: tuple[Slide, ...]


class StageChanged(Value):
    """The stage has changed; ``views``: the first views on it."""

    kind: Literal["stage"] = "stage"
    stage: Stage
    views: tuple[ViewEntry, ...]


class NoteMade(Value):
    """A note was written."""

    kind: Literal["note"] = "note"
    note: Note


class PollChanged(Value):
    """A poll was asked, closed, revealed or hidden."""

    kind: Literal["poll"] = "poll"
    poll: Poll


class PollAnswered(Value):
    """``answered`` members have answered; nobody learns which."""

    kind: Literal["poll-answered"] = "poll-answered"
    poll: HexId
    answered: Count


class PollDeleted(Value):
    """A poll was deleted, with its answers."""

    kind: Literal["poll-deleted"] = "poll-deleted"
    poll: HexId


class QuestionChanged(Value):
    """A question was asked, marked as answered or shown again."""

    kind: Literal["question"] = "question"
    question: Question


class QuestionVoted(Value):
    """``votes`` members want the question to be answered; nobody learns which."""

    kind: Literal["question-voted"] = "question-voted"
    question: HexId
    votes: Count


class QuestionGone(Value):
    """A question was hidden by presenter or owner, or deleted by its asker."""

    kind: Literal["question-gone"] = "question-gone"
    question: HexId


class GroupsChanged(Value):
    """The members were divided into groups, or called back."""

    kind: Literal["groups"] = "groups"
    groups: Annotated[tuple[Group, ...], Field(max_length=limits.GROUPS)]


class GroupChanged(Value):
    """A group has other members, another presenter or another stage."""

    kind: Literal["group"] = "group"
    group: Group


class RecordingChanged(Value):
    """A recording was started or stopped."""

    kind: Literal["recording"] = "recording"
    recording: Recording | None


AnyEvent = (
    MemberChanged
    | MembersAbsent
    | MemberGone
    | HandsLowered
    | PresenterChanged
    | PhaseChanged
    | SettingsChanged
    | TitleChanged
    | SlidesChanged
    | StageChanged
    | NoteMade
    | PollChanged
    | PollAnswered
    | PollDeleted
    | QuestionChanged
    | QuestionVoted
    | QuestionGone
    | RecordingChanged
    | GroupsChanged
    | GroupChanged
)
QUESTION_EVENTS = (QuestionChanged, QuestionVoted, QuestionGone)
UNNAMED = (PollAnswered, *QUESTION_EVENTS)
"""Nobody learns which member caused one of these (SE55, SE57)."""
GROUP_EVENTS = (GroupsChanged, GroupChanged)
Event = Annotated[AnyEvent, Field(discriminator="kind")]


def fold(state: State, event: AnyEvent) -> State:
    """The state after one more event; ``sequence`` is increased by one (SE19)."""
    return state.model_copy(update={"sequence": state.sequence + 1, **_changed(state, event)})


def _changed(state: State, event: AnyEvent) -> dict[str, object]:
    match event:
        case MemberChanged(member=member):
            known = state.member(member.id) is not None
            replaced = tuple(member if one.id == member.id else one for one in state.members)
            return {"members": replaced if known else (*state.members, member)}
        case MembersAbsent(members=absent):
            return {"members": tuple(_absent(one) if one.id in absent else one for one in state.members)} | _without(
                state, absent
            )
        case MemberGone(member=member):
            return {"members": tuple(one for one in state.members if one.id != member)} | _without(state, (member,))
        case HandsLowered(members=lowered):
            return {"members": tuple(_lowered(one) if one.id in lowered else one for one in state.members)}
        case PresenterChanged():
            return {"presenter": event.presenter, "lost_until": event.lost_until}
        case PhaseChanged():
            return {"state": event.state}
        case SettingsChanged():
            return {"settings": event.settings}
        case TitleChanged():
            return {"title": event.title, "code": event.code}
        case SlidesChanged(slides=slides):
            ids = {slide.id for slide in slides}
            return {"slides": slides, "annotations": tuple(one for one in state.annotations if one.slide in ids)}
        case StageChanged():
            return {"stage": event.stage, "views": event.views, "cursors": ()}
        case NoteMade(note=note):
            return {"notes": (*state.notes, note)[-limits.NOTES :]}
        case PollChanged(poll=poll):
            return {"polls": _with_poll(state, poll)}
        case PollAnswered(poll=poll_id):
            answered = {"answered": event.answered}
            return {"polls": tuple(o.model_copy(update=answered) if o.id == poll_id else o for o in state.polls)}
        case PollDeleted(poll=poll_id):
            return {"polls": tuple(one for one in state.polls if one.id != poll_id)}
        case QuestionChanged(question=question):
            return {"questions": _with_question(state, question)}
        case QuestionVoted(question=question_id):
            voted = {"votes": event.votes}
            return {
                "questions": tuple(o.model_copy(update=voted) if o.id == question_id else o for o in state.questions)
            }
        case QuestionGone(question=question_id):
            return {"questions": tuple(one for one in state.questions if one.id != question_id)}
        case RecordingChanged():
            return {"recording": event.recording}
        case GroupsChanged(groups=groups):
            return {"groups": groups, "cursors": ()}
        case GroupChanged(group=group):
            return {"groups": tuple(group if one.id == group.id else one for one in state.groups)} | _without(
                state, group.members
            )


def _absent(member: Member) -> Member:
    return member.model_copy(update={"present": False, "hand": None})


def _with_poll(state: State, poll: Poll) -> tuple[Poll, ...]:
    if state.poll(poll.id) is not None:
        return tuple(poll if one.id == poll.id else one for one in state.polls)
    return tuple(sorted((*state.polls, poll), key=lambda one: one.asked))[-limits.POLLS :]


def _with_question(state: State, question: Question) -> tuple[Question, ...]:
    if state.question(question.id) is None:
        return (*state.questions, question)
    return tuple(question if one.id == question.id else one for one in state.questions)


def _lowered(member: Member) -> Member:
    return member.model_copy(update={"hand": None})


def _without(state: State, members: tuple[str, ...]) -> dict[str, object]:
    return {"cursors": tuple(one for one in state.cursors if one.by not in members)}


EVENT: TypeAdapter[AnyEvent] = TypeAdapter(Event, config=ConfigDict(defer_build=True))
"""Parses an event from JSON."""
