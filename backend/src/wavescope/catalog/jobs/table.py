"""The ingest jobs' rows."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine, delete, select
from sqlalchemy.orm import Session

from wavescope.catalog.database import translated
from wavescope.catalog.records import JobRecord, JobState
from wavescope.catalog.tables import JobRow
from wavescope.errors import UnknownJob

UNFINISHED: tuple[JobState, ...] = ("held", "queued", "running")
MAX_ENDED = 200  # ended jobs that are remembered


class JobLeaseLost(Exception):
    """A job was taken again by another node since this one has taken it."""


class JobTable:
    """Ingest jobs that survive a restart. Thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, job_id: str, filename: str, options: Mapping[str, Any], state: JobState = "queued") -> JobRecord:
        """A new job; the oldest ended ones beyond MAX_ENDED are forgotten. One that is there already stays as it is:
        the answer to an earlier attempt was lost.
        """
        now = time.time()
        row = JobRow(
            id=job_id, state=state, filename=filename, options=dict(options), slide_id=None,
            done=0, total=0, error=None, created=now, updated=now, notices=[],
        )  # fmt: skip
        with self._session(writing=True) as session:
            if (known := session.get(JobRow, job_id)) is not None:
                return record_of_job(known)
            session.add(row)
            session.flush()
            ended = select(JobRow.id).where(JobRow.state.not_in(UNFINISHED)).order_by(JobRow.created.desc())
            expired = session.scalars(ended.offset(MAX_ENDED)).all()
            session.execute(delete(JobRow).where(JobRow.id.in_(expired)))
            return record_of_job(row)

    def save(self, record: JobRecord) -> None:
        """Writes what may change: state, options, progress, result. Raises UnknownJob, JobLeaseLost."""
        with self._session(writing=True) as session:
            row = existing_job(session, record.id)
            if row.lease != record.lease:
                raise JobLeaseLost(record.id)
            row.state, row.done, row.total = record.state, record.done, record.total
            row.slide_id = record.slide_id or row.slide_id  # of a slide that is published already (CL43)
            row.options = dict(record.options)
            row.error = dict(record.error) if record.error else None
            row.notices = list(record.notices)
            row.updated = record.updated
            row.wish = row.wish if row.wish == "cancel" else None
            changed(row)

    def remove(self, job_id: str) -> None:
        """Forgets a job. Raises UnknownJob."""
        with self._session(writing=True) as session:
            session.delete(existing_job(session, job_id))

    def all(self) -> tuple[JobRecord, ...]:
        """Every job, the newest first."""
        with self._session() as session:
            rows = session.scalars(select(JobRow).order_by(JobRow.created.desc(), JobRow.id))
            return tuple(record_of_job(row) for row in rows)

    def some(self, job_ids: Collection[str]) -> tuple[JobRecord, ...]:
        """Those of these jobs that there are."""
        with self._session() as session:
            rows = session.scalars(select(JobRow).where(JobRow.id.in_(job_ids)))
            return tuple(record_of_job(row) for row in rows)

    def unfinished(self) -> frozenset[str]:
        """The ids of the jobs that have not ended."""
        with self._session() as session:
            return frozenset(session.scalars(select(JobRow.id).where(JobRow.state.in_(UNFINISHED))))

    def changes(self) -> dict[str, int]:
        """How often each job has changed, by its id."""
        with self._session() as session:
            return {row.id: row.change for row in session.execute(select(JobRow.id, JobRow.change))}

    @contextmanager
    def _session(self, *, writing: bool = False) -> Iterator[Session]:
        bound = self._engine.execution_options(writing=writing)
        with translated(self._engine), Session(bound, expire_on_commit=False) as session, session.begin():
            yield session


def existing_job(session: Session, job_id: str) -> JobRow:
    row = session.get(JobRow, job_id, with_for_update=True)
    if row is None:
        raise UnknownJob(job_id)
    return row


def changed(row: JobRow) -> None:
    """Counts a change of a row that is written."""
    counted: Any = JobRow.change + 1  # by the database: two changes at one time are two
    row.change = counted


def record_of_job(row: JobRow) -> JobRecord:
    state: Any = row.state
    progress, times = (row.done, row.total), (row.created, row.updated)
    notices = tuple(row.notices or ())
    record = JobRecord(row.id, state, row.filename, row.options, row.slide_id, *progress, row.error, *times, notices)
    lease, attempts, change = row.lease or 0, row.attempts or 0, row.change or 0  # None in a row that is not stored yet
    return replace(record, node=row.node, lease=lease, attempts=attempts, change=change, wish=row.wish, rate=row.rate)
