"""A situation with its equipment as the model of many sites: trials, and means with intervals (SI24)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wavescope_lab.planning.response import predict
from wavescope_lab.planning.simulation_budget import TRIALS, simulated_seconds
from wavescope_lab.planning.situation import THINK_SECONDS, Equipment, Situation
from wavescope_lab.simulator.distributions import Bins, Constant, Distribution, Exponential
from wavescope_lab.simulator.experiments.analysis import estimate
from wavescope_lab.simulator.sites.batch import Batch
from wavescope_lab.simulator.sites.model import Link, Sites

CONFIDENCE = 0.95
WARM_UP = 60.0
METRICS = ("response", "response_p50", "response_p95", "response_p99", "hit_ratio", "throughput")
Progress = Callable[[float], None]
"""Called with the part of a simulation that is done, 0 to 1. What it raises ends the simulation."""


@dataclass(frozen=True)
class Simulated:
    """By metric: the mean of all trials, and half the width of its interval."""

    means: dict[str, float]
    halves: dict[str, float]
    requests: int


def sites_of(situation: Situation, equipment: Equipment, seconds: float) -> Sites:
    """The model. The sites have whole numbers of clients, and hits are drawn by the ratios of the formulas."""
    hits = predict(situation, equipment).hits
    edge = equipment.edge_gb > 0
    return Sites(
        clients=situation.clients,
        sites=situation.sites,
        seconds=seconds,
        warm_up=min(WARM_UP, seconds / 4),
        think_factor=situation.think_seconds / THINK_SECONDS,
        full_bytes=situation.full_bytes,
        fine_bytes=situation.fine_bytes,
        lan=_link(situation.lan_mbit, situation.lan_ms),
        wan=_link(situation.link_mbit, situation.link_ms),
        edge_cpu=_times(situation.edge_cpu, situation.edge_variation) if edge else Constant(0.0),
        hit_rate=hits.edge,
        nodes=equipment.nodes,
        cores=situation.node_cores,
        policy="random",
        node_cpu=_times(situation.node_cpu, situation.node_variation),
        node_hit_rate=hits.node,
        store=_times(situation.store, situation.store_variation),
        away=situation.away_clients,
        away_link=_link(situation.away_mbit, situation.away_ms),
    )


def _link(mbit: float, milliseconds: float) -> Link:
    return Link(mbit * 125_000, milliseconds / 2000)


def _times(mean: float, variation: float) -> Distribution:
    """A distribution of this mean and squared coefficient of variation."""
    if variation == 0 or mean == 0:
        return Constant(mean)
    if variation == 1:
        return Exponential(mean)
    if variation < 1:
        low, high = mean * (1 - variation**0.5), mean * (1 + variation**0.5)
        return Bins(((low, low), (high, high)), (0.5, 1.0))
    long = mean * (1 + variation)
    return Bins(((0.0, 0.0), (long, long)), (variation / (1 + variation), 1.0))


def simulate_plan(
    situation: Situation,
    equipment: Equipment,
    seed: int = 1998,
    progress: Progress = lambda _: None,
    trials: int = TRIALS,
) -> Simulated:
    """Raises MissingPackage without SciPy, and what ``progress`` raises."""
    sites = sites_of(situation, equipment, simulated_seconds(situation, equipment))
    figures, requests = [], 0
    for number in range(trials):
        batch = Batch(sites, f"{seed}/{number}")
        for share in batch.steps():
            progress((number + share) / trials)
        found = batch.measures.figures()
        found["throughput"] = batch.measures.count / (sites.seconds - sites.warm_up)
        figures.append(found)
        requests += batch.requests
    estimates = {
        name: estimate([found[name] for found in figures], CONFIDENCE)
        for name in METRICS
        if all(name in found for found in figures)
    }
    return Simulated(
        {name: each.mean for name, each in estimates.items()},
        {name: each.half or 0.0 for name, each in estimates.items()},
        requests,
    )
