"""Response times of a situation with some equipment, by formulas, and how busy each part is (SI21)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from wavescope_lab.planning.closed import CustomerClass, Flow, Nodes, Station, solve
from wavescope_lab.planning.hits import Hits, hit_ratios
from wavescope_lab.planning.queues import Wait, gamma_cdf
from wavescope_lab.planning.roots import rising_root
from wavescope_lab.planning.situation import Equipment, Situation

PARTS = ("edge", "lan", "link", "away", "nodes", "store")


class Part(NamedTuple):
    """``utilisation``: the part of the time in which it is busy; ``seconds``: its share of the mean response time."""

    name: str
    utilisation: float
    seconds: float


class Kind(NamedTuple):
    """Requests of one kind: their share, the least time they take, mean and variance of what comes on top."""

    share: float
    min_seconds: float
    mean: float
    variance: float


@dataclass(frozen=True)
class Prediction:
    """Seconds; ``throughput`` in requests per second; ``site``, ``elsewhere``: means of both groups of clients."""

    mean: float
    site: float
    elsewhere: float
    throughput: float
    hits: Hits
    parts: tuple[Part, ...]
    kinds: tuple[Kind, ...]

    def within(self, seconds: float) -> float:
        """The share of the requests that are answered within this time."""
        return sum(kind.share * _below(kind, seconds) for kind in self.kinds)

    def percentile(self, percent: float) -> float:
        """The time within which this percentage of the requests is answered."""
        high = 1.0
        while self.within(high) < percent / 100 and high < 1e9:
            high *= 2
        return rising_root(lambda seconds: self.within(seconds) - percent / 100, 0.0, high)

    @property
    def first(self) -> Part:
        """What becomes full first if there are more clients."""
        return max(self.parts, key=lambda part: part.utilisation)


def predict(situation: Situation, equipment: Equipment) -> Prediction:
    """The response times, and how busy each part is."""
    hits = _hits(situation, equipment)
    lan, link, away_link = (
        _transfer(situation, mbit) for mbit in (situation.lan_mbit, situation.link_mbit, situation.away_mbit)
    )
    edge = Station(1.0 if equipment.edge_gb > 0 else 0.0, situation.edge_cpu, situation.edge_variation)
    behind = situation.node_cpu + (1 - hits.node) * situation.store
    missed = 1 - hits.edge
    site = CustomerClass(
        situation.sites,
        situation.site_clients,
        (edge, lan, link._replace(visits=missed)),
        situation.think_seconds + situation.lan_ms / 1000 + missed * (situation.link_ms / 1000 + behind),
        missed,
    )
    away = CustomerClass(
        situation.away_clients, 1.0, (away_link,), situation.think_seconds + situation.away_ms / 1000 + behind, 1.0
    )
    nodes = Nodes(equipment.nodes, situation.node_cores, situation.node_cpu, situation.node_variation)
    flows, waits = solve((site, away), nodes)
    amounts = [site.everyone * flows[0].rate, away.everyone * flows[1].rate]
    whole = sum(amounts)
    shares = [amount / whole for amount in amounts]
    found = [1 / flow.rate - situation.think_seconds if flow.rate > 0 else 0.0 for flow in flows]
    groups = [Group(customers, flow, share) for customers, flow, share in zip((site, away), flows, shares, strict=True)]
    return Prediction(
        mean=shares[0] * found[0] + shares[1] * found[1],
        site=found[0],
        elsewhere=found[1],
        throughput=whole,
        hits=hits,
        parts=_parts(situation, equipment, groups, whole, (hits, waits)),
        kinds=(*_site_kinds(situation, groups[0], hits, waits), *_away_kinds(situation, groups[1], hits, waits)),
    )


class Group(NamedTuple):
    """The clients at sites, or those elsewhere, with their share of all requests."""

    customers: CustomerClass
    flow: Flow
    share: float


def _hits(situation: Situation, equipment: Equipment) -> Hits:
    """The hit ratio of the nodes is that behind the edges."""
    edge, nodes = equipment.edge_gb / situation.slide_gb, equipment.nodes * equipment.node_gb / situation.slide_gb
    return hit_ratios(situation.slides, situation.popularity, situation.first_views, edge, nodes)


def _sizes(situation: Situation) -> tuple[tuple[float, float], ...]:
    return ((situation.full_share, situation.full_bytes), (1 - situation.full_share, situation.fine_bytes))


def _transfer(situation: Situation, mbit: float) -> Station:
    mean = sum(share * size for share, size in _sizes(situation))
    square = sum(share * size * size for share, size in _sizes(situation))
    return Station(1.0, mean * 8e-6 / mbit, square / (mean * mean) - 1)


def _parts(
    situation: Situation, equipment: Equipment, groups: list[Group], whole: float, found: tuple[Hits, Wait]
) -> tuple[Part, ...]:
    hits, waits = found
    busy, seconds = [], []
    for customers, flow, share in groups:
        for station, waiting in zip(customers.stations, flow.waits, strict=True):
            busy.append(min(1.0, customers.clients * flow.rate * station.demand))
            seconds.append(share * station.visits * (waiting.mean + station.service))
    site, away = groups
    to_nodes = site.share * site.customers.misses + away.share
    to_store = to_nodes * (1 - hits.node)
    seconds[1] += site.share * situation.lan_ms / 1000
    seconds[2] += site.share * site.customers.misses * situation.link_ms / 1000
    seconds[3] += away.share * situation.away_ms / 1000
    busy.append(min(1.0, whole * to_nodes * situation.node_cpu / (equipment.nodes * situation.node_cores)))
    seconds.append(to_nodes * (waits.mean + situation.node_cpu))
    busy.append(whole * to_store / situation.store_rate)
    seconds.append(to_store * situation.store)
    return tuple(Part(*each) for each in zip(PARTS, busy, seconds, strict=True))


def _site_kinds(situation: Situation, group: Group, hits: Hits, waits: Wait) -> list[Kind]:
    """A hit of the edge, of a node, or neither; a full view or a fine move."""
    customers, flow, share = group
    edge, lan, link = flow.waits
    cpu = customers.stations[0]
    mean = lan.mean + cpu.visits * (edge.mean + cpu.service)
    variance = lan.variance + cpu.visits * (edge.variance + cpu.variation * cpu.service**2)
    kinds = []
    for part, size in _sizes(situation):
        near = situation.lan_ms / 1000 + size * 8e-6 / situation.lan_mbit
        far = near + situation.link_ms / 1000 + size * 8e-6 / situation.link_mbit
        kinds.append(Kind(share * part * (1 - customers.misses), near, mean, variance))
        passed = Kind(share * part * customers.misses, far, mean + link.mean, variance + link.variance)
        kinds += _behind(situation, passed, hits, waits)
    return [kind for kind in kinds if kind.share > 0]


def _away_kinds(situation: Situation, group: Group, hits: Hits, waits: Wait) -> list[Kind]:
    (link,) = group.flow.waits
    kinds = []
    for part, size in _sizes(situation):
        least = situation.away_ms / 1000 + size * 8e-6 / situation.away_mbit
        kinds += _behind(situation, Kind(group.share * part, least, link.mean, link.variance), hits, waits)
    return [kind for kind in kinds if kind.share > 0]


def _behind(situation: Situation, passed: Kind, hits: Hits, waits: Wait) -> list[Kind]:
    """Requests that reach a node: what it has stored, and what the object store has."""
    mean = passed.mean + waits.mean + situation.node_cpu
    variance = passed.variance + waits.variance + situation.node_variation * situation.node_cpu**2
    stored = variance + situation.store_variation * situation.store**2
    return [
        Kind(passed.share * hits.node, passed.min_seconds, mean, variance),
        Kind(passed.share * (1 - hits.node), passed.min_seconds, mean + situation.store, stored),
    ]


def _below(kind: Kind, seconds: float) -> float:
    """The probability of an answer within this time."""
    more = seconds - kind.min_seconds
    if more <= 0:
        return 0.0
    if kind.variance < 1e-18:
        return 1.0 if more >= kind.mean else 0.0
    return gamma_cdf(kind.mean * kind.mean / kind.variance, more * kind.mean / kind.variance)
