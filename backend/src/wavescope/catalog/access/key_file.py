"""A document with private keys: in a file of the store for its owner alone, or, in a cluster, in the catalog (PR46)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.cluster.keys import ClusterKeys
from wavescope.errors import Unavailable
from wavescope.store.durable import locked, write_file
from wavescope.store.private import close

Document = dict[str, Any]


class KeyDocument:
    """``path``: the file; ``name``: of the document in the catalog of a cluster, to which the file of the first node
    that has one is copied. ``subject``: what errors name. Any number of processes may read and change it at a time.
    """

    def __init__(self, catalog: Catalog, path: Path, name: str, subject: str) -> None:
        self.path = path
        self._keys, self._name, self._subject = ClusterKeys(catalog), name, subject

    def read(self) -> Document | None:
        """None: there is none. Raises Unavailable."""
        if not self._keys.in_use:
            return self._read_file()
        found = self._keys.find(self._name)
        if found is None and (own := self._read_file()) is not None:
            found = self._keys.change(self._name, lambda there: there or own)
        return found

    def change(self, new: Callable[[Document | None], Document]) -> Document:
        """Replaces it by what ``new`` makes of it. Raises Unavailable."""
        if self._keys.in_use:
            return self._keys.change(self._name, lambda there: new(there or self._read_file()))
        with locked(self.path.with_suffix(".lock"), self._subject, wait=True):
            made = new(self._read_file())
            write_file(self.path, [json.dumps(made, indent=1).encode()], private=True)
            return made

    def _read_file(self) -> Document | None:
        try:
            found: Document = json.loads(self.path.read_bytes())
            close(self.path)
            return found
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as cause:
            raise Unavailable(self._subject, f"{self.path.name} cannot be read") from cause
