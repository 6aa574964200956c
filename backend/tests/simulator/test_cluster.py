"""A cluster behind distribution policies: its parts, and the orderings of 1999 (decision 0023)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wavescope.blocks.cache.policies import Lru
from wavescope.errors.simulation import InvalidExperiment
from wavescope_lab.simulator.cache_models import CacheModel
from wavescope_lab.simulator.cluster.choosing import CHOOSING
from wavescope_lab.simulator.cluster.model import read_cluster, simulate_cluster
from wavescope_lab.simulator.cluster.trace import read_shape, requests
from wavescope_lab.simulator.experiments.experiment import load_experiment
from wavescope_lab.simulator.tables import Table

EXPERIMENTS = Path(__file__).parents[3] / "shared" / "experiments"
FILES = load_experiment(EXPERIMENTS / "khaleel-1999-files.toml").runs[0].parameters
WEB = load_experiment(EXPERIMENTS / "khaleel-1999-web.toml").runs[0].parameters
SMALLER = {"requests": 20_000, "files": 13_600, "memory_mb": 6.4}
"""A fifth of the published files and memories."""


def figures(parameters: Any, **changed: object) -> dict[str, float]:
    return simulate_cluster(read_cluster(Table("", {**parameters, **changed})), "1")


def files(distribution: str = "round-robin", **changed: object) -> dict[str, float]:
    return figures(FILES, **{**SMALLER, "distribution": distribution, **changed})


@pytest.mark.slow
def test_locality_beats_balance_where_the_working_set_is_large_si12() -> None:
    found = {name: files(name) for name in ("round-robin", "file", "client")}
    assert found["file"]["hit_ratio"] > 1.2 * found["round-robin"]["hit_ratio"]
    assert found["file"]["response"] < 0.95 * found["round-robin"]["response"]
    assert found["client"]["response"] == pytest.approx(found["round-robin"]["response"], rel=0.15)
    assert found["round-robin"]["imbalance"] < 1.01 < found["file"]["imbalance"]


@pytest.mark.slow
def test_the_hit_ratio_of_round_robin_does_not_grow_with_the_nodes_si12() -> None:
    few, many = files(nodes=4), files(nodes=16)
    assert many["hit_ratio"] < 1.03 * few["hit_ratio"]
    assert files("file", nodes=16)["hit_ratio"] > 1.1 * files("file", nodes=4)["hit_ratio"]


@pytest.mark.slow
def test_more_nodes_help_round_robin_on_striped_disks_only_si12() -> None:
    striped, mirrored = ([files(layout=at, nodes=n)["response"] for n in (4, 16)] for at in ("striped", "mirrored"))
    assert striped[1] < 0.9 * striped[0]
    assert mirrored[1] > 0.98 * mirrored[0]


def test_mirrored_disks_work_more_than_striped_ones_si12() -> None:
    striped, mirrored = (files(layout=at) for at in ("striped", "mirrored"))
    assert mirrored["disk_utilisation"] > 1.15 * striped["disk_utilisation"]
    assert striped["any_hit_ratio"] > 1.1 * mirrored["any_hit_ratio"]


@pytest.mark.slow
def test_every_policy_hits_on_a_small_working_set_si12() -> None:
    names = ("round-robin", "file", "client", "lard")
    found = {name: figures(WEB, requests=20_000, distribution=name) for name in names}
    assert min(each["any_hit_ratio"] for each in found.values()) > 0.9
    assert min(found, key=lambda name: found[name]["imbalance"]) == "round-robin"


@pytest.mark.parametrize("distribution", list(CHOOSING))
def test_a_request_waits_for_the_sum_of_the_parts(distribution: str) -> None:
    alone = {"requests": 50, "rate": 0.01, "files": 1, "repeat": 0.0, "nodes": 1, "layout": "mirrored", "memory_mb": 1}
    times = {"cpu": 0.5, "cpu_byte": 0.0, "disk": 2.0, "disk_byte": 0.0}
    assert figures(FILES, **alone, **times, distribution=distribution)["response"] == pytest.approx(0.5)
    missed = figures(FILES, **{**alone, "memory_mb": 0.001, "mean_bytes": 1e7}, **times, distribution=distribution)
    assert missed["response"] == pytest.approx(2.5)


def test_the_same_seed_gives_the_same_trace_si1() -> None:
    shape = read_shape(Table("", {**FILES, "requests": 100, "files": 100}))
    assert list(requests(shape, "1")) == list(requests(shape, "1"))
    assert list(requests(shape, "1")) != list(requests(shape, "2"))


def test_a_memory_stays_within_its_bytes() -> None:
    memory: CacheModel[int] = CacheModel(100, Lru())
    for file, size in ((1, 60), (2, 40), (3, 101)):
        memory.add(file, size)
    assert (memory.has(1), memory.has(2), memory.has(3)) == (True, True, False)
    memory.add(4, 50)
    assert (memory.has(1), memory.has(2), memory.has(4), memory.used) == (False, True, True, 90)


@pytest.mark.parametrize("changed", [{"distribution": "best"}, {"nodes": 0}, {"repeat": 1.0}, {"memory_mb": 0}])
def test_a_cluster_that_cannot_be_simulated_is_refused_si2(changed: dict[str, Any]) -> None:
    with pytest.raises(InvalidExperiment):
        read_cluster(Table("", {**FILES, **changed}))
