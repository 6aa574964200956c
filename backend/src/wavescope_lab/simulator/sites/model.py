"""What the model of many sites consists of, and what one request of a client is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavescope.errors.simulation import InvalidExperiment
from wavescope_lab.simulator.distributions import Distribution, Normal
from wavescope_lab.simulator.sites.draws import Draws, Floats, Integers, Stream, quantiles
from wavescope_lab.simulator.tables import Table
from wavescope_lab.workload import markov

POLICIES = ("round-robin", "random", "client")
ENGINES = ("batch", "events")
MAX_CLIENTS = 1_000_000

NEXT = np.cumsum(np.array(markov.NEXT_STATE), axis=1)
FULL = np.array(markov.FULL_VIEW)
THINK = np.array(markov.THINK_SECONDS)
"""By state: bins of equal probability, from and to."""


@dataclass(frozen=True)
class Link:
    """One writer at a time. ``bandwidth`` in bytes per second, ``delay`` in seconds one way."""

    bandwidth: float
    delay: float


@dataclass(frozen=True)
class Sites:
    """``clients`` at ``sites`` in turn. Each site has a LAN, an edge, a WAN link to ``nodes`` with ``cores`` each.

    ``hit_rate`` of the edges and ``node_hit_rate`` of the nodes are those of whole requests; what a node does not have
    it reads from an object store, which serves any number at once. The last ``away`` clients are at no site: each has a
    link of its own to the nodes, and no edge. Times in seconds, sizes in bytes.
    """

    clients: int
    sites: int
    seconds: float
    warm_up: float
    think_factor: float
    full_bytes: float
    fine_bytes: float
    lan: Link
    wan: Link
    edge_cpu: Distribution
    hit_rate: float
    nodes: int
    cores: int
    policy: str
    node_cpu: Distribution
    node_hit_rate: float
    store: Distribution
    away: int = 0
    away_link: Link = Link(1.0, 0.0)

    @property
    def places(self) -> int:
        """Sites, and clients that are at none."""
        return self.sites + self.away

    def place(self, clients: Integers) -> Integers:
        """Where clients are: sites in turn; behind them, one place for each client that is at no site."""
        at_sites = self.clients - self.away
        found: Integers = np.where(clients < at_sites, clients % self.sites, self.sites + clients - at_sites)
        return found

    def link(self, places: Integers) -> tuple[Floats, Floats]:
        """Bandwidth and delay of the links between places and nodes."""
        at_sites = places < self.sites
        return (
            np.where(at_sites, self.wan.bandwidth, self.away_link.bandwidth),
            np.where(at_sites, self.wan.delay, self.away_link.delay),
        )

    @property
    def window(self) -> float:
        """Seconds between an answer and the next request of a client, at least."""
        return float(THINK.min()) * self.think_factor


def read_sites(table: Table) -> Sites:
    """The model of a table of parameters. Raises InvalidExperiment."""
    sites = Sites(
        clients=table.integer("clients", 1, MAX_CLIENTS),
        sites=table.integer("sites", 1, 100_000),
        seconds=table.number("seconds", 1, 1e6),
        warm_up=table.number("warm_up", 0, 1e6, 60.0),
        think_factor=table.number("think_factor", 0.1, 100, 1.0),
        full_bytes=table.number("full_bytes", 0, 1e12),
        fine_bytes=table.number("fine_bytes", 0, 1e12),
        lan=Link(table.number("lan_bandwidth", 1, 1e15), table.number("lan_delay", 0, 1e3)),
        wan=Link(table.number("wan_bandwidth", 1, 1e15), table.number("wan_delay", 0, 1e3)),
        edge_cpu=_times(table, "edge_cpu"),
        hit_rate=table.number("hit_rate", 0, 1),
        nodes=table.integer("nodes", 1, 10_000),
        cores=table.integer("cores", 1, 1000, 1),
        policy=table.choice("policy", POLICIES, "round-robin"),
        node_cpu=_times(table, "node_cpu"),
        node_hit_rate=table.number("node_hit_rate", 0, 1, 0.0),
        store=_times(table, "store"),
        away=table.integer("away", 0, MAX_CLIENTS, 0),
        away_link=Link(table.number("away_bandwidth", 1, 1e15, 1.0), table.number("away_delay", 0, 1e3, 0.0)),
    )
    if sites.away > sites.clients:
        raise InvalidExperiment("parameters.away", f"{sites.away} is more than all {sites.clients} clients")
    if sites.warm_up >= sites.seconds:
        raise InvalidExperiment("parameters.warm_up", f"{sites.warm_up} is not less than {sites.seconds} seconds")
    return sites


def _times(table: Table, key: str) -> Distribution:
    found = table.distribution(key)
    if isinstance(found, Normal):
        raise InvalidExperiment(f"{table.place}.{key}", "a normal distribution is not possible in this model")
    return found


@dataclass(frozen=True)
class Requests:
    """The next requests of some clients, one each: arrays of the same length."""

    state: Integers
    size: Floats
    edge_cpu: Floats
    hit: np.ndarray
    node: Integers
    node_cpu: Floats
    store: Floats
    """Seconds of the object store, 0 if the node has it."""


def next_requests(sites: Sites, draws: Draws, clients: Integers, numbers: Integers, states: Integers) -> Requests:
    """Requests ``numbers`` of ``clients``, whose last ones were in ``states``."""

    def uniform(stream: Stream) -> Floats:
        return draws.uniform(stream, clients, numbers)

    state = (uniform(Stream.STATE)[:, None] >= NEXT[states, :-1]).sum(axis=1)
    full = uniform(Stream.FULL) < FULL[state]
    stored = uniform(Stream.STORED) < sites.node_hit_rate
    near = clients < sites.clients - sites.away
    return Requests(
        state=state,
        size=np.where(full, sites.full_bytes, sites.fine_bytes),
        edge_cpu=np.where(near, quantiles(sites.edge_cpu, uniform(Stream.EDGE_CPU)), 0.0),
        hit=near & (uniform(Stream.HIT) < sites.hit_rate),
        node=_nodes(sites, clients, numbers, uniform(Stream.NODE)),
        node_cpu=quantiles(sites.node_cpu, uniform(Stream.NODE_CPU)),
        store=np.where(stored, 0.0, quantiles(sites.store, uniform(Stream.STORE))),
    )


def think_seconds(sites: Sites, draws: Draws, clients: Integers, numbers: Integers, states: Integers) -> Floats:
    """Seconds after the answers to requests ``numbers``, which were in ``states``."""
    place = draws.uniform(Stream.THINK, clients, numbers) * THINK.shape[1]
    chosen = place.astype(np.int64)
    bins = THINK[states, chosen]
    found: Floats = (bins[:, 0] + (place - chosen) * (bins[:, 1] - bins[:, 0])) * sites.think_factor
    return found


def _nodes(sites: Sites, clients: Integers, numbers: Integers, uniform: Floats) -> Integers:
    """The nodes of requests: in turn for each client, at random, or one for each client."""
    if sites.policy == "random":
        return (uniform * sites.nodes).astype(np.int64)
    return (clients + (numbers if sites.policy == "round-robin" else 0)) % sites.nodes
