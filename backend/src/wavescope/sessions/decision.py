"""What a rule decides: events or a refusal; and the facts that it needs besides the state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from wavescope.sessions.ballots import Ballot, BallotBox
from wavescope.sessions.events import AnyEvent, fold
from wavescope.sessions.model import Answer, Member, Poll, State
from wavescope.sessions.server_messages import Code, Refusal


class DeletedPoll(NamedTuple):
    """A poll that was deleted, with the answers by member."""

    poll: Poll
    answers: Mapping[str, Answer]


@dataclass(frozen=True)
class Facts:
    """``now`` and ``moved`` (when the presenter last moved) in milliseconds since 1970; ``slides``: titles of the
    new slides that the sender may present, by id; ``tour_seen``: whether the sender may view the tour that it names;
    ``name_taken``: whether another account has the name; ``fresh_id``: the id of a recording that begins; ``removed``:
    the members that were removed, by id; ``ballots``: what the members have answered; ``deleted``: polls that were
    deleted, by id.
    """

    now: int
    moved: int = 0
    slides: Mapping[str, str] = field(default_factory=dict)
    tour_seen: bool = True
    name_taken: bool = False
    fresh_id: str = ""
    removed: Mapping[str, Member] = field(default_factory=dict)
    ballots: BallotBox = field(default_factory=BallotBox)
    deleted: Mapping[str, DeletedPoll] = field(default_factory=dict)


@dataclass(frozen=True)
class Decision:
    """The events in order, and the state after them, with the answers that are stored with the first one; or a refusal,
    which changes nothing.
    """

    state: State
    events: tuple[AnyEvent, ...] = ()
    refusal: Refusal | None = None
    ballots: tuple[Ballot, ...] = ()

    def then(self, *events: AnyEvent) -> Decision:
        """This decision with further events."""
        state = self.state
        for event in events:
            state = fold(state, event)
        return Decision(state, (*self.events, *events), self.refusal, self.ballots)

    def casting(self, *ballots: Ballot) -> Decision:
        """This decision with answers that the state does not show."""
        return Decision(self.state, self.events, self.refusal, (*self.ballots, *ballots))


class Refused(Exception):
    """An operation is refused; raised and caught inside this package only."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.detail)
        self.refusal = refusal


def refused(code: Code, detail: str) -> Refused:
    """To be raised by a rule."""
    return Refused(Refusal(code=code, detail=detail))


def known_member(state: State, member_id: str) -> Member:
    """The member. Raises Refused."""
    member = state.member(member_id)
    if member is None:
        raise refused("unknown-member", f"there is no member {member_id}")
    return member


def check_allowed(allowed: bool, allowed_members: str) -> None:
    """Raises Refused."""
    if not allowed:
        raise refused("not-allowed", f"only {allowed_members} may")
