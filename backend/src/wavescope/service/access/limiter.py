"""Counting in fixed windows, shared by the processes of a service; the ``limits`` library does the counting."""

from __future__ import annotations

import math
import time
from typing import Any

from limits import RateLimitItem
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import ConfigurationError, StorageError
from limits.storage import storage_from_string

from wavescope.errors import InvalidParameter

MEMORY = "memory://"
ANSWER_SECONDS = 1.0  # in which the storage answers; later the process counts alone
REDIS = {"implementation": "redispy", "socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
"""How redis://, rediss:// and the like are reached."""


class SharedLimiter:
    """Counts in a storage; in this process alone while the storage does not answer, so that no limit falls away.

    ``url``: of the storage. Raises InvalidParameter.
    """

    def __init__(self, url: str) -> None:
        self.limiter = _limiter(url)
        self.fallback = self.limiter if url == MEMORY else _limiter(MEMORY)

    async def hit(self, item: RateLimitItem, *key: str, cost: int = 1) -> bool:
        """Counts; whether the limit is not exceeded."""
        try:
            return bool(await self.limiter.hit(item, *key, cost=cost))
        except (StorageError, OSError):
            return bool(await self.fallback.hit(item, *key, cost=cost))

    async def test(self, item: RateLimitItem, *key: str) -> bool:
        """Whether one more would not exceed the limit."""
        try:
            return bool(await self.limiter.test(item, *key))
        except (StorageError, OSError):
            return bool(await self.fallback.test(item, *key))

    async def wait(self, item: RateLimitItem, *key: str) -> int:
        """Seconds until the window ends."""
        try:
            stats = await self.limiter.get_window_stats(item, *key)
        except (StorageError, OSError):
            stats = await self.fallback.get_window_stats(item, *key)
        return max(1, math.ceil(stats.reset_time - time.time()))


def _limiter(url: str) -> FixedWindowRateLimiter:
    """Raises InvalidParameter."""
    try:
        options: dict[str, Any] = REDIS if url.startswith("redis") else {}
        return FixedWindowRateLimiter(storage_from_string(f"async+{url}", wrap_exceptions=True, **options))
    except (ConfigurationError, ValueError, ImportError) as cause:
        raise InvalidParameter("rate_storage", url.split("@")[-1], "a storage URL with its driver installed") from cause
