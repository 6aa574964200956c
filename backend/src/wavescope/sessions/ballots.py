"""What members have answered or chosen, which the state does not show (SE55)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from wavescope.sessions.model import PollAnswer


class Ballot(NamedTuple):
    """A member's answer about ``item``, such as a poll. ``member`` None: of all members; ``answer`` None: deleted."""

    item: str
    member: str | None
    answer: PollAnswer | None


class BallotBox:
    """The newest answer of each member about each item."""

    def __init__(self, ballots: Iterable[Ballot] = ()) -> None:
        self._items: dict[str, dict[str, PollAnswer]] = {}
        self.cast(ballots)

    def of(self, item: str) -> Mapping[str, PollAnswer]:
        """All answers about an item, by member."""
        return self._items.get(item, {})

    def by(self, member: str) -> Mapping[str, PollAnswer]:
        """All answers of a member, by item."""
        return {item: answers[member] for item, answers in self._items.items() if member in answers}

    def cast(self, ballots: Iterable[Ballot]) -> None:
        """Adds, replaces and deletes answers."""
        for item, member, answer in ballots:
            answers = self._items.setdefault(item, {})
            if member is None:
                answers.clear()
            elif answer is None:
                answers.pop(member, None)
            else:
                answers[member] = answer
            if not answers:
                del self._items[item]
