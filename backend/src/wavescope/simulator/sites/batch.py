"""The model of many sites in windows of time (SI10).

No client makes a request sooner than the shortest think time after an answer. So all requests of a window that long
are known when it begins, and each station serves all that arrives in the window at once, in the order of the way.
What arrives at a later station after the window waits for the window it belongs to. The times are those of SimPy.
"""

from __future__ import annotations

import numpy as np

from wavescope.simulator.sites.draws import Draws, Floats, Integers
from wavescope.simulator.sites.lindley import Stations
from wavescope.simulator.sites.measures import Measures
from wavescope.simulator.sites.model import Requests, Sites, next_requests, think_seconds
from wavescope.workload import markov


class Batch:
    """One trial. Arrays have one entry for each client: its present request, or its last one."""

    def __init__(self, sites: Sites, seed: str) -> None:
        self.sites, self.draws, self.measures = sites, Draws(seed, sites.clients), Measures()
        clients = np.arange(sites.clients)
        self.site = clients % sites.sites
        self.number = np.zeros(sites.clients, dtype=np.int64)
        self.state = np.full(sites.clients, markov.FIRST_STATE)
        self.next = think_seconds(sites, self.draws, clients, self.number, self.state)
        self.began, self.size = np.zeros(sites.clients), np.zeros(sites.clients)
        self.hit = np.zeros(sites.clients, dtype=bool)
        self.node, self.store = np.zeros(sites.clients, dtype=np.int64), np.zeros(sites.clients)
        self.node_cpu = np.zeros(sites.clients)
        self.edges, self.lans, self.wans = (Stations(sites.sites) for _ in range(3))
        self.nodes = Stations(sites.nodes, sites.cores)
        self.requests = 0

    def run(self) -> None:
        """All windows."""
        end = 0.0
        while end < self.sites.seconds:
            end = min(end + self.sites.window, self.sites.seconds)
            self._window(end)

    def events(self) -> int:
        """Requests, and visits to stations."""
        return self.requests + sum(each.visits for each in (self.edges, self.nodes, self.wans, self.lans))

    def _window(self, end: float) -> None:
        sites = self.sites
        self._begin(end)
        times, clients = self.edges.serve(end)
        hit = self.hit[clients]
        self._answer(times[hit], clients[hit])
        missed = clients[~hit]
        self.nodes.arrive(times[~hit] + sites.wan.delay, missed, self.node[missed], self.node_cpu[missed])
        times, clients = self.nodes.serve(end)
        size = self.size[clients] / sites.wan.bandwidth
        self.wans.arrive(times + self.store[clients], clients, self.site[clients], size)
        times, clients = self.wans.serve(end)
        self._answer(times + sites.wan.delay, clients)
        times, clients = self.lans.serve(end)
        self._end(times + sites.lan.delay, clients)

    def _begin(self, end: float) -> None:
        """The requests of a window."""
        clients = np.flatnonzero(self.next < end)
        times = self.next[clients]
        self.next[clients] = np.inf
        self.number[clients] += 1
        self.requests += len(clients)
        made = next_requests(self.sites, self.draws, clients, self.number[clients], self.state[clients])
        self._store(clients, made)
        self.began[clients] = times
        self.edges.arrive(times + self.sites.lan.delay, clients, self.site[clients], made.edge_cpu)

    def _store(self, clients: Integers, made: Requests) -> None:
        self.state[clients], self.size[clients], self.hit[clients] = made.state, made.size, made.hit
        self.node[clients], self.node_cpu[clients], self.store[clients] = made.node, made.node_cpu, made.store

    def _answer(self, times: Floats, clients: Integers) -> None:
        """Answers that are at the edges."""
        self.lans.arrive(times, clients, self.site[clients], self.size[clients] / self.sites.lan.bandwidth)

    def _end(self, times: Floats, clients: Integers) -> None:
        """Answers that are at the clients."""
        began = self.began[clients]
        measured = (began >= self.sites.warm_up) & (times < self.sites.seconds)
        self.measures.add((times - began)[measured], self.hit[clients][measured])
        thought = think_seconds(self.sites, self.draws, clients, self.number[clients], self.state[clients])
        self.next[clients] = times + thought


def simulate_batch(sites: Sites, seed: str) -> dict[str, float]:
    """Response times, hit ratio, requests per second, utilisations, and ``events``."""
    batch = Batch(sites, seed)
    batch.run()
    found = batch.measures.figures()
    found["throughput"] = batch.measures.count / (sites.seconds - sites.warm_up)
    for name, stations in (("edge", batch.edges), ("lan", batch.lans), ("wan", batch.wans), ("node", batch.nodes)):
        busy = stations.busy(sites.seconds) / (stations.servers * sites.seconds)
        found[f"{name}_utilisation"], found[f"{name}_utilisation_most"] = float(busy.mean()), float(busy.max())
    found["events"] = batch.events()
    return found
