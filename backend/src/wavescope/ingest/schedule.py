"""Running the missing units of a plan over an Executor, a bounded number of strips at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import islice

from wavescope.errors import IngestCancelled
from wavescope.ingest.plan import Plan, Unit, ready
from wavescope.ingest.strip import Encoded

LOOK_AHEAD = 16
"""Units, beginning with the first unstarted one, among which a ready one is sought: it bounds the spill."""
POLL_SECONDS = 0.2
"""How soon a command to cancel is noticed."""

Work = Callable[[Unit, int], Future[Encoded]]
Finish = Callable[[Unit, list[Encoded]], None]


@dataclass
class _Started:
    """A unit of which some strips are encoded."""

    waiting: int
    strips: dict[int, Encoded] = field(default_factory=dict)


class Schedule:
    """Who is next, who is running, who is finished. Parents come as soon as they can, so that spills go early."""

    def __init__(self, plan: Plan, missing: set[Unit]) -> None:
        self._plan = plan
        self._missing = set(missing)
        self._waiting = deque(unit for unit in plan.units() if unit in missing)
        self._strips: deque[tuple[Unit, int]] = deque()
        self._started: dict[Unit, _Started] = {}

    @property
    def finished(self) -> bool:
        return not self._missing

    def next_strip(self) -> tuple[Unit, int] | None:
        """A strip that can be encoded now; None if all depend on running ones."""
        if not self._strips:
            unit = self._next_unit()
            if unit is None:
                return None
            self._waiting.remove(unit)
            count = self._plan.strips(unit)
            self._started[unit] = _Started(count)
            self._strips.extend((unit, strip) for strip in range(count))
        return self._strips.popleft()

    def encoded(self, unit: Unit, strip: int, result: Encoded) -> list[Encoded] | None:
        """Take a result; all strips of the unit, in order, if it was the last one."""
        started = self._started[unit]
        started.strips[strip] = result
        started.waiting -= 1
        if started.waiting:
            return None
        del self._started[unit]
        return [started.strips[number] for number in sorted(started.strips)]

    def made(self, unit: Unit) -> None:
        """The unit is stored; its parent may use it."""
        self._missing.discard(unit)

    def _next_unit(self) -> Unit | None:
        candidates = islice(self._waiting, LOOK_AHEAD)
        return next((unit for unit in candidates if ready(self._plan, unit, self._missing)), None)


def run(
    schedule: Schedule,
    submit: Work,
    finish: Finish,
    encoded: Callable[[Encoded], None],
    cancelled: Callable[[], bool],
    max_in_flight: int,
) -> None:
    """Make everything that is missing. The first error ends it; what runs is waited for, nothing is left behind."""
    running: dict[Future[Encoded], tuple[Unit, int]] = {}
    try:
        while not schedule.finished:
            if cancelled():
                raise IngestCancelled
            for unit, strip in _more(schedule, max_in_flight - len(running)):
                running[submit(unit, strip)] = unit, strip
            done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                unit, strip = running.pop(future)
                result = future.result()
                encoded(result)
                strips = schedule.encoded(unit, strip, result)
                if strips is not None:
                    finish(unit, strips)
                    schedule.made(unit)
    finally:
        for future in running:
            future.cancel()
        wait(running)


def _more(schedule: Schedule, count: int) -> Iterator[tuple[Unit, int]]:
    for _ in range(count):
        strip = schedule.next_strip()
        if strip is None:
            return
        yield strip


def strips_in_flight(workers: int) -> int:
    """Enough that no worker waits while the coordinator stores a unit."""
    return workers + 2
