"""Counting in fixed windows, shared by the processes of a service; the ``limits`` library does the counting."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from limits import RateLimitItem
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import ConfigurationError, StorageError
from limits.storage import storage_from_string

from wavescope.errors import InvalidParameter
from wavescope.logs import faults
from wavescope.logs.loggers import get_logger

MEMORY = "memory://"
VALKEY = ("valkey", "redis")  # it speaks the protocol of Redis: one driver is enough
RESPONSE_SECONDS = 1.0  # in which the storage must answer
RETRY_SECONDS = 1.0  # for which a storage that did not answer is not asked

Result = TypeVar("Result")

log = get_logger(__name__)


class SharedLimiter:
    """Counts in a storage; in this process alone while the storage does not answer, so that no limit falls away and
    no request waits for it (CL15).

    ``url``: of the storage. Raises InvalidParameter.
    """

    def __init__(self, url: str) -> None:
        self.limiter = _limiter(url)
        self.fallback = self.limiter if url == MEMORY else _limiter(MEMORY)
        self._away_until = 0.0  # 0: the storage answers

    async def hit(self, item: RateLimitItem, *key: str, cost: int = 1) -> bool:
        """Counts; whether the limit is not exceeded."""
        return bool(await self._ask(lambda limiter: limiter.hit(item, *key, cost=cost)))

    async def test(self, item: RateLimitItem, *key: str) -> bool:
        """Whether one more would not exceed the limit."""
        return bool(await self._ask(lambda limiter: limiter.test(item, *key)))

    async def wait(self, item: RateLimitItem, *key: str) -> int:
        """Seconds until the window ends."""
        stats = await self._ask(lambda limiter: limiter.get_window_stats(item, *key))
        return max(1, math.ceil(stats.reset_time - time.time()))

    async def close(self) -> None:
        """Ends the connections to the storage."""
        bridge = getattr(self.limiter.storage, "bridge", None)
        if bridge is not None:
            await bridge.storage.aclose()

    async def _ask(self, question: Callable[[FixedWindowRateLimiter], Awaitable[Result]]) -> Result:
        if self.limiter is self.fallback:
            return await question(self.limiter)
        if self._away_until and time.monotonic() < self._away_until:
            return await question(self.fallback)
        try:
            found = await question(self.limiter)
        except (StorageError, OSError) as cause:
            self._failed(cause)
            return await question(self.fallback)
        if self._away_until:
            self._away_until = 0.0
            log.info("the storage of rates answers again")
        return found

    def _failed(self, cause: Exception) -> None:
        faults.count("rates", "storage-away")
        if not self._away_until:
            log.warning("the storage of rates does not answer: each process counts alone", cause=type(cause).__name__)
        self._away_until = time.monotonic() + RETRY_SECONDS


def _limiter(url: str) -> FixedWindowRateLimiter:
    """Raises InvalidParameter."""
    if url.startswith(VALKEY[0]):
        url = url.replace(*VALKEY, 1)
    try:
        options = _redis_options() if url.startswith(VALKEY[1]) else {}
        return FixedWindowRateLimiter(storage_from_string(f"async+{url}", wrap_exceptions=True, **options))
    except (ConfigurationError, ValueError, ImportError) as cause:
        raise InvalidParameter("rate_storage", url.split("@")[-1], "a storage URL with its driver installed") from cause


def _redis_options() -> dict[str, Any]:
    """Bounds of waiting; nothing is tried again. Raises ImportError."""
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    return {
        "implementation": "redispy",
        "socket_connect_timeout": RESPONSE_SECONDS,
        "socket_timeout": RESPONSE_SECONDS,
        "retry": Retry(NoBackoff(), 0),
    }
