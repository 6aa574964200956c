"""Nodes with a processor, a memory and a disk each; data on every disk (mirrored) or spread over all (striped)."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

import simpy

from wavescope.blocks.cache.policies import POLICIES
from wavescope_lab.simulator.cache_models import CacheModel, policy_of
from wavescope_lab.simulator.cluster.choosing import CHOOSING
from wavescope_lab.simulator.cluster.trace import Request, Shape, read_shape, requests
from wavescope_lab.simulator.components import Station, Steps
from wavescope_lab.simulator.tables import Table

LAYOUTS = ("mirrored", "striped")
WARM_UP = 0.3
"""The part of a trace that fills the memories and is not measured."""


@dataclass(frozen=True)
class Times:
    """Seconds of a processor, of a disk and of a transfer between nodes: of each use, and of each byte."""

    cpu: float
    cpu_byte: float
    disk: float
    disk_byte: float
    transfer: float
    transfer_byte: float


@dataclass(frozen=True)
class Cluster:
    """``memory``: bytes of each node for files. ``cache``: which file a full memory gives up."""

    nodes: int
    memory: int
    cache: str
    distribution: str
    layout: str
    times: Times
    shape: Shape


def read_cluster(table: Table) -> Cluster:
    """The model of a table of parameters. Raises InvalidExperiment."""
    names = ("cpu", "cpu_byte", "disk", "disk_byte", "transfer", "transfer_byte")
    return Cluster(
        nodes=table.integer("nodes", 1, 1000),
        memory=round(table.number("memory_mb", 0.001, 1e6) * 2**20),
        cache=table.choice("cache", tuple(POLICIES), "lru"),
        distribution=table.choice("distribution", tuple(CHOOSING)),
        layout=table.choice("layout", LAYOUTS),
        times=Times(*(table.number(name, 0, 1e3) for name in names)),
        shape=read_shape(table),
    )


class Node:
    """The parts of one node."""

    def __init__(self, env: simpy.Environment, cluster: Cluster) -> None:
        self.processor, self.disk = Station(env), Station(env)
        self.memory: CacheModel[int] = CacheModel(cluster.memory, policy_of(cluster.cache))
        self.requests = 0


class Trial:
    """A trace that passes through a cluster."""

    def __init__(self, cluster: Cluster, seed: str) -> None:
        self.cluster, self.env, self.seed = cluster, simpy.Environment(), seed
        self.names = [f"{number:04}" for number in range(cluster.nodes)]
        self.nodes = {name: Node(self.env, cluster) for name in self.names}
        self.work = dict.fromkeys(self.names, 0)
        self.responses: list[float] = []
        self.hits: list[bool] = []
        self.remote_hits = 0
        self.processor_waits: list[float] = []
        self.disk_waits: list[float] = []

    def run(self) -> None:
        """The whole trace."""
        self.env.process(self._arrivals())
        self.env.run()

    def _arrivals(self) -> Steps:
        choose = CHOOSING[self.cluster.distribution](self.names)
        first = self.cluster.shape.requests * WARM_UP
        for number, request in enumerate(requests(self.cluster.shape, self.seed)):
            yield self.env.timeout(request.time - self.env.now)
            name = choose(request, self.work, self.env.now)
            self.work[name] += 1
            self.env.process(self._serve(request, name, measured=number >= first))

    def _serve(self, request: Request, name: str, *, measured: bool) -> Steps:
        node, times, began = self.nodes[name], self.cluster.times, self.env.now
        self.processor_waits += [node.processor.backlog] if measured else []
        yield node.processor.visit(times.cpu + times.cpu_byte * request.size)
        hit = node.memory.has(request.file)
        if not hit:
            home = self.names[request.file % len(self.names)] if self.cluster.layout == "striped" else name
            yield from self._read(request, self.nodes[home], remote=home != name, measured=measured)
            node.memory.add(request.file, request.size)
        self.work[name] -= 1
        if measured:
            node.requests += 1
            self.hits.append(hit)
            self.responses.append(self.env.now - began)

    def _read(self, request: Request, home: Node, *, remote: bool, measured: bool) -> Steps:
        """From the node that has the file on its disk: from its memory, if another node asks."""
        times = self.cluster.times
        if remote:
            yield home.processor.visit(times.cpu + times.cpu_byte * request.size)
            if home.memory.has(request.file):
                self.remote_hits += measured
                yield self.env.timeout(times.transfer + times.transfer_byte * request.size)
                return
        self.disk_waits += [home.disk.backlog] if measured else []
        yield home.disk.visit(times.disk + times.disk_byte * request.size)
        if remote:
            home.memory.add(request.file, request.size)
            yield self.env.timeout(times.transfer + times.transfer_byte * request.size)


def simulate_cluster(cluster: Cluster, seed: str) -> dict[str, float]:
    """Response, hit ratio at the node asked and with those of other nodes, waits at processors and disks, and
    ``imbalance``: the requests of the busiest node over the mean."""
    trial = Trial(cluster, seed)
    trial.run()
    count, served = len(trial.responses), [node.requests for node in trial.nodes.values()]
    return {
        "response": fmean(trial.responses),
        "hit_ratio": sum(trial.hits) / count,
        "any_hit_ratio": (sum(trial.hits) + trial.remote_hits) / count,
        "processor_wait": fmean(trial.processor_waits),
        "disk_wait": fmean(trial.disk_waits or [0.0]),
        "disk_utilisation": fmean(node.disk.utilisation() for node in trial.nodes.values()),
        "imbalance": max(served) / fmean(served),
    }
