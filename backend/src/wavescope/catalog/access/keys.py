"""The keys that sign grants: in a file of the store for its owner alone, not in the catalog; but in that of a cluster
(PR46, CL12).
"""

from __future__ import annotations

import time
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select

from wavescope.access.grants import new_key, public_key
from wavescope.catalog.access.key_file import Document, KeyDocument
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.cluster.keys import PREFIX, SIGNING
from wavescope.catalog.tables import KeyRow
from wavescope.errors import Unavailable
from wavescope.store.private import SIGNING_KEYS

SUBJECT = "the keys that sign grants"
TRUSTED_KEYS = 2  # keys that nodes still trust: the one that signs and the one before it

Key = dict[str, Any]
"""``private``, a JWK; ``created``, seconds since 1970."""


class SigningKeys:
    """The keys of a store, or of a cluster; the newest signs. Any number of processes may read and rotate keys at the
    same time.
    """

    def __init__(self, catalog: Catalog, store: Path) -> None:
        self._catalog, self._document = catalog, KeyDocument(catalog, store / SIGNING_KEYS, SIGNING, SUBJECT)

    def adopt(self) -> int:
        """Moves the keys that older programs stored in the catalog; returns their number."""
        old = KeyRow.kid.not_like(f"{PREFIX}%")
        with self._catalog.reading() as session:
            rows = session.scalars(select(KeyRow).where(old)).all()
            found: list[Key] = [{"private": dict(row.private), "created": row.created} for row in rows]
        if not found:
            return 0
        self._document.change(lambda there: _trusted([*_keys_in(there), *found]))
        with self._catalog.writing(rights=False) as session:
            session.execute(delete(KeyRow).where(KeyRow.kid.in_([key["private"]["kid"] for key in found])))
        if self._catalog.engine.dialect.name == "sqlite":  # nor in the log of what was written
            with closing(self._catalog.engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return len(found)

    def current(self) -> dict[str, Any]:
        """The private key that signs, made on first use. Raises Unavailable."""
        keys = self._read()
        if not keys:
            self.adopt()
            keys = self._read() or self._made(only_first=True)
        return dict(keys[0]["private"])

    def rotate(self) -> dict[str, Any]:
        """A new key to sign with; of the old ones the newest is trusted on."""
        self.adopt()
        return dict(self._made(only_first=False)[0]["private"])

    def public(self) -> dict[str, list[dict[str, Any]]]:
        """What nodes check grants by, a JSON Web Key Set."""
        self.current()
        return {"keys": [public_key(key["private"]) for key in self._read()]}

    def _made(self, *, only_first: bool) -> list[Key]:
        def new(there: Document | None) -> Document:
            keys = _keys_in(there)
            if only_first and keys:  # another process was quicker
                return {"keys": keys}
            return _trusted([{"private": new_key(uuid.uuid4().hex), "created": time.time()}, *keys])

        return _keys_in(self._document.change(new))

    def _read(self) -> list[Key]:
        """All keys, the newest first; none if there are none yet. Raises Unavailable."""
        return _keys_in(self._document.read())


def _keys_in(document: Document | None) -> list[Key]:
    """The newest first. Raises Unavailable."""
    try:
        return [] if document is None else sorted(document["keys"], key=lambda key: float(key["created"]), reverse=True)
    except (ValueError, KeyError, TypeError) as cause:
        raise Unavailable(SUBJECT, f"{SIGNING_KEYS} cannot be read") from cause


def _trusted(keys: list[Key]) -> Document:
    by_id = {key["private"]["kid"]: key for key in keys}
    return {"keys": sorted(by_id.values(), key=lambda key: float(key["created"]), reverse=True)[:TRUSTED_KEYS]}
