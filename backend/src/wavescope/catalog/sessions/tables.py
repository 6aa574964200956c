"""The tables of live sessions: members, events, guests, recordings."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, Boolean, Float, Index, Integer, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from wavescope.catalog.tables import Base


class SessionRow(Base):
    """A session: its state at ``sequence``; later events are applied to it."""

    __tablename__ = "sessions"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    code: Mapped[str | None] = mapped_column(String(16))  # None: the session has ended
    owner: Mapped[str] = mapped_column(String(80))  # an identity: user:ID or guest:ID
    title: Mapped[str] = mapped_column(Text)
    passcode: Mapped[str | None] = mapped_column(Text)  # argon2id
    guests: Mapped[bool] = mapped_column(Boolean)
    annotating: Mapped[bool] = mapped_column(Boolean)  # whether all members may annotate
    slides: Mapped[list[str]] = mapped_column(JSON)
    tour: Mapped[str | None] = mapped_column(String(32))  # that the stage shows
    sequence: Mapped[int] = mapped_column(BigInteger)  # of the stored state
    state: Mapped[str] = mapped_column(Text)  # canonical JSON
    views: Mapped[str] = mapped_column(Text)  # the newest views, canonical JSON
    refs: Mapped[dict[str, int]] = mapped_column(JSON)  # the last operation of each client
    created: Mapped[float] = mapped_column(Float)
    touched: Mapped[float] = mapped_column(Float)  # when a member was present last
    ended: Mapped[float | None] = mapped_column(Float)

    __table_args__ = (
        Index("ix_sessions_code", "code", unique=True),
        Index("ix_sessions_owner", "owner"),
        Index("ix_sessions_ended", "ended"),
    )


class SessionMemberRow(Base):
    """A member or former member; a removed one cannot join again."""

    __tablename__ = "session_members"
    session_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    member: Mapped[str] = mapped_column(String(16), primary_key=True)
    identity: Mapped[str] = mapped_column(String(80))
    name: Mapped[str] = mapped_column(Text)  # signs annotations of guests
    gone: Mapped[str | None] = mapped_column(String(16))  # left, removed; None: still a member

    __table_args__ = (Index("ix_session_members_identity", "identity"),)


class SessionBallotRow(Base):
    """A member's answer about a poll, which the state does not show (SE55)."""

    __tablename__ = "session_ballots"
    session_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    item: Mapped[str] = mapped_column(String(32), primary_key=True)
    member: Mapped[str] = mapped_column(String(16), primary_key=True)
    answer: Mapped[str] = mapped_column(Text)  # canonical JSON


class SessionVisitRow(Base):
    """From when to when a member was present, in milliseconds since 1970; ``ended`` None: still (SE59)."""

    __tablename__ = "session_visits"
    session_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    member: Mapped[str] = mapped_column(String(16), primary_key=True)
    began: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    ended: Mapped[int | None] = mapped_column(BigInteger)


class SessionEventRow(Base):
    """An event of a session, and the client's operation that caused it."""

    __tablename__ = "session_events"
    session_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    sequence: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    time: Mapped[int] = mapped_column(BigInteger)  # milliseconds
    by: Mapped[str | None] = mapped_column(String(16))
    client: Mapped[str | None] = mapped_column(String(96))
    ref: Mapped[int | None] = mapped_column(BigInteger)
    event: Mapped[str] = mapped_column(Text)


class GuestRow(Base):
    """A browser without an account, known by a cookie of which the hash is stored."""

    __tablename__ = "session_guests"
    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    id: Mapped[str] = mapped_column(String(32))
    expires: Mapped[float] = mapped_column(Float)

    __table_args__ = (Index("ix_session_guests_expires", "expires"),)


class RecordingRow(Base):
    """A recording of a session."""

    __tablename__ = "recordings"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    session_id: Mapped[str] = mapped_column(String(32))
    owner: Mapped[str] = mapped_column(String(80))
    title: Mapped[str] = mapped_column(Text)
    slides: Mapped[list[dict[str, Any]]] = mapped_column(JSON)  # id and title
    created: Mapped[float] = mapped_column(Float)
    duration: Mapped[int] = mapped_column(BigInteger)  # milliseconds
    bytes: Mapped[int] = mapped_column(BigInteger)
    chunks: Mapped[int] = mapped_column(Integer)
    done: Mapped[bool] = mapped_column(Boolean)
    shared: Mapped[bool] = mapped_column(Boolean)

    __table_args__ = (Index("ix_recordings_owner", "owner"), Index("ix_recordings_session_id", "session_id"))


class RecordingChunkRow(Base):
    """Entries of a recording: JSON lines, deflated."""

    __tablename__ = "recording_chunks"
    recording_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    body: Mapped[bytes] = mapped_column(LargeBinary)


class SessionLeaseRow(Base):
    """Which node owns a live session (CL20). ``term`` grows with each owner."""

    __tablename__ = "session_leases"
    session_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    node: Mapped[str] = mapped_column(String(128))
    instance: Mapped[str] = mapped_column(String(32))
    term: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("ix_session_leases_instance", "instance"),)
