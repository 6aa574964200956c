"""Opening versions of the slides of a catalog, for those who may see them."""

from __future__ import annotations

import time
from functools import partial
from typing import NamedTuple

from wavescope.blocks.base import BlockSource
from wavescope.catalog.catalog import Catalog
from wavescope.service.access.authenticator import Authenticator, Credentials
from wavescope.service.access.gate import Principal
from wavescope.service.access.sharing_gate import SlideVisibility
from wavescope.service.slides.lookups import CatalogLookups
from wavescope.service.slides.slides import SlideService
from wavescope.service.version_opener import Opened

MAX_OPENED = 16384  # that are remembered
REMEMBERED_SECONDS = 10.0  # after which it is looked up again, so that the use of tokens and links is noted

_Key = tuple[Credentials, str, str]


class _Allowed(NamedTuple):
    """What the catalog says. ``generation``: of the catalog; ``until``: when the credentials end."""

    principal: Principal
    public: bool
    generation: int
    until: float


class CatalogVersions:
    """VersionOpener of a service. What was opened is remembered until the catalog says that rights or versions were
    changed, or the credentials end. The event loop does not wait for the catalog.
    """

    def __init__(
        self,
        catalog: Catalog,
        lookups: CatalogLookups,
        authenticator: Authenticator,
        slides: SlideService,
        visibility: SlideVisibility,
        blocks: BlockSource,
    ) -> None:
        self._catalog, self._lookups, self._authenticator = catalog, lookups, authenticator
        self._slides, self._visibility, self._blocks = slides, visibility, blocks
        self._opened: dict[_Key, Opened] = {}
        self._forgotten = 0  # how often a version was

    async def open(self, credentials: Credentials, slide_id: str, digest: str) -> Opened:
        """See VersionOpener."""
        key = credentials, slide_id, digest
        if (opened := self._known(key)) is not None:
            return opened
        forgotten = self._forgotten
        found = await self._lookups.of(partial(self._look_up, key), partial(self._known, key))
        if isinstance(found, Opened):
            return found
        if (opened := self._known(key)) is not None:  # it holds again: nothing was changed
            return opened
        holds = partial(self._holds, found.generation, found.until, forgotten)
        opened = Opened(found.principal, await self._blocks.version(digest), found.public, holds)
        if len(self._opened) >= MAX_OPENED:
            self._opened.clear()
        self._opened[key] = opened
        return opened

    async def current(self, credentials: Credentials, slide_id: str) -> str:
        """See VersionOpener."""
        return await self._lookups.of(lambda: self._slides.current(self._authenticator.of(credentials), slide_id))

    def forget(self, digest: str) -> None:
        """A version was replaced, repaired or removed. From any thread."""
        self._forgotten += 1

    def _known(self, key: _Key) -> Opened | None:
        opened = self._opened.get(key)
        return opened if opened is not None and opened.holds() else None

    def _look_up(self, key: _Key) -> _Allowed | Opened:
        """Raises CredentialsExpired, UnknownSlide, StaleVersion, CatalogAway."""
        credentials, slide_id, digest = key
        generation = self._catalog.generation()
        principal, until = self._authenticator.proven(credentials)
        self._slides.check_version(principal, slide_id, digest)
        public = self._visibility.is_public(slide_id)
        return _Allowed(principal, public, generation, min(until, time.time() + REMEMBERED_SECONDS))

    def _holds(self, generation: int, until: float, forgotten: int) -> bool:
        return self._catalog.trusts(generation) and time.time() < until and forgotten == self._forgotten
