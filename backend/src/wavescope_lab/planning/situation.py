"""What a plan is made for, as plain numbers with bounds: clients, links, slides, and what a request costs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from wavescope.errors import InvalidParameter
from wavescope_lab.workload import markov


class Number(NamedTuple):
    """A number of a plan: its default, its least and greatest value, and what it means."""

    default: float
    low: float
    high: float
    meaning: str
    integer: bool = False


_SHARES = markov.long_run_shares()
THINK_SECONDS = sum(
    share * sum((low + high) / 2 for low, high in bins) / len(bins)
    for share, bins in zip(_SHARES, markov.THINK_SECONDS, strict=True)
)
FULL_SHARE = sum(share * full for share, full in zip(_SHARES, markov.FULL_VIEW, strict=True))

NUMBERS: Mapping[str, Number] = MappingProxyType(
    {
        "clients": Number(40, 1, 1_000_000, "people who look at slides at the same time", integer=True),
        "sites": Number(1, 1, 100_000, "places with a link of their own, with equally many clients", integer=True),
        "away": Number(0, 0, 1, "share of the clients that are at no site, each with a link of their own"),
        "link_mbit": Number(100, 0.1, 1e6, "link between a site and the nodes, Mbit/s"),
        "link_ms": Number(20, 0, 5000, "round trip of this link, ms"),
        "lan_mbit": Number(1000, 0.1, 1e6, "network of a site, Mbit/s"),
        "lan_ms": Number(1, 0, 5000, "round trip in this network, ms"),
        "away_mbit": Number(50, 0.1, 1e6, "link of a client that is at no site, Mbit/s"),
        "away_ms": Number(30, 0, 5000, "round trip of that link, ms"),
        "slides": Number(200, 1, 1_000_000, "slides in use at the same time of the year", integer=True),
        "slide_gb": Number(0.5, 0.001, 1000, "size of a stored slide, GB"),
        "popularity": Number(
            0.8, 0, 3, "how much more some slides are viewed: share of a slide is rank ** -popularity"
        ),
        "first_views": Number(0.1, 0, 1, "share of the views that nobody at the site has seen before"),
        "think_seconds": Number(THINK_SECONDS, 0.1, 3600, "mean time between an answer and the next request, s"),
        "full_share": Number(FULL_SHARE, 0, 1, "share of the requests that are for a full view, not for a fine move"),
        "full_bytes": Number(99_000, 1, 1e9, "bytes of a full view"),
        "fine_bytes": Number(12_400, 1, 1e9, "bytes of a fine move"),
        "edge_cpu": Number(0.0003, 0, 10, "processor time of an edge for a request, s"),
        "edge_variation": Number(1, 0, 100, "its squared coefficient of variation: 0 constant, 1 exponential"),
        "node_cores": Number(4, 1, 1000, "processors of a node", integer=True),
        "node_cpu": Number(0.00086, 0, 10, "processor time of a node for a request, s"),
        "node_variation": Number(1, 0, 100, "its squared coefficient of variation"),
        "store": Number(0.009, 0, 60, "time of the object store for a request that no node has stored, s"),
        "store_variation": Number(1, 0, 100, "its squared coefficient of variation"),
        "store_rate": Number(2000, 0.1, 1e9, "requests per second that the object store can serve"),
    }
)
EQUIPMENT: Mapping[str, Number] = MappingProxyType(
    {
        "nodes": Number(1, 1, 10_000, "services behind the balancer", integer=True),
        "edge_gb": Number(0, 0, 1e6, "cache of the edge at each site, GB; 0: no edge"),
        "node_gb": Number(10, 0, 1e6, "cache of each node, GB"),
    }
)


@dataclass(frozen=True)
class Situation:
    """See NUMBERS, which has the bounds and meanings."""

    clients: int
    sites: int
    away: float
    link_mbit: float
    link_ms: float
    lan_mbit: float
    lan_ms: float
    away_mbit: float
    away_ms: float
    slides: int
    slide_gb: float
    popularity: float
    first_views: float
    think_seconds: float
    full_share: float
    full_bytes: float
    fine_bytes: float
    edge_cpu: float
    edge_variation: float
    node_cores: int
    node_cpu: float
    node_variation: float
    store: float
    store_variation: float
    store_rate: float

    @property
    def away_clients(self) -> int:
        """Clients that are at no site."""
        return math.floor(self.clients * self.away + 0.5)

    @property
    def site_clients(self) -> float:
        """Clients at each site; a mean."""
        return (self.clients - self.away_clients) / self.sites


@dataclass(frozen=True)
class Equipment:
    """What can be bought: see EQUIPMENT."""

    nodes: int
    edge_gb: float
    node_gb: float


Numbers = TypeVar("Numbers", Situation, Equipment)


def checked_situation(values: Mapping[str, object]) -> Situation:
    """With the defaults for what is not given. Raises InvalidParameter."""
    return Situation(**all_checked(values, NUMBERS))


def checked_equipment(values: Mapping[str, object]) -> Equipment:
    """With the defaults for what is not given. Raises InvalidParameter."""
    return Equipment(**all_checked(values, EQUIPMENT))


def all_checked(values: Mapping[str, object], known: Mapping[str, Number]) -> dict[str, Any]:
    """All numbers that are known, with their defaults. Raises InvalidParameter, also for a name that is not known."""
    for name in values:
        if name not in known:
            raise InvalidParameter(name[:80], values[name], f"one of {', '.join(known)}")
    return {name: checked(name, values.get(name, number.default), number) for name, number in known.items()}


def checked(name: str, value: object, number: Number) -> float:
    """The value, if it is one of this number. Raises InvalidParameter."""
    kind: type = int if number.integer else float
    good = isinstance(value, int | float) and not isinstance(value, bool) and number.low <= value <= number.high
    if not good or (number.integer and value != int(value)):  # type: ignore[call-overload]
        what = "a whole number" if number.integer else "a number"
        raise InvalidParameter(name, value, f"{what} from {number.low:g} to {number.high:g}")
    found: float = kind(value)
    return found


assert tuple(NUMBERS) == tuple(each.name for each in fields(Situation))
assert tuple(EQUIPMENT) == tuple(each.name for each in fields(Equipment))
