"""How a plan behaves around its point: curves over nodes, caches and clients, and what breaks first (SI23)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wavescope_lab.planning.response import Prediction, predict
from wavescope_lab.planning.search import MAX_NODES, Goal, Plan, sizes
from wavescope_lab.planning.situation import NUMBERS, Equipment, Situation

POINTS = 13


@dataclass(frozen=True)
class Point:
    """``at``: the number of nodes, GB of an edge, or clients."""

    at: float
    found: Prediction
    met: bool


@dataclass(frozen=True)
class Limit:
    """The clients up to which a plan meets its goal, and the part that is busiest there: what breaks first."""

    clients: int
    part: str
    utilisation: float


def over_nodes(plan: Plan, goal: Goal) -> list[Point]:
    """From one node to twice as many as planned."""
    most = min(MAX_NODES, max(4, plan.equipment.nodes * 2))
    counts = sorted({round(1 + (most - 1) * step / (POINTS - 1)) for step in range(POINTS)} | {plan.equipment.nodes})
    return [_point(count, plan.situation, replace(plan.equipment, nodes=count), goal) for count in counts]


def over_edges(plan: Plan, goal: Goal) -> list[Point]:
    """From no edge to one whose cache has space for all slides."""
    return [_point(size, plan.situation, replace(plan.equipment, edge_gb=size), goal) for size in sizes(plan.situation)]


def over_clients(plan: Plan, goal: Goal, maximum: int) -> list[Point]:
    """From few clients to ``maximum``."""
    counts = sorted({max(1, round(maximum * step / POINTS)) for step in range(1, POINTS + 1)})
    return [_point(count, replace(plan.situation, clients=count), plan.equipment, goal) for count in counts]


def _point(at: float, situation: Situation, equipment: Equipment, goal: Goal) -> Point:
    found = predict(situation, equipment)
    return Point(at, found, goal.met(found))


def breaks_first(plan: Plan, goal: Goal) -> Limit:
    """By halving: more clients never make an answer faster."""
    low, high = plan.situation.clients, plan.situation.clients
    top = int(NUMBERS["clients"].high)
    while high < top and goal.met(predict(replace(plan.situation, clients=high), plan.equipment)):
        low, high = high, min(top, high * 2)
    while high - low > 1:
        middle = (low + high) // 2
        met = goal.met(predict(replace(plan.situation, clients=middle), plan.equipment))
        low, high = (middle, high) if met else (low, middle)
    first = predict(replace(plan.situation, clients=high), plan.equipment).first
    return Limit(low, first.name, first.utilisation)
