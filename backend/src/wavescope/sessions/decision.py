"""What a rule decides: the events it makes, or why it refuses; and what a rule may know beside the state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wavescope.sessions.events import AnyEvent, fold
from wavescope.sessions.model import State
from wavescope.sessions.server_messages import Refusal


@dataclass(frozen=True)
class Facts:
    """``now`` and ``moved`` (when the presenter last moved) in milliseconds; ``slides``: titles of those the sender may
    present; ``tour_seen``: whether it may view the tour it names; ``fresh_id``: for a recording that begins.
    """

    now: int
    moved: int = 0
    slides: Mapping[str, str] = field(default_factory=dict)
    tour_seen: bool = True
    fresh_id: str = ""


@dataclass(frozen=True)
class Decision:
    """Events to be folded in order, or a refusal that changes nothing."""

    state: State
    events: tuple[AnyEvent, ...] = ()
    refusal: Refusal | None = None

    def then(self, *events: AnyEvent) -> Decision:
        """With these events too."""
        state = self.state
        for event in events:
            state = fold(state, event)
        return Decision(state, (*self.events, *events), self.refusal)


class Refused(Exception):
    """An operation that may not be done; raised inside this room only."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.detail)
        self.refusal = refusal
