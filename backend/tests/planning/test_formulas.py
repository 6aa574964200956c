"""The formulas of the planner: limits that are known, and what more equipment does."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scipy.special import gammainc

from planning.costs import situation
from wavescope.errors import InvalidParameter
from wavescope_lab.planning.hits import groups, hit_ratios
from wavescope_lab.planning.queues import gamma_cdf, wait
from wavescope_lab.planning.response import predict
from wavescope_lab.planning.situation import NUMBERS, checked_equipment
from wavescope_lab.simulator.theory import lru_hit_ratio, md1_response, mm1_response, mmc_response, zipf

VECTORS = json.loads((Path(__file__).parents[3] / "shared" / "vectors" / "planning" / "predictions.json").read_text())


def test_waits_are_those_of_theory_si21() -> None:
    assert wait(0.6, 1.0, 1.0).mean + 1 == pytest.approx(mm1_response(0.6, 1.0))
    assert wait(0.6, 1.0, 0.0).mean + 1 == pytest.approx(md1_response(0.6, 1.0))
    assert wait(2.4, 1.0, 1.0, 3).mean + 1 == pytest.approx(mmc_response(2.4, 1.0, 3))
    assert wait(0.6, 1.0, 1.0).variance == pytest.approx(mm1_response(0.6, 1.0) ** 2 - 1)
    assert math.isinf(wait(1.0, 1.0, 1.0).mean)


def test_the_gamma_function_is_that_of_scipy_si21() -> None:
    for shape in (0.05, 0.7, 1.0, 3.3, 40.0):
        for x in (1e-3, 0.5, 1.0, 4.0, 39.0, 90.0):
            assert gamma_cdf(shape, x) == pytest.approx(gammainc(shape, x), abs=1e-12)


@pytest.mark.parametrize("popularity", [0.0, 0.8, 1.0, 1.7])
def test_hit_ratios_are_those_of_an_lru_cache_si21(popularity: float) -> None:
    shares = zipf(5000, popularity)
    assert sum(group.number for group in groups(5000, popularity)) == 5000
    for size in (10, 300, 4000):
        found = hit_ratios(5000, popularity, 0.0, size, 0.0).edge
        assert found == pytest.approx(lru_hit_ratio(shares, size), abs=3e-3)
    assert hit_ratios(5000, popularity, 0.25, 5000, 0.0).edge == pytest.approx(0.75)


def test_one_client_alone_waits_for_nobody_si21() -> None:
    given = situation({"clients": 1, "link_mbit": 10})
    found = predict(given, checked_equipment({"node_gb": 0}))
    transfer = (given.full_share * given.full_bytes + (1 - given.full_share) * given.fine_bytes) * 8e-6
    expected = transfer * (1 / 10 + 1 / 1000) + 0.021 + given.node_cpu + given.store
    assert found.mean == pytest.approx(expected)


def test_a_full_station_answers_at_its_own_pace_si21() -> None:
    """N = X (R + Z): the link sends what it can, and no more."""
    found = predict(situation({"clients": 5000, "link_mbit": 10}), checked_equipment({}))
    link = next(part for part in found.parts if part.name == "link")
    assert link.utilisation == pytest.approx(1.0, abs=1e-3)
    assert found.throughput * (found.mean + NUMBERS["think_seconds"].default) == pytest.approx(5000)


@pytest.mark.parametrize("given", [{}, {"clients": 3000}, {"clients": 90_000, "sites": 100, "away": 0.4}])
def test_more_of_anything_is_never_slower_si21(given: dict[str, Any]) -> None:
    base, bought = situation(given), checked_equipment({"nodes": 2, "edge_gb": 10})
    slow = predict(base, bought)
    for better in (replace(bought, nodes=3), replace(bought, edge_gb=20), replace(bought, node_gb=20)):
        assert predict(base, better).mean <= slow.mean * (1 + 1e-9)
    assert predict(replace(base, clients=base.clients + 100), bought).mean >= slow.mean * (1 - 1e-9)
    assert predict(replace(base, link_mbit=200), bought).mean <= slow.mean
    assert sum(part.seconds for part in slow.parts) == pytest.approx(slow.mean, rel=1e-6)
    assert sum(kind.share for kind in slow.kinds) == pytest.approx(1)
    assert slow.within(slow.percentile(95)) == pytest.approx(0.95, abs=1e-6)


@pytest.mark.parametrize("case", VECTORS, ids=[case["name"] for case in VECTORS])
def test_predictions_are_those_of_the_vectors_si26(case: dict[str, Any]) -> None:
    found = predict(situation(case["situation"]), checked_equipment(case["equipment"]))
    assert found.mean == pytest.approx(case["mean"], rel=1e-7)
    assert found.throughput == pytest.approx(case["throughput"], rel=1e-7)
    assert list(found.hits) == pytest.approx(case["hits"], rel=1e-7)
    for part, expected in zip(found.parts, case["parts"], strict=True):
        assert [part.name, part.utilisation, part.seconds] == [expected[0], *map(_near, expected[1:])]
    for percent, seconds in case["percentiles"].items():
        assert found.percentile(float(percent)) == pytest.approx(seconds, rel=1e-6)


def _near(value: float) -> Any:
    return pytest.approx(value, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    "values", [{"clients": 0}, {"clients": 1.5}, {"away": 2}, {"link": 3}, {"slides": True}, {"store": float("nan")}]
)
def test_what_is_out_of_bounds_is_refused_by_name_si20(values: dict[str, object]) -> None:
    with pytest.raises(InvalidParameter, match=next(iter(values))):
        situation(values)


def test_caches_with_space_for_everything_leave_numbers_si21() -> None:
    """What an edge leaves of the most popular slides is 0 by rounding: nodes that have space for all still hit."""
    known = situation({"slides": 300_000, "popularity": 1.3, "first_views": 0.0})
    found = predict(known, checked_equipment({"nodes": 10_000, "edge_gb": 100_000, "node_gb": 100_000}))
    assert math.isfinite(found.mean)
    assert found.hits.node == pytest.approx(1)
    assert found.hits.edge == pytest.approx(0.996, abs=0.001)


def test_many_processors_that_are_almost_idle_let_nobody_wait_si21() -> None:
    assert wait(1e-3, 1.0, 1.0, 1000) == (0.0, 0.0)
    assert predict(situation({"clients": 40, "node_cores": 1000}), checked_equipment({})).mean > 0
