"""Who comes and goes with an event (SE59)."""

from __future__ import annotations

from wavescope.sessions.events import AnyEvent, fold
from wavescope.sessions.model import State


def comings(before: State, event: AnyEvent) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The members that arrive and those that leave with an event; with the end of the session all leave."""
    after = fold(before, event)
    was, now = _present(before), _present(after)
    return tuple(one for one in now if one not in was), tuple(one for one in was if one not in now)


def _present(state: State) -> dict[str, None]:
    return {} if state.state == "ended" else {one.id: None for one in state.members if one.present}
