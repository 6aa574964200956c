"""Opening versions on an edge: for those to whom the origin granted it, and of slides that have the version (ED20)."""

from __future__ import annotations

import json
from functools import partial
from hashlib import sha256
from time import monotonic

from wavescope.access.principal import Principal
from wavescope.blocks.base import BlockSource
from wavescope.blocks.remote.client import Permit
from wavescope.caches import BoundedCache
from wavescope.edge.entry_cache import EntryCache
from wavescope.edge.grants import RENEWED, CachedGrant, GrantKey
from wavescope.edge.origins import EdgeOrigins
from wavescope.edge.rights import Rights
from wavescope.errors import CorruptStore, StaleVersion, Unavailable, WavescopeError
from wavescope.service.access.authenticator import Credentials
from wavescope.service.version_opener import Opened

CONFIRMED = 60.0  # seconds after which the origin is asked again whether a slide has a version
OPEN_SECONDS = 1.0  # for which what was opened is answered from, without looking at the grants
KNOWN = 4096
CLIENT = Principal("")  # an edge knows no accounts


class EdgePrincipalReader:
    """PrincipalReader of an edge."""

    def of(self, credentials: Credentials) -> Principal:
        return CLIENT


class EdgeSlides:
    """VersionOpener and Visibility of an edge. ``lost_seconds``: see the setting ``edge_lost_seconds``."""

    def __init__(
        self,
        origins: EdgeOrigins,
        rights: Rights,
        entries: EntryCache,
        lost_seconds: float,
    ) -> None:
        self._origins, self._rights, self._entries = origins, rights, entries
        self._lost_seconds = lost_seconds
        self._confirmed: BoundedCache[tuple[str, str], float] = BoundedCache(KNOWN)
        self._public: BoundedCache[str, bool] = BoundedCache(KNOWN)
        self._opened: dict[tuple[Credentials, str, str], Opened] = {}
        self._forgotten: dict[str, int] = {}  # how often each version that was opened has been
        self._blocks: BlockSource | None = None
        origins.when_forgotten(self._forget)

    def attach(self, blocks: BlockSource) -> None:
        """Where versions are opened."""
        self._blocks = blocks

    def is_public(self, slide_id: str) -> bool:
        return self._public.find(slide_id) is True

    async def open(self, credentials: Credentials, slide_id: str, digest: str) -> Opened:
        """See VersionOpener."""
        grant_key, key = (credentials, slide_id), (credentials, slide_id, digest)
        known = self._opened.get(key)
        if known is not None and known.holds():
            return known
        assert self._blocks is not None
        number = self._forgotten.setdefault(digest, 0)
        grant = self._rights.cached(grant_key)
        if grant is None or monotonic() > (self._confirmed.find((slide_id, digest)) or 0.0):
            grant = await self._allow(grant_key, digest)
        for origin in self._origins.all:
            own = self._rights.own(origin, grant_key)
            given = own or grant
            several = len(self._origins.all) > 1
            origin.permits.put(digest, Permit(slide_id, given.headers, given.until, own is not None or not several))
        version = await self._blocks.version(digest)
        until = min(grant.until - RENEWED, self._confirmed.find((slide_id, digest)) or 0.0, monotonic() + OPEN_SECONDS)
        opened = Opened(CLIENT, version, grant.public, partial(self._holds, until, digest, number))
        if len(self._opened) >= KNOWN:
            self._opened.clear()
            self._forgotten.clear()
        self._opened[key] = opened
        return opened

    async def current(self, credentials: Credentials, slide_id: str) -> str:
        """See VersionOpener: as the origin says now."""
        granted = await self._rights.get((credentials, slide_id))
        return await granted.origin.grants.current(slide_id, granted.grant)

    def _holds(self, until: float, digest: str, number: int) -> bool:
        return monotonic() < until and number == self._forgotten.get(digest)

    def _forget(self, digest: str) -> None:
        """An origin has said that the version is gone."""
        if digest in self._forgotten:
            self._forgotten[digest] += 1

    async def _allow(self, grant_key: GrantKey, digest: str) -> CachedGrant:
        """The grant, after the origin confirmed that the slide has the version; without it, what may be shown then."""
        slide_id = grant_key[1]
        try:
            grant = (await self._rights.get(grant_key)).grant
            self._public.put(slide_id, grant.public)
            if monotonic() > (self._confirmed.find((slide_id, digest)) or 0.0):
                await self._confirm(grant_key, digest, grant)
        except Unavailable:
            return await self._without_origin(grant_key, digest)
        return grant

    async def _confirm(self, grant_key: GrantKey, digest: str, grant: CachedGrant) -> None:
        slide_id = grant_key[1]
        failure: WavescopeError = StaleVersion(slide_id, digest)
        for origin in self._origins.joined:
            own = self._rights.own(origin, grant_key)
            foreign = own is None and len(self._origins.all) > 1
            try:
                manifest = await origin.remote.confirm(slide_id, digest, (own or grant).headers, not foreign)
            except (StaleVersion, CorruptStore) as error:
                failure = failure if isinstance(failure, Unavailable) else error
            except Unavailable as error:
                failure = error
            else:
                self._confirmed.put((slide_id, digest), monotonic() + CONFIRMED)
                stored = {"public": grant.public, "manifest": manifest.decode()}
                self._entries.put(_name(slide_id, digest), json.dumps(stored).encode())
                return
        if isinstance(failure, StaleVersion):
            self._confirmed.drop(lambda key: key == (slide_id, digest))
            self._entries.forget(_name(slide_id, digest))
        raise failure

    async def _without_origin(self, grant_key: GrantKey, digest: str) -> CachedGrant:
        """The right to what is cached while no origin answers (ED22). Raises Unavailable."""
        stored = await self._entries.find(_name(grant_key[1], digest))
        last = self._rights.last(grant_key)
        if stored is not None:
            known = json.loads(stored)
            recent = last is not None and monotonic() < last.until + self._lost_seconds
            if known["public"] is True or recent:
                self._public.put(grant_key[1], known["public"] is True)
                for origin in self._origins.joined:
                    origin.remote.adopt(digest, known["manifest"].encode())
                return CachedGrant(last.headers if last else {}, known["public"] is True, monotonic() + 1.0)
        raise Unavailable("the origin of this edge", "it does not answer, and this slide may not be shown without it")


def _name(slide_id: str, digest: str) -> bytes:
    """The key of what is stored about a slide and its version."""
    return sha256(f"version\n{slide_id}\n{digest}".encode()).digest()
