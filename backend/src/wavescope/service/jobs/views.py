"""Jobs in memory: as clients see them, and waiting for their changes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, get_args

from wavescope.catalog.jobs.table import MAX_ENDED, UNFINISHED
from wavescope.catalog.records import JobRecord, JobState
from wavescope.errors import UnknownJob
from wavescope.service.access.gate import Principal

KEEPALIVE_SECONDS = 15.0
STATES: tuple[JobState, ...] = get_args(JobState)


class StateCount(NamedTuple):
    """The jobs in one state. ``oldest``: when the oldest one was made, ``unchanged``: since when the one that has not
    changed for the longest time has not (seconds since 1970); None without jobs.
    """

    jobs: int
    oldest: float | None
    unchanged: float | None


@dataclass(frozen=True)
class JobView:
    """A job as clients see it; ``rate`` in tiles a second, None while unknown."""

    record: JobRecord
    rate: float | None = None
    seconds_left: float | None = None

    @property
    def ended(self) -> bool:
        return self.record.state not in UNFINISHED

    @property
    def reencodes(self) -> str | None:
        """The id of the slide of which it makes a new version, from a stored one; None: it ingests a file."""
        return str(self.record.options["id"]) if self.record.options.get("reencodes") else None


class JobViews:
    """The jobs of one store by id. One event loop."""

    def __init__(self) -> None:
        self._views: dict[str, JobView] = {}
        self._changed: dict[str, asyncio.Event] = {}
        self.closing = False

    def __getitem__(self, job_id: str) -> JobView:
        return self._views[job_id]

    def find(self, job_id: str) -> JobView | None:
        """The job, None if there is none of this id."""
        return self._views.get(job_id)

    def put(self, view: JobView) -> JobView:
        """Adds or replaces a job and announces it."""
        self._views[view.record.id] = view
        self._announce(view.record.id)
        return view

    def remove(self, job_id: str) -> None:
        """Forgets a job and announces it."""
        self._views.pop(job_id, None)
        self._announce(job_id)

    def close(self) -> None:
        """The service is about to stop: all waiting ends."""
        self.closing = True
        for job_id in list(self._changed):
            self._announce(job_id)

    @property
    def watched(self) -> bool:
        """Whether something waits for a change of a job."""
        return bool(self._changed)

    def changes(self) -> dict[str, int]:
        """How often each job had changed when it was read from the catalog, by its id."""
        return {job_id: view.record.change for job_id, view in self._views.items()}

    def owned(self, principal: Principal, job_id: str) -> JobView:
        """The principal's own job, an admin's any. Raises UnknownJob."""
        view = self._views.get(job_id)
        if view is None or not _owns(principal, view.record):
            raise UnknownJob(job_id)
        return view

    def all_owned(self, principal: Principal) -> tuple[JobView, ...]:
        """The principal's jobs, an admin's are all, the newest first."""
        own = [view for view in self._views.values() if _owns(principal, view.record)]
        return tuple(sorted(own, key=lambda view: -view.record.created))

    def unfinished(self, job_id: str) -> bool:
        """Whether there is such a job and it has not ended."""
        view = self._views.get(job_id)
        return view is not None and not view.ended

    def reencoding(self, slide_id: str) -> bool:
        """Whether a job that has not ended makes a new version of this slide from a stored one."""
        return any(view.reencodes == slide_id and not view.ended for view in self._views.values())

    @property
    def unfinished_count(self) -> int:
        """How many jobs are held, queued or running."""
        return sum(not view.ended for view in self._views.values())

    @property
    def going(self) -> int:
        """How many jobs wait to run, or run."""
        return sum(view.record.state in ("queued", "running") for view in self._views.values())

    def counts(self) -> Mapping[JobState, StateCount]:
        """The jobs in each state. Of those that have ended the latest ones are remembered."""
        records = [view.record for view in self._views.values()]
        return {state: _count([record for record in records if record.state == state]) for state in STATES}

    def progress(self, job_id: str, done: int, total: int, rate: float | None) -> None:
        """Notes how far a running job is."""
        record = replace(self._views[job_id].record, done=done, total=total, updated=time.time())
        left = (total - done) / rate if rate else None
        self.put(JobView(record, rate, left))

    def forget_oldest(self) -> None:
        """Leaves as many ended jobs in memory as the table does."""
        ended = [job_id for job_id, view in self._views.items() if view.ended]
        for job_id in ended[: max(0, len(ended) - MAX_ENDED)]:
            del self._views[job_id]

    async def changed(self, job_id: str) -> None:
        """Waits for the next change of a job, at most KEEPALIVE_SECONDS."""
        changed = self._changed.setdefault(job_id, asyncio.Event())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), KEEPALIVE_SECONDS)
            return
        if self._changed.get(job_id) is changed:
            del self._changed[job_id]
            changed.set()

    async def ended(self, job_id: str) -> None:
        """Waits until a job has ended or is forgotten."""
        while self.unfinished(job_id):
            await self.changed(job_id)

    def _announce(self, job_id: str) -> None:
        changed = self._changed.pop(job_id, None)
        if changed is not None:
            changed.set()


def _count(records: Sequence[JobRecord]) -> StateCount:
    created, updated = [record.created for record in records], [record.updated for record in records]
    return StateCount(len(records), min(created, default=None), min(updated, default=None))


def _owns(principal: Principal, record: JobRecord) -> bool:
    """Whether it is the principal's own job, or the principal may see all."""
    return principal.has_role("admin") or (principal.user and record.options.get("owner") == principal.id)
