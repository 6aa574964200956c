"""Figures of many trials: confidence intervals (Student's t) and shares of variation of a 2^k design (SI5, SI6)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, stdev

from wavescope.errors import MissingPackage


@dataclass(frozen=True)
class Estimate:
    """The mean of some trials; ``half``: half the width of its confidence interval, None for a single trial."""

    mean: float
    half: float | None
    trials: int


def estimate(values: Sequence[float], confidence: float) -> Estimate:
    """The mean of at least one value, and its interval. Raises MissingPackage without SciPy."""
    if len(values) < 2:
        return Estimate(fmean(values), None, len(values))
    half = _student((1 + confidence) / 2, len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return Estimate(fmean(values), half, len(values))


def _student(probability: float, freedom: int) -> float:
    try:
        from scipy.special import stdtrit
    except ImportError as error:
        raise MissingPackage("SciPy", "a confidence interval", "simulate") from error
    return float(stdtrit(freedom, probability))


@dataclass(frozen=True)
class Effect:
    """The effect of some factors together: the coefficient of their product, and the share of variation it explains.

    The mean itself is the effect of no factor; it explains none.
    """

    factors: tuple[str, ...]
    coefficient: float
    share: float


def effects(factors: Sequence[str], means: Mapping[tuple[int, ...], float]) -> list[Effect]:
    """All effects of a 2^k design (Jain 1991, chapter 17). ``means``: by the signs of the factors, -1 or 1."""
    found = []
    for count in range(len(factors) + 1):
        for chosen in combinations(range(len(factors)), count):
            total = math.fsum(math.prod(signs[n] for n in chosen) * mean for signs, mean in means.items())
            found.append((tuple(factors[n] for n in chosen), total / len(means)))
    variation = math.fsum(coefficient**2 for names, coefficient in found if names)
    return [
        Effect(names, coefficient, coefficient**2 / variation if names and variation > 0 else 0.0)
        for names, coefficient in found
    ]
