"""Requests to origins: what their answers and errors change, and which wants are free again."""

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
    """What happens to wants beyond a request."""

    def again(self, want: PendingRead) -> None:
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
        self.pieces: set[OriginRequest] = set()
        self.budget = HedgeBudget(limits.hedge_burst)

    def start(self, origin: Origin, wants: Sequence[PendingRead], hedge: bool = False) -> None:
        """Sends one request: blocks of one slide version, or one call."""
        loop = asyncio.get_running_loop()
        piece = OriginRequest(origin, wants, loop.time(), hedge)
        if not origin.measures.requests:
            origin.progressed = piece.sent
        for want in wants:
            want.pieces.append(piece)
        origin.note(Sent(piece.expected()))
        origin.counts.requests += 1
        origin.counts.hedges += hedge
        self.pieces.add(piece)
        piece.task = loop.create_task(self._ask(piece), name=f"ask {origin.name}")
        piece.task.add_done_callback(lambda task: self._end(piece, task))

    def of(self, origin: Origin) -> list[OriginRequest]:
        """The requests in flight to an origin."""
        return [piece for piece in self.pieces if piece.origin is origin]

    def note_progress(self, origin: Origin, now: float) -> None:
        """Bytes have arrived from an origin, of which answer is not known."""
        origin.progressed = now
        for piece in self.of(origin):
            piece.progressed = now

    async def ask_for_version(self, origin: Origin, slide: str) -> None:
        """Learns whether an origin has a version. Its failures are left to the reads."""
        try:
            await asyncio.wait_for(origin.source.version(slide), self.limits.probe_seconds)
        except FAILURES as error:
            if classify(error) == "missing":
                origin.note_missing(slide, asyncio.get_running_loop().time() + self.limits.missing)

    async def stop(self) -> None:
        """Ends everything in flight."""
        while tasks := [piece.task for piece in self.pieces if piece.task is not None]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def silence(self, piece: OriginRequest, early: bool) -> None:
        """Ends a request that does not answer. ``early``: because another origin may be quicker."""
        piece.silent = True
        for want in piece.pending() if early else ():
            want.silent.add(piece.origin.name)
        piece.cancel()

    async def _ask(self, piece: OriginRequest) -> None:
        source, what = piece.origin.source, piece.wants[0].what
        if not isinstance(what, BlockRequest):
            self._answer(piece, 0, await what(source))
            return
        blocks = [want.what for want in piece.wants if isinstance(want.what, BlockRequest)]
        async with aclosing(source.get_many(piece.slide, blocks)) as answers:
            async for position, answer in answers:
                self._answer(piece, position, answer)

    def _answer(self, piece: OriginRequest, position: int, answer: Any) -> None:
        want, origin, now = piece.wants[position], piece.origin, asyncio.get_running_loop().time()
        del piece.open[position]
        want.pieces.remove(piece)
        size = len(answer) if isinstance(answer, bytes) else 0
        first, piece.answered = not piece.answered, True
        delay = now - piece.sent if first and size and want.key[0] == BLOCK[0] else None
        origin.note(Answered(now, want.expected, size, first, not piece.open, delay, piece.alone))
        piece.progressed = origin.progressed = now
        if isinstance(answer, Exception):
            self._fail(piece, want, answer)
        else:
            self._succeed(piece, want, answer, size)
        self._owner.progressed(origin)

    def _succeed(self, piece: OriginRequest, want: PendingRead, answer: Any, size: int) -> None:
        origin = piece.origin
        origin.update(breakers.verified(origin.breaker))
        self.sizes.learn(want.key, size)
        if want.key[0] == BLOCK[0]:
            self.sizes.learn(BLOCK, size)
        if want.done:
            origin.counts.wasted += size
            return
        origin.counts.blocks += 1
        origin.counts.bytes += size
        origin.counts.hedges_won += piece.hedge
        self.budget = credit(self.limits, self.budget, size)
        want.resolve(answer)

    def _fail(self, piece: OriginRequest, want: PendingRead, error: Exception) -> None:
        origin, now, kind = piece.origin, asyncio.get_running_loop().time(), classify(error)
        origin.count_error(kind)
        want.failures[origin.name] = error
        if kind == "missing":
            origin.note_missing(want.slide, now + self.limits.missing)
        elif kind == "corrupt":
            piece.corrupt = True
            origin.update(breakers.corrupted(origin.breaker, now))
        elif kind == "failed":
            piece.failed = True
        if want.done or want.pieces:
            return
        if kind == "final":
            want.resolve(error)
        else:
            self._owner.again(want)

    def _end(self, piece: OriginRequest, task: asyncio.Task[None]) -> None:
        """After its last answer, an exception, or its cancellation."""
        self.pieces.discard(piece)
        origin, left = piece.origin, [piece.wants[n] for n in piece.open]
        if left:
            origin.note(Dropped(piece.expected(), piece.answered))
        for want in left:
            want.pieces.remove(piece)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, FAILURES):
            for want in left:
                want.resolve(error)
            raise error
        if error is None and piece.pending():
            error = Unavailable(f"origin {origin.name}", "it is silent" if piece.silent else "its answer was cut")
        self._update_breaker(piece, error)
        for want in left:
            if error is not None and not want.done:
                self._fail(piece, want, error)
        if error is not None and piece.silent:
            self._owner.give_up(piece.slide, origin, error)
        self._owner.progressed(origin)

    def _update_breaker(self, piece: OriginRequest, error: Exception | None) -> None:
        """What the request as one shows of its origin."""
        origin, now = piece.origin, asyncio.get_running_loop().time()
        if piece.silent:
            origin.update(breakers.silent(origin.breaker, now))
        elif piece.failed or (error is not None and classify(error) == "failed"):
            origin.update(breakers.failed(origin.breaker, now, "failed"))
        elif piece.hedged and not piece.hedge and piece.open and origin.progressed <= piece.sent:
            origin.update(breakers.failed(origin.breaker, now, "outrun"))  # it answered nobody until a hedge had won
        elif piece.answered and not piece.open and not piece.corrupt:
            origin.update(breakers.succeeded(origin.breaker, piece.trial))
