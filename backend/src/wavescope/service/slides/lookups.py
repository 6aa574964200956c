"""Lookups in the catalog for the event loop, which does not wait for a database (OP45)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from wavescope.errors import CatalogAway

Result = TypeVar("Result")


class CatalogLookups:
    """Lookups one after another in a thread. Most need no database; when one has to wait for it, the next ones wait for
    this one and then find its result in memory. One event loop.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._away: tuple[float, str] = (0.0, "")  # when the database last failed to answer, and how

    async def of(self, work: Callable[[], Result], known: Callable[[], Result | None] = lambda: None) -> Result:
        """The result of ``work``, or what is ``known`` without it. Raises CatalogAway, and what ``work`` raises."""
        asked = time.monotonic()
        async with self._turn:
            if (found := known()) is not None:  # another request has looked it up meanwhile
                return found
            failed, how = self._away
            if failed > asked:  # what this request would wait for, an earlier one has waited for
                raise CatalogAway(how)
            try:
                return await asyncio.to_thread(work)
            except CatalogAway as cause:
                self._away = time.monotonic(), cause.cause
                raise
