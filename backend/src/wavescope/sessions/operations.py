"""What each operation does, and who may do it (section 6). ``apply`` is the entry point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from wavescope.sessions import limits
from wavescope.sessions.client_messages import (
    AnswerPoll,
    AnswerQuestion,
    AnyOperation,
    AskPoll,
    AskQuestion,
    ChangeSettings,
    ClosePoll,
    DeletePoll,
    DeleteQuestion,
    Divide,
    End,
    Follow,
    GrantNavigation,
    HideQuestion,
    Leave,
    LowerHands,
    MakeNote,
    Move,
    Pause,
    Present,
    RaiseHand,
    Readmit,
    Record,
    Remove,
    Rename,
    RestorePoll,
    SetStage,
    Slides,
    VoteQuestion,
)
from wavescope.sessions.decision import Decision, Facts, Refused, check_allowed, known_member, refused
from wavescope.sessions.events import (
    HandsLowered,
    MemberChanged,
    MemberGone,
    MembersAbsent,
    NoteMade,
    PhaseChanged,
    RecordingChanged,
    SettingsChanged,
    SlidesChanged,
    StageChanged,
)
from wavescope.sessions.groups import cleared, divide, move, next_number, placed, removed, within
from wavescope.sessions.model import Member, Note, Recording, Scene, Slide, Stage, State, ViewEntry
from wavescope.sessions.polls import answer_poll, ask_poll, close_poll, delete_poll, restore_poll
from wavescope.sessions.presence import claim_vacant, presenting, succeed
from wavescope.sessions.questions import (
    answer_question,
    ask_question,
    delete_question,
    hide_question,
    vote_question,
)


def apply(state: State, operation: AnyOperation, member_id: str, facts: Facts) -> Decision:
    """The events of an operation by the member ``member_id``, or its refusal, which changes nothing (SE21)."""
    try:
        if state.state == "ended":
            raise refused("not-allowed", "the session has ended")
        rule, group = _RULES[type(operation)], state.group_of(member_id)
        if group is not None and isinstance(operation, Present | SetStage):
            return within(
                Decision(state), group, lambda seen: rule(seen, operation, known_member(seen, member_id), facts)
            )
        return rule(state, operation, known_member(state, member_id), facts)
    except Refused as error:
        return Decision(state, refusal=error.refusal)


def steer(state: State, member_id: str, facts: Facts) -> Decision:
    """Makes ``member_id`` the presenter if everyone may steer and the presenter is not moving; else refuses (SE18)."""
    group = state.group_of(member_id)
    try:
        if group is not None:
            return within(Decision(state), group, lambda seen: _steering(seen, member_id, facts))
        return _steering(state, member_id, facts)
    except Refused as error:
        return Decision(state, refusal=error.refusal)


def _steering(state: State, member_id: str, facts: Facts) -> Decision:
    if state.presenter == member_id:
        return Decision(state)
    check_allowed(state.settings.everyone_steers, "the presenter")
    if state.state == "paused":
        raise refused("paused", "the session is paused")
    if state.presenter is not None and facts.now - facts.moved < limits.STEERING_MS:
        raise refused("busy", "the presenter is moving")
    return presenting(Decision(state), member_id, "steering")


def _changed(state: State, member: Member, **fields: object) -> Decision:
    changed = member.model_copy(update=fields)
    return Decision(state) if changed == member else Decision(state).then(MemberChanged(member=changed))


def _follow(state: State, operation: Follow, sender: Member, facts: Facts) -> Decision:
    return _changed(state, sender, following=operation.following)


def _rename(state: State, operation: Rename, sender: Member, facts: Facts) -> Decision:
    if facts.name_taken:
        raise refused("name-taken", "an account has this name")
    return _changed(state, sender, name=operation.name)


def _hand(state: State, operation: RaiseHand, sender: Member, facts: Facts) -> Decision:
    member = known_member(state, operation.member)
    own = member.id == sender.id
    check_allowed(
        own or (not operation.raised and sender.id in (state.presenter, state.owner)), "oneself or the presenter"
    )
    if operation.raised:
        raisable = member.present and member.hand is None  # the owner may be absent: it has left and is not closed yet
        return _changed(state, member, hand=facts.now) if raisable else Decision(state)
    return _changed(state, member, hand=None)


def _lower_hands(state: State, operation: LowerHands, sender: Member, facts: Facts) -> Decision:
    check_allowed(sender.id in (state.presenter, state.owner), "the presenter and the owner")
    raised = tuple(member.id for member in state.members if member.hand is not None)
    return Decision(state).then(HandsLowered(members=raised)) if raised else Decision(state)


def _present(state: State, operation: Present, sender: Member, facts: Facts) -> Decision:
    member = known_member(state, operation.member)
    owner = sender.id == state.owner
    if member.id == state.presenter and state.lost_until is None:
        return Decision(state)
    if member.id == sender.id:
        free = state.presenter is None or state.settings.everyone_steers
        check_allowed(owner or (free and state.may_steer(sender.id)), "the owner, or who steers while nobody presents,")
    else:
        check_allowed(owner or sender.id == state.presenter, "the presenter and the owner")
        if not member.present:
            raise refused("unknown-member", f"{member.id} is not there")
    if state.presenter is None:
        return claim_vacant(Decision(state), member.id)
    reason: Literal["taken", "handed"] = "taken" if member.id == sender.id else "handed"
    return presenting(Decision(state), member.id, reason)


def _allow(state: State, operation: GrantNavigation, sender: Member, facts: Facts) -> Decision:
    check_allowed(sender.id == state.owner, "the owner")
    return _changed(state, known_member(state, operation.member), steers=operation.steers)


def _pause(state: State, operation: Pause, sender: Member, facts: Facts) -> Decision:
    check_allowed(sender.id in (state.presenter, state.owner), "the presenter and the owner")
    if operation.paused == (state.state == "paused"):
        return Decision(state)
    decision = Decision(state)
    if state.presenter is None:
        decision = presenting(decision, sender.id, "taken")
    return decision.then(PhaseChanged(state="paused" if operation.paused else "live", reason="asked"))


def _choose(state: State, operation: ChangeSettings, sender: Member, facts: Facts) -> Decision:
    check_allowed(sender.id == state.owner, "the owner")
    if operation.settings == state.settings:
        return Decision(state)
    return Decision(state).then(SettingsChanged(settings=operation.settings))


def _slides(state: State, operation: Slides, sender: Member, facts: Facts) -> Decision:
    check_allowed(sender.id in (state.presenter, state.owner), "the presenter and the owner")
    titles = {**facts.slides, **{slide.id: slide.title for slide in state.slides}}
    for slide_id in operation.slides:
        if slide_id not in titles:
            raise refused("unknown-slide", f"there is no slide {slide_id}")
    slides = tuple(Slide(id=one, title=titles[one]) for one in operation.slides)
    if slides == state.slides:
        return Decision(state)
    decision = Decision(state).then(SlidesChanged(slides=slides))
    if not set(state.stage.slides()) <= {slide.id for slide in slides}:
        decision = decision.then(_stage_changed(state, Scene(slide=slides[0].id)))
    return cleared(decision)


def _stage(state: State, operation: SetStage, sender: Member, facts: Facts) -> Decision:
    decision = _steering(state, sender.id, facts)
    if state.state == "paused":
        raise refused("paused", "the session is paused")
    known = {slide.id for slide in state.slides}
    for slide_id in operation.stage.slides():
        if slide_id not in known:
            raise refused("unknown-slide", f"the session has no slide {slide_id}")
    if not facts.tour_seen or (operation.stage.tour is not None and state.group_of(sender.id) is not None):
        raise refused("unknown-tour", "there is no such tour")
    if operation.stage == state.stage.scene() and not operation.views:
        return decision
    number = next_number(state)
    panes = len(operation.stage.slides())
    views = {
        one.pane: ViewEntry(pane=one.pane, stage=number, by=sender.id, view=one.view)
        for one in operation.views
        if one.pane < panes
    }
    return decision.then(_stage_changed(state, operation.stage, tuple(views.values())))


def _stage_changed(state: State, scene: Scene, views: tuple[ViewEntry, ...] = ()) -> StageChanged:
    stage = Stage(slide=scene.slide, pair=scene.pair, tour=scene.tour, number=next_number(state))
    return StageChanged(stage=stage, views=views)


def _note(state: State, operation: MakeNote, sender: Member, facts: Facts) -> Decision:
    check_allowed(state.may_steer(sender.id), "who steers")
    return Decision(state).then(NoteMade(note=Note(time=facts.now, by=sender.id, text=operation.text)))


def _record(state: State, operation: Record, sender: Member, facts: Facts) -> Decision:
    check_allowed(sender.id == state.owner, "the owner")
    if operation.on == (state.recording is not None):
        return Decision(state)
    recording = Recording(id=facts.fresh_id, since=facts.now) if operation.on else None
    return Decision(state).then(RecordingChanged(recording=recording))


def _remove(state: State, operation: Remove, sender: Member, facts: Facts) -> Decision:
    check_allowed(sender.id == state.owner, "the owner")
    member = known_member(state, operation.member)
    check_allowed(member.id != state.owner, "others than the owner be removed: nobody")
    return _gone(state, member, "removed")


def _readmit(state: State, operation: Readmit, sender: Member, facts: Facts) -> Decision:
    check_allowed(sender.id == state.owner, "the owner")
    if state.member(operation.member) is not None:
        return Decision(state)
    member = facts.removed.get(operation.member)
    if member is None:
        raise refused("unknown-member", f"{operation.member} was not removed")
    if len(state.members) >= limits.MEMBERS:
        raise refused("full", f"at most {limits.MEMBERS} members")
    back = MemberChanged(member=member.model_copy(update={"present": False, "hand": None}))
    return placed(Decision(state).then(back), member.id)


def _leave(state: State, operation: Leave, sender: Member, facts: Facts) -> Decision:
    if sender.id != state.owner:
        return _gone(state, sender, "left")
    decision = Decision(state).then(MembersAbsent(members=(sender.id,))) if sender.present else Decision(state)
    decision = removed(decision, (sender.id,))
    return succeed(decision, "left") if state.presenter == sender.id else decision


def _gone(state: State, member: Member, reason: Literal["left", "removed"]) -> Decision:
    decision = removed(Decision(state).then(MemberGone(member=member.id, reason=reason)), (member.id,))
    return succeed(decision, "left") if state.presenter == member.id else decision


def _end(state: State, operation: End, sender: Member, facts: Facts) -> Decision:
    check_allowed(sender.id == state.owner, "the owner")
    return ended(state, "asked")


def ended(state: State, reason: Literal["asked", "idle"]) -> Decision:
    """The end of the session and of a running recording."""
    decision = Decision(state)
    if state.state == "ended":
        return decision
    if state.recording is not None:
        decision = decision.then(RecordingChanged(recording=None))
    return decision.then(PhaseChanged(state="ended", reason=reason))


_RULES: dict[type[AnyOperation], Callable[..., Decision]] = {
    Follow: _follow,
    Rename: _rename,
    RaiseHand: _hand,
    LowerHands: _lower_hands,
    Present: _present,
    GrantNavigation: _allow,
    Pause: _pause,
    ChangeSettings: _choose,
    Slides: _slides,
    SetStage: _stage,
    MakeNote: _note,
    AskPoll: ask_poll,
    AnswerPoll: answer_poll,
    ClosePoll: close_poll,
    DeletePoll: delete_poll,
    RestorePoll: restore_poll,
    AskQuestion: ask_question,
    VoteQuestion: vote_question,
    AnswerQuestion: answer_question,
    HideQuestion: hide_question,
    DeleteQuestion: delete_question,
    Divide: divide,
    Move: move,
    Record: _record,
    Remove: _remove,
    Readmit: _readmit,
    Leave: _leave,
    End: _end,
}
