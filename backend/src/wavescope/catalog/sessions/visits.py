"""Who was present in a live session, and when (SE59), in SQL."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from wavescope.catalog.sessions.records import StoredVisit, VisitChange
from wavescope.catalog.sessions.tables import SessionMemberRow, SessionVisitRow

GAP_MS = 60_000  # an absence that is not longer, such as a lost connection, does not end a visit


def put_visits(session: Session, session_id: str, changes: Sequence[VisitChange]) -> None:
    """Begins and ends visits."""
    for member, time, arrived in changes:
        mine = (SessionVisitRow.session_id == session_id, SessionVisitRow.member == member)
        session.flush()
        last = session.scalar(select(SessionVisitRow).where(*mine).order_by(SessionVisitRow.began.desc()).limit(1))
        if not arrived:
            if last is not None and last.ended is None:
                last.ended = max(last.began, time)
        elif last is None or (last.ended is not None and time - last.ended > GAP_MS):
            session.add(SessionVisitRow(session_id=session_id, member=member, began=time, ended=None))
        else:
            last.ended = None


def end_visits(session: Session, session_id: str, time: int) -> None:
    """Ends all that are open, none before it began."""
    still = (SessionVisitRow.session_id == session_id, SessionVisitRow.ended.is_(None))
    for row in session.scalars(select(SessionVisitRow).where(*still)):
        row.ended = max(row.began, time)


def visits_of(session: Session, session_id: str) -> tuple[StoredVisit, ...]:
    """All visits of a session, the earliest first."""
    query = (
        select(SessionVisitRow, SessionMemberRow.identity, SessionMemberRow.name)
        .join(
            SessionMemberRow,
            (SessionMemberRow.session_id == SessionVisitRow.session_id)
            & (SessionMemberRow.member == SessionVisitRow.member),
        )
        .where(SessionVisitRow.session_id == session_id)
        .order_by(SessionVisitRow.began, SessionVisitRow.member)
    )
    found = session.execute(query)
    return tuple(StoredVisit(row.member, identity, name, row.began, row.ended) for row, identity, name in found)
