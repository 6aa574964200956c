"""Locality-aware request distribution as published (Pai 1998), with replication: each slide has a set of nodes.

The balancer's policy `lard` is not this one: it bounds the loads of a consistent hash and has no state per slide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wavescope.distribution.loads import least_loaded


@dataclass(frozen=True)
class Thresholds:
    """Requests at a node: below ``low`` it is idle, above ``high`` its answers wait. ``stable``: seconds without a
    change after which a slide gives up a node.
    """

    low: int = 25
    high: int = 65
    stable: float = 20.0


@dataclass
class Sets:
    """The nodes of each slide, and when they last changed."""

    nodes: dict[str, list[str]] = field(default_factory=dict)
    changed: dict[str, float] = field(default_factory=dict)


def locality_aware(
    state: Sets, slide: str, names: Sequence[str], requests: Mapping[str, int], now: float, limits: Thresholds
) -> str:
    """The node of a request. ``names``: the nodes that are alive; ``requests``: in work at each."""
    own = [name for name in state.nodes.get(slide, []) if name in names]
    if not own:
        chosen = least_loaded(names, requests, slide)
        return _keep(state, slide, [chosen], now, chosen)
    chosen = least_loaded(own, requests, slide)
    load = requests.get(chosen, 0)
    idle = any(requests.get(name, 0) < limits.low for name in names)
    if (load > limits.high and idle) or load >= 2 * limits.high:
        chosen = least_loaded(names, requests, slide)
        if chosen not in own:
            return _keep(state, slide, [*own, chosen], now, chosen)
    if len(own) > 1 and now - state.changed.get(slide, now) > limits.stable:
        busiest = max(own, key=lambda name: requests.get(name, 0))
        remaining = [name for name in own if name != busiest]
        if chosen not in remaining:
            chosen = least_loaded(remaining, requests, slide)
        return _keep(state, slide, remaining, now, chosen)
    state.nodes[slide] = own
    return chosen


def _keep(state: Sets, slide: str, own: list[str], now: float, chosen: str) -> str:
    state.nodes[slide], state.changed[slide] = own, now
    return chosen
