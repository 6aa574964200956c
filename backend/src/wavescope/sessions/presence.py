"""Members join, connect and disconnect; an absent presenter is replaced (SE31 to SE33)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from wavescope.sessions import limits
from wavescope.sessions.decision import Decision
from wavescope.sessions.events import MemberChanged, MembersAbsent, PhaseChanged, PresenterChanged
from wavescope.sessions.groups import arrived, placed, waited, waiting
from wavescope.sessions.model import Member, State

PALETTE = (
    "#e03131", "#1971c2", "#2f9e44", "#f08c00", "#9c36b5", "#0c8599", "#c2255c", "#66a80f",
    "#6741d9", "#e8590c", "#3b5bdb", "#087f5b", "#a61e4d", "#5f3dc4", "#364fc7", "#846358",
)  # fmt: skip
"""Dark enough for white text, and distinguishable on H&E."""


def join(state: State, member_id: str, name: str, kind: Literal["user", "guest"], now: int) -> Decision:
    """A new member that is not connected yet."""
    member = Member(
        id=member_id, name=name, color=_free_color(state), kind=kind, steers=False,
        following=True, present=False, hand=None, joined=now,
    )  # fmt: skip
    return placed(Decision(state).then(MemberChanged(member=member)), member_id)


def _free_color(state: State) -> str:
    """A colour that no member has, else one that the fewest members have."""
    counts = dict.fromkeys(PALETTE, 0)
    for member in state.members:
        counts[member.color] = counts.get(member.color, 0) + 1
    return min(PALETTE, key=counts.__getitem__)


def arrive(state: State, member_id: str) -> Decision:
    """A member's first connection. It presents if it was the presenter, or if there is none and it may steer (SE33)."""
    decision = Decision(state)
    member = state.member(member_id)
    if state.state == "ended" or member is None or member.present:
        return decision
    decision = decision.then(MemberChanged(member=member.model_copy(update={"present": True})))
    decision = arrived(decision, member_id)
    if state.presenter == member_id and state.lost_until is not None:
        return decision.then(PresenterChanged(presenter=member_id, lost_until=None, reason="returned"))
    if state.presenter is None and state.may_steer(member_id):
        return _continuing(decision, member_id, "returned")
    return decision


def depart(state: State, gone: Sequence[str], now: int) -> Decision:
    """Members lost their last connection; the session waits for a presenter among them."""
    absent = tuple(one.id for one in state.members if one.id in gone and one.present)
    if state.state == "ended" or not absent:
        return Decision(state)
    decision = Decision(state).then(MembersAbsent(members=absent))
    if state.presenter in absent:
        until = now + limits.GRACE_MS
        decision = decision.then(PresenterChanged(presenter=state.presenter, lost_until=until, reason="grace"))
    return waiting(decision, now, absent)


def restart(state: State, now: int) -> Decision:
    """A stored session is opened again: nobody is connected (SE32)."""
    return _wait_anew(depart(state, [member.id for member in state.members], now), state, now)


def resume(state: State, now: int) -> Decision:
    """Another node has taken the session over: its members come back in a moment (CL25)."""
    return _wait_anew(Decision(state), state, now)


def _wait_anew(decision: Decision, state: State, now: int) -> Decision:
    """An absent presenter has the whole time again: nobody could come back while the session was not open."""
    if state.state != "ended" and state.presenter is not None and state.lost_until is not None:
        until = now + limits.GRACE_MS
        decision = decision.then(PresenterChanged(presenter=state.presenter, lost_until=until, reason="grace"))
    return waiting(decision, now, [one.id for one in state.members if not one.present])


def wait_over(state: State, now: int) -> Decision:
    """Replaces an absent presenter once the waiting time is over."""
    if state.state == "ended":
        return Decision(state)
    decision = waited(Decision(state), now)
    if state.lost_until is None or now < state.lost_until:
        return decision
    return succeed(decision, "lost")


def succeed(decision: Decision, reason: Literal["lost", "left"]) -> Decision:
    """A new presenter: the owner, else the first to join who may steer; else the session is paused (SE33)."""
    state = decision.state
    here = [one for one in state.members if one.present and one.id != state.presenter]
    first = sorted(here, key=lambda one: (one.id != state.owner, not one.steers, one.joined, int(one.id[1:])))
    successor = next((one.id for one in first if state.may_steer(one.id)), None)
    if successor is not None:
        return presenting(decision, successor, reason)
    decision = decision.then(PresenterChanged(presenter=None, lost_until=None, reason=reason))
    return decision.then(PhaseChanged(state="paused", reason="lost")) if state.state == "live" else decision


def presenting(
    decision: Decision, member_id: str, reason: Literal["handed", "taken", "steering", "lost", "returned", "left"]
) -> Decision:
    """``member_id`` becomes the presenter: what its hand asked for is given, so it is lowered (SE50)."""
    decision = decision.then(PresenterChanged(presenter=member_id, lost_until=None, reason=reason))
    member = decision.state.member(member_id)
    if member is None or member.hand is None:
        return decision
    return decision.then(MemberChanged(member=member.model_copy(update={"hand": None})))


def _continuing(decision: Decision, member_id: str, reason: Literal["returned", "taken"]) -> Decision:
    """``member_id`` becomes the presenter where there was none; a session that was paused continues."""
    decision = presenting(decision, member_id, reason)
    if decision.state.state == "paused":
        return decision.then(PhaseChanged(state="live", reason="returned"))
    return decision


def claim_vacant(decision: Decision, member_id: str) -> Decision:
    """``member_id`` becomes the presenter where there was none."""
    return _continuing(decision, member_id, "taken")
