"""Waiting for a catalog that does not answer: one policy, for work on the event loop and in threads (OP41)."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import ParamSpec, TypeVar

from wavescope.errors import CatalogAway, StoreFull
from wavescope.logs.loggers import get_logger

Result = TypeVar("Result")
P = ParamSpec("P")

FIRST_PAUSE = 0.1  # seconds
LONGEST_PAUSE = 5.0  # seconds
OUTAGES = (CatalogAway, StoreFull)
"""After these the same statements may succeed later: a database that does not answer, or whose disk is full."""

log = get_logger(__name__)


@dataclass(frozen=True)
class Backoff:
    """When to try again. ``limit``: seconds since the first failure, after which the work fails."""

    limit: float
    first: float = FIRST_PAUSE
    longest: float = LONGEST_PAUSE

    def pause(self, failures: int, waited: float) -> float | None:
        """Seconds to wait after so many failures in a row; None: no further attempt."""
        if waited >= self.limit:
            return None
        return min(self.longest, self.first * 2.0 ** min(failures - 1, 30), self.limit - waited)


@dataclass
class Waiting:
    """What waits for the catalog now, for metrics. ``retries``: attempts that failed, since the start."""

    works: int = 0
    retries: int = 0

    def failed(self, first: bool) -> None:
        """An attempt failed; ``first``: from now on its work waits."""
        self.retries += 1
        self.works += first

    def ended(self) -> None:
        """A work waits no more."""
        self.works -= 1


@dataclass
class CatalogRetry:
    """Repeats work that fails because of an outage (OUTAGES), until it succeeds or ``backoff`` allows no more.

    The work must be one that may be done twice: a commit whose answer was lost is repeated too.
    """

    backoff: Backoff
    waiting: Waiting = field(default_factory=Waiting)
    _stopped: threading.Event = field(default_factory=threading.Event)

    def within(self, seconds: float) -> CatalogRetry:
        """The same with another limit, for those who cannot wait as long."""
        return replace(self, backoff=replace(self.backoff, limit=min(seconds, self.backoff.limit)))

    def stop(self) -> None:
        """The service ends: what fails from now on is not tried again."""
        self._stopped.set()

    async def run(self, what: str, work: Callable[[], Awaitable[Result]]) -> Result:
        """The result of ``work``; ``what``: its name in the log, without any user's text. Raises as ``work``."""
        attempt = _Attempts(self, what)
        try:
            while True:
                try:
                    return attempt.succeeded(await work())
                except OUTAGES as cause:
                    pause = attempt.failed(cause)
                    if pause is None:
                        raise
                    await asyncio.sleep(pause)
        finally:
            attempt.end()

    async def in_thread(self, what: str, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """As ``run``, each attempt in a thread."""
        return await self.run(what, lambda: asyncio.to_thread(work, *args, **kwargs))

    def run_blocking(self, what: str, work: Callable[[], Result]) -> Result:
        """As ``run``, in a thread of the caller."""
        attempt = _Attempts(self, what)
        try:
            while True:
                try:
                    return attempt.succeeded(work())
                except OUTAGES as cause:
                    pause = attempt.failed(cause)
                    if pause is None:
                        raise
                    self._stopped.wait(pause)
        finally:
            attempt.end()

    @property
    def stopped(self) -> bool:
        return self._stopped.is_set()


class _Attempts:
    """The attempts of one work: counted, and logged when the first one fails and when waiting ends."""

    def __init__(self, retry: CatalogRetry, what: str) -> None:
        self._retry, self._what = retry, what
        self._failures, self._since = 0, 0.0

    def failed(self, cause: CatalogAway | StoreFull) -> float | None:
        """The pause before the next attempt; None: there is none."""
        now = time.monotonic()
        self._retry.waiting.failed(first=self._failures == 0)
        if self._failures == 0:
            self._since = now
        self._failures += 1
        pause = None if self._retry.stopped else self._retry.backoff.pause(self._failures, now - self._since)
        if pause is None:
            log.warning("gave up waiting for the catalog", work=self._what, **self._facts(), exc_info=cause)
        elif self._failures == 1:
            limit = self._retry.backoff.limit
            log.warning("waiting for the catalog", work=self._what, limit_seconds=limit, exc_info=cause)
        return pause

    def succeeded(self, result: Result) -> Result:
        if self._failures:
            log.info("the catalog answers again", work=self._what, **self._facts())
        return result

    def end(self) -> None:
        if self._failures:
            self._retry.waiting.ended()

    def _facts(self) -> dict[str, float]:
        return {"attempts": self._failures, "seconds": round(time.monotonic() - self._since, 2)}
