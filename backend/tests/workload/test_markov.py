"""The matrix of the papers, and its two readings (decision 0013)."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from wavescope_lab.workload.markov import (
    FULL_VIEW,
    NEXT_STATE,
    STATES,
    THINK_SECONDS,
    Reading,
    is_full_view,
    long_run_shares,
    next_state,
    think_seconds,
)

DECISION = Path(__file__).parents[3] / "shared" / "decisions" / "0013-pathologist-workload.md"


def test_each_row_is_a_distribution() -> None:
    assert all(sum(row) == pytest.approx(1) and len(row) == STATES for row in NEXT_STATE)


def test_drawn_steps_have_the_frequencies_of_the_matrix() -> None:
    dice = random.Random(7)
    for state, row in enumerate(NEXT_STATE):
        drawn = Counter(next_state(state, dice) for _ in range(20_000))
        for target, probability in enumerate(row):
            assert drawn[target] / 20_000 == pytest.approx(probability, abs=0.015)
            assert probability > 0 or target not in drawn


def test_drawn_sizes_have_the_frequencies_of_the_table() -> None:
    dice = random.Random(7)
    for state, probability in enumerate(FULL_VIEW):
        assert sum(is_full_view(state, dice) for _ in range(20_000)) / 20_000 == pytest.approx(probability, abs=0.015)


def test_think_times_stay_within_the_printed_axes() -> None:
    dice = random.Random(7)
    for state, most in enumerate((30, 30, 20, 35)):
        drawn = [think_seconds(state, dice) for _ in range(1000)]
        assert min(drawn) > 0
        assert max(drawn) <= most
    assert len(THINK_SECONDS) == STATES


def test_the_two_readings_are_mirror_images() -> None:
    assert [Reading.MAGNIFICATION.level(state, 6) for state in range(STATES)] == [0, 1, 2, 3]
    assert [Reading.ZOOM.level(state, 6) for state in range(STATES)] == [3, 2, 1, 0]


def test_a_slide_with_few_levels_uses_its_coarsest_one() -> None:
    assert [Reading.MAGNIFICATION.level(state, 1) for state in range(STATES)] == [0, 1, 1, 1]


def test_the_decision_states_the_long_run_shares_of_the_matrix() -> None:
    stated = re.search(r"\| long-run share \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|", DECISION.read_text())
    assert stated
    assert [float(share) for share in stated.groups()] == [round(share, 3) for share in long_run_shares()]
