"""Sharing slides and cases: with people and groups, with everybody, by links (AC20 to AC23)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from wavescope.access.principal import Capability
from wavescope.catalog.access.links import Links
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import LinkRecord, Scope, Share
from wavescope.errors import Forbidden, LinkOver, UnknownLink
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.access.sharing_gate import CaseGate

Result = TypeVar("Result")


@dataclass(frozen=True)
class SharedWith:
    """Who has a right to a slide or a case."""

    owner: str
    public: bool
    shares: tuple[Share, ...]


class SharingService:
    """Changing who may see what; only whoever owns it may."""

    def __init__(self, catalog: Catalog, gate: Gate, case_gate: CaseGate) -> None:
        self._table, self._links = SharingTable(catalog), Links(catalog)
        self._gate, self._case_gate = gate, case_gate
        self.revoked: Callable[[], None] = lambda: None  # is called when somebody may less than before

    async def get(self, principal: Principal, scope: Scope, target: str) -> SharedWith:
        """Raises Forbidden, UnknownSlide, UnknownCase."""
        return await self._owned(principal, scope, target, lambda: SharedWith(*self._table.shares(scope, target)))

    async def put(
        self,
        principal: Principal,
        scope: Scope,
        target: str,
        public: bool,
        shares: Sequence[Share],
        owner: str | None = None,
    ) -> SharedWith:
        """Makes these all; another ``owner`` is for admins. Raises as ``get``, and UnknownUser, UnknownGroup."""
        if owner is not None and not principal.has_role("admin"):
            raise Forbidden("give a slide or case to another owner")

        def work() -> SharedWith:
            self._table.share(scope, target, public, shares, owner)
            return SharedWith(*self._table.shares(scope, target))

        shared = await self._owned(principal, scope, target, work)
        self.revoked()
        return shared

    async def links(self, principal: Principal, scope: Scope, target: str) -> tuple[LinkRecord, ...]:
        """Raises as ``get``."""
        return await self._owned(principal, scope, target, lambda: self._links.list(scope, target))

    async def add_link(
        self, principal: Principal, scope: Scope, target: str, right: str, title: str, seconds: int | None
    ) -> tuple[str, LinkRecord]:
        """A new link and its token, which is told this once. Raises as ``get``, and InvalidParameter."""
        expires = None if seconds is None else time.time() + seconds
        add = self._links.add
        return await self._owned(
            principal, scope, target, lambda: add(scope, target, right, title, principal.id, expires)
        )

    async def revoke_link(self, principal: Principal, link_id: str) -> LinkRecord:
        """Raises UnknownLink, also for one to something that the principal does not own."""
        link = await asyncio.to_thread(self._links.get, link_id)
        if not await asyncio.to_thread(self._owns, principal, link.scope, link.target):
            raise UnknownLink
        revoked = await asyncio.to_thread(self._links.revoke, link_id)
        self.revoked()
        return revoked

    async def open(self, token: str) -> tuple[LinkRecord, Capability]:
        """What a link leads to. Raises UnknownLink, LinkOver."""
        link = await asyncio.to_thread(self._links.opened, token)
        if link is None:
            raise UnknownLink
        capability = await asyncio.to_thread(self._links.capability, token)
        if capability is None:
            raise LinkOver
        return link, capability

    async def _owned(self, principal: Principal, scope: Scope, target: str, work: Callable[[], Result]) -> Result:
        if scope == "slide":
            require(self._gate, principal, "share slide", target)
        else:
            require(self._gate, principal, "edit cases")
            await asyncio.to_thread(self._case_gate.require, principal, target, "own")
        return await asyncio.to_thread(work)

    def _owns(self, principal: Principal, scope: Scope, target: str) -> bool:
        if scope == "slide":
            return self._gate(principal, "share slide", target)
        return self._gate(principal, "edit cases", None) and self._case_gate.right(principal, target) == "own"
