"""The processor of a node: some cores, or a share of one core as a control group gives it."""

from __future__ import annotations

import simpy

from wavescope_lab.simulator.components import Station

PERIOD = 0.1
"""Seconds in which a process may use its share of a core, as most container platforms have it."""


class Processor(Station):
    """One thread that has at most ``share`` of each period, and then stands still until the next one."""

    def __init__(self, env: simpy.Environment, cores: int, share: float = 1.0, period: float = PERIOD) -> None:
        super().__init__(env, cores)
        self._share, self._quota, self._seconds = share, share * period, period
        self._period, self._used = 0, 0.0

    def take(self, seconds: float) -> float:
        """See Station."""
        if self._share >= 1.0:
            return super().take(seconds)
        start = max(self.env.now, self._free[0])
        self._free[0] = self._end(start, seconds)
        self.visits += 1
        self._assigned += seconds
        return self._free[0] - self.env.now

    def busy(self) -> float:
        """Seconds of work so far; what is assigned and not done yet counts by the share."""
        if self._share >= 1.0:
            return super().busy()
        return self._assigned - self.backlog * self._share

    def utilisation(self) -> float:
        """The part of what the processor could have done so far."""
        return super().utilisation() / self._share

    def _end(self, start: float, seconds: float) -> float:
        period = int(start / self._seconds)
        if period > self._period:
            self._period, self._used = period, 0.0
        while seconds > self._quota - self._used:
            seconds -= self._quota - self._used
            self._period, self._used = self._period + 1, 0.0
            start = self._period * self._seconds
        self._used += seconds
        return start + seconds
