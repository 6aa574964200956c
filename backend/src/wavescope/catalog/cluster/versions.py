"""Which slide a version belongs to, for nodes that know its digest alone."""

from __future__ import annotations

from sqlalchemy import select

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.tables import VersionRow


def slide_of(catalog: Catalog, digest: str) -> str | None:
    """A slide that has or had this version; None: no slide has. Waits for SQL. Raises CatalogAway."""
    with catalog.reading() as session:
        return session.scalar(select(VersionRow.slide_id).where(VersionRow.digest == digest).limit(1))
