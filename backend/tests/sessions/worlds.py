"""Small sessions to try rules on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from wavescope.sessions.ballots import BallotBox
from wavescope.sessions.client_messages import read_message
from wavescope.sessions.decision import Decision, DeletedPoll, Facts
from wavescope.sessions.events import AnyEvent, fold
from wavescope.sessions.model import Member, Settings, Slide, Stage, State, View
from wavescope.sessions.operations import apply
from wavescope.sessions.presence import arrive, join

NOW = 1_790_000_000_000
VIEW = View(l0_x=1.0, l0_y=2.0, l0_width=30.0, l0_height=40.0)


def session(*guests: str, everyone: bool = False) -> State:
    """A live session on slides a and b: its owner m1 presents, guests m2, m3 ... follow; all are present."""
    owner = Member(
        id="m1", name="Ada", color="#e03131", kind="user", steers=True, following=True, present=True, hand=None,
        joined=NOW,
    )  # fmt: skip
    state = State(
        id="5f" * 16, code="7KQM2XWD", title="T", state="live", sequence=0, started=NOW, owner="m1", presenter="m1",
        lost_until=None, settings=Settings(everyone_steers=everyone), recording=None,
        slides=(Slide(id="a", title="A"), Slide(id="b", title="B")), stage=Stage(slide="a", number=1), members=(owner,),
    )  # fmt: skip
    for number, name in enumerate(guests, 2):
        state = join(state, f"m{number}", name, "guest", NOW + number).state
        state = arrive(state, f"m{number}").state
    return state


def facts(now: int = NOW, **more: object) -> Facts:
    return Facts(now=now, fresh_id="c0" * 16, **more)  # type: ignore[arg-type]


def kinds(decision: Decision) -> list[str]:
    """What happened, by name."""
    return [event.kind for event in decision.events]


def folded(state: State, events: tuple[AnyEvent, ...]) -> State:
    for event in events:
        state = fold(state, event)
    return state


def code(decision: Decision) -> str | None:
    """Why it was refused."""
    return None if decision.refusal is None else decision.refusal.code


class Trial:
    """A session with what its members have answered and asked."""

    def __init__(self, *guests: str) -> None:
        self.state, self.box, self.events = session(*guests), BallotBox(), tuple[AnyEvent, ...]()
        self.deleted = dict[str, DeletedPoll]()
        self._asked = 0

    def do(self, who: str, kind: str, /, **members: Any) -> Decision:
        operation = read_message(json.dumps({"type": kind, "ref": 1, **members}))
        self._asked += 1
        known = replace(facts(NOW + self._asked), fresh_id=f"{self._asked:032x}", ballots=self.box)
        known = replace(known, deleted=self.deleted)
        decision = apply(self.state, operation, who, known)  # type: ignore[arg-type]
        assert decision.refusal is None or (decision.events, decision.ballots) == ((), ())
        gone = [one for one in self.state.polls if decision.state.poll(one.id) is None]
        self.deleted |= {one.id: DeletedPoll(one, dict(self.box.of(one.id))) for one in gone}
        self.state, self.events = decision.state, (*self.events, *decision.events)
        self.box.cast(decision.ballots)
        return decision
