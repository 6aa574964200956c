"""What people call the things that ids stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from sqlalchemy import select

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.sessions.tables import RecordingRow, SessionRow
from wavescope.catalog.tables import CaseRow, GroupRow, SlideRow, UserRow

Thing = Literal["slide", "case", "user", "group", "session", "recording"]
COLUMNS: Mapping[Thing, tuple[Any, Any]] = {
    "slide": (SlideRow.id, SlideRow.title),
    "case": (CaseRow.id, CaseRow.title),
    "user": (UserRow.id, UserRow.name),
    "group": (GroupRow.id, GroupRow.name),
    "session": (SessionRow.id, SessionRow.title),
    "recording": (RecordingRow.id, RecordingRow.title),
}


class Names:
    """The names of a catalog as they are now."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def __call__(self, thing: Thing, thing_id: str) -> str | None:
        """The title of a slide (also of one in the trash), of a case, of a session; the name of a user, of a group;
        None: there is none with this id.
        """
        key, name = COLUMNS[thing]
        with self._catalog.reading() as session:
            found: str | None = session.scalar(select(name).where(key == thing_id))
            return found
