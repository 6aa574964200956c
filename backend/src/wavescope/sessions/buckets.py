"""Rates: a bucket that fills with time and is emptied by what is done (SE28)."""

from __future__ import annotations


class Bucket:
    """``rate`` a second, ``burst`` at once. Times in milliseconds, given by whoever has the clock."""

    def __init__(self, rate: float, burst: float, now: int) -> None:
        self._rate, self._burst = rate / 1000, burst
        self._left, self._seen = burst, now

    def take(self, now: int) -> bool:
        """Whether one more may be done now."""
        self._left = min(self._burst, self._left + max(0, now - self._seen) * self._rate)
        self._seen = max(now, self._seen)
        if self._left < 1:
            return False
        self._left -= 1
        return True
