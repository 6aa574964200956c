"""Opening versions of the slides of a catalog, for those who may see them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from wavescope.blocks.base import BlockSource
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.outages import MustWait
from wavescope.service.access.gate import Principal
from wavescope.service.access.sharing_gate import SlideVisibility
from wavescope.service.slides.from_memory import MemoryAnswers
from wavescope.service.slides.slides import SlideService
from wavescope.store.version import SlideVersion


class CatalogVersions:
    """VersionOpener of a service: the event loop does not wait for the catalog."""

    def __init__(
        self,
        catalog: Catalog,
        memory: MemoryAnswers,
        slides: SlideService,
        visibility: SlideVisibility,
        blocks: BlockSource,
    ) -> None:
        self._catalog, self._memory, self._slides = catalog, memory, slides
        self._visibility, self._blocks = visibility, blocks

    def open(
        self, principal: Callable[[], Principal], slide_id: str, digest: str, note_public: Callable[[bool], None]
    ) -> Coroutine[Any, Any, SlideVersion]:
        """See VersionOpener."""

        def look_up() -> None:
            self._slides.check_version(principal(), slide_id, digest)
            note_public(self._visibility.is_public(slide_id))

        try:
            self._catalog.from_memory(look_up)  # as nearly always
        except MustWait:
            return self._waited(look_up, digest)
        return self._blocks.version(digest)

    def open_now(
        self, principal: Callable[[], Principal], slide_id: str, digest: str
    ) -> tuple[SlideVersion, bool] | None:
        """See VersionOpener."""

        def look_up() -> bool:
            self._slides.check_version(principal(), slide_id, digest)
            return self._visibility.is_public(slide_id)

        try:
            public = self._catalog.from_memory(look_up)
        except MustWait:
            return None
        version = self._blocks.version_now(digest)
        return None if version is None else (version, public)

    async def _waited(self, look_up: Callable[[], None], digest: str) -> SlideVersion:
        await self._memory.of(look_up)
        return await self._blocks.version(digest)
