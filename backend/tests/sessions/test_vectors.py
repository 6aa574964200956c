"""Folding comes to the states that both sides have agreed on (shared/vectors/session)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

from wavescope.sessions.events import EVENT, AnyEvent, fold
from wavescope.sessions.live import with_changes, with_cursors, with_views
from wavescope.sessions.model import State
from wavescope.sessions.server_messages import Tick

FOLDS = Path(__file__).resolve().parents[3] / "shared" / "vectors" / "session" / "folds.json"


def ticked(state: State, tick: Tick) -> State:
    state = with_views(state, tick.views or ())
    if tick.stage == state.stage.number:
        state = with_cursors(state, tick.cursors or ())
    for changes in tick.annotations or ():
        state = with_changes(state, changes)
    return state


def test_every_step_of_the_vectors_leads_to_its_state_se2() -> None:
    vectors = json.loads(FOLDS.read_text())
    state = State.model_validate_json(json.dumps(vectors["start"]))
    kinds = set()
    for step in vectors["steps"]:
        if "event" in step:
            kinds.add(step["event"]["kind"])
            state = fold(state, EVENT.validate_json(json.dumps(step["event"])))
        else:
            state = ticked(state, Tick.model_validate_json(json.dumps({"type": "tick", **step["tick"]})))
        assert state.model_dump(mode="json") == step["state"]
    assert kinds == {event.model_fields["kind"].default for event in get_args(AnyEvent)} - {"title"}
