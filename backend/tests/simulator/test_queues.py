"""One station and one cache agree with theory."""

from __future__ import annotations

import math

import pytest

from wavescope.blocks.cache.policies import Fifo, Lru, Policy
from wavescope_lab.simulator.distributions import Constant, Distribution, Exponential
from wavescope_lab.simulator.queues import OpenQueue, simulate_queue, simulate_references
from wavescope_lab.simulator.theory import lru_hit_ratio, md1_response, mm1_response, mmc_response, zipf

WITHIN = 0.02


@pytest.mark.parametrize(
    ("service", "servers", "expected"),
    [
        (Exponential(0.5), 1, mm1_response(1.0, 0.5)),
        (Constant(0.5), 1, md1_response(1.0, 0.5)),
        (Exponential(1.8), 3, mmc_response(1.0, 1.8, 3)),
    ],
    ids=["M/M/1", "M/D/1", "M/M/3"],
)
def test_a_station_has_the_response_time_of_theory_si4(service: Distribution, servers: int, expected: float) -> None:
    found = simulate_queue(OpenQueue(Exponential(1.0), service, servers, 120_000), "1")
    assert found["response"] == pytest.approx(expected, rel=WITHIN)
    assert found["utilisation"] == pytest.approx(service.mean / servers, rel=WITHIN)


def test_the_formulas_agree_where_they_describe_the_same_station() -> None:
    assert mmc_response(0.7, 1.0, 1) == pytest.approx(mm1_response(0.7, 1.0))
    assert mm1_response(0.8, 1.0) == pytest.approx(5.0)
    assert md1_response(0.8, 1.0) == pytest.approx(3.0)
    assert mmc_response(1.5, 1.0, 2) == pytest.approx(1 + 1.5**2 / (4 - 1.5**2))


@pytest.mark.parametrize(("exponent", "size"), [(0.8, 50), (1.2, 200)])
def test_an_lru_cache_has_the_hit_ratio_of_theory_si4(exponent: float, size: int) -> None:
    shares = zipf(1000, exponent)
    found = simulate_references(shares, size, Lru(), 300_000, "1")["hit_ratio"]
    assert found == pytest.approx(lru_hit_ratio(shares, size), rel=WITHIN)


def test_an_lru_cache_of_two_of_three_keys_has_the_exact_hit_ratio_si4() -> None:
    shares = [0.5, 0.3, 0.2]
    # A hit on a key: it is the last one, or the one before that is not the last one.
    exact = sum(p * (p + math.fsum(q * p / (1 - q) for q in shares if q != p)) for p in shares)
    assert simulate_references(shares, 2, Lru(), 200_000, "1")["hit_ratio"] == pytest.approx(exact, rel=WITHIN)


def test_a_fifo_cache_hits_less_than_an_lru_cache() -> None:
    shares = zipf(1000, 1.0)
    policies: list[Policy[int]] = [Lru(), Fifo()]
    found = [simulate_references(shares, 100, policy, 100_000, "1")["hit_ratio"] for policy in policies]
    assert found[0] > found[1] * 1.01
