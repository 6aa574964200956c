"""Sharing slides and cases: with users and groups, with everyone, by links (AC20 to AC23)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from wavescope.access.principal import Capability
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.links import Links
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import LinkRecord, Scope, Share
from wavescope.errors import Forbidden, LinkOver, UnknownLink
from wavescope.service.access.gate import Gate, Principal, require, require_in_thread
from wavescope.service.access.sharing_gate import CaseGate
from wavescope.service.access.usage import UsageTracker
from wavescope.service.events import Events

Result = TypeVar("Result")


class ShareTarget(NamedTuple):
    """The slide or case that is shared."""

    scope: Scope
    id: str


@dataclass(frozen=True)
class SharedWith:
    """Who has a right to a slide or a case."""

    owner: str
    public: bool
    shares: tuple[Share, ...]


class SharingService:
    """Changes who may see what; only the owner may."""

    def __init__(self, catalog: Catalog, gate: Gate, case_gate: CaseGate, events: Events, usage: UsageTracker) -> None:
        self._table, self._links, self._accounts = SharingTable(catalog), Links(catalog), Accounts(catalog)
        self._gate, self._case_gate = gate, case_gate
        self._events, self._usage = events, usage

    async def get(self, principal: Principal, target: ShareTarget) -> SharedWith:
        """Raises Forbidden, UnknownSlide, UnknownCase."""
        return await self._owned(principal, target, lambda: SharedWith(*self._table.shares(*target)))

    async def put(
        self,
        principal: Principal,
        target: ShareTarget,
        public: bool,
        shares: Sequence[Share],
        owner: str | None = None,
    ) -> SharedWith:
        """Makes these all; another ``owner`` is for admins. Raises as ``get``, and UnknownUser, UnknownGroup."""
        if owner is not None and not principal.has_role("admin"):
            raise Forbidden("give a slide or case to another owner")

        def work() -> SharedWith:
            self._table.share(*target, public, shares, owner)
            return SharedWith(*self._table.shares(*target))

        shared = await self._owned(principal, target, work)
        self._events.rights_revoked.announce()
        return shared

    async def names(self) -> tuple[dict[str, str], dict[str, str]]:
        """The names of all users and of all groups, by id."""

        def work() -> tuple[dict[str, str], dict[str, str]]:
            users = {user.id: user.title for user in self._accounts.list()}
            return users, {group.id: group.name for group in self._accounts.groups()}

        return await asyncio.to_thread(work)

    async def links(self, principal: Principal, target: ShareTarget) -> tuple[LinkRecord, ...]:
        """All links to the target, with their last uses until now. Raises as ``get``."""

        def work() -> tuple[LinkRecord, ...]:
            self._usage.write()
            return self._links.list(*target)

        return await self._owned(principal, target, work)

    async def add_link(
        self, principal: Principal, target: ShareTarget, right: str, title: str, seconds: int | None
    ) -> tuple[str, LinkRecord]:
        """A new link and its token, which is returned this once. Raises as ``get``, and InvalidParameter."""
        expires = None if seconds is None else time.time() + seconds
        return await self._owned(
            principal, target, lambda: self._links.add(*target, right, title, principal.id, expires)
        )

    async def revoke_link(self, principal: Principal, link_id: str) -> LinkRecord:
        """Raises UnknownLink, also for one to something that the principal does not own."""
        link = await asyncio.to_thread(self._links.get, link_id)
        if not await asyncio.to_thread(self._owns, principal, ShareTarget(link.scope, link.target)):
            raise UnknownLink
        revoked = await asyncio.to_thread(self._links.revoke, link_id)
        self._events.rights_revoked.announce()
        return revoked

    async def open(self, token: str) -> tuple[LinkRecord, Capability]:
        """The target of a link. Raises UnknownLink, LinkOver."""
        link = await asyncio.to_thread(self._links.opened, token)
        if link is None:
            raise UnknownLink
        capability = await asyncio.to_thread(self._links.capability, token)
        if capability is None:
            raise LinkOver
        return link, capability

    async def _owned(self, principal: Principal, target: ShareTarget, work: Callable[[], Result]) -> Result:
        if target.scope == "slide":
            await require_in_thread(self._gate, principal, "share slide", target.id)
        else:
            require(self._gate, principal, "edit cases")
            require(self._gate, principal, "share slide")
            await asyncio.to_thread(self._case_gate.require, principal, target.id, "own")
        return await asyncio.to_thread(work)

    def _owns(self, principal: Principal, target: ShareTarget) -> bool:
        if target.scope == "slide":
            return self._gate(principal, "share slide", target.id)
        if not self._gate(principal, "share slide", None):
            return False
        return self._gate(principal, "edit cases", None) and self._case_gate.right(principal, target.id) == "own"
