"""Figures of response times."""

from __future__ import annotations

import numpy as np
import pytest

from wavescope_lab.workload.statistics import percentile, summarise


def test_the_figures_are_those_of_numpy() -> None:
    values = np.random.default_rng(3).exponential(size=57).tolist()
    summary = summarise(values)
    assert summary.count == 57
    assert summary.mean == pytest.approx(np.mean(values))
    assert (summary.min, summary.max) == (min(values), max(values))
    assert summary.variance == pytest.approx(np.var(values))
    for percent, value in summary.percentiles.items():
        assert value == pytest.approx(np.percentile(values, percent))


def test_one_value_is_all_its_percentiles() -> None:
    assert percentile([2.5], 99) == 2.5


def test_no_values_have_no_figures() -> None:
    with pytest.raises(ValueError, match="no values"):
        summarise([])
