"""The model of many sites event by event, in SimPy: what the batches are checked with."""

from __future__ import annotations

import numpy as np
import simpy

from wavescope.simulator.parts import Station, Steps
from wavescope.simulator.sites.draws import Draws, Integers
from wavescope.simulator.sites.measures import Measures
from wavescope.simulator.sites.model import Requests, Sites, next_requests, think_seconds
from wavescope.workload import markov


class Events:
    """One trial. ``ends``: the time of each answer, by client and number of the request."""

    def __init__(self, sites: Sites, seed: str) -> None:
        self.sites, self.env, self.measures = sites, simpy.Environment(), Measures()
        self.draws = Draws(seed, sites.clients)
        self.edges, self.lans, self.wans = ([Station(self.env) for _ in range(sites.sites)] for _ in range(3))
        self.nodes = [Station(self.env, sites.cores) for _ in range(sites.nodes)]
        self.requests = 0
        for client in range(sites.clients):
            self.env.process(self._client(client))

    def run(self) -> None:
        """Until the end of the trial."""
        self.env.run(until=self.sites.seconds)

    def events(self) -> int:
        """Requests, and visits to stations that have begun."""
        stations = (*self.edges, *self.lans, *self.wans, *self.nodes)
        return self.requests + sum(station.visits for station in stations)

    def _client(self, client: int) -> Steps:
        clients, state, number = np.array([client]), np.array([markov.FIRST_STATE]), np.array([0])
        while True:
            yield self.env.timeout(float(think_seconds(self.sites, self.draws, clients, number, state)[0]))
            number = number + 1
            self.requests += 1
            made = next_requests(self.sites, self.draws, clients, number, state)
            state, began = made.state, self.env.now
            yield from self._request(clients, made)
            if began >= self.sites.warm_up:
                self.measures.add(np.array([self.env.now - began]), made.hit)

    def _request(self, client: Integers, made: Requests) -> Steps:
        sites, site, size = self.sites, int(client[0]) % self.sites.sites, float(made.size[0])
        yield self.env.timeout(sites.lan.delay)
        yield self.edges[site].visit(float(made.edge_cpu[0]))
        if not made.hit[0]:
            yield self.env.timeout(sites.wan.delay)
            yield self.nodes[int(made.node[0])].visit(float(made.node_cpu[0]))
            yield self.env.timeout(float(made.store[0]))
            yield self.wans[site].visit(size / sites.wan.bandwidth)
            yield self.env.timeout(sites.wan.delay)
        yield self.lans[site].visit(size / sites.lan.bandwidth)
        yield self.env.timeout(sites.lan.delay)


def simulate_events(sites: Sites, seed: str) -> dict[str, float]:
    """The same figures as those of the batches."""
    trial = Events(sites, seed)
    trial.run()
    found = trial.measures.figures()
    found["throughput"] = trial.measures.count / (sites.seconds - sites.warm_up)
    for name, stations in (("edge", trial.edges), ("lan", trial.lans), ("wan", trial.wans), ("node", trial.nodes)):
        busy = np.array([station.utilisation() for station in stations])
        found[f"{name}_utilisation"], found[f"{name}_utilisation_most"] = float(busy.mean()), float(busy.max())
    found["events"] = trial.events()
    return found
