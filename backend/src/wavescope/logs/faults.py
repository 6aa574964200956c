"""Faults that an operator should see (OP59): each is counted, whatever is logged; the lines of each are bounded."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

from structlog.stdlib import BoundLogger

from wavescope.caches import BoundedCache

Kind = Literal["request", "connection", "websocket", "job", "damage", "watched file", "task", "account", "rates"]
"""What a fault concerns: an answer of 400 or more, a connection without an answer, ..."""
MINUTE = 60.0
LINES = 10  # a minute, of each kind and cause
KEYS = 4096  # kinds of lines whose minute is known

counts: Counter[tuple[Kind, str]] = Counter()
"""Faults by (kind, cause), for metrics. A cause is one of few: the name of a problem, an error class, a close code."""


class LineBound:
    """At most ``lines`` lines a minute of each key. One thread at a time may be off by one line."""

    def __init__(self, lines: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._lines, self._clock = lines, clock
        self._minutes: BoundedCache[tuple[str, ...], tuple[float, int]] = BoundedCache(KEYS)  # its end, lines in it

    def left_out(self, *key: str) -> int | None:
        """None: this line is left out. Else it is written, and so many were left out before it."""
        now = self._clock()
        end, asked = self._minutes.find(key) or (0.0, 0)
        before = 0
        if now >= end:
            end, before, asked = now + MINUTE, max(0, asked - self._lines), 0
        self._minutes.put(key, (end, asked + 1))
        return before if asked < self._lines else None


_bound = LineBound(LINES)


def count(kind: Kind, cause: str) -> None:
    """Counts a fault whose line is written elsewhere."""
    counts[kind, cause] += 1


def fault(log: BoundLogger, event: str, kind: Kind, cause: str, *, level: str = "warning", **fields: Any) -> None:
    """Counts a fault and writes its line, unless there were LINES of this kind and cause in this minute. The next line
    has ``left_out``: how many were not written.
    """
    count(kind, cause)
    left_out = _bound.left_out(kind, cause)
    if left_out is not None:
        getattr(log, level)(event, cause=cause, **({"left_out": left_out} if left_out else {}), **fields)
