"""How fast a job goes."""

from __future__ import annotations

import time

MIN_SECONDS = 0.5  # seconds of work before a rate means anything


class Rate:
    """Turns a runner's reports into tiles a second since the first of them; None while unknown."""

    def __init__(self) -> None:
        self._first: tuple[float, int] | None = None

    def after(self, done: int) -> float | None:
        now = time.monotonic()
        self._first = self._first or (now, done)
        seconds, tiles = now - self._first[0], done - self._first[1]
        return tiles / seconds if seconds > MIN_SECONDS and tiles > 0 else None
