"""Where the parts of one answer came from: noted by the cache, read by what answers (ED41)."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class CacheUse:
    """Parts that were cached, and parts that were fetched; ``stored``: whether all of these are in the cache now."""

    hits: int = 0
    misses: int = 0
    stored: bool = True

    def miss(self, stored: bool) -> None:
        """A part was fetched."""
        self.misses += 1
        self.stored = self.stored and stored


USE: ContextVar[CacheUse | None] = ContextVar("cache_use", default=None)
"""Of the request that is worked on; None where no one asks."""
