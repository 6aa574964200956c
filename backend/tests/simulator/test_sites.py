"""Many sites: batches have the times of SimPy; many clients take little time and memory."""

from __future__ import annotations

import random
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wavescope.errors.simulation import InvalidExperiment
from wavescope_lab.simulator.distributions import Constant, Exponential, distribution
from wavescope_lab.simulator.sites.batch import simulate_batch
from wavescope_lab.simulator.sites.draws import Draws, Stream, quantiles
from wavescope_lab.simulator.sites.events import simulate_events
from wavescope_lab.simulator.sites.lindley import Stations
from wavescope_lab.simulator.sites.model import Link, Sites, next_requests, read_sites, think_seconds
from wavescope_lab.simulator.tables import Table
from wavescope_lab.simulator.theory import mm1_response, mmc_response
from wavescope_lab.workload import markov

FILE = Path(__file__).parents[3] / "shared" / "experiments" / "hospital-group.toml"
SMALL = Sites(
    clients=60,
    sites=3,
    seconds=300.0,
    warm_up=20.0,
    think_factor=1.0,
    full_bytes=250_000.0,
    fine_bytes=25_000.0,
    lan=Link(1e6, 0.001),
    wan=Link(4e5, 0.02),
    edge_cpu=Exponential(0.05),
    hit_rate=0.6,
    nodes=2,
    cores=1,
    policy="round-robin",
    node_cpu=Exponential(0.3),
    node_hit_rate=0.5,
    store=distribution("", {"bins": [[0.01, 0.2], [0.2, 0.5]], "shares": [3, 1]}),
)


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"cores": 2, "policy": "client"},
        {"policy": "random", "nodes": 5, "hit_rate": 0.0, "sites": 7},
        {"think_factor": 0.2, "clients": 40},  # overload: queues as long as the windows, and longer
        {"hit_rate": 1.0, "sites": 1},
        {"wan": Link(5e4, 0.3), "seconds": 123.4},
    ],
    ids=["one core", "two cores", "five nodes", "overload", "hits", "slow link"],
)
def test_batches_have_the_times_of_simpy_si10(changed: dict[str, Any]) -> None:
    sites = replace(SMALL, **changed)
    batch, events = simulate_batch(sites, "1"), simulate_events(sites, "1")
    counts = (batch.pop("events"), events.pop("events"))
    assert batch == pytest.approx(events, rel=1e-6, abs=1e-9)
    assert batch["throughput"] > 1
    assert counts[0] == pytest.approx(counts[1], rel=0.02)  # visits that have not begun at the end count in one only


def test_the_same_seed_gives_the_same_figures_si1() -> None:
    assert simulate_batch(SMALL, "1") == simulate_batch(SMALL, "1")
    assert simulate_batch(SMALL, "1") != simulate_batch(SMALL, "2")


def test_draws_do_not_depend_on_their_order_and_are_even_si10() -> None:
    draws, clients = Draws("1", 100), np.arange(100)
    grid = np.array([draws.uniform(Stream.HIT, clients, np.full(100, n)) for n in range(1000)])
    one = draws.uniform(Stream.HIT, np.array([42]), np.array([7]))
    assert one[0] == grid[7, 42]
    counts = np.bincount((grid.ravel() * 20).astype(int), minlength=20)
    assert abs(counts / grid.size * 20 - 1).max() < 0.05
    other = np.array([draws.uniform(Stream.FULL, clients, np.full(100, n)) for n in range(1000)])
    neighbours = [(grid[:-1], grid[1:]), (grid[:, :-1], grid[:, 1:]), (grid, other)]
    assert all(abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < 0.015 for a, b in neighbours)


def test_clients_are_those_of_the_driver_si10() -> None:
    """States, sizes and think times have the frequencies of the workload."""
    draws, clients = Draws("1", 20_000), np.arange(20_000)
    states = np.zeros(20_000, dtype=np.int64)
    for number in range(1, 60):
        made = next_requests(SMALL, draws, clients, np.full(20_000, number), states)
        states = made.state
    shares = np.bincount(states, minlength=4) / 20_000
    assert shares == pytest.approx(markov.long_run_shares(), abs=0.015)
    for state in range(markov.STATES):
        mine = states == state
        assert (made.size[mine] == SMALL.full_bytes).mean() == pytest.approx(markov.FULL_VIEW[state], abs=0.02)
        thought = think_seconds(SMALL, draws, clients[mine], np.full(mine.sum(), 60), states[mine])
        expected = np.mean([markov.think_seconds(state, random.Random(n)) for n in range(3000)])
        assert thought.mean() == pytest.approx(expected, rel=0.05)
        assert thought.min() >= SMALL.window


@pytest.mark.parametrize(("servers", "expected"), [(1, mm1_response(1.0, 0.6)), (3, mmc_response(1.0, 1.8, 3))])
def test_stations_of_batches_have_the_response_time_of_theory_si4(servers: int, expected: float) -> None:
    rng, count = np.random.default_rng(1), 200_000
    arrivals = np.cumsum(rng.exponential(1.0, count))
    seconds = rng.exponential(1.8 if servers > 1 else 0.6, count)
    stations, total = Stations(2, servers), 0.0
    for start in range(0, count, 1000):
        part = slice(start, start + 1000)
        stations.arrive(arrivals[part], np.arange(count)[part], np.ones(1000, dtype=np.int64), seconds[part])
        ends, clients = stations.serve(arrivals[part][-1] + 1e-9)
        total += float((ends - arrivals[clients]).sum())
    assert total / count == pytest.approx(expected, rel=0.02)


def test_quantiles_are_those_of_the_distribution_si3() -> None:
    uniform = (np.arange(100_000) + 0.5) / 100_000
    for times in (Constant(2.0), Exponential(0.5), SMALL.store, distribution("", {"values": [1.0, 4.0]})):
        assert quantiles(times, uniform).mean() == pytest.approx(times.mean, rel=1e-3)


def test_ten_thousand_clients_take_few_microseconds_for_each_event_si11() -> None:
    from time import process_time

    parameters = tomllib.loads(FILE.read_text())["parameters"]
    table = Table("", {**parameters, "clients": 10_000, "sites": 20, "nodes": 2, "seconds": 60, "warm_up": 10})
    began = process_time()
    found = simulate_batch(read_sites(table), "1")
    assert found["events"] > 150_000
    assert (process_time() - began) / found["events"] < 5e-6


@pytest.mark.parametrize(
    "changed",
    [{"warm_up": 4000}, {"edge_cpu": {"mean": 1.0, "deviation": 0.1}}, {"policy": "lard"}, {"clients": 10**9}],
)
def test_a_model_that_cannot_be_simulated_is_refused_si2(changed: dict[str, Any]) -> None:
    parameters = tomllib.loads(FILE.read_text())["parameters"]
    with pytest.raises(InvalidExperiment):
        read_sites(Table("parameters", {**parameters, **changed}))
