"""The progress of an ingest, counted and reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wavescope.ingest.strip import Encoded


@dataclass(frozen=True)
class Progress:
    """Tiles finished (also by earlier runs) of all tiles of all levels, and the bytes this run encoded."""

    done: int
    total: int
    encoded_bytes: int


class Meter:
    """Counts and reports."""

    def __init__(self, total: int, done: int, report: Callable[[Progress], None]) -> None:
        self._total, self._done, self._bytes, self._report = total, done, 0, report
        report(Progress(done, total, 0))

    def count(self, encoded: Encoded) -> None:
        self._done += encoded.tiles
        self._bytes += encoded.bytes
        self._report(Progress(self._done, self._total, self._bytes))
