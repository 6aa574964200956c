"""Large documents: other threads run while one is read or written, and rings are compared at a bounded price."""

from __future__ import annotations

import gc
import json
import sys
import threading
import time
from collections.abc import Callable

import pytest

from wavescope.annotations.document import dump_json, load_json
from wavescope.annotations.svg import MAX_RINGS, nest
from wavescope.errors import TooLarge

OBJECTS = 50_000
DOCUMENT = {"type": "FeatureCollection", "features": [{"n": n, "at": [n, n + 0.5]} for n in range(OBJECTS)]}
TEXT = json.dumps(DOCUMENT, separators=(",", ":"))


class OtherThread:
    """Notes how long the first thread computes between its own turns: seconds of that thread's processor time."""

    def __init__(self) -> None:
        self._clock = time.pthread_getcpuclockid(threading.get_ident())
        self._over, self._thread = threading.Event(), threading.Thread(target=self._work)
        self.longest, self._last = 0.0, self.now()

    def now(self) -> float:
        return time.clock_gettime(self._clock)

    def _turn(self) -> None:
        now = self.now()
        self.longest, self._last = max(self.longest, now - self._last), now

    def _work(self) -> None:
        while not self._over.is_set():
            self._turn()
            time.sleep(0)  # hands the interpreter over

    def __enter__(self) -> OtherThread:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._turn()
        self._over.set()
        self._thread.join()


@pytest.mark.parametrize(
    ("work", "made"),
    [(lambda: load_json(TEXT.encode()), DOCUMENT), (lambda: dump_json(DOCUMENT), TEXT)],
    ids=["read", "write"],
)
def test_other_threads_run_while_a_large_document_is_read_or_written_an31(
    work: Callable[[], object], made: object
) -> None:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    gc.disable()  # collecting garbage stops other threads, too
    try:
        with OtherThread() as other:
            begin = other.now()
            result = work()
        whole = other.now() - begin
    finally:
        gc.enable()
        sys.setswitchinterval(usual)
    assert result == made
    assert other.longest < whole * 0.5


Ring = list[list[float]]


def triangle(x: float, y: float, size: float) -> Ring:
    return [[x, y], [x + size, y], [x, y + size]]


def test_a_ring_inside_an_earlier_outer_ring_is_its_hole_an18() -> None:
    outer, other, hole, within = triangle(0, 0, 90), triangle(100, 0, 9), triangle(5, 5, 9), triangle(6, 6, 1)
    assert nest([outer, other, hole, within, triangle(200, 0, 9)]) == [
        [outer, hole, within],
        [other],
        [triangle(200, 0, 9)],
    ]


def test_more_rings_than_can_be_compared_are_refused_an30() -> None:
    apart = [triangle(10 * n, 0, 5) for n in range(MAX_RINGS + 1)]
    assert len(nest(apart[:-1])) == MAX_RINGS
    with pytest.raises(TooLarge, match="rings"):
        nest(apart)
