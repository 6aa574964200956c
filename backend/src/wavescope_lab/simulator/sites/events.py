"""The model of many sites event by event, in SimPy: what the batches are checked with."""

from __future__ import annotations

import numpy as np
import simpy

from wavescope_lab.simulator.components import Station, Steps
from wavescope_lab.simulator.sites.draws import Draws, Integers
from wavescope_lab.simulator.sites.measures import Measures
from wavescope_lab.simulator.sites.model import Requests, Sites, next_requests, think_seconds
from wavescope_lab.workload import markov


class Events:
    """One trial. ``ends``: the time of each answer, by client and number of the request."""

    def __init__(self, sites: Sites, seed: str) -> None:
        self.sites, self.env, self.measures = sites, simpy.Environment(), Measures()
        self.draws = Draws(seed, sites.clients)
        self.edges, self.lans, self.wans = ([Station(self.env) for _ in range(sites.places)] for _ in range(3))
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
        sites, place, size = self.sites, self.sites.place(client), float(made.size[0])
        site, near = int(place[0]), int(place[0]) < sites.sites
        bandwidth, delay = (float(value[0]) for value in sites.link(place))
        lan_delay = sites.lan.delay if near else 0.0
        yield self.env.timeout(lan_delay)
        yield self.edges[site].visit(float(made.edge_cpu[0]))
        if not made.hit[0]:
            yield self.env.timeout(delay)
            yield self.nodes[int(made.node[0])].visit(float(made.node_cpu[0]))
            yield self.env.timeout(float(made.store[0]))
            yield self.wans[site].visit(size / bandwidth)
            yield self.env.timeout(delay)
        yield self.lans[site].visit(size / sites.lan.bandwidth if near else 0.0)
        yield self.env.timeout(lan_delay)


def simulate_events(sites: Sites, seed: str) -> dict[str, float]:
    """The same figures as those of the batches."""
    trial = Events(sites, seed)
    trial.run()
    found = trial.measures.figures()
    found["throughput"] = trial.measures.count / (sites.seconds - sites.warm_up)
    for name, stations in (("edge", trial.edges), ("lan", trial.lans), ("wan", trial.wans), ("node", trial.nodes)):
        shared = sites.nodes if name == "node" else sites.sites
        busy = np.array([station.utilisation() for station in stations[:shared]])
        found[f"{name}_utilisation"], found[f"{name}_utilisation_most"] = float(busy.mean()), float(busy.max())
    found["events"] = trial.events()
    return found
