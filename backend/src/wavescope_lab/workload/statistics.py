"""Response times in figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance

PERCENTS = (50, 90, 95, 99)


@dataclass(frozen=True)
class Summary:
    """Of at least one value: count, mean, least, most, variance (of the population), percentiles by percent."""

    count: int
    mean: float
    min: float
    max: float
    variance: float
    percentiles: dict[int, float]


def summarise(values: Sequence[float]) -> Summary:
    """The figures of some values; ValueError if there are none."""
    if not values:
        raise ValueError("no values")
    percentiles = {percent: percentile(values, percent) for percent in PERCENTS}
    return Summary(len(values), fmean(values), min(values), max(values), pvariance(values), percentiles)


def percentile(values: Sequence[float], percent: float) -> float:
    """The value below which ``percent`` of all are, between neighbours by their distance."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
