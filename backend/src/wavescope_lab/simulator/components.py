"""The parts that every model is made of, in SimPy's time: what serves in order of arrival, and takes time."""

from __future__ import annotations

from collections.abc import Generator
from heapq import heapify, heapreplace
from typing import Any

import simpy

Steps = Generator[simpy.Event, Any, None]
"""The steps of a process of SimPy."""


class Station:
    """``servers`` equal servers with one queue in order of arrival: a processor, a disk, a writer of a network.

    The time at which a visit ends is known when it begins, so that a visit is one event of SimPy.
    """

    def __init__(self, env: simpy.Environment, servers: int = 1) -> None:
        self.env = env
        self.visits = 0
        self._assigned = 0.0
        self._free = [0.0] * servers
        heapify(self._free)

    def visit(self, seconds: float) -> simpy.Timeout:
        """An event after the waiting and ``seconds`` of service."""
        return self.env.timeout(self.take(seconds))

    def take(self, seconds: float) -> float:
        """Like ``visit``, as seconds from now to its end."""
        now = self.env.now
        end = max(now, self._free[0]) + seconds
        heapreplace(self._free, end)
        self.visits += 1
        self._assigned += seconds
        return end - now

    @property
    def backlog(self) -> float:
        """Seconds until a visit that begins now would be served."""
        return max(0.0, self._free[0] - self.env.now)

    def busy(self) -> float:
        """Seconds of service so far, of all servers together."""
        return self._assigned - sum(max(0.0, free - self.env.now) for free in self._free)

    def utilisation(self) -> float:
        """The part of the time so far in which a server was busy."""
        return self.busy() / (len(self._free) * self.env.now) if self.env.now > 0 else 0.0


class Link:
    """A network path: one writer at a time, bytes per second, and a delay that nothing waits for."""

    def __init__(self, env: simpy.Environment, bandwidth: float, delay: float) -> None:
        self.env, self.bandwidth, self.delay = env, bandwidth, delay
        self.writer = Station(env)

    def send(self, size: float) -> simpy.Timeout:
        """An event when the last of ``size`` bytes has arrived."""
        return self.env.timeout(self.writer.take(size / self.bandwidth) + self.delay)
