"""Plans and simulation: formulas and the model agree; a plan that misses its goal is corrected."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from planning.costs import situation
from wavescope.cli import main
from wavescope_lab.planning import simulation_budget
from wavescope_lab.planning.prices import default_prices
from wavescope_lab.planning.response import predict
from wavescope_lab.planning.search import Goal, cheapest
from wavescope_lab.planning.situation import checked_equipment
from wavescope_lab.simulator.planner import confirm
from wavescope_lab.simulator.planner.confirm import confirmed
from wavescope_lab.simulator.planner.simulate import Simulated, simulate_plan, sites_of
from wavescope_lab.simulator.sites.batch import Batch
from wavescope_lab.simulator.sites.events import simulate_events


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation_budget, "REQUESTS", 15_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "bought"),
    [
        ({"clients": 250}, {}),
        ({"clients": 700}, {"edge_gb": 50}),
        ({"clients": 100, "node_cpu": 0.1, "node_cores": 2, "link_mbit": 1000}, {"nodes": 1}),
        ({"clients": 2000, "sites": 5, "away": 0.3}, {"nodes": 2, "edge_gb": 20}),
    ],
    ids=["a link", "an edge", "busy nodes", "elsewhere"],
)
@pytest.mark.usefixtures("_short")
def test_formulas_and_simulation_agree_si24(given: dict[str, Any], bought: dict[str, Any]) -> None:
    known, have = situation(given), checked_equipment(bought)
    found = predict(known, have)
    assert found.first.utilisation < 0.85
    simulated = simulate_plan(known, have)
    assert found.mean == pytest.approx(simulated.means["response"], rel=0.05)
    assert found.percentile(95) == pytest.approx(simulated.means["response_p95"], rel=0.12)
    assert found.throughput == pytest.approx(simulated.means["throughput"], rel=0.04)
    assert simulate_plan(known, have).means == simulated.means


def test_clients_elsewhere_have_the_times_of_simpy_si10() -> None:
    given = situation({"clients": 60, "sites": 3, "away": 0.4, "away_mbit": 4, "link_mbit": 6, "node_cpu": 0.2})
    sites = sites_of(given, checked_equipment({"edge_gb": 20, "nodes": 2}), 200.0)
    batch, events = Batch(sites, "1"), simulate_events(sites, "1")
    batch.run()
    found = batch.measures.figures()
    assert batch.events() == events["events"]
    assert found["response"] == pytest.approx(events["response"], rel=0.02)  # a different set at the end of the time
    assert found["response_p50"] == events["response_p50"]
    assert sites.place(np.array([0, 35, 36, 59])).tolist() == [0, 2, 3, 26]


def test_a_plan_that_misses_its_goal_by_simulation_is_corrected_si24(monkeypatch: pytest.MonkeyPatch) -> None:
    given, goal = situation({"clients": 400}), Goal(0.15)
    factor = 1.6

    def slower(known: Any, bought: Any, *_: Any) -> Simulated:
        return Simulated({"response": predict(known, bought).mean * factor}, {"response": 0.0}, 1)

    monkeypatch.setattr(confirm, "simulate_plan", slower)
    first = cheapest(given, goal, default_prices())
    assert first.found.mean * factor > goal.mean_seconds
    answer = confirmed(first, goal, default_prices())
    assert answer.met
    assert answer.rounds > 1
    assert answer.plan.found.mean * factor <= goal.mean_seconds
    assert answer.plan.price >= first.price


@pytest.mark.slow
@pytest.mark.usefixtures("_short")
def test_the_command_answers_twice_with_the_same_bytes_si24(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    asked = ["plan", "--clients", "300", "--mean-seconds", "0.2", "--link", "20,20=5", "--link", "100Mbit,20ms=30"]
    pictures = []
    for name in ("a.svg", "b.svg"):
        assert main([*asked, "--json", "--quiet", "--plot", str(tmp_path / name)]) == 0
        pictures.append((tmp_path / name).read_bytes())
    one, two = capsys.readouterr().out.splitlines()
    assert one == two
    assert pictures[0] == pictures[1]
    found = json.loads(one)
    assert found["simulation"]["met"]
    assert {"nodes", "edge_gb", "clients"} == set(found["curves"])
    assert found["breaks_first"]["clients"] >= 300
    assert main([*asked, "--no-simulation"]) == 0
    assert "what breaks first" in capsys.readouterr().out


def test_what_cannot_be_planned_is_said_in_a_line_si22(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["plan", "--clients", "40", "--mean-seconds", "0.1", "--first-views", "0.5", "--link", "10,1800", "--quiet"]
    assert main(asked) == 2
    assert "the link of the sites alone takes" in capsys.readouterr().err
    assert main(["plan", "--clients", "0", "--mean-seconds", "1", "--quiet"]) == 2
    assert "clients" in capsys.readouterr().err
    assert main(["plan", "--clients", "9", "--mean-seconds", "1", "--plot", "x.bmp"]) == 2


@pytest.mark.slow
def test_the_child_reports_progress_and_points_si25() -> None:
    points = [{"at": n, "situation": {"clients": n, "think_seconds": 900}, "equipment": {}} for n in (2, 4)]
    command = [sys.executable, "-m", "wavescope_lab.simulator.planner.child"]
    order = json.dumps({"points": points, "seed": 1, "goal": None}) + "\n"
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(order)
    child.stdin.flush()
    messages = [json.loads(line) for line in child.stdout]
    child.stdin.close()
    assert child.wait() == 0
    child.stdout.close()
    progress = [message["progress"] for message in messages if "progress" in message]
    assert progress == sorted(progress)
    assert [message["at"] for message in messages if "at" in message] == [2, 4]
    assert all(message["metrics"]["response"]["mean"] > 0 for message in messages if "at" in message)
