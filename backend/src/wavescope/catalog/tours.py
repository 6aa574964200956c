"""Guided tours: one document each, with a revision that every change must name (TO8)."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import TourRecord
from wavescope.catalog.slide_rows import existing
from wavescope.catalog.tables import CaseRow, TourRow
from wavescope.catalog.words import index_tours
from wavescope.errors import Conflict, UnknownCase, UnknownTour


class Tours:
    """The tours of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def list(self, slide_id: str | None = None, case_id: str | None = None) -> tuple[TourRecord, ...]:
        """The tours of a slide or of a case, or all, by title."""
        wanted = [TourRow.slide_id == slide_id] if slide_id is not None else []
        wanted += [TourRow.case_id == case_id] if case_id is not None else []
        with self._catalog.reading() as session:
            rows = session.scalars(select(TourRow).where(*wanted).order_by(TourRow.title, TourRow.id))
            return tuple(_record(row) for row in rows)

    def get(self, tour_id: str) -> TourRecord:
        """Raises UnknownTour."""
        with self._catalog.reading() as session:
            return _record(_existing(session, tour_id))

    def create(self, document: Mapping[str, Any], slide_id: str | None, case_id: str | None) -> TourRecord:
        """Raises UnknownSlide, UnknownCase."""
        now = time.time()
        with self._catalog.writing() as session:
            if slide_id is not None:
                existing(session, slide_id)
            if case_id is not None and session.get(CaseRow, case_id) is None:
                raise UnknownCase(case_id)
            row = TourRow(
                id=uuid.uuid4().hex, slide_id=slide_id, case_id=case_id, title=document["title"], revision=1,
                document=dict(document), created=now, updated=now,
            )  # fmt: skip
            session.add(row)
            _index(session, row)
            return _record(row)

    def save(self, tour_id: str, document: Mapping[str, Any], revision: int) -> TourRecord:
        """Replaces the document if ``revision`` is still the newest. Raises UnknownTour, Conflict."""
        with self._catalog.writing() as session:
            row = _at(session, tour_id, revision)
            row.title, row.document = document["title"], dict(document)
            row.revision, row.updated = row.revision + 1, time.time()
            _index(session, row)
            return _record(row)

    def delete(self, tour_id: str, revision: int) -> None:
        """Raises UnknownTour, Conflict."""
        with self._catalog.writing() as session:
            row = _at(session, tour_id, revision)
            session.delete(row)
            _index(session, row)


def _index(session: Session, row: TourRow) -> None:
    """What its slide is found by; tours of a case are for those who may see the case, so they find no slide."""
    session.flush()
    if row.slide_id is not None:
        index_tours(session, row.slide_id)


def _existing(session: Session, tour_id: str) -> TourRow:
    row = session.get(TourRow, tour_id)
    if row is None:
        raise UnknownTour(tour_id)
    return row


def _at(session: Session, tour_id: str, revision: int) -> TourRow:
    row = _existing(session, tour_id)
    if row.revision != revision:
        raise Conflict(f"tour {tour_id}", revision, row.revision)
    return row


def _record(row: TourRow) -> TourRecord:
    return TourRecord(
        row.id, row.slide_id, row.case_id, row.title, row.revision, row.document, row.created, row.updated
    )
