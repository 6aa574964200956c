"""Distributions of component times."""

from __future__ import annotations

import random
from statistics import fmean, stdev
from typing import Any

import pytest

from wavescope_lab.simulator.distributions import distribution


@pytest.mark.parametrize(
    ("table", "mean", "deviation"),
    [
        (2, 2, 0),
        ({"mean": 2.0}, 2, 2),
        ({"mean": 2.0, "deviation": 0.3}, 2, 0.3),
        ({"values": [1.0, 5.0], "shares": [3, 1]}, 2, 3**0.5),
        ({"bins": [[0.0, 2.0], [2.0, 4.0]]}, 2, (16 / 12) ** 0.5),
    ],
)
def test_draws_have_the_mean_and_deviation_of_the_table_si3(table: Any, mean: float, deviation: float) -> None:
    found, rng = distribution("x", table), random.Random(1)
    drawn = [found.draw(rng) for _ in range(20_000)]
    assert found.mean == pytest.approx(mean)
    assert fmean(drawn) == pytest.approx(mean, rel=0.03)
    assert stdev(drawn) == pytest.approx(deviation, rel=0.03, abs=1e-9)


def test_a_normal_time_is_never_negative_si3() -> None:
    found, rng = distribution("x", {"mean": 0.1, "deviation": 1.0}), random.Random(1)
    assert min(found.draw(rng) for _ in range(1000)) == 0
