"""A closed system: groups of clients, each with stations of its own, that share the nodes (SI21).

Clients wait for an answer, think, and ask again: N = X (R + Z). A request finds the load that the other clients make
(Schweitzer's approximation): so no station is more than fully busy, and one client alone never waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wavescope_lab.planning.queues import NONE, Wait, wait
from wavescope_lab.planning.roots import rising_root


class Station(NamedTuple):
    """One server that the clients of a group share. ``visits`` for each request; seconds of service."""

    visits: float
    service: float
    variation: float

    @property
    def demand(self) -> float:
        """Seconds of service for each request."""
        return self.visits * self.service


class CustomerClass(NamedTuple):
    """``groups`` of ``clients`` each: their stations, constant seconds (thinking too), visits to a node."""

    groups: float
    clients: float
    stations: tuple[Station, ...]
    constant: float
    misses: float

    @property
    def everyone(self) -> float:
        """All clients of these groups."""
        return self.groups * self.clients


class Flow(NamedTuple):
    """Requests per second of one client, and the waiting of each visit to the stations."""

    rate: float
    waits: tuple[Wait, ...]


class Nodes(NamedTuple):
    """Equal nodes with several processors each; requests are spread evenly."""

    number: int
    processors: int
    service: float
    variation: float


def solve(classes: tuple[CustomerClass, ...], nodes: Nodes) -> tuple[list[Flow], Wait]:
    """The flow of each class of customers, and the waiting at the nodes."""
    everyone = sum(customers.everyone for customers in classes)
    others = max(0.0, 1 - 1 / everyone)

    def at_nodes(seconds: float) -> Wait:
        rate = sum(customers.everyone * customers.misses * _flow(customers, seconds).rate for customers in classes)
        return wait(rate / nodes.number * others, nodes.service, nodes.variation, nodes.processors)

    seconds = _root(lambda seconds: at_nodes(seconds).mean)
    waits = at_nodes(seconds)
    return [_flow(customers, waits.mean) for customers in classes], waits


def _flow(customers: CustomerClass, node_wait: float) -> Flow:
    if customers.everyone <= 0:
        return Flow(0.0, tuple(NONE for _ in customers.stations))
    constant = customers.constant + customers.misses * node_wait
    constant += sum(station.demand for station in customers.stations)
    full = [
        1 / (customers.clients * each.demand)
        for each in customers.stations
        if each.demand > 0 and customers.clients > 1
    ]
    most = min([1 / constant, *full])

    def excess(rate: float) -> float:
        waiting = sum(each.visits * _wait(customers, each, rate).mean for each in customers.stations if each.demand > 0)
        return rate * (constant + waiting) - 1

    rate = most if excess(most) <= 0 else rising_root(excess, 0.0, most)
    return Flow(rate, _waits(customers, rate, 1 / rate - constant))


def _waits(customers: CustomerClass, rate: float, waiting: float) -> tuple[Wait, ...]:
    """By station; ``waiting``: of all visits of a request. What a full station cannot explain otherwise is its own."""
    waits = [_wait(customers, each, rate) if each.demand > 0 else NONE for each in customers.stations]
    more = waiting - sum(each.visits * found.mean for each, found in zip(customers.stations, waits, strict=True))
    busiest = max(range(len(waits)), key=lambda place: customers.stations[place].demand)
    mean = waits[busiest].mean
    if more > 1e-9 * waiting and mean > 0:
        added = mean + more / customers.stations[busiest].visits
        waits[busiest] = Wait(added, waits[busiest].variance * (added / mean) ** 2)
    return tuple(waits)


def _wait(customers: CustomerClass, station: Station, rate: float) -> Wait:
    """Of each visit."""
    return wait(rate * max(0.0, customers.clients - 1) * station.visits, station.service, station.variation)


def _root(falling: Callable[[float], float]) -> float:
    """The x at which a falling function is x."""
    if falling(0.0) <= 0:
        return 0.0
    high = 1e-3
    while falling(high) > high:
        high *= 2
    return rising_root(lambda x: x - falling(x), 0.0, high)
