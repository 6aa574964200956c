"""Clients without think time: each opens slides and looks at them as the pathologists of the workload do."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cluster.lean import LeanExchange
from wavescope_lab.replay.base import Viewer
from wavescope_lab.replay.blocks import BlockViewer, Options
from wavescope_lab.replay.exchange import Counts
from wavescope_lab.workload.pathologist import Field
from wavescope_lab.workload.trace import Plan, make_trace


@dataclass(frozen=True)
class Work:
    """``regions``: the share of visits that read regions, which the service decodes; the others read blocks.
    ``skew``: 0 for slides that are in demand equally, 1 for a distribution by Zipf.
    """

    slides: Sequence[str]
    size: tuple[int, int]
    clients: int = 16
    views: int = 6
    regions: float = 0.0
    skew: float = 0.0
    view: tuple[int, int] = (1000, 700)
    region: tuple[int, int] = (600, 400)


@dataclass
class Result:
    """What came in the measured time. ``answers``: HTTP answers; ``times``: seconds of each view by kind."""

    seconds: float = 0.0
    answers: int = 0
    times: dict[str, list[float]] = field(default_factory=lambda: {"blocks": [], "region": []})

    @property
    def rate(self) -> float:
        """Answers per second."""
        return self.answers / self.seconds

    def mean(self, kind: str = "") -> float:
        times = self.times[kind] if kind else [*self.times["blocks"], *self.times["region"]]
        return statistics.fmean(times) if times else float("nan")

    def p95(self) -> float:
        times = sorted([*self.times["blocks"], *self.times["region"]])
        return times[int(0.95 * (len(times) - 1))]


class RegionViewer:
    """A client that has the service decode each field."""

    def __init__(self, options: Options, exchange: LeanExchange) -> None:
        self._blocks, self._options, self._exchange = BlockViewer(options, exchange), options, exchange

    @property
    def counts(self) -> Counts:
        return self._exchange.counts

    async def open(self) -> tuple[int, int]:
        return await self._blocks.open()

    async def show(self, one: Field) -> None:
        x, y = one.ln_x << one.level, one.ln_y << one.level
        place = f"x={x}&y={y}&width={one.ln_width}&height={one.ln_height}&level={one.level}&format=jpg"
        await self._exchange.get(f"{self._blocks.base}/region?{place}", "region")

    async def close(self) -> None:
        await self._exchange.close()


class Window:
    """The time that is measured: from the end of the warm-up to the end of the load. ``seed``: of what clients see."""

    def __init__(self, url: str, work: Work, warm: float, seconds: float, seed: int = 0) -> None:
        self._url, self._work, self._warm, self._seconds, self._seed = url, work, warm, seconds, seed
        self.result = Result()
        self._total = Counts()
        self._begin = 0.0

    async def run(self, begun: Callable[[], None], ended: Callable[[], None]) -> Result:
        """``begun`` and ``ended`` are called where the measured time begins and ends."""
        start = time.perf_counter()
        self._begin = start + self._warm
        until = self._begin + self._seconds
        clients = [asyncio.create_task(self._client(number, until)) for number in range(self._work.clients)]
        try:
            await self._at(self._begin, clients)
            begun()
            first, before = time.perf_counter(), self._total.answers
            await self._at(until, clients)
            ended()
            self.result.seconds, self.result.answers = time.perf_counter() - first, self._total.answers - before
        finally:
            for client in clients:
                client.cancel()
            await asyncio.gather(*clients, return_exceptions=True)
        return self.result

    async def _at(self, moment: float, clients: Sequence[asyncio.Task[None]]) -> None:
        done, _ = await asyncio.wait(clients, timeout=moment - time.perf_counter(), return_when=asyncio.FIRST_EXCEPTION)
        for client in done:
            client.result()

    async def _client(self, number: int, until: float) -> None:
        work, dice = self._work, random.Random(f"{self._seed} {self._warm} client {number}")
        weights = [1 / (1 + place) ** work.skew for place in range(len(work.slides))]
        while time.perf_counter() < until:
            slide = dice.choices(work.slides, weights)[0]
            kind = "region" if dice.random() < work.regions else "blocks"
            view = work.region if kind == "region" else work.view
            trace = make_trace(Plan(slide, work.size, 1, work.views, dice.randrange(1 << 30), view=view))
            exchange = LeanExchange(number, self._total)
            options = Options(self._url, slide)
            viewer: Viewer = (BlockViewer if kind == "blocks" else RegionViewer)(options, exchange)
            try:
                await self._visit(kind, viewer, [request.field for request in trace])
            finally:
                await viewer.close()

    async def _visit(self, kind: str, viewer: Viewer, fields: Sequence[Field]) -> None:
        for number, one in enumerate(fields):
            begun = time.perf_counter()
            if not number:
                await viewer.open()
            await viewer.show(one)
            if (ended := time.perf_counter()) >= self._begin:
                self.result.times[kind].append(ended - begun)
