"""What an account owns, read for an export (PR54)."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Select, or_, select

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.sessions.tables import RecordingChunkRow, RecordingRow, SessionRow
from wavescope.catalog.tables import AnnotationRow, Base, CaseRow, CaseSlideRow, QuizRow, SlideRow, TourRow

SECRET = frozenset({"code", "passcode", "search", "manifest", "refs", "views"})  # or derived, or of no use elsewhere


class OwnedRecords:
    """Of the account ``owner``; None: of everybody, for the one user of a machine."""

    def __init__(self, catalog: Catalog, owner: str | None) -> None:
        self._catalog, self._owner = catalog, owner

    def slides(self) -> list[dict[str, Any]]:
        """Slides with id, title, digest, tags and times, those in the trash too."""
        return self._facts(select(SlideRow).order_by(SlideRow.id), SlideRow)

    def cases(self) -> list[dict[str, Any]]:
        """Cases with the ids of their slides in order."""
        cases = self._facts(select(CaseRow).order_by(CaseRow.id), CaseRow)
        with self._catalog.reading() as session:
            for case in cases:
                query = select(CaseSlideRow.slide_id).where(CaseSlideRow.case_id == case["id"])
                case["slides"] = list(session.scalars(query.order_by(CaseSlideRow.position)))
        return cases

    def tours(self) -> list[dict[str, Any]]:
        """Tours of owned slides and cases."""
        return self._of_owned(TourRow)

    def quizzes(self) -> list[dict[str, Any]]:
        """Quizzes of owned slides and cases."""
        return self._of_owned(QuizRow)

    def _of_owned(self, table: type[TourRow] | type[QuizRow]) -> list[dict[str, Any]]:
        query = select(table).order_by(table.id)
        if self._owner is not None:
            slides = select(SlideRow.id).where(SlideRow.owner == self._owner)
            cases = select(CaseRow.id).where(CaseRow.owner == self._owner)
            query = query.where(or_(table.slide_id.in_(slides), table.case_id.in_(cases)))
        return self._read(query)

    def sessions(self) -> list[dict[str, Any]]:
        """Live sessions without their codes."""
        return self._facts(select(SessionRow).order_by(SessionRow.created), SessionRow, "user:")

    def recordings(self) -> list[dict[str, Any]]:
        """Recordings without their entries."""
        return self._facts(select(RecordingRow).order_by(RecordingRow.created), RecordingRow, "user:")

    def entries(self, recording_id: str) -> Iterator[bytes]:
        """The entries of a recording as JSON lines, piece by piece."""
        query = select(RecordingChunkRow.body).where(RecordingChunkRow.recording_id == recording_id)
        with self._catalog.reading() as session:
            for body in session.scalars(query.order_by(RecordingChunkRow.number)):
                yield zlib.decompress(body)

    def annotated(self, author: str) -> list[str]:
        """Ids of the slides on which a user of this name has annotated."""
        query = select(AnnotationRow.slide_id).where(AnnotationRow.author == author, AnnotationRow.deleted.is_(False))
        with self._catalog.reading() as session:
            return sorted(session.scalars(query.distinct()))

    def _facts(self, query: Select[Any], table: Any, prefix: str = "") -> list[dict[str, Any]]:
        return self._read(query if self._owner is None else query.where(table.owner == prefix + self._owner))

    def _read(self, query: Select[Any]) -> list[dict[str, Any]]:
        with self._catalog.reading() as session:
            return [_facts(row) for row in session.scalars(query)]


def _facts(row: Base) -> dict[str, Any]:
    names = (column.name for column in row.__table__.columns)
    return {name: getattr(row, name) for name in names if name not in SECRET}
