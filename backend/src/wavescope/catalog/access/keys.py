"""The keys that sign grants: in a file of the store for its owner alone, not in the catalog (PR46)."""

from __future__ import annotations

import json
import time
import uuid
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select

from wavescope.access.grants import new_key, public_key
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.tables import KeyRow
from wavescope.errors import Unavailable
from wavescope.store.durable import locked, write_file
from wavescope.store.private import SIGNING_KEYS, close

TRUSTED_KEYS = 2  # keys that nodes still trust: the one that signs and the one before it

Key = dict[str, Any]
"""``private``, a JWK; ``created``, seconds since 1970."""


class SigningKeys:
    """The keys of a store; the newest signs. Any number of processes may read and rotate keys at the same time."""

    def __init__(self, catalog: Catalog, store: Path) -> None:
        self._catalog, self._path = catalog, store / SIGNING_KEYS

    def adopt(self) -> int:
        """Moves the keys that older programs stored in the catalog to the file; returns their number."""
        with self._catalog.reading() as session:
            if session.scalar(select(KeyRow.kid).limit(1)) is None:
                return 0
        with self._locked():
            with self._catalog.reading() as session:
                rows = session.scalars(select(KeyRow)).all()
                found: list[Key] = [{"private": dict(row.private), "created": row.created} for row in rows]
            self._write([*self._read(), *found])
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
        with self._locked():
            keys = self._read()
            if only_first and keys:  # another process was quicker
                return keys
            return self._write([{"private": new_key(uuid.uuid4().hex), "created": time.time()}, *keys])

    def _read(self) -> list[Key]:
        """All keys, the newest first; none without a file. Raises Unavailable."""
        try:
            keys: list[Key] = json.loads(self._path.read_bytes())["keys"]
            close(self._path)
            return sorted(keys, key=lambda key: float(key["created"]), reverse=True)
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError) as cause:
            raise Unavailable("the keys that sign grants", f"{self._path.name} cannot be read") from cause

    def _write(self, keys: list[Key]) -> list[Key]:
        by_id = {key["private"]["kid"]: key for key in keys}
        newest = sorted(by_id.values(), key=lambda key: float(key["created"]), reverse=True)[:TRUSTED_KEYS]
        write_file(self._path, [json.dumps({"keys": newest}, indent=1).encode()], private=True)
        return newest

    def _locked(self) -> AbstractContextManager[None]:
        return locked(self._path.with_suffix(".lock"), "the keys that sign grants", wait=True)
