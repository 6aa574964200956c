"""Jobs of a store that several nodes run: each is taken by one node, which shows that it is alive (CL40 to CL44)."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

from sqlalchemy import Engine, and_, func, or_, select, update
from sqlalchemy.orm import Session

from wavescope.catalog.database import translated
from wavescope.catalog.jobs.table import JobLeaseLost, changed, existing_job, record_of_job
from wavescope.catalog.records import JobRecord
from wavescope.catalog.tables import JobRow
from wavescope.errors import Unavailable

LAPSE_SECONDS = 3.0
"""Silence after which the node that runs a job is taken for lost."""
MAX_LOST = 3
"""Nodes that may be lost together with the import that they run; then the job is held: its file may be the cause."""

Wish = Literal["cancel", "anew"]


class Lease(NamedTuple):
    """A job as one node has taken it."""

    job_id: str
    number: int

    def note_published(self, session: Session, slide_id: str) -> None:
        """In the transaction that publishes a slide: its job has made it. A node that lost the job, or an earlier
        attempt whose slide is there, publishes nothing (CL43). Raises JobLeaseLost.
        """
        mine = (JobRow.id == self.job_id, JobRow.lease == self.number, JobRow.slide_id.is_(None))
        noted = update(JobRow).where(*mine).values(slide_id=slide_id, change=JobRow.change + 1)
        result: Any = session.execute(noted)
        if result.rowcount != 1:
            raise JobLeaseLost(self.job_id)

    def spare(self, engine: Engine) -> None:
        """The import outlives the node that runs it: the loss of this node does not count against the file (CL42)."""
        mine = (JobRow.id == self.job_id, JobRow.lease == self.number, JobRow.state == "running")
        with translated(engine), Session(engine.execution_options(writing=True)) as session, session.begin():
            session.execute(update(JobRow).where(*mine).values(attempts=JobRow.attempts - 1))


class JobLeases:
    """The jobs of a cluster, for the node ``node``. Thread-safe; the clock is that of the database."""

    def __init__(self, engine: Engine, node: str) -> None:
        self._engine, self._node = engine, node

    def take(self, here: Collection[str] = ()) -> JobRecord | None:
        """The oldest job that waits, or whose node is lost: from now on it runs here. None if there is none.

        One that lost MAX_LOST nodes is held instead. ``here``: jobs that run here; this node was silent, not lost.
        """
        with self._session() as session:
            now = _database_time(session)
            silent = or_(JobRow.beat.is_(None), JobRow.beat < now - LAPSE_SECONDS)
            waiting = or_(JobRow.state == "queued", and_(JobRow.state == "running", silent, JobRow.id.not_in(here)))
            query = select(JobRow).where(waiting).order_by(JobRow.created, JobRow.id).limit(1)
            while (row := session.scalars(query.with_for_update(skip_locked=True)).first()) is not None:
                changed(row)
                row.lease, row.updated = row.lease + 1, time.time()
                row.attempts += row.state == "running"
                if row.attempts >= MAX_LOST and row.slide_id is None:
                    _hold(row)
                    session.flush()
                    continue
                row.state, row.node, row.beat, row.rate = "running", self._node, now, None
                row.wish = row.wish if row.wish == "cancel" else None  # the options are the new ones already
                session.flush()
                session.refresh(row)
                return record_of_job(row)
            return None

    def beat(self, lease: Lease, done: int, total: int, rate: float | None) -> tuple[Wish | None, Mapping[str, Any]]:
        """Shows that the job still runs here, and how far it is; what a client asks of it, and its options now.

        Raises JobLeaseLost.
        """
        progress = {"done": done, "total": total, "rate": rate, "updated": time.time()}
        with self._session() as session:
            beat = {"beat": _database_time(session), "change": JobRow.change + 1}
            mine = (JobRow.id == lease.job_id, JobRow.lease == lease.number, JobRow.state == "running")
            statement = update(JobRow).where(*mine).values(**progress, **beat)
            found = session.execute(statement.returning(JobRow.wish, JobRow.options)).first()
            if found is None:
                raise JobLeaseLost(lease.job_id)
            wish: Wish | None = found[0]
            return wish, found[1]

    def release(self, lease: Lease, error: Mapping[str, str] | None = None) -> None:
        """The job waits again, for any node. ``error``: why. Without effect if it was taken from here."""
        values: dict[str, Any] = {
            "state": "queued",
            "node": None,
            "beat": None,
            "rate": None,
            "change": JobRow.change + 1,
        }
        if error is not None:
            values["error"] = dict(error)
        mine = (JobRow.id == lease.job_id, JobRow.lease == lease.number, JobRow.state == "running")
        with self._session() as session:
            session.execute(update(JobRow).where(*mine).values(**values))

    def ask(self, job_id: str, wish: Wish, options: Mapping[str, Any] | None = None) -> JobRecord:
        """What a client asks of a job, wherever it is: done at once if no node runs it, else noted for that node.

        ``options``: those to begin anew with; a held job begins. The job as it is then. Raises UnknownJob.
        """
        with self._session() as session:
            row = existing_job(session, job_id)
            if row.state in ("held", "queued", "running"):
                changed(row)
                if row.state == "held":  # maybe after losses: they are forgiven
                    row.attempts, row.error = 0, None
                row.options = dict(options) if options is not None else row.options
                if row.state == "running":
                    row.wish = wish
                else:
                    row.state, row.updated = ("cancelled" if wish == "cancel" else "queued"), time.time()
            session.flush()
            session.refresh(row)
            return record_of_job(row)

    @contextmanager
    def _session(self) -> Iterator[Session]:
        bound = self._engine.execution_options(writing=True)
        with translated(self._engine), Session(bound, expire_on_commit=False) as session, session.begin():
            yield session


def _hold(row: JobRow) -> None:
    reason = f"the node that imported this file was lost {row.attempts} times"
    row.state, row.error = "held", {"cause": Unavailable.__name__, "detail": reason}


def _database_time(session: Session) -> float:
    """The time of the database in seconds since 1970."""
    if session.get_bind().dialect.name != "postgresql":
        return time.time()
    return float(session.scalar(select(func.extract("epoch", func.clock_timestamp()))) or 0.0)
