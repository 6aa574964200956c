"""Reads the tables of experiments and component times: every key once, bounded, and none that is unknown (SI2)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from wavescope.errors.simulation import InvalidExperiment
from wavescope_lab.simulator.distributions import Distribution, distribution


class Table:
    """One table. Each reader raises InvalidExperiment with the place of the value."""

    def __init__(self, place: str, values: Mapping[str, object]) -> None:
        self.place, self._values, self._unread = place, values, set(values)

    def integer(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number from ``low`` to ``high``."""
        value = self._read(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise InvalidExperiment(self._at(key), f"{value!r} is not a whole number from {low} to {high}")
        return value

    def number(self, key: str, low: float, high: float, default: float | None = None) -> float:
        """A number from ``low`` to ``high``."""
        value = self._read(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise InvalidExperiment(self._at(key), f"{value!r} is not a number from {low} to {high}")
        return float(value)

    def text(self, key: str, limit: int = 200) -> str:
        """A text of 1 to ``limit`` characters."""
        value = self._read(key, None)
        if not isinstance(value, str) or not 1 <= len(value) <= limit:
            raise InvalidExperiment(self._at(key), f"{str(value)[:200]!r} is not a text of 1 to {limit} characters")
        return value

    def choice(self, key: str, choices: Collection[str], default: str | None = None) -> str:
        """One of some words."""
        value = self._read(key, default)
        if not isinstance(value, str) or value not in choices:
            raise InvalidExperiment(self._at(key), f"{value!r} is not one of {', '.join(choices)}")
        return value

    def distribution(self, key: str, default: float | None = None) -> Distribution:
        """A distribution in seconds."""
        return distribution(self._at(key), self._read(key, default))

    def tables(self, key: str, limit: int) -> list[Table]:
        """A list of 1 to ``limit`` tables."""
        value = self._read(key, None)
        if (
            not isinstance(value, list)
            or not 1 <= len(value) <= limit
            or not all(isinstance(v, Mapping) for v in value)
        ):
            raise InvalidExperiment(self._at(key), f"expected a list of 1 to {limit} tables")
        return [Table(f"{self._at(key)}[{number}]", values) for number, values in enumerate(value)]

    def lists(self, key: str) -> list[list[int]]:
        """A list of lists of whole numbers that are not negative."""
        value = self._read(key, None)
        if not isinstance(value, list) or not all(isinstance(row, list) and all(map(_is_count, row)) for row in value):
            raise InvalidExperiment(self._at(key), "expected a list of lists of whole numbers of at least 0")
        return value

    def has(self, key: str) -> bool:
        """Whether there is such a key; it counts as read."""
        self._unread.discard(key)
        return key in self._values

    @property
    def unread(self) -> frozenset[str]:
        """The keys that were never read."""
        return frozenset(self._unread)

    def done(self) -> None:
        """Raises InvalidExperiment if a key was never read."""
        if self._unread:
            raise InvalidExperiment(self._at(min(self._unread)), "unknown key")

    def _read(self, key: str, default: object) -> object:
        self._unread.discard(key)
        value = self._values.get(key, default)
        if value is None:
            raise InvalidExperiment(self._at(key), "missing")
        if isinstance(value, float) and not math.isfinite(value):
            raise InvalidExperiment(self._at(key), f"{value} is not finite")
        return value

    def _at(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
