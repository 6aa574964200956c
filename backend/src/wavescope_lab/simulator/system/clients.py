"""Clients of the workload: each opens slides, looks at views, and requests what it does not have, as the page does."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import simpy

from wavescope_lab.simulator.components import Steps
from wavescope_lab.simulator.system.requests import Request, Source
from wavescope_lab.simulator.system.slides import Part, Slides
from wavescope_lab.workload.pathologist import Field
from wavescope_lab.workload.statistics import percentile
from wavescope_lab.workload.sweep import Pattern
from wavescope_lab.workload.trace import Plan, requests_of, scene_of

FETCHES = ("batch", "get")
MANIFEST_BYTES, APPROXIMATION_BYTES = 2500, 12_000
PERCENTS = (50, 95, 99)


@dataclass(frozen=True)
class Behaviour:
    """``visits``: slides that a client opens one after another, None until the end of the time; of each it looks at
    ``requests`` views. ``think_factor``: of the think times. ``client_block``: seconds until a block is displayed.
    ``trace_seed``: the trace of the driver with this seed, in every trial; None: one for each trial.
    """

    fetch: str
    requests: int
    visits: int | None
    think_factor: float
    view: tuple[int, int]
    client_block: float
    trace_seed: int | None


@dataclass
class Measured:
    """Seconds of the views that began after the warm-up and ended within the time; requests of HTTP among them."""

    warm_up: float
    until: float
    times: list[float] = field(default_factory=list)
    answers: int = 0
    bytes: int = 0

    def figures(self) -> dict[str, float]:
        """Mean, variance and percentiles."""
        if not self.times:
            return {}
        mean = sum(self.times) / len(self.times)
        found = {"response": mean, "response_variance": sum((t - mean) ** 2 for t in self.times) / len(self.times)}
        found |= {f"response_p{percent}": percentile(self.times, percent) for percent in PERCENTS}
        return found


class Client:
    """One client. ``source``: its edge, or the origin."""

    def __init__(self, env: simpy.Environment, number: int, source: Source, slides: Slides, how: Behaviour) -> None:
        self.env, self.number, self._source, self._slides, self._how = env, number, source, slides, how
        self._has: set[Part] = set()

    def run(self, seed: str, measured: Measured) -> Steps:
        """All visits."""
        how, rng, visit = self._how, random.Random(f"{seed}/visits/{self.number}"), 0
        while self.env.now < measured.until and (how.visits is None or visit < how.visits):
            slide = rng.choices(range(self._slides.count), self._slides.weights())[0]
            self._has.clear()
            self._source.renew()
            yield from self._visit(slide, self._views(seed, visit), measured)
            visit += 1

    def _views(self, seed: str, visit: int) -> Iterable[tuple[float, Field]]:
        """Seconds of thought before each view, and the view."""
        how, pyramid = self._how, self._slides.pyramid
        number = how.trace_seed if how.trace_seed is not None else random.Random(f"{seed}/{visit}").randrange(1 << 30)
        plan = Plan("", (pyramid.width, pyramid.height), 1, how.requests, number, view=how.view)
        if (
            how.visits is None and how.trace_seed is None
        ):  # as the load of the bench of clusters: a trace for each visit
            plan = Plan("", plan.size, 1, how.requests, number + self.number, (Pattern.ROWS,), view=how.view)
            return ((one.think, one.field) for one in requests_of(plan, scene_of(plan), 0))
        return ((one.think, one.field) for one in requests_of(plan, scene_of(plan), self.number))

    def _visit(self, slide: int, views: Iterable[tuple[float, Field]], measured: Measured) -> Steps:
        for number, (think, view) in enumerate(views):
            if think * self._how.think_factor:
                yield self.env.timeout(think * self._how.think_factor)
            began, answers = self.env.now, 0
            if number == 0 and self._slides.unit == "blocks":
                yield from self._open(slide)
                answers = 2
            answers += yield from self._show(slide, view)
            if measured.warm_up <= began and self.env.now < measured.until:
                measured.times.append(self.env.now - began)
                measured.answers += answers

    def _open(self, slide: int) -> Steps:
        yield from self._source.fetch(self._ask("manifest", slide, {(slide, "manifest"): MANIFEST_BYTES}))
        yield from self._source.fetch(self._ask("part", slide, {(slide, "approximation"): APPROXIMATION_BYTES}))

    def _ask(self, kind: str, slide: int, parts: dict[Part, int]) -> Request:
        return Request(kind, self.number, slide, parts)

    def _show(self, slide: int, view: Field) -> Generator[simpy.Event, Any, int]:
        """Index pages first, all at the same time; then the blocks. Returns the number of requests."""
        slides, how = self._slides, self._how
        if slides.unit == "pixels":
            body = 3 * view.ln_width * view.ln_height
            ask = Request("pixels", self.number, slide, slides.blocks(slide, view), slides.raw_bytes(view), body)
            yield from self._source.fetch(ask)
            return 1
        pages = {part: size for part, size in slides.pages(slide, view).items() if part not in self._has}
        self._has.update(pages)
        yield from self._all([self._ask("part", slide, {part: size}) for part, size in pages.items()])
        missing = {part: size for part, size in slides.blocks(slide, view).items() if part not in self._has}
        self._has.update(missing)
        single = how.fetch == "get"
        groups = [{part: size} for part, size in missing.items()] if single else [missing] if missing else []
        yield from self._all([self._ask(how.fetch, slide, group) for group in groups])
        if missing and how.client_block:
            yield self.env.timeout(how.client_block * len(missing))
        return len(pages) + len(groups)

    def _all(self, asks: Sequence[Request]) -> Steps:
        if len(asks) == 1:
            yield from self._source.fetch(asks[0])
            return
        yield from [self.env.process(self._source.fetch(ask)) for ask in asks]
