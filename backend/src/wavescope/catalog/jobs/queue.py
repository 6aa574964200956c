"""The jobs of a store as a queue. Each is taken by one service, whose lease is a number in the row (CL40 to CL44)."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from sqlalchemy import Engine, and_, case, func, or_, select, update
from sqlalchemy.orm import Session

from wavescope.catalog.database import translated
from wavescope.catalog.jobs.table import UNFINISHED, JobLeaseLost, JobTable, existing_job, record_of_job, written
from wavescope.catalog.records import JobRecord
from wavescope.catalog.tables import JobRow
from wavescope.errors import Unavailable

LAPSE_SECONDS = 3.0
"""Silence after which the node that runs a job is taken for lost."""
MAX_LOST = 3
"""Nodes that may be lost together with the import that they run; then the job is held: its file may be the cause."""

JobCommand = Literal["cancel", "anew"]


class Lease(NamedTuple):
    """A job as one service has taken it."""

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
        with translated(engine), Session(engine.execution_options(writing=True)) as session, session.begin():
            session.execute(update(JobRow).where(*self.running).values(attempts=JobRow.attempts - 1))

    @property
    def running(self) -> tuple[Any, ...]:
        """The conditions on the row of the job while it runs under this lease."""
        return JobRow.id == self.job_id, JobRow.lease == self.number, JobRow.state == "running"


class Progress(NamedTuple):
    """How far a job is: tiles, and tiles a second (None while unknown)."""

    done: int
    total: int
    rate: float | None = None


class JobQueue(JobTable):
    """The jobs of a store, for one service. Thread-safe; the clock is that of the database.

    ``node``: the name of this service among those that run the jobs together; they show each other that they are alive.
    None: no other service takes jobs, and every one that does not run here waits.
    """

    def __init__(self, engine: Engine, node: str | None = None) -> None:
        super().__init__(engine)
        self._node, self.shared = node, node is not None

    def take(self, here: Collection[str] = ()) -> JobRecord | None:
        """The oldest job that waits, or whose node is lost: from now on it runs here. None if there is none.

        One that lost MAX_LOST nodes is held instead. ``here``: jobs that run here; this node was silent, not lost. The
        record has the error for which the job waited.
        """
        with self.session(writing=True) as session:
            now = _database_time(session)
            lost = and_(JobRow.state == "running", JobRow.id.not_in(here))
            if self.shared:
                lost = and_(lost, or_(JobRow.beat.is_(None), JobRow.beat < now - LAPSE_SECONDS))
            turn = case((JobRow.state == "queued", func.coalesce(JobRow.beat, JobRow.created)), else_=JobRow.created)
            query = select(JobRow).where(or_(JobRow.state == "queued", lost)).order_by(turn, JobRow.id).limit(1)
            while (row := session.scalars(query.with_for_update(skip_locked=True)).first()) is not None:
                row.lease, row.updated = row.lease + 1, time.time()
                row.attempts += self.shared and row.state == "running"
                row.wish = row.wish if row.wish == "cancel" else None  # the options are the new ones already
                if row.attempts >= MAX_LOST and row.slide_id is None and row.wish is None:
                    _hold(row)
                    written(session, row)
                    continue
                waited, row.error = row.error, None
                row.state, row.node, row.beat, row.rate = "running", self._node, now, None
                return replace(written(session, row), error=waited)
            return None

    def restart(self) -> None:
        """The jobs that ran when the only service was lost wait again, from their beginning."""
        with self.session(writing=True) as session:
            session.execute(update(JobRow).where(JobRow.state == "running").values(_waiting()))

    def heartbeat(self, lease: Lease, progress: Progress | None) -> JobCommand | None:
        """Shows that the job still runs here, and its progress if that has changed; what a client asks of it.

        Raises JobLeaseLost.
        """
        values: dict[str, Any] = {}
        if progress is not None:
            values = progress._asdict() | {"updated": time.time(), "change": JobRow.change + 1}
        with self.session(writing=self.shared or bool(values)) as session:
            if self.shared:
                values["beat"] = _database_time(session)
            statement: Any = select(JobRow.wish).where(*lease.running)
            if values:
                statement = update(JobRow).where(*lease.running).values(values).returning(JobRow.wish)
            if (found := session.execute(statement).first()) is None:
                raise JobLeaseLost(lease.job_id)
            command: JobCommand | None = found[0]
            return command

    def release(self, lease: Lease, error: Mapping[str, str] | None = None, *, last: bool = False) -> None:
        """The job waits again, for any service. ``error``: why; ``last``: after the others. Without effect if it was
        taken from here.
        """
        with self.session(writing=True) as session:
            values = (
                _waiting()
                | ({"error": dict(error)} if error else {})
                | ({"beat": _database_time(session)} if last else {})
            )
            session.execute(update(JobRow).where(*lease.running).values(values))

    def send_command(self, job_id: str, command: JobCommand, options: Mapping[str, Any] | None = None) -> JobRecord:
        """What a client asks of a job, wherever it is: done at once if it does not run, else noted for its runner.

        ``options``: those to begin anew with; a held job begins. The job as it is then. Raises UnknownJob.
        """
        with self.session(writing=True) as session:
            row = existing_job(session, job_id)
            if row.state not in UNFINISHED:
                return record_of_job(row)
            row.options = dict(options) if options is not None else row.options
            if row.state == "held":  # maybe after losses: they are forgiven
                row.attempts, row.error = 0, None
            if row.state == "running":
                row.wish = "cancel" if row.wish == "cancel" else command  # nothing calls a cancel back
            else:
                row.state, row.updated = ("cancelled" if command == "cancel" else "queued"), time.time()
                row.wish = row.beat = None
            return written(session, row)


def _waiting() -> dict[str, Any]:
    """What is written of a job that ran and waits again: a command to restart is done, one to cancel stays."""
    row = {"state": "queued", "node": None, "beat": None, "rate": None, "done": 0, "total": 0}
    return row | {"wish": case((JobRow.wish == "cancel", "cancel")), "change": JobRow.change + 1}


def _hold(row: JobRow) -> None:
    reason = f"the node that imported this file was lost {row.attempts} times"
    row.state, row.error = "held", {"cause": Unavailable.__name__, "detail": reason}


def _database_time(session: Session) -> float:
    """The time of the database in seconds since 1970."""
    if session.get_bind().dialect.name != "postgresql":
        return time.time()
    return float(session.scalar(select(func.extract("epoch", func.clock_timestamp()))) or 0.0)
