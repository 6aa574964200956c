"""The tables of learning platforms."""

from __future__ import annotations

from sqlalchemy import JSON, Float, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from wavescope.catalog.tables import Base


class PlatformRow(Base):
    """A platform that may launch."""

    __tablename__ = "platforms"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    title: Mapped[str] = mapped_column(Text)
    issuer: Mapped[str] = mapped_column(String(255))
    client_id: Mapped[str] = mapped_column(String(255))
    deployments: Mapped[list[str]] = mapped_column(JSON)
    frames: Mapped[list[str]] = mapped_column(JSON)
    authorize_url: Mapped[str] = mapped_column(Text)
    token_url: Mapped[str] = mapped_column(Text)
    keys_url: Mapped[str] = mapped_column(Text)
    created: Mapped[float] = mapped_column(Float)
    launched: Mapped[float | None] = mapped_column(Float)  # last

    __table_args__ = (Index("ix_platforms_client", "issuer", "client_id", unique=True),)


class PlatformSecretRow(Base):
    """What is good for once: the state of a launch (``login``) or a registration (``register``). Only hashes."""

    __tablename__ = "platform_secrets"
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    platform_id: Mapped[str | None] = mapped_column(String(32))
    nonce: Mapped[str] = mapped_column(String(64))
    browser: Mapped[str] = mapped_column(String(64))  # the hash of what the browser stores
    expires: Mapped[float] = mapped_column(Float)

    __table_args__ = (Index("ix_platform_secrets_expires", "expires"),)


class LaunchRow(Base):
    """A launch that may have a score (``quiz_id``, ``line_item``), or that waits for a choice (``return_url``)."""

    __tablename__ = "launches"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    platform_id: Mapped[str] = mapped_column(String(32))
    user_id: Mapped[str] = mapped_column(String(32))
    subject: Mapped[str] = mapped_column(String(255))
    deployment: Mapped[str] = mapped_column(String(255))
    course: Mapped[str] = mapped_column(String(255))  # as the platform calls it; empty: none
    quiz_id: Mapped[str | None] = mapped_column(String(32))
    line_item: Mapped[str | None] = mapped_column(Text)
    memberships: Mapped[str | None] = mapped_column(Text)  # where the people of the course may be read
    return_url: Mapped[str | None] = mapped_column(Text)
    data: Mapped[str | None] = mapped_column(Text)
    created: Mapped[float] = mapped_column(Float)

    __table_args__ = (Index("ix_launches_quiz", "quiz_id", "user_id"), Index("ix_launches_platform_id", "platform_id"))


class ScoreRow(Base):
    """The outbox: an attempt that is over and whose score is ``waiting``, was ``sent``, or is ``lost``."""

    __tablename__ = "scores"
    attempt_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    launch_id: Mapped[str] = mapped_column(String(32))
    state: Mapped[str] = mapped_column(String(16))
    tries: Mapped[int] = mapped_column(Integer)
    next: Mapped[float] = mapped_column(Float)  # seconds since 1970
    fault: Mapped[str] = mapped_column(Text)  # of the last attempt to send
    created: Mapped[float] = mapped_column(Float)

    __table_args__ = (Index("ix_scores_next", "state", "next"),)
