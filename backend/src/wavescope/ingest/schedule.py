"""Running the missing units of a plan over an Executor, a bounded number of stripes at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import islice

from wavescope.errors import IngestCancelled
from wavescope.ingest.plan import Plan, Unit, ready
from wavescope.ingest.stripe import Encoded

LOOK_AHEAD = 16
"""Units, beginning with the first unstarted one, among which a ready one is sought: it bounds the spill."""
POLL_SECONDS = 0.2
"""How soon a wish to cancel is noticed."""

Work = Callable[[Unit, int], Future[Encoded]]
Finish = Callable[[Unit, list[Encoded]], None]


@dataclass
class _Started:
    """A unit of which some stripes are encoded."""

    waiting: int
    stripes: dict[int, Encoded] = field(default_factory=dict)


class Schedule:
    """Who is next, who is running, who is finished. Parents come as soon as they can, so that spills go early."""

    def __init__(self, plan: Plan, missing: set[Unit]) -> None:
        self._plan = plan
        self._unmade = set(missing)
        self._unstarted = deque(unit for unit in plan.units() if unit in missing)
        self._stripes: deque[tuple[Unit, int]] = deque()
        self._started: dict[Unit, _Started] = {}

    @property
    def finished(self) -> bool:
        return not self._unmade

    def next_stripe(self) -> tuple[Unit, int] | None:
        """A stripe that can be encoded now; None if all depend on running ones."""
        if not self._stripes:
            unit = self._next_unit()
            if unit is None:
                return None
            self._unstarted.remove(unit)
            count = self._plan.stripes(unit)
            self._started[unit] = _Started(count)
            self._stripes.extend((unit, stripe) for stripe in range(count))
        return self._stripes.popleft()

    def encoded(self, unit: Unit, stripe: int, result: Encoded) -> list[Encoded] | None:
        """Take a result; all stripes of the unit, in order, if it was the last one."""
        started = self._started[unit]
        started.stripes[stripe] = result
        started.waiting -= 1
        if started.waiting:
            return None
        del self._started[unit]
        return [started.stripes[number] for number in sorted(started.stripes)]

    def made(self, unit: Unit) -> None:
        """The unit is stored; its parent may use it."""
        self._unmade.discard(unit)

    def _next_unit(self) -> Unit | None:
        candidates = islice(self._unstarted, LOOK_AHEAD)
        return next((unit for unit in candidates if ready(self._plan, unit, self._unmade)), None)


def run(
    schedule: Schedule,
    submit: Work,
    finish: Finish,
    encoded: Callable[[Encoded], None],
    cancelled: Callable[[], bool],
    at_once: int,
) -> None:
    """Make everything that is missing. The first error ends it; what runs is waited for, nothing is left behind."""
    running: dict[Future[Encoded], tuple[Unit, int]] = {}
    try:
        while not schedule.finished:
            if cancelled():
                raise IngestCancelled
            for unit, stripe in _more(schedule, at_once - len(running)):
                running[submit(unit, stripe)] = unit, stripe
            done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                unit, stripe = running.pop(future)
                result = future.result()
                encoded(result)
                stripes = schedule.encoded(unit, stripe, result)
                if stripes is not None:
                    finish(unit, stripes)
                    schedule.made(unit)
    finally:
        for future in running:
            future.cancel()
        wait(running)


def _more(schedule: Schedule, count: int) -> Iterator[tuple[Unit, int]]:
    for _ in range(count):
        stripe = schedule.next_stripe()
        if stripe is None:
            return
        yield stripe


def stripes_at_once(workers: int) -> int:
    """Enough that no worker waits while the coordinator stores a unit."""
    return workers + 2
