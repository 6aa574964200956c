"""Stations in order of arrival, many visits at once: Lindley's recursion as sums and running maxima."""

from __future__ import annotations

from heapq import heapreplace

import numpy as np

from wavescope_lab.simulator.sites.draws import Floats, Integers


class Stations:
    """``count`` stations of ``servers`` servers each. Visits arrive in any order and are served in batches."""

    def __init__(self, count: int, servers: int = 1) -> None:
        self.count, self.servers = count, servers
        self.assigned = np.zeros(count)
        self.visits = 0
        self._free = np.zeros(count)
        self._heaps = [[0.0] * servers for _ in range(count if servers > 1 else 0)]
        self._pending: list[tuple[Floats, Integers, Integers, Floats]] = []

    def arrive(self, times: Floats, clients: Integers, stations: Integers, seconds: Floats) -> None:
        """Visits of clients to stations, each with its seconds of service."""
        if len(times):
            self._pending.append((times, clients, stations, seconds))

    def serve(self, before: float) -> tuple[Floats, Integers]:
        """The ends of all visits that arrive before a time, and their clients. No earlier one may arrive later."""
        if not self._pending:
            return np.empty(0), np.empty(0, dtype=np.int64)
        times, clients, stations, seconds = (np.concatenate(column) for column in zip(*self._pending, strict=True))
        now = times < before
        later = ~now
        self._pending = [(times[later], clients[later], stations[later], seconds[later])] if later.any() else []
        times, clients, stations, seconds = times[now], clients[now], stations[now], seconds[now]
        if not len(times):
            return times, clients
        self.visits += len(times)
        self.assigned += np.bincount(stations, weights=seconds, minlength=self.count)
        if self.servers > 1:
            order = np.lexsort((clients, times))
            return self._several(times[order], stations[order], seconds[order]), clients[order]
        order = np.lexsort((clients, times, stations))
        return self._single(times[order], stations[order], seconds[order]), clients[order]

    def _single(self, times: Floats, stations: Integers, seconds: Floats) -> Floats:
        """Visits in order of station and time. The end is the work so far plus the latest start of a busy period."""
        first = np.empty(len(times), dtype=bool)
        first[0], first[1:] = True, stations[1:] != stations[:-1]
        work = np.cumsum(seconds)
        start = np.where(first, np.maximum(times, self._free[stations]), times) - (work - seconds)
        # The maximum begins anew at each station: its starts are above all of the one before.
        shift = (np.cumsum(first) - 1) * (start.max() - start.min() + 1.0)
        ends: Floats = work + (np.maximum.accumulate(start + shift) - shift)
        last = np.append(first[1:], True)
        self._free[stations[last]] = ends[last]
        return ends

    def _several(self, times: Floats, stations: Integers, seconds: Floats) -> Floats:
        ends = []
        for time, station, service in zip(times.tolist(), stations.tolist(), seconds.tolist(), strict=True):
            heap = self._heaps[station]
            end = (time if time > heap[0] else heap[0]) + service
            heapreplace(heap, end)
            ends.append(end)
        return np.array(ends)

    def busy(self, until: float) -> Floats:
        """Seconds of service before a time, by station."""
        if self.servers > 1:
            left = np.array([sum(max(0.0, end - until) for end in heap) for heap in self._heaps])
        else:
            left = np.maximum(0.0, self._free - until)
        busy: Floats = self.assigned - left
        return busy
