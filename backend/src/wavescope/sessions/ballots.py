"""What members have answered, asked or chosen, which the state does not show (SE55, SE57)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from wavescope.sessions.model import Answer


class Ballot(NamedTuple):
    """What a member says about ``item``, a poll or question. ``member`` None: of all; ``answer`` None: deleted."""

    item: str
    member: str | None
    answer: Answer | None


class BallotBox:
    """The newest answer of each member about each item."""

    def __init__(self, ballots: Iterable[Ballot] = ()) -> None:
        self._items: dict[str, dict[str, Answer]] = {}
        self.cast(ballots)

    def of(self, item: str) -> Mapping[str, Answer]:
        """All answers about an item, by member."""
        return self._items.get(item, {})

    def by(self, member: str) -> Mapping[str, Answer]:
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
