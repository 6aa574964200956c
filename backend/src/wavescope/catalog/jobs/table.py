"""The ingest jobs' rows."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, get_args

from sqlalchemy import Engine, delete, func, select
from sqlalchemy.orm import Session

from wavescope.catalog.database import translated
from wavescope.catalog.records import JobRecord, JobState
from wavescope.catalog.tables import JobRow
from wavescope.errors import UnknownJob

UNFINISHED: tuple[JobState, ...] = ("held", "queued", "running")
MAX_ENDED = 200  # ended jobs that are remembered
STATES: tuple[JobState, ...] = get_args(JobState)


class JobLeaseLost(Exception):
    """A job was taken again by another node since this one has taken it."""


class StateCount(NamedTuple):
    """The jobs in one state. ``oldest``: when the oldest one was made, ``unchanged``: since when the one that has not
    changed for the longest time has not (seconds since 1970); None without jobs.
    """

    jobs: int = 0
    oldest: float | None = None
    unchanged: float | None = None


class JobTable:
    """Ingest jobs that survive a restart. Thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def add(self, job_id: str, filename: str, options: Mapping[str, Any], state: JobState = "queued") -> JobRecord:
        """A new job; the oldest ended ones beyond MAX_ENDED are forgotten. One that is there already stays as it is:
        the answer to an earlier attempt was lost.
        """
        now = time.time()
        row = JobRow(
            id=job_id, state=state, filename=filename, options=dict(options), slide_id=None,
            done=0, total=0, error=None, created=now, updated=now, notices=[],
        )  # fmt: skip
        with self.session(writing=True) as session:
            if (known := session.get(JobRow, job_id)) is not None:
                return record_of_job(known)
            session.add(row)
            session.flush()
            ended = select(JobRow.id).where(JobRow.state.not_in(UNFINISHED)).order_by(JobRow.created.desc())
            expired = session.scalars(ended.offset(MAX_ENDED)).all()
            session.execute(delete(JobRow).where(JobRow.id.in_(expired)))
            return record_of_job(row)

    def save(self, record: JobRecord) -> JobRecord:
        """Ends a job, or holds it: writes its state, options, progress and result; what a client asked of it is done.
        One that is to be held although a client has cancelled it is cancelled. The job as it is then.

        Raises UnknownJob, JobLeaseLost.
        """
        with self.session(writing=True) as session:
            row = existing_job(session, record.id)
            if row.lease != record.lease:
                raise JobLeaseLost(record.id)
            row.state, row.done, row.total = record.state, record.done, record.total
            row.slide_id = record.slide_id or row.slide_id  # of a slide that is published already (CL43)
            row.options = dict(record.options)
            row.error = dict(record.error) if record.error else None
            row.notices = list(record.notices)
            row.updated = record.updated
            if record.state == "held" and row.wish == "cancel":
                row.state, row.error = "cancelled", None
            row.wish = None
            return written(session, row)

    def remove(self, job_id: str) -> None:
        """Forgets a job. Raises UnknownJob."""
        with self.session(writing=True) as session:
            session.delete(existing_job(session, job_id))

    def find(self, job_id: str) -> JobRecord | None:
        """The job; None: there is none."""
        with self.session() as session:
            row = session.get(JobRow, job_id)
            return None if row is None else record_of_job(row)

    def all(self) -> tuple[JobRecord, ...]:
        """Every job, the newest first."""
        with self.session() as session:
            rows = session.scalars(select(JobRow).order_by(JobRow.created.desc(), JobRow.id))
            return tuple(record_of_job(row) for row in rows)

    def unfinished(self) -> frozenset[str]:
        """The ids of the jobs that have not ended."""
        with self.session() as session:
            return frozenset(session.scalars(select(JobRow.id).where(JobRow.state.in_(UNFINISHED))))

    def counts(self) -> Mapping[JobState, StateCount]:
        """The jobs in each state. Of those that have ended the latest ones are remembered."""
        numbers = select(JobRow.state, func.count(), func.min(JobRow.created), func.min(JobRow.updated))
        with self.session() as session:
            rows = session.execute(numbers.group_by(JobRow.state))
            found = {state: StateCount(jobs, oldest, unchanged) for state, jobs, oldest, unchanged in rows}
        return {state: found.get(state, StateCount()) for state in STATES}

    def going(self) -> int:
        """How many jobs wait to run, or run."""
        going = select(func.count()).where(JobRow.state.in_(("queued", "running")))
        with self.session() as session:
            return session.scalar(going) or 0

    @contextmanager
    def session(self, *, writing: bool = False) -> Iterator[Session]:
        """A transaction. Raises CatalogAway, StoreFull."""
        bound = self.engine.execution_options(writing=writing)
        with translated(self.engine), Session(bound, expire_on_commit=False) as session, session.begin():
            yield session


def existing_job(session: Session, job_id: str) -> JobRow:
    row = session.get(JobRow, job_id, with_for_update=True)
    if row is None:
        raise UnknownJob(job_id)
    return row


def written(session: Session, row: JobRow) -> JobRecord:
    """Counts a change of a row and writes it: the job as it is then."""
    counted: Any = JobRow.change + 1  # by the database: two changes at one time are two
    row.change = counted
    session.flush()
    session.refresh(row)
    return record_of_job(row)


def record_of_job(row: JobRow) -> JobRecord:
    state: Any = row.state
    progress, times = (row.done, row.total), (row.created, row.updated)
    notices = tuple(row.notices or ())
    record = JobRecord(row.id, state, row.filename, row.options, row.slide_id, *progress, row.error, *times, notices)
    lease, attempts, change = row.lease or 0, row.attempts or 0, row.change or 0  # None in a row that is not stored yet
    return replace(record, node=row.node, lease=lease, attempts=attempts, change=change, wish=row.wish, rate=row.rate)
