"""Answers for the fast routes: on the event loop from memory, else one after another in a thread (OP45)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.outages import MustWait
from wavescope.errors import CatalogAway

Result = TypeVar("Result")


class MemoryAnswers:
    """Lookups in the catalog that usually need no database. The event loop never waits for one, and at most one thread
    does: requests that need the same lookup find its result in memory. One event loop.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._turn = asyncio.Lock()
        self._away: tuple[float, str] = (0.0, "")  # when the database last failed to answer, and how

    async def of(self, work: Callable[[], Result]) -> Result:
        """The result of ``work``, which may be begun twice. Raises CatalogAway, and what ``work`` raises."""
        try:
            return self._catalog.from_memory(work)
        except MustWait:
            pass
        asked = time.monotonic()
        async with self._turn:
            try:
                return self._catalog.from_memory(work)  # another request has loaded it meanwhile
            except MustWait:
                pass
            failed, how = self._away
            if failed > asked:  # what this request would wait for, an earlier one has waited for
                raise CatalogAway(how)
            try:
                return await asyncio.to_thread(work)
            except CatalogAway as cause:
                self._away = time.monotonic(), cause.cause
                raise
