"""One measurement: load on a cluster for a time, and what it took."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from threading import Event, Thread

from cluster.lean import LeanExchange
from cluster.load import Result, Window, Work
from cluster.parts import Cluster
from wavescope.geometry import Pyramid
from wavescope_lab.replay.blocks import BlockViewer, Options
from wavescope_lab.replay.exchange import Counts

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
    mean number of requests at a node; ``imbalance``: the longest queue over the mean one; ``driver``: cores;
    ``used``: part of the shares that the nodes used.
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
    used: float
    blocks_mean: float
    region_mean: float

    def record(self) -> dict[str, float]:
        """As JSON has it."""
        return asdict(self)


def measure(one: Cluster, work: Work, times: Times, seed: int = 0) -> Figures:
    """Warm the caches, limit the nodes, measure. ``seed``: of what clients look at."""
    one.release()
    warm(one, work, times.warm, seed)
    one.hold()
    try:
        return row(one, work, times, seed)
    finally:
        one.release()


def warm(one: Cluster, work: Work, seconds: float, seed: int = 0) -> None:
    """Fill the caches of the active nodes."""
    if seconds:
        asyncio.run(Window(one.balancer.url, work, 0, seconds, seed).run(_nothing, _nothing))


def decode_all(one: Cluster, slides: Sequence[str], size: tuple[int, int]) -> None:
    """Each active node has every tile of the slides in memory, decoded: round robin alone would leave gaps for long."""

    async def fill(exchange: LeanExchange, url: str) -> None:
        try:
            for slide in slides:
                viewer = BlockViewer(Options(url, slide), exchange)
                await viewer.open()
                for place in _places(*size):
                    await exchange.get(f"{viewer.base}/region?{place}", "region")
        finally:
            await exchange.close()

    async def fill_all() -> None:
        nodes = one.active_nodes()
        await asyncio.gather(*(fill(LeanExchange(number, Counts()), node.url) for number, node in enumerate(nodes)))

    asyncio.run(fill_all())


def _places(width: int, height: int) -> Iterator[str]:
    pyramid, step = Pyramid(width, height), 512
    for level in range(pyramid.top + 1):
        wide, high = pyramid.level_size(level)
        for x, y in product(range(0, wide, step), range(0, high, step)):
            w, h = min(step, wide - x), min(step, high - y)
            yield f"x={x << level}&y={y << level}&width={w}&height={h}&level={level}&format=jpg"


def row(one: Cluster, work: Work, times: Times, seed: int = 0) -> Figures:
    """Measure nodes that have their caches and their shares."""
    return rows_at_once([(one, work)], times, seed)[0]


def rows_at_once(rows: Sequence[tuple[Cluster, Work]], times: Times, seed: int = 0) -> list[Figures]:
    """The same of several clusters at the same time."""
    counted = [_Counted(one) for one, _ in rows]

    async def load() -> list[Result]:
        windows = [Window(one.balancer.url, work, times.settle, times.measured, seed) for one, work in rows]
        return await asyncio.gather(
            *(window.run(each.begin, each.end) for window, each in zip(windows, counted, strict=True))
        )

    return [each.figures(result) for each, result in zip(counted, asyncio.run(load()), strict=True)]


def _nothing() -> None:
    return


class _Counted:
    """Counters at the beginning and at the end of the measured time, and queues in between.

    Nodes are asked for their metrics before and after it: a limited node takes its time, in which the driver would
    stand still, the longer the more nodes there are.
    """

    def __init__(self, one: Cluster) -> None:
        self._cluster = one
        self._samples: list[list[int]] = []
        self._stop = Event()
        self._thread = Thread(target=self._sample, daemon=True)
        self._cpu = self._driver = self._balancer = 0.0
        self._hits, self._misses = self._cached()

    def begin(self) -> None:
        self._count(-1)
        self._thread.start()

    def end(self) -> None:
        self._count(1)
        self._stop.set()

    def _count(self, sign: int) -> None:
        self._cpu += sign * sum(share.cpu_seconds() for share in self._cluster.active_shares())
        self._balancer += sign * self._cluster.balancer.cpu_seconds()
        self._driver += sign * time.process_time()

    def _cached(self) -> tuple[float, float]:
        found = [node.metrics() for node in self._cluster.active_nodes()]
        hits, misses = (f'wavescope_cache_{name}_total{{cache="blocks"}}' for name in ("hits", "misses"))
        return sum(one[hits] for one in found), sum(one[misses] for one in found)

    def _sample(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            self._samples.append(self._cluster.queues())

    def figures(self, result: Result) -> Figures:
        self._thread.join()
        hits, misses = (
            after - before for after, before in zip(self._cached(), (self._hits, self._misses), strict=True)
        )
        queues = [sum(rows) / len(self._samples) for rows in zip(*self._samples, strict=True)]
        mean = sum(queues) / len(queues)
        return Figures(
            rate=result.rate,
            mean=result.mean(),
            p95=result.p95(),
            node_cpu=self._cpu / result.answers,
            balancer_cpu=self._balancer / result.answers,
            hits=hits / (hits + misses) if hits + misses else 1.0,
            queue=mean,
            imbalance=max(queues) / mean if mean else 1.0,
            driver=self._driver / result.seconds,
            used=self._cpu / result.seconds / sum(share.cores or 1.0 for share in self._cluster.active_shares()),
            blocks_mean=result.mean("blocks"),
            region_mean=result.mean("region"),
        )
