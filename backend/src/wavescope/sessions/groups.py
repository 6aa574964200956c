"""Groups of members who look at slides by themselves for a while (SE62 to SE68). For its members a group is a session:
the rules of the whole session decide about the state as they see it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from wavescope.sessions import limits
from wavescope.sessions.client_messages import Divide, Move
from wavescope.sessions.decision import Decision, Facts, check_allowed, known_member, refused
from wavescope.sessions.events import GroupChanged, GroupsChanged, MemberChanged, PresenterChanged, StageChanged
from wavescope.sessions.model import Group, Member, Scene, Stage, State, ViewEntry


class Audience(NamedTuple):
    """Who looks at the same: the members of a group, or those who are in none. ``members``: of the group, or of all."""

    group: str | None
    members: frozenset[str]
    seen: State

    def has(self, member_id: str) -> bool:
        """Whether the member is in this audience."""
        return (member_id in self.members) == (self.group is not None)


def audiences(state: State) -> tuple[Audience, ...]:
    """All audiences, that of those in no group first."""
    grouped = frozenset(one for group in state.groups for one in group.members)
    return (
        Audience(None, grouped, state),
        *(Audience(one.id, frozenset(one.members), _seen_in(state, one)) for one in state.groups),
    )


def seen_by(state: State, member_id: str) -> State:
    """The state as this member sees it."""
    group = state.group_of(member_id)
    return state if group is None else _seen_in(state, group)


def _seen_in(state: State, group: Group) -> State:
    """As the members of a group see it, who may all steer."""
    here = {
        "presenter": group.presenter,
        "lost_until": group.lost_until,
        "stage": group.stage,
        "views": group.views,
        "members": tuple(one.model_copy(update={"steers": True}) for one in state.members if one.id in group.members),
    }
    return state.model_copy(update=here)


def next_number(state: State) -> int:
    """Of a new stage: no other one has it."""
    return 1 + max([state.stage.number, *(one.stage.number for one in state.groups)])


def within(decision: Decision, group: Group, decide: Callable[[State], Decision]) -> Decision:
    """``decision`` with what a rule of the whole session decides about the state as the group sees it."""
    state, changed = decision.state, group
    decided = decide(_seen_in(state, group))
    for event in decided.events:
        match event:
            case PresenterChanged():
                changed = changed.model_copy(update={"presenter": event.presenter, "lost_until": event.lost_until})
            case StageChanged(stage=stage, views=views):
                changed = _at(changed, stage, views, next_number(state))
            case MemberChanged(member=member):  # its hand was lowered
                known = known_member(state, member.id)
                decision = decision.then(MemberChanged(member=known.model_copy(update={"hand": member.hand})))
            case _:
                pass  # a session that nobody presents is paused, a group is not
    if decided.refusal is not None:
        return Decision(state, refusal=decided.refusal)
    return decision if changed == group else decision.then(GroupChanged(group=changed))


def divide(state: State, operation: Divide, sender: Member, facts: Facts) -> Decision:
    """New groups, each with the scene that all look at; those who have left meanwhile are passed over."""
    check_allowed(sender.id == state.owner, "the owner")
    if not operation.groups and not state.groups:
        return Decision(state)
    groups, number = list[Group](), next_number(state)
    for index, plan in enumerate(operation.groups):
        stage, views = _shown(state.stage, state.views, number + index)
        members = tuple(one for one in plan.members if state.member(one) is not None)
        group = Group(
            id=f"g{index + 1}", name=plan.name, members=members, presenter=_first(state, members), lost_until=None,
            stage=stage, views=views,
        )  # fmt: skip
        groups.append(group)
    return Decision(state).then(GroupsChanged(groups=tuple(groups)))


def move(state: State, operation: Move, sender: Member, facts: Facts) -> Decision:
    """Of any member, the owner too, who visits a group so."""
    check_allowed(sender.id == state.owner, "the owner")
    member = known_member(state, operation.member)
    here = state.group_of(member.id)
    target = next((one for one in state.groups if one.id == operation.group), None)
    if operation.group is not None and target is None:
        raise refused("unknown-group", f"there is no group {operation.group}")
    if here == target:
        return Decision(state)
    decision = removed(Decision(state), (member.id,))
    return decision if target is None else _added(decision, target, member.id)


def placed(decision: Decision, member_id: str) -> Decision:
    """A new member comes into the smallest group, if there are groups (SE65)."""
    groups = decision.state.groups
    if not groups or decision.state.group_of(member_id) is not None:
        return decision
    return _added(decision, min(groups, key=lambda one: len(one.members)), member_id)


def removed(decision: Decision, gone: Iterable[str]) -> Decision:
    """These members are in no group any more."""
    gone = frozenset(gone)
    for group in decision.state.groups:
        if not gone.isdisjoint(group.members):
            members = tuple(one for one in group.members if one not in gone)
            stays = group.presenter not in gone
            presenter = group.presenter if stays else _first(decision.state, members)
            left = {"members": members, "presenter": presenter, "lost_until": group.lost_until if stays else None}
            decision = decision.then(GroupChanged(group=group.model_copy(update=left)))
    return decision


def arrived(decision: Decision, member_id: str) -> Decision:
    """A member of a group is there again: its presenter goes on, and anybody presents where nobody does."""
    group = decision.state.group_of(member_id)
    taken = group is not None and group.presenter not in (None, member_id)
    if group is None or taken or member_id == decision.state.owner != group.presenter:
        return decision
    back = group.model_copy(update={"presenter": member_id, "lost_until": None})
    return decision if back == group else decision.then(GroupChanged(group=back))


def waiting(decision: Decision, now: int, absent: Collection[str]) -> Decision:
    """Groups whose presenter is among these wait for it from ``now`` on."""
    for group in decision.state.groups if decision.state.state != "ended" else ():
        if group.presenter in absent:
            lost = group.model_copy(update={"lost_until": now + limits.GRACE_MS})
            decision = decision.then(GroupChanged(group=lost))
    return decision


def waited(decision: Decision, now: int) -> Decision:
    """Groups that have waited long enough have another presenter, or none (SE64)."""
    for group in decision.state.groups:
        if group.lost_until is not None and now >= group.lost_until:
            others = tuple(one for one in group.members if one != group.presenter)
            succeeded = {"presenter": _first(decision.state, others), "lost_until": None}
            decision = decision.then(GroupChanged(group=group.model_copy(update=succeeded)))
    return decision


def cleared(decision: Decision) -> Decision:
    """Groups at slides that the session has no more look at its stage."""
    known = {slide.id for slide in decision.state.slides}
    for group in decision.state.groups:
        if not set(group.stage.slides()) <= known:
            state = decision.state
            shown = _at(group, state.stage, state.views, next_number(state))
            decision = decision.then(GroupChanged(group=shown))
    return decision


def _added(decision: Decision, group: Group, member_id: str) -> Decision:
    members = (*group.members, member_id)
    owner = member_id == decision.state.owner
    presenter = group.presenter or (None if owner else _first(decision.state, members))
    return decision.then(GroupChanged(group=group.model_copy(update={"members": members, "presenter": presenter})))


def _first(state: State, members: tuple[str, ...]) -> str | None:
    """Who presents in a group: the first who is there; the owner, a visitor, only takes over."""
    here = {one.id for one in state.members if one.present and one.id != state.owner}
    return next((one for one in members if one in here), None)


def _at(group: Group, scene: Scene, views: tuple[ViewEntry, ...], number: int) -> Group:
    stage, views = _shown(scene, views, number)
    return group.model_copy(update={"stage": stage, "views": views})


def _shown(scene: Scene, views: tuple[ViewEntry, ...], number: int) -> tuple[Stage, tuple[ViewEntry, ...]]:
    """The stage of a group with a number of its own; a tour is shown to all only."""
    stage = Stage(slide=scene.slide, pair=scene.pair, tour=None, number=number)
    return stage, tuple(one.model_copy(update={"stage": number}) for one in views)
