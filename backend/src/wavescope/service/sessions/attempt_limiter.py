"""How many wrong codes and passcodes are heard in all (SE7); those of one client are counted at the edge."""

from __future__ import annotations

from collections.abc import Callable

from wavescope.errors import TooManyRequests

WINDOW = 600.0  # seconds


class AttemptLimiter:
    """Counts misses in windows of ten minutes."""

    def __init__(self, what: str, most: int, clock: Callable[[], float]) -> None:
        self._what, self._most, self._clock = what, most, clock
        self._begun = self._missed = 0.0

    def check(self) -> None:
        """Raises TooManyRequests while there were too many."""
        left = self._begun + WINDOW - self._clock()
        if left <= 0:
            self._missed = 0
        elif self._missed >= self._most:
            raise TooManyRequests(self._what, int(left) + 1)

    def miss(self) -> None:
        """One more."""
        if self._missed == 0:
            self._begun = self._clock()
        self._missed += 1
