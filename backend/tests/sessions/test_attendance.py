"""Who comes and goes with an event (SE59)."""

from __future__ import annotations

from sessions.worlds import NOW, session
from wavescope.sessions.attendance import comings
from wavescope.sessions.decision import Decision
from wavescope.sessions.events import AnyEvent, MemberGone, fold
from wavescope.sessions.model import State
from wavescope.sessions.operations import ended
from wavescope.sessions.presence import arrive, depart, join


def walked(state: State, events: tuple[AnyEvent, ...]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What each event brings."""
    found = []
    for event in events:
        found.append(comings(state, event))
        state = fold(state, event)
    return [one for one in found if one != ((), ())]


def test_members_come_with_their_first_connection_and_go_with_their_last_se59() -> None:
    state = session("Ben")
    joined = join(state, "m3", "Cleo", "guest", NOW)
    assert walked(state, joined.events) == []
    assert walked(joined.state, arrive(joined.state, "m3").events) == [(("m3",), ())]
    assert walked(state, depart(state, ["m1", "m2"], NOW).events) == [((), ("m1", "m2"))]
    assert walked(state, (MemberGone(member="m2", reason="removed"),)) == [((), ("m2",))]


def test_with_the_end_of_the_session_all_go_se59() -> None:
    state = session("Ben")
    over: Decision = ended(state, "asked")
    assert walked(state, over.events) == [((), ("m1", "m2"))]
    assert walked(over.state, (MemberGone(member="m2", reason="left"),)) == []
