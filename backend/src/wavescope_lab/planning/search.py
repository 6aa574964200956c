"""The cheapest equipment that meets a goal (SI22).

More of anything never makes an answer slower. So for each size of the caches the least number of nodes is found by
halving, and what costs more than the best so far with a single node is not tried. Of equal prices the first is taken,
so that the same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from wavescope_lab.errors import GoalNotReachable
from wavescope_lab.planning.prices import Prices
from wavescope_lab.planning.response import Prediction, predict
from wavescope_lab.planning.situation import EQUIPMENT, Equipment, Number, Situation, all_checked

MAX_NODES = int(EQUIPMENT["nodes"].high)
LADDER_GB = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
"""Sizes of caches that can be bought."""
MAX_BUSY = 0.8
GOALS: Mapping[str, Number] = {
    "mean_seconds": Number(0.25, 1e-4, 3600, "mean time of an answer, at most, s"),
    "p95_seconds": Number(0, 0, 3600, "95 % of the answers within so many s; 0: no such goal"),
    "most_busy": Number(MAX_BUSY, 0.05, 1, "no part is busy for more than this share of the time"),
}
"""Of a goal, with bounds and defaults (SI20)."""


@dataclass(frozen=True)
class Goal:
    """``mean_seconds``: of all requests. ``percent`` of them within ``percent_seconds``, unless that is 0. No part of
    the system is busy for more than ``most_busy`` of the time: what is above has nothing left for a busy hour."""

    mean_seconds: float
    percent: float = 95.0
    percent_seconds: float = 0.0
    most_busy: float = MAX_BUSY

    def met(self, found: Prediction) -> bool:
        """Whether a prediction meets it."""
        if found.mean > self.mean_seconds or found.first.utilisation > self.most_busy:
            return False
        return not self.percent_seconds or found.within(self.percent_seconds) >= self.percent / 100


def goal(values: Mapping[str, object]) -> Goal:
    """Of GOALS, with the defaults for what is not given. Raises InvalidParameter."""
    found = all_checked(values, GOALS)
    return Goal(found["mean_seconds"], 95.0, found["p95_seconds"], found["most_busy"])


@dataclass(frozen=True)
class Plan:
    """Equipment that meets a goal, and its price in a month; ``tried``: predictions that were made to find it."""

    situation: Situation
    equipment: Equipment
    price: float
    found: Prediction
    tried: int


def sizes(situation: Situation) -> list[float]:
    """Caches that are worth trying: none, and sizes up to the first that has space for all slides in use."""
    found = [0.0]
    for size in LADDER_GB:
        found.append(float(size))
        if size >= situation.slides * situation.slide_gb:
            break
    return found


def cheapest(
    situation: Situation, goal: Goal, prices: Prices, progress: Callable[[int], None] = lambda _: None
) -> Plan:
    """Raises GoalNotReachable, with what stands in the way."""
    best: Plan | None = None
    tried = 0

    def meets(equipment: Equipment) -> Prediction | None:
        nonlocal tried
        tried += 1
        progress(tried)
        found = predict(situation, equipment)
        return found if goal.met(found) else None

    for edge_gb in sizes(situation) if situation.site_clients > 0 else [0.0]:
        if meets(Equipment(MAX_NODES, edge_gb, sizes(situation)[-1])) is None:
            continue  # nothing behind these edges helps
        for node_gb in sizes(situation):
            one = Equipment(1, edge_gb, node_gb)
            max_nodes = _affordable(situation, one, prices, best.price if best else None)
            found = _min_nodes(one, max_nodes, meets) if max_nodes else None
            if found is None:
                continue
            equipment, prediction = found
            price = prices.of(situation, equipment)
            if best is None or price < best.price:
                best = Plan(situation, equipment, price, prediction, tried)
    if best is None:
        raise GoalNotReachable(*bottleneck(situation, goal))
    return replace(best, tried=tried)


def _affordable(situation: Situation, one: Equipment, prices: Prices, budget: float | None) -> int:
    """The most nodes that cost less than the best plan so far; 0 if there are none."""
    if budget is None:
        return MAX_NODES
    left = budget - (prices.of(situation, one) - prices.of_node(one))
    each = prices.of_node(one)
    if each <= 0:
        return MAX_NODES if left > 0 else 0
    return max(0, min(MAX_NODES, int(left / each)))


Meets = Callable[[Equipment], Prediction | None]


def _min_nodes(one: Equipment, max_nodes: int, meets: Meets) -> tuple[Equipment, Prediction] | None:
    """The least number of nodes up to ``max_nodes`` that meets the goal: doubling, then halving."""
    high, low = 1, 0
    found = meets(one)
    while found is None:
        if high >= max_nodes:
            return None
        low, high = high, min(max_nodes, high * 2)
        found = meets(replace(one, nodes=high))
    while high - low > 1:
        middle = (low + high) // 2
        better = meets(replace(one, nodes=middle))
        if better is None:
            low = middle
        else:
            high, found = middle, better
    return replace(one, nodes=high), found


def bottleneck(situation: Situation, goal: Goal) -> tuple[str, str]:
    """What stands in the way of a goal that nothing meets: the part, and a sentence with its figures."""
    all_sizes = sizes(situation)
    caches = [all_sizes[-1], 0.0] if situation.site_clients > 0 else [0.0]
    choices = [predict(situation, Equipment(MAX_NODES, edge_gb, all_sizes[-1])) for edge_gb in caches]
    found = min(choices, key=lambda each: (max(0.0, each.first.utilisation - goal.most_busy), each.mean))
    first = found.first
    if first.utilisation > goal.most_busy:
        return (
            first.name,
            f"{FULL[first.name]} is busy {first.utilisation:.0%} of the time, more than {goal.most_busy:.0%}",
        )
    slowest = max(found.parts, key=lambda part: part.seconds)
    if found.mean > goal.mean_seconds:
        alone = f"{NAMES[slowest.name]} alone takes {slowest.seconds:.3g} s of {found.mean:.3g} s in the mean"
        return slowest.name, f"{alone}, and the goal is {goal.mean_seconds:.3g} s"
    within = found.within(goal.percent_seconds)
    few = f"only {within:.1%} of the answers come within {goal.percent_seconds:.3g} s, not {goal.percent:.3g} %"
    return slowest.name, f"{few}; {NAMES[slowest.name]} takes most of the time, {slowest.seconds:.3g} s in the mean"


NAMES = {
    "edge": "the edge",
    "lan": "the network of the sites",
    "link": "the link of the sites",
    "away": "the link of clients that are at no site",
    "nodes": "the work of the nodes",
    "store": "the object store",
}
FULL = {**NAMES, "nodes": f"the processor of {MAX_NODES:,} nodes"}
