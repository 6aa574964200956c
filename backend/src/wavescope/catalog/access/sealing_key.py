"""The key that encrypts the secrets of second factors: not in the catalog, but in that of a cluster (AC59, CL12)."""

from __future__ import annotations

from pathlib import Path

from wavescope.access.second_factor import new_sealing_key, seal, unseal
from wavescope.catalog.access.key_file import KeyDocument
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.cluster.keys import SEALING
from wavescope.errors import Unavailable
from wavescope.store.private import SEALING_KEY

SUBJECT = "the key of the second factors"


class SealingKey:
    """The key of a store, made on first use. Services of one store share it, and nodes of one cluster."""

    def __init__(self, catalog: Catalog, store: Path) -> None:
        self._key = KeyDocument(catalog, store / SEALING_KEY, SEALING, SUBJECT)

    def seal(self, secret: str) -> str:
        """The secret encrypted. Raises Unavailable."""
        return seal(self._key.read() or self._key.change(lambda there: there or new_sealing_key()), secret)

    def unseal(self, sealed: str) -> str:
        """The secret again. Raises Unavailable without its key."""
        key = self._key.read()
        if key is None:
            raise Unavailable(SUBJECT, f"{self._key.path.name} is missing in the store")
        return unseal(key, sealed)
