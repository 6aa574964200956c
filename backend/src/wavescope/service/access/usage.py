"""When tokens and links were last used: collected in memory, written to the catalog now and then."""

from __future__ import annotations

import time
from collections.abc import Iterable

from wavescope.catalog.access.tokens import Tokens, digest
from wavescope.catalog.catalog import Catalog
from wavescope.errors import WavescopeError


class UsageTracker:
    """The uses that are not yet written."""

    def __init__(self, catalog: Catalog) -> None:
        self._tokens = Tokens(catalog)
        self._used: dict[str, float] = {}

    def note(self, secrets: Iterable[str]) -> None:
        """Each of these secrets is used now; empty ones are ignored."""
        now = time.time()
        for secret in secrets:
            if secret:
                self._used[digest(secret)] = now

    def write(self) -> None:
        """Writes what was noted since the last call; waits for SQL. Raises Unavailable: what was noted stays noted."""
        used, self._used = self._used, {}
        if used:
            try:
                self._tokens.note_uses(used)
            except WavescopeError:
                self._used = {**used, **self._used}
                raise
