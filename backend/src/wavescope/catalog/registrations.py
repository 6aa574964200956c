"""Registrations of slide versions, by both digests: derived, so that any of them may be forgotten (RE6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.tables import RegistrationRow


class RegistrationTable:
    """``made_by``: the revision of the method; what an older one made counts as not there. Thread-safe."""

    def __init__(self, catalog: Catalog, made_by: int) -> None:
        self._catalog, self._made_by = catalog, made_by

    def find(self, left: str, right: str) -> Mapping[str, Any] | None:
        """The result as JSON, None: there is none."""
        with self._catalog.reading() as session:
            row = session.get(RegistrationRow, (left, right))
            return None if row is None or row.made_by != self._made_by else row.result

    def store(self, left: str, right: str, result: Mapping[str, Any]) -> None:
        """Replaces an older one."""
        with self._catalog.writing(rights=False) as session:
            session.merge(RegistrationRow(left=left, right=right, made_by=self._made_by, result=dict(result)))
