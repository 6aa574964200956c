"""The trash: slides that are hidden and can be restored; their ids stay reserved."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.originals.rows import retire
from wavescope.catalog.overlays import leave
from wavescope.catalog.quizzes import forget_quizzes
from wavescope.catalog.records import SlideRecord
from wavescope.catalog.slide_rows import ID, existing, record_of
from wavescope.catalog.tables import (
    AnnotationClassRow,
    AnnotationRow,
    AnnotationSlideRow,
    CaseSlideRow,
    CommentReadRow,
    CommentRow,
    LabelRow,
    LinkRow,
    MentionRow,
    SeenRow,
    ShareRow,
    SlideRow,
    TourRow,
    VersionRow,
    WordRow,
)
from wavescope.errors import UnknownSlide

# rows with a slide_id that are deleted with their slide
SLIDE_TABLES = (
    LabelRow,
    WordRow,
    CaseSlideRow,
    TourRow,
    AnnotationRow,
    AnnotationSlideRow,
    AnnotationClassRow,
    CommentRow,
    CommentReadRow,
    MentionRow,
    SeenRow,
)


class Trash:
    """The slides in the trash of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def put(self, slide_id: str) -> SlideRecord:
        """Moves a slide into the trash; from now on it is unknown everywhere else. Raises UnknownSlide."""
        with self._catalog.writing() as session:
            row = existing(session, slide_id)
            row.trashed = time.time()
            session.flush()
            return record_of(row)

    def restore(self, slide_id: str) -> SlideRecord:
        """Restores a slide, unchanged. Raises UnknownSlide."""
        with self._catalog.writing() as session:
            row = _trashed(session, slide_id)
            row.trashed = None
            session.flush()
            return record_of(row)

    def get(self, slide_id: str) -> SlideRecord:
        """A slide in the trash. Raises UnknownSlide."""
        with self._catalog.reading() as session:
            return record_of(_trashed(session, slide_id))

    def list(self) -> tuple[SlideRecord, ...]:
        """The slides in the trash, the most recently deleted first."""
        with self._catalog.reading() as session:
            rows = session.scalars(
                select(SlideRow).where(SlideRow.trashed.is_not(None)).order_by(SlideRow.trashed.desc(), SlideRow.id)
            )
            return tuple(record_of(row) for row in rows)

    def purge(self, slide_id: str) -> SlideRecord:
        """Permanently deletes a slide in the trash and returns its record; its versions become collectable.

        Raises UnknownSlide.
        """
        with self._catalog.writing() as session:
            record = record_of(_trashed(session, slide_id))
            _forget(session, [record.id])
            return record

    def purge_before(self, trashed_before: float) -> tuple[SlideRecord, ...]:
        """Purges every slide deleted before that time; what they were, ordered by id."""
        old = select(SlideRow).where(SlideRow.trashed.is_not(None), SlideRow.trashed < trashed_before)
        with self._catalog.reading() as session:
            if session.scalar(old.limit(1)) is None:
                return ()
        with self._catalog.writing() as session:
            records = tuple(record_of(row) for row in session.scalars(old.order_by(SlideRow.id)))
            _forget(session, [record.id for record in records])
            return records


def _trashed(session: Session, slide_id: str) -> SlideRow:
    row = session.get(SlideRow, slide_id) if ID.fullmatch(slide_id) else None
    if row is None or row.trashed is None:
        raise UnknownSlide(slide_id)
    return row


def _forget(session: Session, ids: Sequence[str]) -> None:
    for slide_id in ids:
        session.execute(delete(SlideRow).where(SlideRow.id == slide_id))
        for table in SLIDE_TABLES:
            session.execute(delete(table).where(table.slide_id == slide_id))
        for given in (ShareRow, LinkRow):
            session.execute(delete(given).where(given.scope == "slide", given.target == slide_id))
        session.execute(update(VersionRow).where(VersionRow.slide_id == slide_id).values(retired=0.0))
        retire(session, slide_id)
        leave(session, slide_id)
        forget_quizzes(session, slide_id)
