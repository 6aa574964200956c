"""Clients stay at their nodes for a time to live; a node that is overloaded gives clients up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wavescope.distribution.loads import least_loaded


@dataclass(frozen=True)
class Limits:
    """``ttl``: seconds from the last request of a client; ``max_requests``: with so many a node is overloaded.

    ``sliding``: the time to live begins again with every request, as in a table of the balancer; else it begins when
    the client gets its node, as in the paper.
    """

    ttl: float
    max_requests: int
    sliding: bool = True


@dataclass
class Clients:
    """The node of each client, and when it ends."""

    nodes: dict[str, tuple[str, float]] = field(default_factory=dict)


def by_client(
    state: Clients, client: str, names: Sequence[str], requests: Mapping[str, int], now: float, limits: Limits
) -> str:
    """The client's node. It is replaced when its time is over, when it is not among ``names``, or when it is overloaded
    and another one is not; the new one is the least loaded.
    """
    found, until = state.nodes.get(client, ("", now))
    if found in names and now < until and not _overloaded(found, names, requests, limits.max_requests):
        if limits.sliding:
            state.nodes[client] = found, now + limits.ttl
        return found
    chosen = least_loaded(names, requests, client)
    state.nodes[client] = chosen, now + limits.ttl
    return chosen


def expire(state: Clients, now: float) -> None:
    """Forgets clients whose time is over."""
    for client in [client for client, (_, until) in state.nodes.items() if until <= now]:
        del state.nodes[client]


def adapted_ttl(ttl: float, queues: Sequence[int], hit_ratio: float, bounds: tuple[float, float]) -> float:
    """A longer time to live where locality matters, a shorter one where balance does (Khaleel 1999, section 2).

    ``queues``: requests at each node. The longest queue above twice the mean halves the time; else a hit ratio below
    0.9 doubles it.
    """
    mean = sum(queues) / len(queues) if queues else 0.0
    if queues and max(queues) > 2 * mean + 1:
        ttl /= 2
    elif hit_ratio < 0.9:
        ttl *= 2
    return min(max(ttl, bounds[0]), bounds[1])


def _overloaded(node: str, names: Sequence[str], requests: Mapping[str, int], max_requests: int) -> bool:
    return requests.get(node, 0) >= max_requests > min(requests.get(name, 0) for name in names)
