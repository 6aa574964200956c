"""Which live sessions this node owns, and which node owns another one (CL20 to CL24)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from wavescope.catalog.sessions.leases import LeaseTable
from wavescope.errors import SessionOnOtherNode, Unavailable
from wavescope.service.nodes.node import Node
from wavescope.service.nodes.readiness import any_ready
from wavescope.service.sessions.persistence import SessionStore
from wavescope.sessions.ownership import NOBODY, Lease

RESPONSE_SECONDS = 2.0  # in which the database must answer
CERTAIN = 3  # a node that connects again after an outage is not the last one three times


class Claimed(NamedTuple):
    """A session that this node owns now. ``handed``: another run of a node owned it before."""

    lease: Lease
    handed: bool


class Ownership:
    """Of one node of a cluster."""

    def __init__(self, table: LeaseTable, node: Node, store: SessionStore) -> None:
        self._table, self._node, self._store = table, node, store
        self._doubts = 0  # how often in a row others could use the database and this node could not

    async def claim(self, session_id: str) -> Claimed:
        """Makes this node the owner. Raises SessionOnOtherNode if a living node is it; Unavailable while the others may
        take this node for dead.
        """
        node = self._node
        if node.lapsed:
            raise Unavailable("this node", "it has no contact with the others")
        alive, dead = frozenset(one.instance for one in node.alive()), node.dead
        lease, before = await self._store.run(self._table.claim, session_id, node.name, node.instance, alive, dead)
        if lease.instance != node.instance:
            raise SessionOnOtherNode(session_id, lease.node, lease.instance)
        return Claimed(lease, before is not None and before.instance != node.instance)

    async def lost(self, leases: Iterable[Lease]) -> list[Lease]:
        """Those that another node has got; all if this node alone is cut off from the database, since the others take
        it for dead. One statement, however many there are. Raises Unavailable.
        """
        held = list(leases)
        if held and self._node.lapsed:
            return held if await self._is_cut_off() else []
        self._doubts = 0
        try:
            async with asyncio.timeout(RESPONSE_SECONDS):
                owned = await self._store.run(self._table.owned, self._node.instance) if held else {}
        except TimeoutError as cause:
            raise Unavailable("the catalog", "no answer in time") from cause
        return [lease for lease in held if owned.get(lease.session_id) != lease.term]

    async def _is_cut_off(self) -> bool:
        """Whether other nodes have been using the database for some time that this one cannot use."""
        others = [one.url for one in self._node.alive() if one.instance != self._node.instance]
        self._doubts = self._doubts + 1 if await any_ready(others) else 0
        return self._doubts >= CERTAIN

    async def release(self, leases: Iterable[Lease]) -> None:
        """Gives leases back: the next node that is asked for the session owns it at once."""
        given = list(leases)
        if given:
            await self._store.run(self._table.release, given)

    def url_of(self, instance: str) -> str | None:
        """Where a node is reached; None: it is not alive."""
        found = self._node.find(instance)
        return None if found is None else found.url

    async def node_gone(self, url: str) -> None:
        """Returns when no node with this URL is alive any more."""
        await self._node.until(lambda nodes: all(one.url != url for one in nodes))

    async def is_open(self, session_id: str) -> bool:
        """Whether a living node owns the session."""
        lease = await self._store.run(self._table.find, session_id)
        return lease is not None and lease.instance != NOBODY and self._node.find(lease.instance) is not None
