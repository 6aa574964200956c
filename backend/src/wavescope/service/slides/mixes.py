"""Saved mixes of channels, for those who may see or annotate a slide (CM9)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.mixes import SavedMixes, read_mixes, save_mixes
from wavescope.service.access.gate import Gate, Principal, require_in_thread


class MixService:
    """The mixes of a slide are read and replaced as a whole; a change names the revision it was made from."""

    def __init__(self, catalog: Catalog, gate: Gate) -> None:
        self._catalog, self._gate = catalog, gate

    async def get(self, principal: Principal, slide_id: str) -> SavedMixes:
        """Raises Forbidden, UnknownSlide."""
        await require_in_thread(self._gate, principal, "view slide", slide_id)
        return await asyncio.to_thread(read_mixes, self._catalog, slide_id)

    async def save(
        self, principal: Principal, slide_id: str, mixes: Sequence[Mapping[str, Any]], revision: int
    ) -> SavedMixes:
        """Raises Forbidden, UnknownSlide, Conflict."""
        await require_in_thread(self._gate, principal, "edit mixes", slide_id)
        return await asyncio.to_thread(partial(save_mixes, self._catalog, slide_id, mixes, revision))
