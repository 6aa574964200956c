"""Reads that callers wait for, and the requests on their way to origins."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.blocks.replicated.origin import Origin

Call = Callable[[BlockSource], Awaitable[Any]]
SizeKey = tuple[str | int, ...]

BLOCK: SizeKey = ("block",)
"""Any block; the key of one begins with it."""

FIRST_SIZE = 12_000  # bytes of an answer of which nothing is known
SIZE_SMOOTHING = 0.1
SIZES = 1024  # kinds of answers whose size is remembered


class Sizes:
    """The mean size of answers by what is asked, in bytes."""

    def __init__(self) -> None:
        self._means: OrderedDict[SizeKey, float] = OrderedDict()

    def expected(self, key: SizeKey) -> int:
        return max(1, round(self._means.get(key, FIRST_SIZE)))

    def learn(self, key: SizeKey, size: int) -> None:
        mean = self._means.pop(key, None)
        self._means[key] = size if mean is None else mean + SIZE_SMOOTHING * (size - mean)
        if len(self._means) > SIZES:
            self._means.popitem(last=False)


class PendingRead:
    """One block, or one other thing, that a caller waits for.

    ``what`` is the block of a batch, or a call of the source that is sent at once. ``key`` and ``expected``: the kind
    of answer and its bytes. ``deliver`` is called once. ``failures`` are the origins that could not answer, with their
    errors; ``requests``: those that may still answer it. ``timed_out`` are the origins that were left early because
    there was another one; ``retried``: they are asked a second time.
    """

    __slots__ = ("deliver", "done", "expected", "failures", "key", "requests", "retried", "slide", "timed_out", "what")

    def __init__(self, slide: str, what: BlockRequest | Call, key: SizeKey, deliver: Callable[[Any], None]) -> None:
        self.slide, self.what, self.key, self.deliver = slide, what, key, deliver
        self.expected = FIRST_SIZE
        self.done = self.retried = False
        self.timed_out: set[str] = set()
        self.failures: dict[str, Exception] = {}
        self.requests: list[OriginRequest] = []

    def allow_retry(self) -> bool:
        """Before it fails: the origins that were left early are asked once more. False if none was."""
        if self.retried or not self.timed_out:
            return False
        self.retried = True
        for name in self.timed_out:
            self.failures.pop(name, None)
        return True

    def resolve(self, answer: Any) -> None:
        """Delivers, and ends the requests that nobody waits for any more."""
        if not self.done:
            self.done = True
            self.deliver(answer)
            self.release()

    def release(self) -> None:
        """The caller has its answer, or has left."""
        self.done = True
        for request in self.requests:
            request.cancel_if_idle()


class OriginRequest:
    """One request to one origin: some blocks of one slide version, or one call. Times are those of the loop."""

    def __init__(self, origin: Origin, reads: Sequence[PendingRead], now: float, hedge: bool) -> None:
        self.origin, self.reads, self.hedge = origin, reads, hedge
        self.sent = self.progressed = now
        self.open = dict.fromkeys(range(len(reads)))  # positions without an answer
        self.alone = not origin.measures.requests
        self.trial = origin.breaker.state != "closed"
        self.answered = self.failed = self.corrupt = self.timed_out = False
        self.hedged = hedge
        self.task: asyncio.Task[None] | None = None

    @property
    def slide(self) -> str:
        return self.reads[0].slide

    def pending(self) -> list[PendingRead]:
        """What callers still wait for."""
        return [self.reads[n] for n in self.open if not self.reads[n].done]

    def expected(self) -> int:
        """The bytes that are due."""
        return sum(self.reads[n].expected for n in self.open)

    def cancel(self) -> None:
        if self.task is not None:
            self.task.cancel()

    def cancel_if_idle(self) -> None:
        """Ends a request that nobody waits for any more."""
        if self.open and not self.pending():
            self.cancel()
