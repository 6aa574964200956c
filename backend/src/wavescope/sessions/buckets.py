"""Rate limits: a token bucket (SE28)."""

from __future__ import annotations


class Bucket:
    """Allows ``rate`` actions a second and ``burst`` at once. Times in milliseconds, given by the caller."""

    def __init__(self, rate: float, burst: float, now: int) -> None:
        self._rate, self._burst = rate / 1000, burst
        self._tokens, self._updated = burst, now

    def consume(self, now: int) -> bool:
        """Uses one token; False: there is none, and the action is not allowed now."""
        self._tokens = min(self._burst, self._tokens + max(0, now - self._updated) * self._rate)
        self._updated = max(now, self._updated)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
