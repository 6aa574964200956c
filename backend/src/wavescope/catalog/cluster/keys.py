"""Keys that all nodes of a cluster have in common: in the catalog (CL12)."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.tables import KeyRow

PREFIX = "cluster-"  # of the names of these keys, in the table that older programs had signing keys in
HOP, SIGNING, SEALING, TOOL = (PREFIX + name for name in ("hop", "signing", "sealing", "tool"))

Document = dict[str, Any]


class ClusterKeys:
    """Documents with keys, by name. Methods raise CatalogAway."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def hop(self) -> bytes:
        """The key by which nodes sign what they pass on; the first node makes it."""
        found = self.find(HOP) or self.change(HOP, lambda there: there or {"key": secrets.token_hex(32)})
        return bytes.fromhex(found["key"])

    @property
    def in_use(self) -> bool:
        """Whether the catalog is that of a cluster: a node has made the key by which nodes sign."""
        return self.find(HOP) is not None

    def find(self, name: str) -> Document | None:
        """The document with this name; None: there is none."""
        with self._catalog.reading() as session:
            row = session.get(KeyRow, name)
            return None if row is None else dict(row.private)

    def change(self, name: str, new: Callable[[Document | None], Document]) -> Document:
        """Replaces the document by what ``new`` makes of it; one node at a time."""
        with self._catalog.writing(rights=False) as session:
            _wait_for_others(session)
            row = session.get(KeyRow, name)
            made = new(None if row is None else dict(row.private))
            session.merge(KeyRow(kid=name, private=made, created=time.time()))
            return made


def _wait_for_others(session: Session) -> None:
    """SQLite lets one transaction write at a time anyway."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(7823462)"))
