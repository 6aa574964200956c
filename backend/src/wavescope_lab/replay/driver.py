"""Replays a trace: every client of it at the same time, each waiting for its answer before it thinks about the next."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from wavescope.errors import InvalidParameter
from wavescope_lab.replay.base import Viewer
from wavescope_lab.workload.trace import Request

OpenViewer = Callable[[], Viewer]


@dataclass(frozen=True)
class Timed:
    """One answered request: seconds from the beginning, seconds until its last byte, bytes, answers it consisted of."""

    client: int
    number: int
    begun: float
    seconds: float
    bytes: int
    answers: int


@dataclass
class Run:
    """A replayed trace. ``parts``: bytes of each distinct part that any client touched."""

    requests: list[Timed] = field(default_factory=list)
    seconds: float = 0.0
    bytes: int = 0
    answers: int = 0
    hits: int = 0
    misses: int = 0
    complete: bool = True
    parts: dict[str, int] = field(default_factory=dict)

    def add(self, viewer: Viewer) -> None:
        """Add what a client received."""
        counts = viewer.counts
        self.bytes += counts.bytes
        self.answers += counts.answers
        self.hits += counts.hits
        self.misses += counts.misses
        for name, size in counts.parts.items():
            self.parts.setdefault(name, size)


async def replay(trace: Sequence[Request], open_viewer: OpenViewer, think: float, seconds: float) -> Run:
    """Replay a trace. ``think``: factor of the think times; ``seconds``: the run ends after this time, incomplete.

    The first request of a client includes the opening of the slide. An error of any client ends the run.
    """
    if think < 0:
        raise InvalidParameter("think", think, "0 or more")
    if seconds <= 0:
        raise InvalidParameter("seconds", seconds, "more than 0")
    run, begun = Run(), time.perf_counter()
    clients: dict[int, list[Request]] = {}
    for request in trace:
        clients.setdefault(request.client, []).append(request)
    viewers = [open_viewer() for _ in clients]
    try:
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
            for viewer, requests in zip(viewers, clients.values(), strict=True):
                group.create_task(_client(run, viewer, requests, think, begun))
    except TimeoutError:
        run.complete = False
    except ExceptionGroup as errors:
        raise _first(errors) from errors
    finally:
        run.seconds = time.perf_counter() - begun
        for viewer in viewers:
            run.add(viewer)
            await viewer.close()
    run.requests.sort(key=lambda timed: timed.begun)
    return run


def check_fields(requests: Sequence[Request], size: tuple[int, int]) -> None:
    """InvalidParameter if a field begins outside a slide of ``size`` level-0 pixels: the trace is of another slide."""
    for request in requests:
        field = request.field
        if field.ln_x << field.level >= size[0] or field.ln_y << field.level >= size[1]:
            place = f"{field.ln_x},{field.ln_y} on level {field.level}"
            raise InvalidParameter("trace", place, f"fields of a slide of {size[0]}x{size[1]} pixels")


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error that is not a group."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _client(run: Run, viewer: Viewer, requests: Sequence[Request], think: float, begun: float) -> None:
    opened = False
    for request in requests:
        await asyncio.sleep(request.think * think)
        start, bytes_before, answers_before = time.perf_counter(), viewer.counts.bytes, viewer.counts.answers
        if not opened:
            check_fields(requests, await viewer.open())
            opened = True
        await viewer.show(request.field)
        counts = viewer.counts
        run.requests.append(
            Timed(
                request.client,
                request.number,
                start - begun,
                time.perf_counter() - start,
                counts.bytes - bytes_before,
                counts.answers - answers_before,
            )
        )
