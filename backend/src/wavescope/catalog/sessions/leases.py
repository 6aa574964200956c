"""Which node owns which live session, in SQL; and the fence that keeps former owners from writing (CL20 to CL23)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import insert, select, text, update
from sqlalchemy.orm import Session

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.sessions.tables import SessionLeaseRow
from wavescope.errors import LeaseLost
from wavescope.sessions.ownership import NOBODY, Lease, decide

STALLED_MILLISECONDS = 1000  # after which the database ends a transaction of an owner that was paused in it

# one statement: a transaction that holds the lease is ended by the database if its process is paused
FENCE = text(
    "SELECT set_config('idle_in_transaction_session_timeout', :stalled, true) FROM session_leases "
    "WHERE session_id = :session AND instance = :instance AND term = :term FOR SHARE"
)
LOCK = text("SELECT pg_advisory_xact_lock(7823462, hashtext(:session))")
SEEN = text("SELECT 1 FROM nodes WHERE instance = :instance AND seen > extract(epoch FROM clock_timestamp()) - :silent")


class LeaseTable:
    """The leases of a catalog in PostgreSQL. Thread-safe. ``silent``: seconds after which a node is dead."""

    def __init__(self, catalog: Catalog, silent: float) -> None:
        self._catalog, self._silent = catalog, silent

    def find(self, session_id: str) -> Lease | None:
        """The lease of a session; None: nobody ever owned it."""
        with self._catalog.reading() as session:
            row = session.get(SessionLeaseRow, session_id)
            return None if row is None else _lease(row)

    def claim(
        self, session_id: str, node: str, instance: str, alive: Collection[str], dead: Collection[str]
    ) -> tuple[Lease, Lease | None]:
        """The lease of the session after this node has tried to get it, and the one before. ``alive``, ``dead``: the
        instances that this node knows.
        """
        with self._catalog.writing(rights=False) as session:
            session.execute(LOCK, {"session": session_id})
            row = session.get(SessionLeaseRow, session_id, with_for_update=True)
            before = None if row is None else _lease(row)
            decision = decide(before, instance, alive, dead)
            if decision == "unsure" and before is not None:
                known = session.execute(SEEN, {"instance": before.instance, "silent": self._silent}).first()
                decision = "claim" if known is None else "elsewhere"
            if decision == "elsewhere" and before is not None:
                return before, before
            lease = Lease(session_id, node, instance, 1 if before is None else before.term + 1)
            if row is None:
                session.execute(insert(SessionLeaseRow).values(lease._asdict()))
            else:
                row.node, row.instance, row.term = node, instance, lease.term
            return lease, before

    def owned(self, instance: str) -> dict[str, int]:
        """The terms of all sessions that this instance owns, by session id."""
        query = select(SessionLeaseRow.session_id, SessionLeaseRow.term).where(SessionLeaseRow.instance == instance)
        with self._catalog.reading() as session:
            return {row.session_id: row.term for row in session.execute(query)}

    def release(self, leases: Iterable[Lease]) -> None:
        """Gives leases back, except those that another node has got meanwhile."""
        with self._catalog.writing(rights=False) as session:
            for lease in leases:
                mine = (SessionLeaseRow.session_id == lease.session_id) & (SessionLeaseRow.term == lease.term)
                session.execute(
                    update(SessionLeaseRow)
                    .where(mine, SessionLeaseRow.instance == lease.instance)
                    .values(instance=NOBODY)
                )


@contextmanager
def fenced(catalog: Catalog, lease: Lease | None, *, rights: bool) -> Iterator[Session]:
    """A writing transaction of the owner of a session, during which nobody else becomes the owner; without a lease an
    ordinary one. Raises LeaseLost if another node owns the session.
    """
    with catalog.writing(rights=rights) as session:
        if lease is not None:
            values = {"session": lease.session_id, "instance": lease.instance, "term": lease.term}
            if session.execute(FENCE, {**values, "stalled": str(STALLED_MILLISECONDS)}).first() is None:
                raise LeaseLost(lease.session_id)
        yield session


def _lease(row: SessionLeaseRow) -> Lease:
    return Lease(row.session_id, row.node, row.instance, row.term)
