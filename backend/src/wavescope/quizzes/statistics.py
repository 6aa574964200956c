"""How hard each question was, and how well it tells good attempts from weak ones: pure functions (QZ23).

Source: Crocker and Algina, Introduction to Classical and Modern Test Theory, 1986, chapter 14.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple


class ItemStatistics(NamedTuple):
    """``difficulty``: mean share, 0 to 1 (1: everyone is right); ``discrimination``: -1 to 1, None if undefined."""

    difficulty: float | None
    discrimination: float | None


def item_statistics(shares: Sequence[Sequence[float]], points: Sequence[float]) -> list[ItemStatistics]:
    """One for each question. ``shares``: attempts x questions, 0 to 1; ``points``: of the questions.

    The discrimination is the corrected item-total correlation: Pearson's correlation of the points of the question with
    those of all others. For a question that is right or wrong it is the point-biserial correlation.
    """
    earned = [[share * most for share, most in zip(row, points, strict=True)] for row in shares]
    return [_item([row[item] for row in shares], earned, item) for item in range(len(points))]


def _item(shares: Sequence[float], earned: Sequence[Sequence[float]], item: int) -> ItemStatistics:
    if not shares:
        return ItemStatistics(None, None)
    own = [row[item] for row in earned]
    others = [sum(row[:item]) + sum(row[item + 1 :]) for row in earned]
    return ItemStatistics(statistics.fmean(shares), _correlation(own, others))


def _correlation(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Pearson's; None for fewer than two values, or if one side does not vary."""
    try:
        return statistics.correlation(left, right)
    except statistics.StatisticsError:
        return None
