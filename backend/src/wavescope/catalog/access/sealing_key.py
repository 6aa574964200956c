"""The key that encrypts the secrets of second factors: in a file of the store, not in the catalog (AC59)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wavescope.access.second_factor import new_sealing_key, seal, unseal
from wavescope.errors import Unavailable
from wavescope.store.durable import locked, write_file
from wavescope.store.private import SEALING_KEY, close

SUBJECT = "the key of the second factors"


class SealingKey:
    """The key of a store, made on first use. Services of one store share it."""

    def __init__(self, store: Path) -> None:
        self._path = store / SEALING_KEY

    def seal(self, secret: str) -> str:
        """The secret encrypted. Raises Unavailable."""
        return seal(self._read() or self._made(), secret)

    def unseal(self, sealed: str) -> str:
        """The secret again. Raises Unavailable without its key."""
        key = self._read()
        if key is None:
            raise Unavailable(SUBJECT, f"{self._path.name} is missing in the store")
        return unseal(key, sealed)

    def _read(self) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = json.loads(self._path.read_bytes())
            close(self._path)
            return found
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as cause:
            raise Unavailable(SUBJECT, f"{self._path.name} cannot be read") from cause

    def _made(self) -> dict[str, Any]:
        with locked(self._path.with_suffix(".lock"), SUBJECT, wait=True):
            if (there := self._read()) is not None:  # another process was quicker
                return there
            made = new_sealing_key()
            write_file(self._path, [json.dumps(made).encode()], private=True)
            return made
