"""The ingest jobs' rows."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, delete, select
from sqlalchemy.orm import Session

from wavescope.catalog.database import translated
from wavescope.catalog.records import JobRecord, JobState
from wavescope.catalog.tables import JobRow
from wavescope.errors import UnknownJob

UNFINISHED: tuple[JobState, ...] = ("held", "queued", "running")
MAX_ENDED = 200  # ended jobs that are remembered


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
                return _record(known)
            session.add(row)
            session.flush()
            ended = select(JobRow.id).where(JobRow.state.not_in(UNFINISHED)).order_by(JobRow.created.desc())
            expired = session.scalars(ended.offset(MAX_ENDED)).all()
            session.execute(delete(JobRow).where(JobRow.id.in_(expired)))
            return _record(row)

    def save(self, record: JobRecord) -> None:
        """Writes what may change: state, options, progress, result."""
        with self._session(writing=True) as session:
            row = _existing(session, record.id)
            row.state, row.slide_id, row.done, row.total = record.state, record.slide_id, record.done, record.total
            row.options = dict(record.options)
            row.error = dict(record.error) if record.error else None
            row.notices = list(record.notices)
            row.updated = record.updated

    def remove(self, job_id: str) -> None:
        """Forgets a job. Raises UnknownJob."""
        with self._session(writing=True) as session:
            session.delete(_existing(session, job_id))

    def all(self) -> tuple[JobRecord, ...]:
        """Every job, the newest first."""
        with self._session() as session:
            rows = session.scalars(select(JobRow).order_by(JobRow.created.desc(), JobRow.id))
            return tuple(_record(row) for row in rows)

    @contextmanager
    def _session(self, *, writing: bool = False) -> Iterator[Session]:
        bound = self._engine.execution_options(writing=writing)
        with translated(self._engine), Session(bound, expire_on_commit=False) as session, session.begin():
            yield session


def _existing(session: Session, job_id: str) -> JobRow:
    row = session.get(JobRow, job_id)
    if row is None:
        raise UnknownJob(job_id)
    return row


def _record(row: JobRow) -> JobRecord:
    state: Any = row.state
    progress, times = (row.done, row.total), (row.created, row.updated)
    notices = tuple(row.notices or ())
    return JobRecord(row.id, state, row.filename, row.options, row.slide_id, *progress, row.error, *times, notices)
