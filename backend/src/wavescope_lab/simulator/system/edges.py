"""An edge: a cache near clients, in front of the origin or of another edge (ED1 to ED4)."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import simpy

from wavescope_lab.simulator.cache_models import CacheModel
from wavescope_lab.simulator.components import Station, Steps
from wavescope_lab.simulator.distributions import Distribution
from wavescope_lab.simulator.system.links import Send
from wavescope_lab.simulator.system.requests import RESPONSE_HEAD_BYTES, Request, Source
from wavescope_lab.simulator.system.slides import Part

BATCH, AHEAD = 64, 2
"""Blocks of one fetch, and fetches under way for one request, as in ``blocks/coalescing.py``."""
OPENING = 2
"""Requests to the origin before the first part of a slide: a grant, and the version (ED20)."""


@dataclass(frozen=True)
class EdgeTimes:
    """Seconds of a processor: of a manifest, an index page, a block by itself, a batch and each block in it that is
    cached or that is not."""

    manifest: Distribution
    page: Distribution
    get: Distribution
    batch: Distribution
    hit: Distribution
    miss: Distribution


class Edge:
    """``hits`` and ``misses`` count blocks and other parts, as the metrics of an edge do. A block that another request
    is fetching is a miss, and is not fetched.
    """

    def __init__(
        self, env: simpy.Environment, times: EdgeTimes, memory: CacheModel[Part], upstream: Source, rng: random.Random
    ) -> None:
        self.env, self.processor = env, Station(env)
        self.hits = self.misses = 0
        self._times, self._memory, self._upstream, self._rng = times, memory, upstream, rng
        self._pending: dict[Part, simpy.Event] = {}
        self._open: dict[int, simpy.Event] = {}

    def serve(self, request: Request, send: Send) -> Steps:
        """Ends when the answer is at the client."""
        yield self.processor.visit(self._seconds(request))
        if request.kind == "manifest":
            yield from self._upstream.fetch(request)
            yield from send(RESPONSE_HEAD_BYTES + sum(request.parts.values()))
            return
        if request.kind != "pixels":
            yield from self._opened(request)
        missing = [part for part in request.parts if not self._memory.has(part)]
        self.hits += len(request.parts) - len(missing)
        self.misses += len(missing)
        lost = frozenset(missing)
        hits = [size for part, size in request.parts.items() if part not in lost]
        sending = self.env.process(send(request.response_bytes(len(hits), sum(hits)) + RESPONSE_HEAD_BYTES))
        yield from self._fetch(request, missing, send)
        yield sending

    def _seconds(self, request: Request) -> float:
        times, rng = self._times, self._rng
        if request.kind in ("batch", "pixels"):
            return times.batch.draw(rng) + len(request.parts) * times.hit.draw(rng)
        return {"manifest": times.manifest, "part": times.page, "get": times.get}[request.kind].draw(rng)

    def _opened(self, request: Request) -> Steps:
        """The right to the slide, which the first one who asks waits for, and all who come meanwhile."""
        if request.slide not in self._open:
            self._open[request.slide] = self.env.event()
            for _ in range(OPENING):
                yield from self._upstream.fetch(
                    Request("manifest", request.client, request.slide, {(request.slide, "grant"): 1000})
                )
            self._open[request.slide].succeed()
        elif not self._open[request.slide].triggered:
            yield self._open[request.slide]

    def _fetch(self, request: Request, missing: Sequence[Part], send: Send) -> Steps:
        under_way: deque[simpy.Process] = deque()
        for start in range(0, len(missing), BATCH):
            if len(under_way) == AHEAD:
                yield under_way.popleft()
            batch = {part: request.parts[part] for part in missing[start : start + BATCH]}
            under_way.append(self.env.process(self._batch(request, batch, send)))
        yield from under_way

    def _batch(self, request: Request, parts: Mapping[Part, int], send: Send) -> Steps:
        """Joins what is under way, and fetches the rest."""
        joined = [self._pending[part] for part in parts if part in self._pending]
        own = {part: size for part, size in parts.items() if part not in self._pending}
        if own:
            done = self.env.event()
            self._pending.update(dict.fromkeys(own, done))
            raw = request.raw * sum(own.values()) / sum(request.parts.values()) if request.raw else 0.0
            yield from self._upstream.fetch(Request(request.kind, request.client, request.slide, own, raw))
            yield self.processor.visit(sum(self._times.miss.draw(self._rng) for _ in own))
            for part, size in own.items():
                self._memory.add(part, size)
                del self._pending[part]
            done.succeed()
        for event in joined:
            if not event.processed:
                yield event
        yield from send(request.response_bytes(len(parts), sum(parts.values())))
