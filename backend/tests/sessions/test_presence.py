"""Members who connect and disconnect, and the successor of a lost presenter (SE31 to SE33)."""

from __future__ import annotations

import pytest

from sessions.worlds import NOW, kinds, session
from wavescope.sessions import limits
from wavescope.sessions.events import MemberChanged, fold
from wavescope.sessions.model import State
from wavescope.sessions.presence import PALETTE, arrive, depart, join, restart, wait_over

LATER = NOW + limits.GRACE_MS


def steering(state: State, *who: str) -> State:
    """With the right to steer."""
    for one in who:
        member = state.member(one)
        assert member is not None
        state = fold(state, MemberChanged(member=member.model_copy(update={"steers": True})))
    return state


def presented_by(state: State, who: str) -> State:
    return state.model_copy(update={"presenter": who})


def test_colours_differ_while_there_are_enough() -> None:
    state = session()
    for number in range(2, len(PALETTE) + 1):
        state = join(state, f"m{number}", "x", "guest", NOW).state
    assert len({member.color for member in state.members}) == len(PALETTE)
    assert join(state, "m99", "x", "guest", NOW).state.members[-1].color in PALETTE


def test_a_presenter_that_comes_back_in_time_goes_on_se33() -> None:
    lost = depart(session("Ben"), ["m1"], NOW)
    assert kinds(lost) == ["absent", "presenter"]
    assert (lost.state.presenter, lost.state.lost_until) == ("m1", LATER)
    assert wait_over(lost.state, LATER - 1).events == ()
    back = arrive(lost.state, "m1")
    assert (back.state.presenter, back.state.lost_until, back.state.state) == ("m1", None, "live")


HEIRS = [
    ("the owner", session("Ben", "Cleo"), "m2", "m1"),
    ("who steers and joined first", steering(session("Ben", "Cleo", "Dan"), "m3", "m4"), "m1", "m3"),
    ("anybody who joined first, if everyone may", session("Ben", "Cleo", everyone=True), "m1", "m2"),
    ("who has the right, before those who merely may", steering(session("B", "C", everyone=True), "m3"), "m1", "m3"),
    ("nobody", session("Ben", "Cleo"), "m1", None),
]


@pytest.mark.parametrize(("_name", "state", "lost", "heir"), HEIRS, ids=[one[0] for one in HEIRS])
def test_a_presenter_that_stays_away_is_succeeded_by_se33(
    _name: str, state: State, lost: str, heir: str | None
) -> None:
    decision = wait_over(depart(presented_by(state, lost), [lost], NOW).state, LATER)
    assert decision.state.presenter == heir
    assert decision.state.lost_until is None
    assert decision.state.state == ("live" if heir else "paused")


def test_the_first_who_may_steer_ends_the_pause_of_loss_se33() -> None:
    paused = wait_over(depart(session("Ben"), ["m1"], NOW).state, LATER).state
    gone = depart(paused, ["m2"], LATER).state
    assert arrive(gone, "m2").state.presenter is None
    back = arrive(gone, "m1").state
    assert (back.presenter, back.state) == ("m1", "live")


def test_a_service_that_starts_again_waits_for_all_se32() -> None:
    state = restart(session("Ben"), NOW).state
    assert not any(member.present for member in state.members)
    assert (state.presenter, state.lost_until) == ("m1", LATER)
    again = restart(state, NOW + 60_000).state
    assert again.lost_until == LATER + 60_000


def test_who_goes_lowers_its_hand_se31() -> None:
    state = session("Ben")
    member = state.member("m2")
    assert member is not None
    state = fold(state, MemberChanged(member=member.model_copy(update={"hand": NOW})))
    left = depart(state, ["m2"], NOW).state.member("m2")
    assert left is not None
    assert (left.hand, left.present) == (None, False)
    assert depart(state, ["m9"], NOW).events == ()
