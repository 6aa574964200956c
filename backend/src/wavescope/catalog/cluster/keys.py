"""Keys that all nodes of a cluster have in common: in the catalog (CL12). They never leave it as a file."""

from __future__ import annotations

import secrets
import time
from typing import Any

from sqlalchemy.exc import IntegrityError

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.tables import KeyRow

PREFIX = "cluster-"  # of the names of these keys, in the table that older programs had signing keys in
HOP = PREFIX + "hop"


class ClusterKeys:
    """Made on first use; of nodes that start together, one makes it."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def hop(self) -> bytes:
        """The key by which nodes sign what they pass on. Raises CatalogAway."""
        return bytes.fromhex(self.get(HOP, {"key": secrets.token_hex(32)})["key"])

    def get(self, name: str, made: dict[str, Any]) -> dict[str, Any]:
        """The key with this name; ``made`` becomes it if there is none. Raises CatalogAway."""
        found = self.find(name)
        if found is not None:
            return found
        try:
            with self._catalog.writing(rights=False) as session:
                session.add(KeyRow(kid=name, private=made, created=time.time()))
            return made
        except IntegrityError:  # another node was quicker
            return self.find(name) or made

    def find(self, name: str) -> dict[str, Any] | None:
        """The key with this name. Raises CatalogAway."""
        with self._catalog.reading() as session:
            row = session.get(KeyRow, name)
            return None if row is None else dict(row.private)
