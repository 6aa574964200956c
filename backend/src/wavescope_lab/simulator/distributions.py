"""Times of components as distributions, drawn from a seeded generator; tables of a file become one (SI3)."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Protocol

from wavescope.errors.simulation import InvalidExperiment

MAX_VALUES = 10_000
"""Values or bins of one distribution."""


class Distribution(Protocol):
    """Seconds, never negative."""

    @property
    def mean(self) -> float:
        """The expected value in seconds."""
        ...

    def draw(self, rng: random.Random) -> float:
        """One value in seconds."""
        ...


@dataclass(frozen=True)
class Constant:
    """Always the same."""

    value: float

    @property
    def mean(self) -> float:
        return self.value

    def draw(self, rng: random.Random) -> float:
        return self.value


@dataclass(frozen=True)
class Exponential:
    """Memoryless."""

    mean: float

    def draw(self, rng: random.Random) -> float:
        return -self.mean * math.log(1.0 - rng.random())


@dataclass(frozen=True)
class Normal:
    """Normal; what would be below 0 is 0, so that ``mean`` holds for a deviation that is small beside it."""

    mean: float
    deviation: float

    def draw(self, rng: random.Random) -> float:
        return max(0.0, rng.gauss(self.mean, self.deviation))


@dataclass(frozen=True)
class Bins:
    """A histogram: ``bins`` from and to, ``edges`` the sums of their shares up to 1; even inside a bin."""

    bins: tuple[tuple[float, float], ...]
    edges: tuple[float, ...]

    @property
    def mean(self) -> float:
        shares = (edge - before for before, edge in zip((0.0, *self.edges), self.edges, strict=False))
        return sum(share * (low + high) / 2 for share, (low, high) in zip(shares, self.bins, strict=True))

    def draw(self, rng: random.Random) -> float:
        low, high = rng.choices(self.bins, cum_weights=self.edges)[0]
        return low + (high - low) * rng.random()


def distribution(place: str, table: object) -> Distribution:
    """The distribution of a table of a file, or of a number (constant). Raises InvalidExperiment with ``place``.

    ``{mean}`` is exponential, ``{mean, deviation}`` normal, ``{values, shares}`` and ``{bins, shares}`` a histogram.
    """
    if isinstance(table, Mapping):
        keys = frozenset(table)
        if keys == {"mean"}:
            return Exponential(seconds(place, table["mean"]))
        if keys == {"mean", "deviation"}:
            return Normal(seconds(place, table["mean"]), seconds(place, table["deviation"]))
        if keys in ({"values"}, {"values", "shares"}):
            values = [seconds(place, value) for value in _list(place, table["values"])]
            return _histogram(place, [(value, value) for value in values], table.get("shares"))
        if keys in ({"bins"}, {"bins", "shares"}):
            return _histogram(place, [_bin(place, each) for each in _list(place, table["bins"])], table.get("shares"))
        raise InvalidExperiment(place, f"{sorted(keys)} are not the keys of a distribution")
    return Constant(seconds(place, table))


def seconds(place: str, value: object) -> float:
    """A finite number that is not negative. Raises InvalidExperiment."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise InvalidExperiment(place, f"{value!r} is not a number of at least 0")
    return float(value)


def _list(place: str, value: object) -> Sequence[Any]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_VALUES:
        raise InvalidExperiment(place, f"expected a list of 1 to {MAX_VALUES} values")
    return value


def _bin(place: str, value: object) -> tuple[float, float]:
    low, high = (seconds(place, side) for side in value) if isinstance(value, list) and len(value) == 2 else (1.0, 0.0)
    if low > high:
        raise InvalidExperiment(place, f"{value!r} is not a bin: a list of a lower and a higher number")
    return low, high


def _histogram(place: str, bins: list[tuple[float, float]], shares: object) -> Bins:
    weights = [1.0] * len(bins) if shares is None else [seconds(place, share) for share in _list(place, shares)]
    if len(weights) != len(bins) or not sum(weights) > 0:
        raise InvalidExperiment(place, f"{len(weights)} shares for {len(bins)} values, or all are 0")
    return Bins(tuple(bins), tuple(accumulate(weight / sum(weights) for weight in weights)))
