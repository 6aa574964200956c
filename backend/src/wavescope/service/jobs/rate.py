"""How fast a job goes."""

from __future__ import annotations

import time
from collections.abc import Callable

Progress = Callable[[str, int, int, float | None], None]

MIN_SECONDS = 0.5  # seconds of work before a rate means anything


class Rate:
    """Turns a runner's reports ``(done, total)`` into a rate since the first of them, and reports it with a job id."""

    def __init__(self, on_progress: Progress, job_id: str) -> None:
        self._report, self._job_id = on_progress, job_id
        self._first: tuple[float, int] | None = None

    def report(self, done: int, total: int) -> None:
        now = time.monotonic()
        self._first = self._first or (now, done)
        seconds, tiles = now - self._first[0], done - self._first[1]
        rate = tiles / seconds if seconds > MIN_SECONDS and tiles > 0 else None
        self._report(self._job_id, done, total, rate)
