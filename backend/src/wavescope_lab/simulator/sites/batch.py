"""The model of many sites in windows of time (SI10).

No client makes a request sooner than the shortest think time after an answer. So all requests of a window that long
are known when it begins, and each station serves all that arrives in the window at once, in the order of the way.
What arrives at a later station after the window waits for the window it belongs to. The times are those of SimPy.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wavescope_lab.simulator.sites.draws import Draws, Floats, Integers
from wavescope_lab.simulator.sites.lindley import Stations
from wavescope_lab.simulator.sites.measures import Measures
from wavescope_lab.simulator.sites.model import Requests, Sites, next_requests, think_seconds
from wavescope_lab.workload import markov


class Batch:
    """One trial. Arrays have one entry for each client: its present request, or its last one."""

    def __init__(self, sites: Sites, seed: str) -> None:
        self.sites, self.draws, self.measures = sites, Draws(seed, sites.clients), Measures()
        clients = np.arange(sites.clients)
        self.site = sites.place(clients)
        near = self.site < sites.sites
        self.wan_bandwidth, self.wan_delay = sites.link(self.site)
        self.lan_bandwidth, self.lan_delay = (
            np.where(near, sites.lan.bandwidth, np.inf),
            np.where(near, sites.lan.delay, 0.0),
        )
        self.number = np.zeros(sites.clients, dtype=np.int64)
        self.state = np.full(sites.clients, markov.FIRST_STATE)
        self.next = think_seconds(sites, self.draws, clients, self.number, self.state)
        self.began, self.size = np.zeros(sites.clients), np.zeros(sites.clients)
        self.hit = np.zeros(sites.clients, dtype=bool)
        self.node, self.store = np.zeros(sites.clients, dtype=np.int64), np.zeros(sites.clients)
        self.node_cpu = np.zeros(sites.clients)
        self.edges, self.lans, self.wans = (Stations(sites.places) for _ in range(3))
        self.nodes = Stations(sites.nodes, sites.cores)
        self.requests = 0

    def run(self) -> None:
        """All windows."""
        for _ in self.steps():
            pass

    def steps(self) -> Iterator[float]:
        """All windows, one at each step: the part of the time that is over."""
        end = 0.0
        while end < self.sites.seconds:
            end = min(end + self.sites.window, self.sites.seconds)
            self._window(end)
            yield end / self.sites.seconds

    def events(self) -> int:
        """Requests, and visits to stations."""
        return self.requests + sum(each.visits for each in (self.edges, self.nodes, self.wans, self.lans))

    def _window(self, end: float) -> None:
        self._begin(end)
        times, clients = self.edges.serve(end)
        hit = self.hit[clients]
        self._answer(times[hit], clients[hit])
        missed = clients[~hit]
        self.nodes.arrive(times[~hit] + self.wan_delay[missed], missed, self.node[missed], self.node_cpu[missed])
        times, clients = self.nodes.serve(end)
        size = self.size[clients] / self.wan_bandwidth[clients]
        self.wans.arrive(times + self.store[clients], clients, self.site[clients], size)
        times, clients = self.wans.serve(end)
        self._answer(times + self.wan_delay[clients], clients)
        times, clients = self.lans.serve(end)
        self._end(times + self.lan_delay[clients], clients)

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
        self.edges.arrive(times + self.lan_delay[clients], clients, self.site[clients], made.edge_cpu)

    def _store(self, clients: Integers, made: Requests) -> None:
        self.state[clients], self.size[clients], self.hit[clients] = made.state, made.size, made.hit
        self.node[clients], self.node_cpu[clients], self.store[clients] = made.node, made.node_cpu, made.store

    def _answer(self, times: Floats, clients: Integers) -> None:
        """Answers that are at the edges."""
        self.lans.arrive(times, clients, self.site[clients], self.size[clients] / self.lan_bandwidth[clients])

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
        shared = sites.nodes if name == "node" else sites.sites
        busy = stations.busy(sites.seconds)[:shared] / (stations.servers * sites.seconds)
        found[f"{name}_utilisation"], found[f"{name}_utilisation_most"] = float(busy.mean()), float(busy.max())
    found["events"] = batch.events()
    return found
