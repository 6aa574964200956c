"""Opening versions on an edge: for those to whom the origin granted it, and of slides that have the version (ED20)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from time import monotonic

from wavescope.access.principal import Principal
from wavescope.blocks.base import BlockSource
from wavescope.blocks.remote.client import Permit, Permits
from wavescope.blocks.remote.source import RemoteSource
from wavescope.caches import BoundedCache
from wavescope.edge.grants import Asked, EdgeGrants, Held
from wavescope.edge.parts import EdgeParts
from wavescope.errors import CorruptStore, StaleVersion, Unavailable, WavescopeError
from wavescope.service.access.authenticator import NOTHING, Credentials
from wavescope.store.version import SlideVersion

CONFIRMED = 60.0  # seconds after which the origin is asked again whether a slide has a version
KNOWN = 4096


@dataclass(frozen=True)
class Asker(Principal):
    """Who sends a request to an edge: credentials that the origin understands."""

    credentials: Credentials = NOTHING


class Askers:
    """PrincipalReader of an edge: it knows no accounts."""

    def __init__(self) -> None:
        self.of = lru_cache(maxsize=KNOWN)(_asker)


def _asker(credentials: Credentials) -> Asker:
    return Asker("", credentials=credentials)


class EdgeSlides:
    """VersionOpener and Visibility of an edge. ``lost_seconds``: see the setting ``edge_lost_seconds``."""

    def __init__(
        self,
        grants: EdgeGrants,
        remotes: Sequence[RemoteSource],
        permits: Permits,
        parts: EdgeParts,
        lost_seconds: float,
    ) -> None:
        self._grants, self._remotes, self._permits, self._parts = grants, remotes, permits, parts
        self._lost_seconds = lost_seconds
        self._confirmed: BoundedCache[tuple[str, str], float] = BoundedCache(KNOWN)
        self._public: BoundedCache[str, bool] = BoundedCache(KNOWN)
        self._blocks: BlockSource | None = None

    def attach(self, blocks: BlockSource) -> None:
        """Where versions are opened."""
        self._blocks = blocks

    def is_public(self, slide_id: str) -> bool:
        return self._public.find(slide_id) is True

    async def open(
        self, principal: Callable[[], Principal], slide_id: str, digest: str, note_public: Callable[[bool], None]
    ) -> SlideVersion:
        """See VersionOpener."""
        asker = principal()
        assert isinstance(asker, Asker)
        assert self._blocks is not None
        asked = (asker.credentials, slide_id)
        held = self._grants.cached(asked)
        if held is None or monotonic() > (self._confirmed.find((slide_id, digest)) or 0.0):
            held = await self._allow(asked, digest)
        note_public(held.public)
        self._permits.put(digest, Permit(slide_id, held.headers, held.until))
        return await self._blocks.version(digest)

    def open_now(
        self, principal: Callable[[], Principal], slide_id: str, digest: str
    ) -> tuple[SlideVersion, bool] | None:
        """See VersionOpener."""
        asker = principal()
        assert isinstance(asker, Asker)
        assert self._blocks is not None
        held = self._grants.cached_now((asker.credentials, slide_id))
        if held is None or monotonic() > (self._confirmed.find((slide_id, digest)) or 0.0):
            return None
        version = self._blocks.version_now(digest)
        return None if version is None else (version, held.public)

    async def _allow(self, asked: Asked, digest: str) -> Held:
        """The grant, after the origin confirmed that the slide has the version; without it, what may be shown then."""
        slide_id = asked[1]
        try:
            held = await self._grants.get(asked)
            self._public.put(slide_id, held.public)
            if monotonic() > (self._confirmed.find((slide_id, digest)) or 0.0):
                await self._confirm(slide_id, digest, held)
        except Unavailable:
            return await self._without_origin(asked, digest)
        return held

    async def _confirm(self, slide_id: str, digest: str, held: Held) -> None:
        failure: WavescopeError = StaleVersion(slide_id, digest)
        for remote in self._remotes:
            try:
                manifest = await remote.confirm(slide_id, digest, held.headers)
            except (StaleVersion, CorruptStore) as error:
                failure = failure if isinstance(failure, Unavailable) else error
            except Unavailable as error:
                failure = error
            else:
                self._confirmed.put((slide_id, digest), monotonic() + CONFIRMED)
                stored = {"public": held.public, "manifest": manifest.decode()}
                self._parts.put(_name(slide_id, digest), json.dumps(stored).encode())
                return
        if isinstance(failure, StaleVersion):
            self._confirmed.drop(lambda key: key == (slide_id, digest))
            self._parts.forget(_name(slide_id, digest))
        raise failure

    async def _without_origin(self, asked: Asked, digest: str) -> Held:
        """The right to what is cached while no origin answers (ED22). Raises Unavailable."""
        stored = await self._parts.find(_name(asked[1], digest))
        last = self._grants.last(asked)
        if stored is not None:
            known = json.loads(stored)
            recent = last is not None and monotonic() < last.until + self._lost_seconds
            if known["public"] is True or recent:
                self._public.put(asked[1], known["public"] is True)
                for remote in self._remotes:
                    remote.adopt(digest, known["manifest"].encode())
                return Held(last.headers if last else {}, known["public"] is True, monotonic() + 1.0)
        raise Unavailable("the origin of this edge", "it does not answer, and this slide may not be shown without it")


def _name(slide_id: str, digest: str) -> bytes:
    """The key of what is stored about a slide and its version."""
    return sha256(f"version\n{slide_id}\n{digest}".encode()).digest()
