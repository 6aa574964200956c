"""Several origins with replicas: the figures of 1999 (SI17)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wavescope.errors.simulation import InvalidExperiment
from wavescope_lab.simulator.experiments.experiment import load_experiment
from wavescope_lab.simulator.models import trial_of

pytest.importorskip("ortools", reason="the extra `edge` is not installed")

FILE = load_experiment(Path(__file__).parents[3] / "shared" / "experiments" / "tierney-1999.toml")
PARAMETERS: Any = FILE.runs[0].parameters
UNLIMITED: dict[str, Any] = {"origin_bandwidth": 1e15, "client_bandwidth": 1e15}


def megabits(copies: int, assignment: str, clients: int, seed: int = 0, **changed: object) -> float:
    run = {**PARAMETERS, "copies": copies, "assignment": assignment, "clients": clients, **changed}
    return trial_of("origins", "parameters", run)(f"1999/{seed}")["throughput"] / 1e6


def test_without_replicas_the_slowest_link_decides_si17() -> None:
    assert megabits(1, "flow", 1, **UNLIMITED) < 3 * 14
    assert megabits(1, "flow", 3) == pytest.approx(60, rel=0.1)


@pytest.mark.slow
def test_minimum_cost_flow_uses_all_links_and_greedy_does_not_si17() -> None:
    none, flow = (megabits(copies, "flow", 3) for copies in (1, 2))
    greedy = sum(megabits(2, "greedy", 3, seed) for seed in range(3)) / 3
    assert flow > 1.1 * greedy > 1.3 * none
    assert flow / none == pytest.approx(124 / 60, rel=0.1)


def test_unlimited_hosts_have_the_throughput_of_the_real_edge_in_virtual_time_si17() -> None:
    found = [megabits(copies, "flow", 3, **UNLIMITED) for copies in (1, 2)]
    assert found == pytest.approx([64, 322], rel=0.05)  # decision 0015, whose links have a tenth of the bandwidth


def test_clients_get_no_more_than_their_hosts_and_links_si17() -> None:
    assert megabits(2, "flow", 1) < 90
    assert megabits(2, "round-robin", 1) < megabits(2, "flow", 1)


@pytest.mark.parametrize("changed", [{"links": []}, {"links": [{"edge": "A"}]}, {"copies": 4}, {"assignment": "best"}])
def test_origins_that_cannot_be_simulated_are_refused_si2(changed: dict[str, object]) -> None:
    with pytest.raises(InvalidExperiment):
        trial_of("origins", "parameters", {**PARAMETERS, **changed})
