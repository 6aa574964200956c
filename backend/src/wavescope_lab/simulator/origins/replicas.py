"""One edge over several origins, with the pure code that decides in the real one: measures, assignments, plans.

What is left of the dispatcher is its order (``blocks/replicated/dispatcher.py``); outages and hedges are not simulated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import simpy

from wavescope.blocks.replicated.measures import Answered, Measures, Sent, fold
from wavescope.blocks.replicated.plan import Plan
from wavescope.blocks.replicated.problem import Demand, Path, Policy, Problem
from wavescope_lab.simulator.origins.paths import Way

REFILL = 4
"""A request is sent when this part of the window is free."""


@dataclass
class WantedBlock:
    """A block that is waited for. ``holders``: bits of the origins that have it."""

    size: int
    holders: int
    here: simpy.Event


class Replicas:
    """``ways``: to the origins, in the order of their bits."""

    def __init__(self, env: simpy.Environment, policy: Policy, ways: Mapping[str, Way], block: int) -> None:
        self.env, self._policy, self._block = env, policy, block
        self._names, self._ways = list(ways), list(ways.values())
        self._measures = [Measures() for _ in ways]
        self._waiting: dict[int, deque[WantedBlock]] = {}
        self._bound: list[deque[WantedBlock]] = [deque() for _ in ways]
        self._plan: Plan | None = None
        self.assignments = 0

    def fetch(self, blocks: Sequence[WantedBlock]) -> None:
        """The events of the blocks succeed when these are here."""
        for one in blocks:
            self._waiting.setdefault(one.holders, deque()).append(one)
        if self._policy.binding:
            self._bind()
        self._plan = None
        self._pump()

    def _problem(self, groups: Mapping[int, Sequence[WantedBlock]]) -> Problem:
        paths = tuple(Path(each.latency, each.bandwidth, each.in_flight) for each in self._measures)
        demands = tuple(Demand(holders, len(group)) for holders, group in groups.items())
        self.assignments += 1
        return Problem(paths, demands, self._block, self.assignments)

    def _bind(self) -> None:
        """Gives each block its origin for good."""
        rows = self._policy.assign(self._problem(self._waiting))
        for group, row in zip(self._waiting.values(), rows, strict=True):
            credits = [0.0] * len(row)
            while group:  # a stride scheduler: origins take turns by their numbers
                credits = [credit + count for credit, count in zip(credits, row, strict=True)]
                chosen = max(range(len(row)), key=lambda n: credits[n])
                credits[chosen] -= sum(row)
                self._bound[chosen].append(group.popleft())
        self._waiting.clear()

    def _space(self, number: int) -> int:
        """Free bytes of the window, 0 if they are too few."""
        measures = self._measures[number]
        window = measures.window(self._block)
        space = window - measures.in_flight
        return space if space * REFILL >= window else 0

    def _pump(self) -> None:
        """Sends what the windows allow."""
        free = {number: space for number in range(len(self._ways)) if (space := self._space(number)) > 0}
        if self._policy.binding:
            for number, space in free.items():
                self._send(number, _taken(self._bound[number], len(self._bound[number]), space))
            return
        self._waiting = {holders: group for holders, group in self._waiting.items() if group}
        if not self._waiting or not free:
            return
        plan, now = self._plan, self.env.now
        names = [self._names[number] for number in free]
        if plan is None or not plan.serves(self._names, self._waiting, names, now):
            problem = self._problem(self._waiting)
            plan = self._plan = Plan(self._names, problem, self._policy.assign(problem), now)
        for number in plan.order:
            taken: list[WantedBlock] = []
            space = free.get(number, 0)
            for holders, group in self._waiting.items():
                more = _taken(group, plan.rows[holders][number], space)
                plan.rows[holders][number] -= len(more)
                space -= sum(one.size for one in more)
                taken += more
            self._send(number, taken)

    def _send(self, number: int, blocks: Sequence[WantedBlock]) -> None:
        """One request, whose answers are measured as the real ones are."""
        if not blocks:
            return
        before, sent, left = self._measures[number], self.env.now, len(blocks)
        self._measures[number] = fold(before, Sent(sum(one.size for one in blocks)))

        def arrived(at: int) -> None:
            nonlocal left
            first, left = left == len(blocks), left - 1
            size, delay = blocks[at].size, self.env.now - sent if first else None
            event = Answered(self.env.now, size, size, first, left == 0, delay, not before.requests)
            self._measures[number] = fold(self._measures[number], event)
            blocks[at].here.succeed()
            self._pump()

        self._ways[number].request([one.size for one in blocks], arrived)


def _taken(group: deque[WantedBlock], limit: int, space: int) -> list[WantedBlock]:
    """The next blocks, as many as the assignment and the window allow; at least one if there is space."""
    taken: list[WantedBlock] = []
    while group and len(taken) < limit and space > 0:
        space -= group[0].size
        taken.append(group.popleft())
    return taken
