"""Item statistics against values worked out by hand (quizzes.md)."""

from __future__ import annotations

import pytest

from wavescope.quizzes.statistics import item_statistics


def test_difficulty_is_the_mean_share_and_discrimination_the_correlation_with_the_other_questions_qz23() -> None:
    shares: list[list[float]] = [[1, 1, 0.5], [1, 0, 0.5], [0, 1, 0.5], [0, 0, 0.5]]
    first, second, third = item_statistics(shares, [1, 3, 2])
    assert (first.difficulty, second.difficulty, third.difficulty) == (0.5, 0.5, 0.5)
    assert (first.discrimination, second.discrimination) == (pytest.approx(0), pytest.approx(0))
    assert third.discrimination is None  # everyone has the same points


def test_the_point_biserial_correlation_of_a_question_that_is_right_or_wrong_qz23() -> None:
    """Others' points 4, 3, 2, 1; right in the first two: (3.5 - 1.5) / 1.118 x sqrt(0.25) = 0.894."""
    shares: list[list[float]] = [[1, 1], [1, 0.75], [0, 0.5], [0, 0.25]]
    assert item_statistics(shares, [1, 4])[0].discrimination == pytest.approx(0.8944, abs=1e-4)


def test_without_attempts_nothing_is_known_and_one_attempt_has_no_correlation_qz23() -> None:
    assert item_statistics([], [1]) == [(None, None)]
    assert item_statistics([[1]], [1]) == [(1, None)]
