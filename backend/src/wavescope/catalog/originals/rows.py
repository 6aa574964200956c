"""The rows of original files, inside the transactions that publish slides (ST92, ST93)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import BigInteger, Float, Index, Integer, String, Text, delete, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from wavescope.catalog.tables import Base, SlideRow
from wavescope.store.files.stored import NO_ORIGINAL, StoredFile

NOBODY = ""
"""The slide of a file that is about to be stored: no slide has this id."""


class OriginalRow(Base):
    """The original file that a slide has or had; the file itself is collected with the last row that names it."""

    __tablename__ = "originals"
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))  # of the source, as in the manifest of a slide made of it
    name: Mapped[str] = mapped_column(Text)
    size: Mapped[int] = mapped_column(BigInteger)
    files: Mapped[int] = mapped_column(Integer)
    retired: Mapped[float | None] = mapped_column(Float)  # None: the slide has it

    __table_args__ = (Index("ix_originals_sha256", "sha256"), Index("ix_originals_retired", "retired"))


def settle(session: Session, slide_id: str, manifest: Mapping[str, Any], original: StoredFile | None) -> None:
    """A new version of a slide is published; ``original``: see NewVersion."""
    before = [OriginalRow.slide_id == slide_id, OriginalRow.retired.is_(None)]
    if original is None:
        before += [column != _fingerprint(manifest) for column in (OriginalRow.fingerprint, OriginalRow.sha256)]
    session.execute(update(OriginalRow).where(*before).values(retired=time.time()))
    if original is not None and original != NO_ORIGINAL:
        session.merge(_row(slide_id, original, None))
        session.execute(
            delete(OriginalRow).where(OriginalRow.slide_id == NOBODY, OriginalRow.sha256 == original.sha256)
        )


def expect(session: Session, original: StoredFile) -> None:
    """A file is about to be stored: it is collected unless a slide gets it."""
    session.merge(_row(NOBODY, original, time.time()))


def original_of(session: Session, slide: SlideRow) -> StoredFile | None:
    """The original file of a slide: that of the source of its current version."""
    query = select(OriginalRow).where(OriginalRow.slide_id == slide.id, OriginalRow.retired.is_(None))
    for row in session.scalars(query):
        if _fingerprint(slide.manifest) in marks_of(row):
            return file_of(row)
    return None


def file_of(row: OriginalRow) -> StoredFile:
    """The row's values, free of its session."""
    return StoredFile(row.sha256, row.name, row.size, row.files, row.fingerprint)


def marks_of(file: StoredFile | OriginalRow) -> tuple[str, str]:
    """The fingerprints of slides that were made of this file: that of its import, and its SHA-256 (ST97), which a later
    import of a file has that was stored before fingerprints covered all bytes.
    """
    return file.fingerprint, file.sha256


def retire(session: Session, slide_id: str) -> None:
    """The slide has no original file any more, from now on."""
    session.execute(update(OriginalRow).where(OriginalRow.slide_id == slide_id).values(retired=0.0))


def _row(slide_id: str, original: StoredFile, retired: float | None) -> OriginalRow:
    return OriginalRow(**{**vars(original), "slide_id": slide_id, "retired": retired})


def _fingerprint(manifest: Mapping[str, Any]) -> str:
    return str((manifest.get("source") or {}).get("fingerprint", ""))
