"""Nodes with a processor, a memory and a disk or an object store, and the balancer in front of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import simpy

from wavescope_lab.simulator.cache_models import CacheModel
from wavescope_lab.simulator.components import Station, Steps
from wavescope_lab.simulator.distributions import Distribution
from wavescope_lab.simulator.system.balancing import Chooser
from wavescope_lab.simulator.system.links import Send
from wavescope_lab.simulator.system.processors import Processor
from wavescope_lab.simulator.system.requests import RESPONSE_HEAD_BYTES, Request
from wavescope_lab.simulator.system.slides import Part


@dataclass(frozen=True)
class NodeTimes:
    """Seconds of a processor: of a connection, a manifest, an index page, a block by itself, a batch and each block in
    it, a request that needs something from behind the node, each block that comes from there, a request for pixels and
    each raw byte that is read for it. ``store``: until an answer of what is behind the node; ``at_once``: reads that go
    there at the same time for one batch."""

    connection: Distribution
    manifest: Distribution
    page: Distribution
    get: Distribution
    batch: Distribution
    block: Distribution
    cold_request: Distribution
    cold: Distribution
    pixels: Distribution
    raw_byte: float
    store: Distribution
    max_in_flight: int


class Node:
    """``memory``: None if everything is in memory. ``store``: reads that what is behind the nodes serves at a time."""

    def __init__(
        self,
        times: NodeTimes,
        processor: Processor,
        memory: CacheModel[Part] | None,
        store: Station | None,
        rng: random.Random,
    ) -> None:
        self.processor, self._memory, self._store = processor, memory, store
        self._times, self._rng = times, rng
        self.hits = self.misses = self.requests = 0

    def serve(self, request: Request, send: Send) -> Steps:
        """Ends when the answer is at the client."""
        self.requests += 1
        yield self.processor.visit(self._seconds(request))
        missing = [part for part in request.parts if self._memory is not None and not self._memory.has(part)]
        if request.kind in ("get", "batch"):
            self.hits += len(request.parts) - len(missing)
            self.misses += len(missing)
        if missing:
            yield from self._read(request, missing)
        yield from send(request.response_bytes(len(request.parts), request.content) + RESPONSE_HEAD_BYTES)

    def _seconds(self, request: Request) -> float:
        connection = self._times.connection.draw(self._rng) if request.fresh else 0.0
        return connection + self._response_seconds(request)

    def _response_seconds(self, request: Request) -> float:
        times, rng = self._times, self._rng
        if request.kind == "batch":
            return times.batch.draw(rng) + len(request.parts) * times.block.draw(rng)
        if request.kind == "pixels":
            return times.pixels.draw(rng) + times.raw_byte * request.raw
        return {"manifest": times.manifest, "part": times.page, "get": times.get}[request.kind].draw(rng)

    def _read(self, request: Request, missing: Sequence[Part]) -> Steps:
        """From what is behind the node: some parts at the same time, one after another on each way."""
        env, times = self.processor.env, self._times
        ways = min(times.max_in_flight, len(missing))
        reads = [env.process(self._reads(-(-(len(missing) - way) // ways))) for way in range(ways)]
        yield from reads
        seconds = times.cold_request.draw(self._rng) + len(missing) * times.cold.draw(self._rng)
        yield self.processor.visit(seconds)
        assert self._memory is not None
        for part in missing:
            self._memory.add(part, request.parts[part])

    def _reads(self, count: int) -> Steps:
        for _ in range(count):
            seconds = self._times.store.draw(self._rng)
            yield self._store.visit(seconds) if self._store else self.processor.env.timeout(seconds)


class Balancer:
    """Gives each request to a node. Without a ``processor`` it is not there: a single node answers by itself."""

    def __init__(
        self, env: simpy.Environment, nodes: dict[str, Node], chooser: Chooser, seconds: Distribution, delay: float
    ) -> None:
        self.env, self.nodes, self._chooser, self._delay = env, nodes, chooser, delay
        self.processor, self._seconds, self._rng = Station(env), seconds, random.Random("balancer")
        self.work = dict.fromkeys(nodes, 0)

    def serve(self, request: Request, send: Send) -> Steps:
        """See Node."""
        yield self.processor.visit(self._seconds.draw(self._rng))
        if self._delay:
            yield self.env.timeout(self._delay)
        began = self.env.now
        name = self._chooser.choose(request, self.work, began)
        self.work[name] += 1
        yield from self.nodes[name].serve(request, send)
        self.work[name] -= 1
        self._chooser.answered(name, request, self.env.now - began)

    def observe(self, busy: dict[str, float], hit_ratio: float) -> None:
        """What the policy learns of the nodes each second."""
        self._chooser.observe(busy, self.work, hit_ratio, self.env.now)
