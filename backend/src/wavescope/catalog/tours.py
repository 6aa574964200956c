"""Guided tours."""

from __future__ import annotations

from sqlalchemy.orm import Session

from wavescope.catalog.documents import Documents
from wavescope.catalog.tables import DocumentRow, TourRow
from wavescope.catalog.words import index_tours
from wavescope.errors import UnknownTour


class Tours(Documents):
    """The tours of a catalog."""

    rows, unknown = TourRow, UnknownTour

    def _changed(self, session: Session, row: DocumentRow) -> None:
        """What its slide is found by; tours of a case are for those who may see the case, so they find no slide."""
        session.flush()
        if row.slide_id is not None:
            index_tours(session, row.slide_id)

    _deleted = _changed
