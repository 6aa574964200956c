"""The model with contents: its parameters, and the parts of one trial joined together (SI14)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import simpy

from wavescope.blocks.cache.policies import POLICIES
from wavescope.errors.simulation import InvalidExperiment
from wavescope_lab.simulator.cache_models import CacheModel, policy_of
from wavescope_lab.simulator.components import Station, Steps
from wavescope_lab.simulator.distributions import Distribution
from wavescope_lab.simulator.system.balancing import CHOOSERS, PUBLISHED_SECONDS
from wavescope_lab.simulator.system.clients import FETCHES, Behaviour, Client, Measured
from wavescope_lab.simulator.system.edges import Edge, EdgeTimes
from wavescope_lab.simulator.system.links import Channel, Link, Shape
from wavescope_lab.simulator.system.nodes import Balancer, Node, NodeTimes
from wavescope_lab.simulator.system.processors import PERIOD, Processor
from wavescope_lab.simulator.system.requests import Remote, Request, Source
from wavescope_lab.simulator.system.slides import Part, Slides, read_slides
from wavescope_lab.simulator.tables import Table

NO_EDGE = "none"
CLIENT_CONNECTIONS, EDGE_CONNECTIONS = 6, 32
OVERHEAD = 160
"""Bytes of an entry of a cache beside its value, of each layer of a block."""
MB = 1_000_000


@dataclass(frozen=True)
class Caching:
    """Edges of one level. ``policy``: `none` without edges."""

    policy: str
    memory: int


@dataclass(frozen=True)
class Nodes:
    """``memory``: bytes, None if all data are in memory. ``reads``: that what is behind the nodes serves at the same
    time, None for any number."""

    count: int
    cores: int
    share: float
    period: float
    memory: int | None
    reads: int | None
    distribution: str
    times: NodeTimes
    balancer: Distribution
    balancer_delay: float


@dataclass(frozen=True)
class System:
    """``clients`` at ``sites`` in turn, each site with a LAN and an edge (or none); ``parents``: edges behind those of
    the sites, each of which belongs to one of them; a WAN link from each site, a trunk from each parent."""

    clients: int
    sites: int
    parents: int
    seconds: float
    warm_up: float
    behaviour: Behaviour
    slides: Slides
    lan: Shape
    wan: Shape
    trunk: Shape
    edge: Caching
    parent: Caching
    edge_times: EdgeTimes | None
    nodes: Nodes


def read_system(table: Table) -> System:
    """The model of a table of parameters. Raises InvalidExperiment."""
    edge = Caching(table.choice("edge", (NO_EDGE, *POLICIES), NO_EDGE), _bytes(table, "edge_memory_mb", 256.0))
    parents = table.integer("parents", 0, 1000, 0)
    return System(
        clients=table.integer("clients", 1, 5000),
        sites=table.integer("sites", 1, 1000, 1),
        parents=parents,
        seconds=table.number("seconds", 0.001, 1e6, 1e6),
        warm_up=table.number("warm_up", 0, 1e6, 0.0),
        behaviour=_behaviour(table),
        slides=read_slides(table),
        lan=_shape(table, "lan"),
        wan=_shape(table, "wan"),
        trunk=_shape(table, "trunk"),
        edge=edge,
        parent=Caching(table.choice("parent", tuple(POLICIES), "sieve"), _bytes(table, "parent_memory_mb", 1024.0)),
        edge_times=_edge_times(table) if parents or edge.policy != NO_EDGE or table.has("edge_batch") else None,
        nodes=_nodes(table),
    )


def _shape(table: Table, name: str) -> Shape:
    return Shape(table.number(f"{name}_bandwidth", 0, 1e15, 0.0), table.number(f"{name}_delay", 0, 1e3, 0.0))


def _bytes(table: Table, key: str, default: float) -> int:
    return round(table.number(key, 0, 1e9, default) * MB)


def _behaviour(table: Table) -> Behaviour:
    return Behaviour(
        fetch=table.choice("fetch", FETCHES, "batch"),
        requests=table.integer("requests", 1, 100_000, 20),
        visits=table.integer("visits", 1, 1_000_000) if table.has("visits") else None,
        think_factor=table.number("think_factor", 0, 100, 1.0),
        view=(table.integer("view_width", 1, 100_000, 1000), table.integer("view_height", 1, 100_000, 1000)),
        client_block=table.number("client_block", 0, 100, 0.0),
        trace_seed=table.integer("trace_seed", 0, 2**31) if table.has("trace_seed") else None,
    )


def _edge_times(table: Table) -> EdgeTimes:
    names = ("edge_manifest", "edge_page", "edge_get", "edge_batch", "edge_hit", "edge_miss")
    return EdgeTimes(*(table.distribution(name) for name in names))


def _share(table: Table) -> float:
    """What a limited node has for requests: not what it takes while nothing is requested."""
    share, idle = table.number("share", 0.001, 1, 1.0), table.number("node_idle", 0, 1, 0.0)
    if share == 1.0:
        return share
    if idle >= share:
        raise InvalidExperiment(f"{table.place}.share", f"a node takes {idle} of a core while nothing is requested")
    return share - idle


def _nodes(table: Table) -> Nodes:
    times = NodeTimes(
        connection=table.distribution("node_connection", 0.0),
        manifest=table.distribution("node_manifest"),
        page=table.distribution("node_page"),
        get=table.distribution("node_get"),
        batch=table.distribution("node_batch"),
        block=table.distribution("node_block"),
        cold_request=table.distribution("cold_request", 0.0),
        cold=table.distribution("cold_block", 0.0),
        pixels=table.distribution("node_pixels", 0.0),
        raw_byte=table.number("node_raw_byte", 0, 1, 0.0),
        store=table.distribution("store_get", 0.0),
        max_in_flight=table.integer("reads_at_once", 1, 1000, 16),
    )
    return Nodes(
        count=table.integer("nodes", 1, 1000, 1),
        cores=table.integer("cores", 1, 1000, 1),
        share=_share(table),
        period=table.number("period", 0.001, 10, PERIOD),
        memory=_bytes(table, "node_memory_mb", 0.0) if table.has("node_memory_mb") else None,
        reads=table.integer("store_reads", 1, 100_000) if table.has("store_reads") else None,
        distribution=table.choice("distribution", tuple(CHOOSERS), "round-robin"),
        times=times,
        balancer=table.distribution("balancer", 0.0),
        balancer_delay=table.number("balancer_delay", 0, 10, 0.0),
    )


def _fresh(request: Request) -> Request:
    return replace(request, fresh=True)


class Trial:
    """The parts of one trial."""

    def __init__(self, system: System, seed: str) -> None:
        self.system, self.seed, self.env = system, seed, simpy.Environment()
        self.measured = Measured(system.warm_up, system.seconds)
        self.nodes = self._make_nodes()
        self.balancer = self._make_balancer()
        self.parents: list[Edge] = []
        self.edges: list[Edge] = []
        self.wans: list[Link] = []
        self.lans: list[Link] = []
        self.trunks: list[Link] = []
        self._connect()

    def run(self) -> None:
        """Until all clients have finished, or the time is over."""
        clients = [self.env.process(client.run(self.seed, self.measured)) for client in self._clients]
        self.env.process(self._observe())
        self.env.run(until=self.env.any_of([self.env.all_of(clients), self.env.timeout(self.system.seconds)]))

    def _rng(self, name: str) -> random.Random:
        return random.Random(f"{self.seed}/{name}")

    def _make_nodes(self) -> dict[str, Node]:
        wanted, env = self.system.nodes, self.env
        store = Station(env, wanted.reads) if wanted.reads else None
        names = [f"n{number:03}" for number in range(wanted.count)]
        return {
            name: Node(
                wanted.times,
                Processor(env, wanted.cores, wanted.share, wanted.period),
                None if wanted.memory is None else CacheModel(wanted.memory, policy_of("lru"), self._overhead),
                store,
                self._rng(name),
            )
            for name in names
        }

    @property
    def _overhead(self) -> int:
        return OVERHEAD * self.system.slides.layers

    def _make_balancer(self) -> Balancer:
        wanted = self.system.nodes
        chooser = CHOOSERS[wanted.distribution](list(self.nodes))
        return Balancer(self.env, self.nodes, chooser, wanted.balancer, wanted.balancer_delay)

    def _connect(self) -> None:
        """Clients, edges, parents and the balancer, one in front of the other."""
        system, env = self.system, self.env
        for number in range(system.parents):
            self.trunks.append(Link(env, system.trunk))
            source = Remote(Channel(self.trunks[-1], self.balancer.serve, EDGE_CONNECTIONS))
            self.parents.append(self._edge(system.parent, source, f"parent {number}"))
        self._clients: list[Client] = []
        for site in range(system.sites):
            behind = self.parents[site % system.parents].serve if system.parents else self.balancer.serve
            self.wans.append(Link(env, system.wan))
            self.lans.append(Link(env, system.lan))
            near = behind
            if system.edge.policy != NO_EDGE:
                far = Remote(Channel(self.wans[-1], behind, EDGE_CONNECTIONS))
                self.edges.append(self._edge(system.edge, far, f"edge {site}"))
                near = self.edges[-1].serve
            link = self.wans[-1] if system.edge.policy == NO_EDGE else self.lans[-1]
            for number in range(site, system.clients, system.sites):
                mine: Source = Remote(Channel(link, near, CLIENT_CONNECTIONS, _fresh))
                self._clients.append(Client(env, number, mine, system.slides, system.behaviour))

    def _edge(self, caching: Caching, source: Source, name: str) -> Edge:
        assert self.system.edge_times is not None
        memory: CacheModel[Part] = CacheModel(caching.memory, policy_of(caching.policy), self._overhead)
        return Edge(self.env, self.system.edge_times, memory, source, self._rng(name))

    def _observe(self) -> Steps:
        """What the policies of the balancer learn of the nodes."""
        before = dict.fromkeys(self.nodes, 0.0)
        while True:
            yield self.env.timeout(PUBLISHED_SECONDS)
            busy = {}
            for name, node in self.nodes.items():
                now = node.processor.busy()
                busy[name] = min(1.0, (now - before[name]) / (PUBLISHED_SECONDS * self.system.nodes.share))
                before[name] = now
            hits, misses = _sums(list(self.nodes.values()))
            self.balancer.observe(busy, hits / (hits + misses) if hits + misses else 1.0)


def simulate_system(system: System, seed: str) -> dict[str, float]:
    """Response times of views, hit ratios of edges and nodes, bytes over wide links, utilisations."""
    trial = Trial(system, seed)
    trial.run()
    found = trial.measured.figures()
    time = trial.env.now - system.warm_up
    found["throughput"] = trial.measured.answers / time if time > 0 else 0.0
    for name, caches in (("hit_ratio", trial.edges), ("parent_hit_ratio", trial.parents)):
        if caches:
            found[name] = _ratio(caches)
    found["node_hit_ratio"] = _ratio(list(trial.nodes.values()))
    if system.wan.bandwidth:
        found["wan_utilisation"] = _mean([link.down.writer.utilisation() for link in trial.wans])
    found["wan_bytes"] = sum(link.down.bytes for link in trial.wans)
    if trial.trunks:
        found["trunk_bytes"] = sum(link.down.bytes for link in trial.trunks)
    if trial.edges:
        found["edge_utilisation"] = _mean([edge.processor.utilisation() for edge in trial.edges])
    busy = sum(node.processor.busy() for node in trial.nodes.values())
    found["node_seconds"] = busy / sum(node.requests for node in trial.nodes.values())
    served = [node.requests for node in trial.nodes.values()]
    found["node_utilisation"] = _mean([node.processor.utilisation() for node in trial.nodes.values()])
    found["imbalance"] = max(served) * len(served) / sum(served)
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _sums(caches: Sequence[Edge] | Sequence[Node]) -> tuple[int, int]:
    return sum(one.hits for one in caches), sum(one.misses for one in caches)


def _ratio(caches: Sequence[Edge] | Sequence[Node]) -> float:
    hits, misses = _sums(caches)
    return hits / (hits + misses) if hits + misses else 1.0
