"""The simulation of 1998 against what was published of it (decision 0022)."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from wavescope_lab.simulator.experiments.experiment import Experiment, load_experiment
from wavescope_lab.simulator.experiments.results import results
from wavescope_lab.simulator.experiments.trials import run_trials
from wavescope_lab.simulator.report import read_report, simulate_report
from wavescope_lab.simulator.tables import Table

EXPERIMENTS = Path(__file__).parents[3] / "shared" / "experiments"
TABLE_7 = EXPERIMENTS / "report-1998-table-7.toml"


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return load_experiment(TABLE_7)


@pytest.fixture(scope="module")
def found(experiment: Experiment) -> dict[str, Any]:
    few = experiment.with_trials(3)
    return results(few, run_trials(few, lambda finished, wanted: None))


def figures(experiment: Experiment, seed: str = "1", **changed: object) -> dict[str, float]:
    parameters = {**experiment.runs[0].parameters, **changed}
    return simulate_report(read_report(Table("", {k: v for k, v in parameters.items() if v is not None})), seed)


@pytest.mark.slow
def test_table_7_is_reproduced_within_its_intervals_si8(found: dict[str, Any]) -> None:
    published = [figure for run in found["runs"] for figure in run["expected"].values()]
    assert len(published) == 12
    assert all(figure["within"] for figure in published)


def test_the_factorial_analysis_explains_the_published_shares_si8(found: dict[str, Any]) -> None:
    shares = {tuple(each["factors"]): each["share"] for each in found["effects"]["response"]}
    assert shares[("clients",)] == pytest.approx(0.679, abs=0.03)
    assert shares[("hit_rate",)] == pytest.approx(0.1738, abs=0.03)
    assert shares[("hit_rate", "clients")] == pytest.approx(0.1472, abs=0.03)


def test_a_cache_that_always_hits_leaves_the_server_idle_and_saturates_the_proxy_si8(experiment: Experiment) -> None:
    by_clients = [figures(experiment, hit_rate=1.0, clients=clients) for clients in (1, 20, 30)]
    assert all(each["server_utilisation"] == each["wan_utilisation"] == 0 for each in by_clients)
    assert by_clients[0]["proxy_utilisation"] < 0.2
    assert min(each["proxy_utilisation"] for each in by_clients[1:]) > 0.95
    assert 20 < by_clients[2]["response"] < 45


def test_a_proxy_that_never_hits_is_like_none_si8(experiment: Experiment) -> None:
    without, never = (figures(experiment, hit_rate=h, clients=20, requests=50)["response"] for h in (None, 0.0))
    assert never == pytest.approx(without, rel=0.03)


def test_a_single_client_waits_for_the_sum_of_the_components(experiment: Experiment) -> None:
    lan = {"lan_request": 0.2, "lan_large": 4.0, "lan_small": 4.0}
    network: dict[str, Any] = {**lan, "wan_request": 0.6, "wan_block": 2.0}
    proxy: dict[str, Any] = {"proxy_request": 0.01, "proxy_miss": 0.001, "proxy_receive": 0.1, "proxy_send": 0.25}
    server: dict[str, Any] = {"server_per_zoom": 0, "server_base": 0, "large_blocks": 6, "small_blocks": 6}
    found = figures(experiment, **network, **proxy, **server, hit_rate=0.0)
    request, blocks, answer = 0.1 + 0.01 + 6 * 0.001 + 0.3, 6 * 1.0, 3 * 0.25 + 2.0
    assert found["response"] == pytest.approx(request + blocks + 0.1 + answer)


def test_small_requests_wait_less_than_large_ones(experiment: Experiment) -> None:
    found = [figures(experiment, str(seed), hit_rate=0.5, clients=8, requests=50) for seed in range(3)]
    assert fmean(f["response_small"] for f in found) < 0.7 * fmean(f["response_large"] for f in found)
