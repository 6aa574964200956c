"""Nodes with a processor, a memory and a disk or an object store, and the balancer in front of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import simpy

from wavescope.simulator.distributions import Distribution
from wavescope.simulator.memories import Memory
from wavescope.simulator.parts import Station, Steps
from wavescope.simulator.system.asks import ANSWER_HEAD_BYTES, Ask
from wavescope.simulator.system.balancing import Chooser
from wavescope.simulator.system.links import Send
from wavescope.simulator.system.processors import Processor
from wavescope.simulator.system.slides import Part


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
    at_once: int


class Node:
    """``memory``: None if everything is in memory. ``store``: reads that what is behind the nodes serves at a time."""

    def __init__(
        self,
        times: NodeTimes,
        processor: Processor,
        memory: Memory[Part] | None,
        store: Station | None,
        dice: random.Random,
    ) -> None:
        self.processor, self._memory, self._store = processor, memory, store
        self._times, self._dice = times, dice
        self.hits = self.misses = self.requests = 0

    def serve(self, ask: Ask, send: Send) -> Steps:
        """Ends when the answer is at the client."""
        self.requests += 1
        yield self.processor.visit(self._seconds(ask))
        missing = [part for part in ask.parts if self._memory is not None and not self._memory.has(part)]
        if ask.kind in ("get", "batch"):
            self.hits += len(ask.parts) - len(missing)
            self.misses += len(missing)
        if missing:
            yield from self._read(ask, missing)
        yield from send(ask.answer(len(ask.parts), ask.content) + ANSWER_HEAD_BYTES)

    def _seconds(self, ask: Ask) -> float:
        connection = self._times.connection.draw(self._dice) if ask.fresh else 0.0
        return connection + self._answer_seconds(ask)

    def _answer_seconds(self, ask: Ask) -> float:
        times, dice = self._times, self._dice
        if ask.kind == "batch":
            return times.batch.draw(dice) + len(ask.parts) * times.block.draw(dice)
        if ask.kind == "pixels":
            return times.pixels.draw(dice) + times.raw_byte * ask.raw
        return {"manifest": times.manifest, "part": times.page, "get": times.get}[ask.kind].draw(dice)

    def _read(self, ask: Ask, missing: Sequence[Part]) -> Steps:
        """From what is behind the node: some parts at the same time, one after another on each way."""
        env, times = self.processor.env, self._times
        ways = min(times.at_once, len(missing))
        reads = [env.process(self._reads(-(-(len(missing) - way) // ways))) for way in range(ways)]
        yield from reads
        seconds = times.cold_request.draw(self._dice) + len(missing) * times.cold.draw(self._dice)
        yield self.processor.visit(seconds)
        assert self._memory is not None
        for part in missing:
            self._memory.add(part, ask.parts[part])

    def _reads(self, count: int) -> Steps:
        for _ in range(count):
            seconds = self._times.store.draw(self._dice)
            yield self._store.visit(seconds) if self._store else self.processor.env.timeout(seconds)


class Balancer:
    """Gives each request to a node. Without a ``processor`` it is not there: a single node answers by itself."""

    def __init__(
        self, env: simpy.Environment, nodes: dict[str, Node], chooser: Chooser, seconds: Distribution, delay: float
    ) -> None:
        self.env, self.nodes, self._chooser, self._delay = env, nodes, chooser, delay
        self.processor, self._seconds, self._dice = Station(env), seconds, random.Random("balancer")
        self.work = dict.fromkeys(nodes, 0)

    def serve(self, ask: Ask, send: Send) -> Steps:
        """See Node."""
        yield self.processor.visit(self._seconds.draw(self._dice))
        if self._delay:
            yield self.env.timeout(self._delay)
        began = self.env.now
        name = self._chooser.choose(ask, self.work, began)
        self.work[name] += 1
        yield from self.nodes[name].serve(ask, send)
        self.work[name] -= 1
        self._chooser.answered(name, ask, self.env.now - began)

    def observe(self, busy: dict[str, float], hit_ratio: float) -> None:
        """What the policy learns of the nodes each second."""
        self._chooser.observe(busy, self.work, hit_ratio, self.env.now)
