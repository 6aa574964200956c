"""What runs a job, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from wavescope.errors import CatalogAway, IngestClusterAway, NotEnoughSpace, StoreFull, Unavailable

LEASE = "lease"
"""Among the options of a run: the number of the lease of a job that several nodes may take."""
AWAY = (CatalogAway.__name__, IngestClusterAway.__name__)
"""Errors of an ingest that goes on later, however long it takes."""
FULL = (StoreFull.__name__, NotEnoughSpace.__name__)
KEPT = (Unavailable.__name__,)
"""Errors of the machine, not of the file: the job is held with its file until its owner starts it again (WI135)."""
GOES_ON = "; the import goes on when there is space"
Report = Callable[[int, int], None]


class JobFailed(Exception):
    """An ingest ended without a slide. ``cause``: an error class; ``detail``: the message for the user."""

    def __init__(self, cause: str, detail: str) -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause, self.detail = cause, detail


class NoSpace(Exception):
    """A job waits for space on the disk. ``error``: what the user is shown."""

    def __init__(self, error: Mapping[str, str]) -> None:
        super().__init__(error["cause"])
        self.error = error


class Made(NamedTuple):
    """The slide that an ingest made, and what the user should know of its files (ST64)."""

    slide_id: str
    notices: tuple[str, ...] = ()


class Runner(Protocol):
    """Ingests files."""

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> Made:
        """Ingests a file, calling ``report(done, total)``. Raises JobFailed; stops when cancelled."""
        ...

    async def discard(self, path: Path) -> None:
        """Removes what a run that did not finish has left for a later one."""
        ...
