"""SWEB's decision (Andresen 1996): the node at which a request is estimated to be answered first.

T = T_redirection + T_data + T_CPU; T_net is the same for all nodes. The oracle is a table of the cost of each route,
learnt from answers of nodes that had nothing else to do. `cluster/distribution/least_time.lua` decides the same inside
the balancer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FIRST_COST = 0.005
"""Seconds of a unit of a route that was never measured."""
LEARNT = 0.1
"""Part of the newest measurement in a cost."""
SPEEDS = (0.05, 2.0)
"""Bounds of the learnt speed of a node, 1 being that at which costs were learnt."""


@dataclass(frozen=True)
class Request:
    """What the oracle knows of a request. ``units``: of its route: pixels of a region, entries of a batch, in any unit
    that its cost is proportional to; at least 1.
    """

    route: str
    slide: str = ""
    units: float = 1.0


@dataclass
class Oracle:
    """``costs``: seconds of processor time by route and unit; ``data``: seconds by unit to bring data that a node does
    not have; ``redirection``: seconds to pass a request on to another node.
    """

    costs: dict[str, float] = field(default_factory=dict)
    data: float = 0.0
    redirection: float = 0.0


@dataclass
class NodeState:
    """``work``: seconds of estimated work in progress; ``speed``: learnt; ``slides``: those it has served lately, with
    the time until which their data counts as being there.
    """

    work: float = 0.0
    speed: float = 1.0
    slides: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Broker:
    """Who decides. ``at``: the node whose broker it is, empty for the balancer; ``hops``: redirections so far."""

    at: str = ""
    hops: int = 0


BALANCER = Broker()


def cost(oracle: Oracle, request: Request) -> float:
    """Estimated seconds of processor time."""
    return oracle.costs.get(request.route, FIRST_COST) * max(1.0, request.units)


def estimate(oracle: Oracle, node: NodeState, request: Request, now: float, redirected: bool) -> float:
    """Seconds until the node would have answered."""
    missing = bool(request.slide) and node.slides.get(request.slide, now) <= now
    data = oracle.data * max(1.0, request.units) if missing else 0.0
    busy = (node.work + cost(oracle, request)) / node.speed
    return (oracle.redirection if redirected else 0.0) + data + busy


def choose(
    oracle: Oracle, nodes: Mapping[str, NodeState], request: Request, now: float, broker: Broker = BALANCER
) -> str:
    """The node with the least estimate, the first of equal ones. ``nodes``: those that are alive; ValueError without
    one. A broker at a node serves what was passed on to it: there is at most one redirection.
    """
    if broker.at and broker.hops > 0:
        return broker.at
    times = {name: estimate(oracle, nodes[name], request, now, broker.at not in ("", name)) for name in sorted(nodes)}
    return min(times, key=lambda name: times[name])


@dataclass(frozen=True)
class Assigned:
    """A request at a node. ``cost``: its estimated seconds; ``expected``: those of all work at the node with it."""

    cost: float
    expected: float


def assigned(oracle: Oracle, node: NodeState, request: Request, now: float, remembered: float) -> Assigned:
    """The request is at the node from now on; what ``answered`` needs. ``remembered``: seconds for which the data of
    the slide counts as being there.
    """
    seconds = cost(oracle, request)
    node.work += seconds
    if request.slide:
        node.slides[request.slide] = now + remembered
    return Assigned(seconds, node.work)


def answered(oracle: Oracle, node: NodeState, request: Request, mark: Assigned, taken: float) -> None:
    """The request was answered ``taken`` seconds after it was assigned.

    If the node had nothing else to do then, what it took is what the route costs; else how much longer it took than
    expected is how much slower the node is.
    """
    node.work = max(0.0, node.work - mark.cost)
    if mark.expected <= mark.cost * 1.01:
        measured = taken * node.speed / max(1.0, request.units)
        known = oracle.costs.get(request.route)
        oracle.costs[request.route] = measured if known is None else known + LEARNT * (measured - known)
    elif taken > 0:
        speed = node.speed + LEARNT * (mark.expected / taken - node.speed)
        node.speed = min(max(speed, SPEEDS[0]), SPEEDS[1])
