"""Slides for those who may see them: listing, opening versions, renaming, tagging."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from wavescope.access.rules import Sharing, may
from wavescope.blocks.base import BlockSource
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.labels import count_facets
from wavescope.catalog.originals.table import OriginalTable
from wavescope.catalog.records import Facet, SlidePage, SlideRecord
from wavescope.catalog.sorting import NEWEST
from wavescope.catalog.visible import visible_to
from wavescope.errors import InvalidParameter
from wavescope.service.access.gate import Action, Gate, Principal, allowed, require, require_in_thread
from wavescope.store.files.stored import StoredFile
from wavescope.store.version import SlideVersion

Result = TypeVar("Result")


class SlideAccess(NamedTuple):
    """``allowed``: what the principal may do with the slide (AC50); ``original``: its file, if the principal may have
    it (ST95).
    """

    allowed: tuple[Action, ...]
    original: StoredFile | None


class SlideService:
    """Everything about slides but their bytes. ``check_version`` is on the fast route: usually without SQL."""

    def __init__(self, catalog: Catalog, blocks: BlockSource, gate: Gate, page_size: int) -> None:
        self._catalog, self._blocks, self._gate = catalog, blocks, gate
        self._page_size, self._originals = page_size, OriginalTable(catalog)

    def check_version(self, principal: Principal, slide_id: str, digest: str) -> None:
        """Returns if the principal may open the version. Raises Forbidden, UnknownSlide, StaleVersion."""
        require(self._gate, principal, "view slide", slide_id)
        self._catalog.check_version(slide_id, digest)

    def version(self, principal: Principal, slide_id: str, digest: str) -> Coroutine[Any, Any, SlideVersion]:
        """An open version. Raises Forbidden, UnknownSlide, StaleVersion, CorruptStore."""
        self.check_version(principal, slide_id, digest)
        return self._blocks.version(digest)

    async def open_digest(self, digest: str) -> SlideVersion:
        """An open version of any slide: the caller has checked the rights. Raises StaleVersion, CorruptStore."""
        return await self._blocks.version(digest)

    def current(self, principal: Principal, slide_id: str) -> str:
        """The digest of the current version. Raises Forbidden, UnknownSlide."""
        require(self._gate, principal, "view slide", slide_id)
        return self._catalog.resolve(slide_id)

    async def list(
        self,
        principal: Principal,
        search: str,
        page: int,
        page_size: int,
        where: Sequence[tuple[str, str]] = (),
        sort: str = NEWEST,
    ) -> SlidePage:
        """A page of what the principal may see. Raises InvalidParameter."""
        require(self._gate, principal, "list slides")
        for name, value, limit in (("page", page, 1 << 31), ("per_page", page_size, self._page_size)):
            if not 1 <= value <= limit:
                raise InvalidParameter(name, value, f"1 to {limit}")
        return await _in_thread(
            partial(self._catalog.list, search, page, page_size, where, visible_to(principal), sort)
        )

    async def get(self, principal: Principal, slide_id: str) -> SlideRecord:
        await require_in_thread(self._gate, principal, "view slide", slide_id)
        return await _in_thread(partial(self._catalog.get, slide_id))

    async def shown(self, principal: Principal, slide_id: str) -> SlideAccess:
        """What of the slide depends on the principal. Raises UnknownSlide."""

        def look_up() -> SlideAccess:
            actions = allowed(self._gate, principal, slide_id)
            return SlideAccess(actions, self._originals.of(slide_id) if "download original" in actions else None)

        return await _in_thread(look_up)

    async def facets(self, principal: Principal, search: str, where: Sequence[tuple[str, str]]) -> tuple[Facet, ...]:
        """The labels that the slides of a search carry, with counts."""
        require(self._gate, principal, "list slides")

        def count() -> tuple[Facet, ...]:
            with self._catalog.reading() as session:
                return count_facets(session, search, where, visible_to(principal))

        return await _in_thread(count)

    async def change(
        self, principal: Principal, slide_id: str, title: str | None, tags: Mapping[str, str | None]
    ) -> SlideRecord:
        """Another title, other tags."""
        await require_in_thread(self._gate, principal, "rename slide", slide_id)
        return await _in_thread(partial(self._catalog.change, slide_id, title, tags))

    async def tag(self, principal: Principal, slide_ids: Sequence[str], tags: Mapping[str, str | None]) -> None:
        """Other tags of all these slides, or of none. Raises Forbidden, UnknownSlide, InvalidParameter."""

        def change() -> None:
            for slide_id in slide_ids:
                require(self._gate, principal, "rename slide", slide_id)
            self._catalog.tag(slide_ids, tags)

        await _in_thread(change)


def may_edit(principal: Principal, record: SlideRecord) -> bool:
    """Whether the principal may rename, tag, share and delete the slide: only its owner may."""
    return may(principal, "rename slide", record.id, Sharing(owner=record.owner))


async def _in_thread(work: Callable[[], Result]) -> Result:
    """SQL waits in a thread, not on the event loop."""
    return await asyncio.to_thread(work)
