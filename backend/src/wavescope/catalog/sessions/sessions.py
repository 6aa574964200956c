"""Sessions with their members and events, and guests, in SQL."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.orm import Session

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.sessions.leases import fenced
from wavescope.catalog.sessions.records import (
    SessionRecord,
    SessionSnapshot,
    SessionUpdate,
    StoredBallot,
    StoredEvent,
    StoredMember,
    StoredVisit,
)
from wavescope.catalog.sessions.tables import (
    GuestRow,
    RecordingChunkRow,
    RecordingRow,
    SessionBallotRow,
    SessionEventRow,
    SessionLeaseRow,
    SessionMemberRow,
    SessionRow,
    SessionVisitRow,
)
from wavescope.catalog.sessions.visits import end_visits, put_visits, visits_of
from wavescope.catalog.tables import AnnotationSlideRow
from wavescope.errors import UnknownSession
from wavescope.sessions.ownership import Lease

LISTED = 200
RIGHTS = frozenset({"slides", "tour", "annotating", "ended"})  # fields that the members' rights depend on


class SessionTable:
    """The sessions of a catalog. Thread-safe. With a ``lease`` it writes only while the lease holds, and raises
    LeaseLost after that.
    """

    def __init__(self, catalog: Catalog, lease: Lease | None = None) -> None:
        self._catalog, self._lease = catalog, lease

    def with_lease(self, lease: Lease) -> SessionTable:
        """The same for the owner of one session."""
        return SessionTable(self._catalog, lease)

    def create(self, record: SessionRecord, state: str, views: str, owner: StoredMember) -> None:
        """Adds a session with its first member; ``state`` and ``views`` are canonical JSON, at sequence 0."""
        with self._catalog.writing() as session:
            session.add(
                SessionRow(
                    id=record.id, code=record.code, owner=record.owner, title=record.title, passcode=record.passcode,
                    guests=record.guests, annotating=record.annotating, slides=list(record.slides), tour=record.tour,
                    sequence=0, state=state, views=views, refs={}, created=record.created, touched=record.touched,
                    ended=None,
                )
            )  # fmt: skip
            _put_members(session, record.id, [owner])

    def update(self, session_id: str, changes: SessionUpdate) -> None:
        """Writes events and changes, all or nothing. Fails if the number of an event is already used."""
        rights = bool(changes.members) or not RIGHTS.isdisjoint(changes.fields or {})
        with fenced(self._catalog, self._lease, rights=rights) as session:
            if changes.events:
                rows = [{"session_id": session_id, **event._asdict()} for event in changes.events]
                session.execute(insert(SessionEventRow), rows)
            _put_members(session, session_id, changes.members)
            _put_ballots(session, session_id, changes.ballots)
            put_visits(session, session_id, changes.visits)
            if changes.fields:
                session.execute(update(SessionRow).where(SessionRow.id == session_id).values(dict(changes.fields)))

    def trim(self, session_id: str, until: int) -> None:
        """Deletes the events up to number ``until``."""
        with fenced(self._catalog, self._lease, rights=False) as session:
            old = (SessionEventRow.session_id == session_id) & (SessionEventRow.sequence <= until)
            session.execute(delete(SessionEventRow).where(old))

    def load(self, session_id: str) -> SessionSnapshot:
        """Raises UnknownSession."""
        with self._catalog.reading() as session:
            row = session.get(SessionRow, session_id)
            if row is None:
                raise UnknownSession()
            mine = SessionEventRow.session_id == session_id
            events = session.scalars(select(SessionEventRow).where(mine).order_by(SessionEventRow.sequence))
            members = session.scalars(select(SessionMemberRow).where(SessionMemberRow.session_id == session_id))
            ballots = session.scalars(select(SessionBallotRow).where(SessionBallotRow.session_id == session_id))
            return SessionSnapshot(
                _record(row), row.sequence, row.state, row.views, dict(row.refs),
                [StoredMember(one.member, one.identity, one.name, one.gone) for one in members],
                [StoredEvent(e.sequence, e.time, e.by, e.client, e.ref, e.event) for e in events],
                [StoredBallot(one.item, one.member, one.answer) for one in ballots],
            )  # fmt: skip

    def visits(self, session_id: str) -> tuple[StoredVisit, ...]:
        """Who was present, and when; the earliest first."""
        with self._catalog.reading() as session:
            return visits_of(session, session_id)

    def end_visits(self, session_id: str, time: int) -> None:
        """Ends the visits that a lost service has left open, at ``time`` in milliseconds since 1970."""
        with fenced(self._catalog, self._lease, rights=False) as session:
            end_visits(session, session_id, time)

    def get(self, session_id: str) -> SessionRecord:
        """Raises UnknownSession."""
        with self._catalog.reading() as session:
            row = session.get(SessionRow, session_id)
            if row is None:
                raise UnknownSession()
            return _record(row)

    def by_code(self, code: str) -> SessionRecord | None:
        """The session with this code; None: there is none, or it has ended."""
        with self._catalog.reading() as session:
            row = session.scalar(select(SessionRow).where(SessionRow.code == code))
            return None if row is None else _record(row)

    def listed(self, identities: Sequence[str] | None) -> tuple[SessionRecord, ...]:
        """The newest sessions that one of these identities owns or is a member of; None: all."""
        query = select(SessionRow).order_by(SessionRow.created.desc(), SessionRow.id).limit(LISTED)
        if identities is not None:
            query = query.where(or_(SessionRow.owner.in_(identities), SessionRow.id.in_(_memberships(identities))))
        with self._catalog.reading() as session:
            return tuple(_record(row) for row in session.scalars(query))

    def idle(self, touched_before: float, created_before: float) -> tuple[str, ...]:
        """The sessions that have not ended and were last used or created before. Times in seconds since 1970."""
        idle = or_(SessionRow.touched < touched_before, SessionRow.created < created_before)
        with self._catalog.reading() as session:
            return tuple(session.scalars(select(SessionRow.id).where(SessionRow.ended.is_(None), idle)))

    def delete(self, session_id: str) -> None:
        """Deletes a session with its members, events and recordings."""
        with self._catalog.writing() as session:
            recordings = select(RecordingRow.id).where(RecordingRow.session_id == session_id)
            session.execute(delete(RecordingChunkRow).where(RecordingChunkRow.recording_id.in_(recordings)))
            for table in (
                RecordingRow,
                SessionEventRow,
                SessionMemberRow,
                SessionBallotRow,
                SessionVisitRow,
                SessionLeaseRow,
            ):
                session.execute(delete(table).where(table.session_id == session_id))
            session.execute(delete(SessionRow).where(SessionRow.id == session_id))

    def annotated(self, slides: Iterable[str]) -> dict[str, int]:
        """The number of the last annotation change of each of these slides (AN8)."""
        query = select(AnnotationSlideRow).where(AnnotationSlideRow.slide_id.in_(list(slides)))
        with self._catalog.reading() as session:
            return {row.slide_id: row.sequence for row in session.scalars(query)}

    def memberships_of(self, identity: str) -> tuple[tuple[SessionRecord, str], ...]:
        """The sessions that have not ended and have this member, with the member's name; the newest last."""
        here = SessionMemberRow.session_id == SessionRow.id
        query = (
            select(SessionRow, SessionMemberRow.name)
            .join(SessionMemberRow, here)
            .where(SessionRow.ended.is_(None), SessionMemberRow.identity == identity, SessionMemberRow.gone.is_(None))
            .order_by(SessionRow.created)
        )
        with self._catalog.reading() as session:
            return tuple((_record(row), name) for row, name in session.execute(query))

    def accounts_of(self, record: SessionRecord) -> tuple[str, ...]:
        """The identities of the owner and of the members with an account, the owner first."""
        query = select(SessionMemberRow.identity).where(
            SessionMemberRow.session_id == record.id,
            SessionMemberRow.identity.startswith("user:"),
            SessionMemberRow.gone.is_(None),
        )
        with self._catalog.reading() as session:
            members = session.scalars(query)
            return tuple(dict.fromkeys((record.owner, *members)))

    # -- guests

    def guest(self, token_hash: str) -> str | None:
        """The id of the guest with this cookie; None: unknown or expired."""
        with self._catalog.reading() as session:
            row = session.get(GuestRow, token_hash)
            return None if row is None or row.expires < time.time() else row.id

    def add_guest(self, token_hash: str, guest_id: str, expires: float) -> None:
        """Adds a guest with its cookie; deletes expired guests."""
        with self._catalog.writing(rights=False) as session:
            session.execute(delete(GuestRow).where(GuestRow.expires < time.time()))
            session.add(GuestRow(token_hash=token_hash, id=guest_id, expires=expires))


def _memberships(identities: Sequence[str]):  # type: ignore[no-untyped-def]
    here = SessionMemberRow.identity.in_(identities) & SessionMemberRow.gone.is_(None)
    return select(SessionMemberRow.session_id).where(here)


def _put_members(session: Session, session_id: str, members: Sequence[StoredMember]) -> None:
    for one in members:
        session.merge(SessionMemberRow(session_id=session_id, **one._asdict()))


def _put_ballots(session: Session, session_id: str, ballots: Sequence[StoredBallot]) -> None:
    mine = SessionBallotRow.session_id == session_id
    for item, member, answer in ballots:
        if member is not None and answer is not None:
            session.merge(SessionBallotRow(session_id=session_id, item=item, member=member, answer=answer))
            continue
        session.flush()
        which = SessionBallotRow.item == item
        if member is not None:
            which &= SessionBallotRow.member == member
        session.execute(delete(SessionBallotRow).where(mine, which))


def _record(row: SessionRow) -> SessionRecord:
    return SessionRecord(
        row.id, row.code, row.owner, row.title, row.passcode, row.guests, row.annotating, tuple(row.slides),
        row.created, row.touched, row.ended, row.tour,
    )  # fmt: skip
