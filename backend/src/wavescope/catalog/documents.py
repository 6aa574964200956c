"""What belongs to a slide or to a case as one document, such as a guided tour: with a revision that every change must
name (TO8, QZ6).
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import DocumentRecord, DocumentTitle
from wavescope.catalog.slide_rows import existing
from wavescope.catalog.tables import CaseRow, DocumentRow
from wavescope.errors import Conflict, UnknownCase, UnknownQuiz, UnknownTour


class Documents:
    """The documents of one kind in a catalog; each kind names its rows, and the error for one that is not there."""

    rows: ClassVar[type[DocumentRow]]
    unknown: ClassVar[type[UnknownTour | UnknownQuiz]]

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def list(self, slide_id: str | None = None, case_id: str | None = None) -> tuple[DocumentRecord, ...]:
        """Those of a slide or of a case, or all, by title."""
        rows = self.rows
        wanted = [rows.slide_id == slide_id] if slide_id is not None else []
        wanted += [rows.case_id == case_id] if case_id is not None else []
        with self._catalog.reading() as session:
            found = session.scalars(select(rows).where(*wanted).order_by(rows.title, rows.id))
            return tuple(document_record(row) for row in found)

    def titles(self) -> tuple[DocumentTitle, ...]:
        """All, by title, without reading a document."""
        rows = self.rows
        query = select(rows.id, rows.slide_id, rows.case_id, rows.title).order_by(rows.title, rows.id)
        with self._catalog.reading() as session:
            return tuple(DocumentTitle(*row) for row in session.execute(query))

    def get(self, document_id: str) -> DocumentRecord:
        """Raises the kind's ``unknown``."""
        with self._catalog.reading() as session:
            return document_record(self._existing(session, document_id))

    def create(self, document: Mapping[str, Any], slide_id: str | None, case_id: str | None) -> DocumentRecord:
        """Raises UnknownSlide, UnknownCase."""
        now = time.time()
        with self._catalog.writing() as session:
            if slide_id is not None:
                existing(session, slide_id)
            if case_id is not None and session.get(CaseRow, case_id) is None:
                raise UnknownCase(case_id)
            row = self.rows(
                id=uuid.uuid4().hex, slide_id=slide_id, case_id=case_id, title=document["title"], revision=1,
                document=dict(document), created=now, updated=now,
            )  # fmt: skip
            session.add(row)
            self._changed(session, row)
            return document_record(row)

    def save(self, document_id: str, document: Mapping[str, Any], revision: int) -> DocumentRecord:
        """Replaces the document if ``revision`` is still the newest. Raises the kind's ``unknown``, Conflict."""
        with self._catalog.writing() as session:
            row = self._at(session, document_id, revision)
            row.title, row.document = document["title"], dict(document)
            row.revision, row.updated = row.revision + 1, time.time()
            self._changed(session, row)
            return document_record(row)

    def delete(self, document_id: str, revision: int) -> None:
        """Raises the kind's ``unknown``, Conflict."""
        with self._catalog.writing() as session:
            row = self._at(session, document_id, revision)
            session.delete(row)
            self._deleted(session, row)

    def _changed(self, session: Session, row: DocumentRow) -> None:
        """What follows from a new or another document; nothing, unless the kind says so."""

    def _deleted(self, session: Session, row: DocumentRow) -> None:
        """What is deleted with it; nothing, unless the kind says so."""

    def _existing(self, session: Session, document_id: str) -> DocumentRow:
        row = session.get(self.rows, document_id)
        if row is None:
            raise self.unknown(document_id)
        return row

    def _at(self, session: Session, document_id: str, revision: int) -> DocumentRow:
        row = self._existing(session, document_id)
        if row.revision != revision:
            raise Conflict(f"{self.rows.noun} {document_id}", revision, row.revision)
        return row


def document_record(row: DocumentRow) -> DocumentRecord:
    """The row's values, free of its session."""
    return DocumentRecord(
        row.id, row.slide_id, row.case_id, row.title, row.revision, row.document, row.created, row.updated
    )
