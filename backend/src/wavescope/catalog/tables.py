"""The tables. Changing one means a new file in ``migrations/versions``."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, Float, Index, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

REVISION = "0001"  # the newest migration


class Base(DeclarativeBase):
    """The tables of the catalog."""


class SlideRow(Base):
    """A slide: an id that clients keep, pointing at its current version."""

    __tablename__ = "slides"
    id: Mapped[str] = mapped_column(String(128), primary_key=True)
    title: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64))
    manifest: Mapped[dict[str, Any]] = mapped_column(JSON)
    search: Mapped[str] = mapped_column(Text)  # casefolded words that a search looks through
    created: Mapped[float] = mapped_column(Float)  # seconds since 1970
    updated: Mapped[float] = mapped_column(Float)


class VersionRow(Base):
    """A version that a slide has or had. It is served until it is collected."""

    __tablename__ = "versions"
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    created: Mapped[float] = mapped_column(Float)
    retired: Mapped[float | None] = mapped_column(Float)  # None: current

    __table_args__ = (Index("ix_versions_digest", "digest"), Index("ix_versions_retired", "retired"))


class JobRow(Base):
    """An ingest job, so that it survives a restart."""

    __tablename__ = "jobs"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    filename: Mapped[str] = mapped_column(Text)
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    slide_id: Mapped[str | None] = mapped_column(String(128))
    done: Mapped[int] = mapped_column(BigInteger)
    total: Mapped[int] = mapped_column(BigInteger)
    error: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    created: Mapped[float] = mapped_column(Float)
    updated: Mapped[float] = mapped_column(Float)
