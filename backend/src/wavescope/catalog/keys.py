"""The keys that sign grants."""

from __future__ import annotations

import time
import uuid
from typing import Any

from sqlalchemy import delete, select

from wavescope.access.grants import new_key, public_key
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.tables import KeyRow

KEPT = 2  # keys that nodes still trust: the one that signs and the one before it


class SigningKeys:
    """The keys of a catalog; the newest signs."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def current(self) -> dict[str, Any]:
        """The private key that signs, made on first use."""
        with self._catalog.reading() as session:
            row = session.scalars(select(KeyRow).order_by(KeyRow.created.desc()).limit(1)).first()
            if row is not None:
                return dict(row.private)
        return self.rotate()

    def rotate(self) -> dict[str, Any]:
        """A new key to sign with; of the old ones the newest is trusted on."""
        kid = uuid.uuid4().hex
        private = new_key(kid)
        with self._catalog.writing() as session:
            session.add(KeyRow(kid=kid, private=private, created=time.time()))
            session.flush()
            old = session.scalars(select(KeyRow.kid).order_by(KeyRow.created.desc()).offset(KEPT)).all()
            session.execute(delete(KeyRow).where(KeyRow.kid.in_(old)))
        return private

    def public(self) -> dict[str, list[dict[str, Any]]]:
        """What nodes check grants by, a JSON Web Key Set."""
        self.current()
        with self._catalog.reading() as session:
            rows = session.scalars(select(KeyRow).order_by(KeyRow.created.desc()))
            return {"keys": [public_key(row.private) for row in rows]}
