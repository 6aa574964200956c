"""An assignment while it is executed: the windows fetch from it piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wavescope.blocks.replicated.problem import Counts, Problem

PLAN_SECONDS = 0.25  # after which the measures have changed enough for a new one


class Plan:
    """What is left of an assignment. ``names``: the origins by the number of their path."""

    def __init__(self, names: Sequence[str], problem: Problem, counts: Counts, now: float) -> None:
        self.names, self.made = tuple(names), now
        self.rows = {demand.holders: list(row) for demand, row in zip(problem.demands, counts, strict=True)}
        self.order = sorted(range(len(self.names)), key=lambda n: problem.paths[n].ready)
        self._passed_over = {n for n in self.order if not self._left(n)}

    def serves(self, names: Sequence[str], holders: Iterable[int], free: Iterable[str], now: float) -> bool:
        """Whether it is still good for blocks of these holders. It is not once an origin is ``free`` early: the blocks
        that were meant for others are then shared anew.
        """
        if self.names != tuple(names) or now - self.made > PLAN_SECONDS:
            return False
        waiting = 0
        for each in holders:
            if each not in self.rows:
                return False
            waiting |= each
        numbers = (self.names.index(name) for name in free)
        return all(self._left(n) or n in self._passed_over for n in numbers if waiting >> n & 1)

    def _left(self, path: int) -> int:
        return sum(row[path] for row in self.rows.values())
