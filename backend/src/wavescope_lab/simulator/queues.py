"""One station with arrivals from outside, and one cache under independent references: where theory knows the answer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import simpy

from wavescope.blocks.cache.policies import Policy
from wavescope_lab.simulator.components import Station, Steps
from wavescope_lab.simulator.distributions import Distribution


@dataclass(frozen=True)
class OpenQueue:
    """Customers that come, are served by one of ``servers`` and go. The first tenth of them is not measured."""

    arrivals: Distribution
    service: Distribution
    servers: int
    customers: int


def simulate_queue(queue: OpenQueue, seed: str) -> dict[str, float]:
    """``response``: mean seconds from arrival to end; ``utilisation`` of the servers."""
    env = simpy.Environment()
    station = Station(env, queue.servers)
    arrivals, service = random.Random(f"{seed}/arrivals"), random.Random(f"{seed}/service")
    first = queue.customers // 10
    total = 0.0

    def customer(seconds: float, *, measured: bool) -> Steps:
        nonlocal total
        arrived = env.now
        yield station.visit(seconds)
        total += env.now - arrived if measured else 0.0

    def source() -> Steps:
        for number in range(queue.customers):
            yield env.timeout(queue.arrivals.draw(arrivals))
            env.process(customer(queue.service.draw(service), measured=number >= first))

    env.process(source())
    env.run()
    return {"response": total / (queue.customers - first), "utilisation": station.utilisation()}


def simulate_references(
    shares: Sequence[float], size: int, policy: Policy[int], references: int, seed: str
) -> dict[str, float]:
    """``hit_ratio`` of a cache of ``size`` equal keys, drawn by ``shares``; the first half fills it."""
    rng, edges = random.Random(f"{seed}/references"), list(accumulate(shares))
    keys, stored = range(len(shares)), set[int]()
    hits = 0
    for number, key in enumerate(rng.choices(keys, cum_weights=edges, k=references)):
        if key in stored:
            policy.use(key)
            hits += number >= references // 2
            continue
        if len(stored) == size:
            stored.remove(policy.evict())
        policy.add(key)
        stored.add(key)
    return {"hit_ratio": hits / (references - references // 2)}
