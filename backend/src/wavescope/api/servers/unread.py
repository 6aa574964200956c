"""Answers in memory whose clients do not read them, and which of them end when they are too many (PR67)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Unread:
    """The bytes of an answer that wait for its client. ``first``: when they began to wait, at ``since`` seconds;
    ``left``: now.
    """

    client: str
    since: float
    first: int
    left: int

    def pace(self, now: float) -> float:
        """Bytes per second that the client has read; one that has just begun has read nothing."""
        return (self.first - self.left) / max(1.0, now - self.since)


class Budget(NamedTuple):
    """Bytes that may wait for one client, and for all."""

    client: int
    service: int


def too_many(waiting: Sequence[Unread], budget: Budget, now: float) -> list[int]:
    """The places of the answers to end, until the budget is kept: of the client for which most bytes wait, the one that
    is read most slowly, and of equally slow ones the oldest. A single answer may be larger than the budget.
    """
    left = dict(enumerate(waiting))
    ended: list[int] = []
    while len(left) > 1:
        sizes: Counter[str] = Counter()
        for one in left.values():
            sizes[one.client] += one.left
        client, most = sizes.most_common(1)[0]
        its = [place for place, one in left.items() if one.client == client]
        if sizes.total() <= budget.service and (most <= budget.client or len(its) == 1):
            return ended
        slowest = min(its, key=lambda place: (left[place].pace(now), left[place].since))
        ended.append(slowest)
        del left[slowest]
    return ended
