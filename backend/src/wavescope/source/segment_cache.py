"""Decoded tiles and strips in bounded memory, each decoded once even when several threads need it at the same time."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavescope.caches import BoundedCache

Segment = NDArray[Any]


class SegmentCache:
    """Segments of at most ``limit`` bytes together; one above a quarter of the limit is not cached."""

    def __init__(self, limit: int) -> None:
        self._segments: BoundedCache[Hashable, Segment] = BoundedCache(
            limit, lambda segment: int(segment.nbytes), limit // 4
        )

    def get(self, key: Hashable, decode: Callable[[], Segment]) -> Segment:
        """The segment, read-only, decoded if it is not cached. Raises what ``decode`` raises."""
        return self._segments.get(key, lambda: _read_only(decode()))


def _read_only(segment: Segment) -> Segment:
    segment = np.ascontiguousarray(segment)
    segment.flags.writeable = False
    return segment
