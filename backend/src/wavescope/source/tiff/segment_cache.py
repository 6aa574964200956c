"""Decoded tiles and strips in bounded memory, each decoded once even when several threads want it at the same time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

Segment = NDArray[Any]


class SegmentCache:
    """Least recently used segments up to ``limit`` bytes; a segment above a quarter of the limit passes through
    unkept.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._kept: OrderedDict[Hashable, Segment] = OrderedDict()
        self._coming: dict[Hashable, Future[Segment]] = {}
        self._lock = Lock()

    def get(self, key: Hashable, decode: Callable[[], Segment]) -> Segment:
        """The segment, decoded by this or another thread if it is not kept. What ``decode`` raises, every waiter
        gets.
        """
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept
            coming = self._coming.get(key)
            mine = coming is None
            if coming is None:
                coming = self._coming[key] = Future()
        return self._decode(key, decode, coming) if mine else coming.result()

    def _decode(self, key: Hashable, decode: Callable[[], Segment], coming: Future[Segment]) -> Segment:
        try:
            segment = decode()
        except BaseException as error:
            with self._lock:
                del self._coming[key]
            coming.set_exception(error)
            raise
        with self._lock:
            del self._coming[key]
            self._keep(key, segment)
        coming.set_result(segment)
        return segment

    def _keep(self, key: Hashable, segment: Segment) -> None:
        if segment.nbytes > self._limit // 4:
            return
        segment = np.ascontiguousarray(segment)
        segment.flags.writeable = False
        self._kept[key] = segment
        self._size += segment.nbytes
        while self._size > self._limit:
            _, oldest = self._kept.popitem(last=False)
            self._size -= oldest.nbytes
