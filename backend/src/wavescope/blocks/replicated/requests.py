"""Requests to origins: what their answers and errors change, and which reads wait again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any, Protocol

from wavescope.blocks.base import BlockRequest
from wavescope.blocks.replicated import breaker as breakers
from wavescope.blocks.replicated.error_kinds import FAILURES, classify
from wavescope.blocks.replicated.limits import HedgeBudget, ReplicationLimits, credit
from wavescope.blocks.replicated.measures import Answered, Dropped, Sent
from wavescope.blocks.replicated.origin import Origin
from wavescope.blocks.replicated.reads import BLOCK, OriginRequest, PendingRead, Sizes
from wavescope.errors import Unavailable


class Owner(Protocol):
    """What happens to reads beyond a request."""

    def retry(self, read: PendingRead) -> None:
        """An origin could not answer it."""
        ...

    def progressed(self, origin: Origin) -> None:
        """Another request may be started now."""
        ...

    def give_up(self, slide: str, origin: Origin, error: Exception) -> None:
        """The only origin of a slide was silent for too long."""
        ...


class Requests:
    """The requests in flight."""

    def __init__(self, limits: ReplicationLimits, owner: Owner) -> None:
        self.limits, self._owner = limits, owner
        self.sizes = Sizes()
        self.in_flight: set[OriginRequest] = set()
        self.budget = HedgeBudget(limits.hedge_burst)

    def start(self, origin: Origin, reads: Sequence[PendingRead], hedge: bool = False) -> None:
        """Sends one request: blocks of one slide version, or one call."""
        loop = asyncio.get_running_loop()
        request = OriginRequest(origin, reads, loop.time(), hedge)
        if not origin.measures.requests:
            origin.progressed = request.sent
        for read in reads:
            read.requests.append(request)
        origin.note(Sent(request.expected()))
        origin.counts.requests += 1
        origin.counts.hedges += hedge
        self.in_flight.add(request)
        request.task = loop.create_task(self._send(request), name=f"ask {origin.name}")
        request.task.add_done_callback(lambda task: self._end(request, task))

    def of(self, origin: Origin) -> list[OriginRequest]:
        """The requests in flight to an origin."""
        return [request for request in self.in_flight if request.origin is origin]

    def note_progress(self, origin: Origin, now: float) -> None:
        """Bytes have arrived from an origin, of which answer is not known."""
        origin.progressed = now
        for request in self.of(origin):
            request.progressed = now

    async def ask_for_version(self, origin: Origin, slide: str) -> None:
        """Learns whether an origin has a version. Its failures are left to the reads."""
        try:
            await asyncio.wait_for(origin.source.version(slide), self.limits.probe_seconds)
        except FAILURES as error:
            if classify(error) == "missing":
                origin.note_missing(slide, asyncio.get_running_loop().time() + self.limits.missing)

    async def stop(self) -> None:
        """Ends everything in flight."""
        while tasks := [request.task for request in self.in_flight if request.task is not None]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def time_out(self, request: OriginRequest, early: bool) -> None:
        """Ends a request that does not answer. ``early``: because another origin may be quicker."""
        request.timed_out = True
        for read in request.pending() if early else ():
            read.timed_out.add(request.origin.name)
        request.cancel()

    async def _send(self, request: OriginRequest) -> None:
        source, what = request.origin.source, request.reads[0].what
        if not isinstance(what, BlockRequest):
            self._receive(request, 0, await what(source))
            return
        blocks = [read.what for read in request.reads if isinstance(read.what, BlockRequest)]
        async with aclosing(source.get_many(request.slide, blocks)) as answers:
            async for position, answer in answers:
                self._receive(request, position, answer)

    def _receive(self, request: OriginRequest, position: int, answer: Any) -> None:
        read, origin, now = request.reads[position], request.origin, asyncio.get_running_loop().time()
        del request.open[position]
        read.requests.remove(request)
        size = len(answer) if isinstance(answer, bytes) else 0
        first, request.answered = not request.answered, True
        delay = now - request.sent if first and size and read.key[0] == BLOCK[0] else None
        origin.note(Answered(now, read.expected, size, first, not request.open, delay, request.alone))
        request.progressed = origin.progressed = now
        if isinstance(answer, Exception):
            self._fail(request, read, answer)
        else:
            self._succeed(request, read, answer, size)
        self._owner.progressed(origin)

    def _succeed(self, request: OriginRequest, read: PendingRead, answer: Any, size: int) -> None:
        origin = request.origin
        origin.update(breakers.verified(origin.breaker))
        self.sizes.learn(read.key, size)
        if read.key[0] == BLOCK[0]:
            self.sizes.learn(BLOCK, size)
        if read.done:
            origin.counts.wasted += size
            return
        origin.counts.blocks += 1
        origin.counts.bytes += size
        origin.counts.hedges_won += request.hedge
        self.budget = credit(self.limits, self.budget, size)
        read.resolve(answer)

    def _fail(self, request: OriginRequest, read: PendingRead, error: Exception) -> None:
        origin, now, kind = request.origin, asyncio.get_running_loop().time(), classify(error)
        origin.count_error(kind)
        read.failures[origin.name] = error
        if kind == "missing":
            origin.note_missing(read.slide, now + self.limits.missing)
        elif kind == "corrupt":
            request.corrupt = True
            origin.update(breakers.corrupted(origin.breaker, now))
        elif kind == "failed":
            request.failed = True
        if read.done or read.requests:
            return
        if kind == "final":
            read.resolve(error)
        else:
            self._owner.retry(read)

    def _end(self, request: OriginRequest, task: asyncio.Task[None]) -> None:
        """After its last answer, an exception, or its cancellation."""
        self.in_flight.discard(request)
        origin, left = request.origin, [request.reads[n] for n in request.open]
        if left:
            origin.note(Dropped(request.expected(), request.answered))
        for read in left:
            read.requests.remove(request)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, FAILURES):
            for read in left:
                read.resolve(error)
            raise error
        if error is None and request.pending():
            error = Unavailable(f"origin {origin.name}", "it is silent" if request.timed_out else "its answer was cut")
        self._update_breaker(request, error)
        for read in left:
            if error is not None and not read.done:
                self._fail(request, read, error)
        if error is not None and request.timed_out:
            self._owner.give_up(request.slide, origin, error)
        self._owner.progressed(origin)

    def _update_breaker(self, request: OriginRequest, error: Exception | None) -> None:
        """What the request as one shows of its origin."""
        origin, now = request.origin, asyncio.get_running_loop().time()
        if request.timed_out:
            origin.update(breakers.timed_out(origin.breaker, now))
        elif request.failed or (error is not None and classify(error) == "failed"):
            origin.update(breakers.failed(origin.breaker, now, "failed"))
        elif request.hedged and not request.hedge and request.open and origin.progressed <= request.sent:
            origin.update(breakers.failed(origin.breaker, now, "outrun"))  # it answered nobody until a hedge had won
        elif request.answered and not request.open and not request.corrupt:
            origin.update(breakers.succeeded(origin.breaker, request.trial))
