"""Catalogs that do not answer for a while."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.jobs.queue import JobQueue
from wavescope.errors import CatalogAway
from wavescope.service.jobs.records import JobRecords
from wavescope.service.outages import Backoff, CatalogRetry

DRIVER = 'connection to server at "10.1.2.3", port 5432 failed: Connection refused'


def no_wait() -> CatalogRetry:
    """Fails at the first outage."""
    return CatalogRetry(Backoff(0.0))


def quick(limit: float = 30.0) -> CatalogRetry:
    """Repeats without pauses worth mentioning."""
    return CatalogRetry(Backoff(limit, first=0.001, longest=0.01))


class AwayQueue(JobQueue):
    """A queue that does not answer while ``away``; ``failed`` is called at each attempt."""

    def __init__(self, catalog: Catalog, failed: Callable[[], object] = lambda: None) -> None:
        super().__init__(catalog.engine)
        self.away, self._failed = False, failed

    def session(self, **options: Any) -> Any:
        if self.away:
            self._failed()
            raise CatalogAway(DRIVER)
        return super().session(**options)


def records_of(catalog: Catalog, store: Path, queue: JobQueue | None = None) -> JobRecords:
    """The records of a store's jobs; a new job waits no longer than a moment."""
    return JobRecords(queue or JobQueue(catalog.engine), store / "uploads", quick(), 0.05)
