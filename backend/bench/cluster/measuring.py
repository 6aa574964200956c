"""One measurement: load on a cluster for a time, and what it took."""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict, dataclass
from threading import Event, Thread

from cluster.load import Result, Window, Work
from cluster.parts import Cluster

SAMPLE_SECONDS = 0.1


@dataclass(frozen=True)
class Times:
    """Seconds: to fill caches with nodes that are not limited; to settle with limited nodes; measured."""

    warm: float
    settle: float
    measured: float


@dataclass(frozen=True)
class Figures:
    """``rate``: answers per second; ``mean``, ``p95``: seconds of a view; ``node_cpu``, ``balancer_cpu``: seconds of
    processor time per answer; ``hits``: share of the parts of blocks that were in the memory of the node; ``queue``:
    mean number of requests at a node; ``imbalance``: the longest queue over the mean one; ``driver``: cores.
    """

    rate: float
    mean: float
    p95: float
    node_cpu: float
    balancer_cpu: float
    hits: float
    queue: float
    imbalance: float
    driver: float
    blocks_mean: float
    region_mean: float

    def record(self) -> dict[str, float]:
        """As JSON has it."""
        return asdict(self)


def measure(one: Cluster, work: Work, times: Times) -> Figures:
    """Warm the caches, limit the nodes, measure."""
    one.release()
    if times.warm:
        asyncio.run(Window(one.balancer.url, work, 0, times.warm).run(_nothing, _nothing))
    one.hold()
    counted = _Counted(one)
    result = asyncio.run(Window(one.balancer.url, work, times.settle, times.measured).run(counted.begin, counted.end))
    one.release()
    return counted.figures(result)


def _nothing() -> None:
    return


class _Counted:
    """Counters at the beginning and at the end of the measured time, and queues in between."""

    def __init__(self, one: Cluster) -> None:
        self._cluster = one
        self._samples: list[list[int]] = []
        self._stop = Event()
        self._thread = Thread(target=self._sample, daemon=True)
        self._cpu = self._driver = 0.0
        self._balancer = self._hits = self._misses = 0.0

    def begin(self) -> None:
        self._count(-1)
        self._thread.start()

    def end(self) -> None:
        self._stop.set()
        self._count(1)
        self._thread.join()

    def _count(self, sign: int) -> None:
        self._cpu += sign * sum(node.cpu_seconds() for node in self._cluster.nodes)
        self._balancer += sign * self._cluster.balancer.cpu_seconds()
        self._driver += sign * time.process_time()
        for node in self._cluster.nodes:
            metrics = node.metrics()
            self._hits += sign * metrics['wavescope_cache_hits_total{cache="blocks"}']
            self._misses += sign * metrics['wavescope_cache_misses_total{cache="blocks"}']

    def _sample(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            self._samples.append(self._cluster.queues())

    def figures(self, result: Result) -> Figures:
        queues = [sum(rows) / len(self._samples) for rows in zip(*self._samples, strict=True)]
        mean = sum(queues) / len(queues)
        asked = self._hits + self._misses
        return Figures(
            rate=result.rate,
            mean=result.mean(),
            p95=result.p95(),
            node_cpu=self._cpu / result.answers,
            balancer_cpu=self._balancer / result.answers,
            hits=self._hits / asked if asked else 1.0,
            queue=mean,
            imbalance=max(queues) / mean if mean else 1.0,
            driver=self._driver / result.seconds,
            blocks_mean=result.mean("blocks"),
            region_mean=result.mean("region"),
        )
