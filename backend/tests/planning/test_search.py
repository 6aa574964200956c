"""The cheapest plan: no cheaper one meets the goal; what cannot be met says why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from planning.costs import situation
from wavescope.cli import main
from wavescope.errors import InvalidParameter
from wavescope_lab.cli.plan import run as plan_command
from wavescope_lab.errors import GoalNotReachable
from wavescope_lab.planning.curves import breaks_first, over_clients, over_edges, over_nodes
from wavescope_lab.planning.prices import Prices, default_prices, load_prices
from wavescope_lab.planning.response import predict
from wavescope_lab.planning.search import Goal, cheapest, sizes
from wavescope_lab.planning.situation import NUMBERS, Equipment
from wavescope_lab.planning.times import load_times, moments
from wavescope_lab.simulations import service as simulations

CASES: list[tuple[dict[str, Any], float]] = [
    ({"slides": 20}, 1.0),
    ({"slides": 20, "clients": 500}, 0.15),
    ({"slides": 10, "clients": 3000, "sites": 4, "away": 0.1, "node_cpu": 0.03}, 0.12),
]


@pytest.mark.parametrize(("given", "seconds"), CASES)
def test_nothing_cheaper_meets_the_goal_si22(given: dict[str, Any], seconds: float) -> None:
    known, goal, prices = situation(given), Goal(seconds), default_prices()
    plan = cheapest(known, goal, prices)
    assert goal.met(plan.found)
    assert plan.price == pytest.approx(prices.of(known, plan.equipment))
    counted = 0
    for edge_gb in sizes(known):
        for node_gb in sizes(known):
            for nodes in range(1, plan.equipment.nodes + 3):
                other = Equipment(nodes, edge_gb, node_gb)
                if prices.of(known, other) < plan.price - 1e-9:
                    counted += 1
                    assert not goal.met(predict(known, other)), other
    assert counted or plan.equipment.nodes == 1
    assert cheapest(known, goal, prices) == plan


@pytest.mark.parametrize(
    ("given", "goal", "part", "words"),
    [
        ({"link_ms": 1800, "first_views": 0.5}, Goal(0.5), "link", "the link of the sites alone takes 0.9"),
        ({"clients": 1000, "link_mbit": 20}, Goal(0.3), "link", "busy"),
        ({"clients": 40, "lan_mbit": 1}, Goal(0.5), "lan", "the network of the sites"),
        ({"away": 1, "away_mbit": 1}, Goal(0.5), "away", "the link of clients"),
        ({"clients": 900_000, "sites": 9000, "store_rate": 10}, Goal(0.5), "store", "the object store"),
        ({"link_ms": 200}, Goal(0.5, 99, 0.1), "link", "only"),
    ],
)
def test_a_goal_that_cannot_be_met_says_what_is_in_the_way_si22(
    given: dict[str, Any], goal: Goal, part: str, words: str
) -> None:
    with pytest.raises(GoalNotReachable, match=words) as raised:
        cheapest(situation(given), goal, default_prices())
    assert raised.value.part == part


def test_what_breaks_first_is_where_the_goal_is_missed_si23() -> None:
    goal = Goal(0.2)
    plan = cheapest(situation({"clients": 400}), goal, default_prices())
    limit = breaks_first(plan, goal)
    assert limit.clients >= 400
    points = over_clients(plan, goal, 2 * limit.clients)
    assert all(point.met == (point.at <= limit.clients) for point in points)
    assert plan.equipment.nodes in [point.at for point in over_nodes(plan, goal)]
    assert [point.at for point in over_edges(plan, goal)] == sizes(plan.situation)
    slow = cheapest(situation({"clients": 400, "node_cpu": 0.05}), goal, Prices(1, 1, 1e6, 1))
    assert breaks_first(slow, goal).part in ("nodes", "link")


def test_prices_of_a_file_replace_the_defaults_si22(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text("node = 7\n")
    assert load_prices(file) == Prices(7, *list(vars(default_prices()).values())[1:])
    for text, word in (
        ("nodes = 7\n", "nodes"),
        ("node = -1\n", "node"),
        ("node = [", "TOML"),
        ("node = true", "node"),
    ):
        file.write_text(text)
        with pytest.raises(InvalidParameter, match=word):
            load_prices(file)


def test_defaults_are_about_what_was_measured_si20() -> None:
    found = load_times(Path(__file__).parents[3] / "shared" / "experiments" / "times" / "measured.toml")
    assert set(found) >= {"full_bytes", "fine_bytes", "edge_cpu", "node_cpu", "store"}
    for name, value in found.items():
        if not name.endswith("variation"):
            assert NUMBERS[name].default == pytest.approx(float(str(value)), rel=0.5), name


def test_measured_times_are_means_and_variations_si20(tmp_path: Path) -> None:
    assert moments("", 2.0) == (2.0, 0.0)
    assert moments("", {"mean": 2.0}) == (2.0, 1.0)
    assert moments("", {"mean": 2.0, "deviation": 1.0}) == (2.0, 0.25)
    assert moments("", {"values": [1, 3], "shares": [1, 1]}) == (2.0, 0.25)
    mean, variation = moments("", {"bins": [[0.0, 2.0]]})
    assert (mean, variation) == pytest.approx((1.0, 1 / 3))
    file = tmp_path / "times.toml"
    file.write_text("node_cpu = { mean = 0.004 }\nfull_bytes = 1000\nother = 3\n")
    found = load_times(file)
    assert found == {"node_cpu": 0.004, "node_variation": 1.0, "full_bytes": 1000.0}
    assert set(found) <= set(NUMBERS)
    for text in (
        "other = 3",
        "node_cpu = { men = 3 }",
        "node_cpu = { values = [] }",
        "store = { bins = [[1]] }",
        "x = [",
    ):
        file.write_text(text)
        with pytest.raises(InvalidParameter):
            load_times(file)


def test_a_plan_that_cannot_be_simulated_is_refused_before_the_search_si24(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(name: str) -> object:
        return None if name == "scipy" else object()

    monkeypatch.setattr(simulations, "find_spec", found)
    monkeypatch.setattr(plan_command, "_cheapest", lambda *_: pytest.fail("it searches"))
    assert main(["plan", "--clients", "40", "--mean-seconds", "0.25"]) != 0
    assert "SciPy" in capsys.readouterr().err
