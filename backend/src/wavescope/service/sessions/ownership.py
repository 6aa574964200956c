"""Which live sessions this node owns, and which node owns another one (CL20 to CL24)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wavescope.catalog.sessions.leases import LeaseTable
from wavescope.errors import SessionElsewhere, Unavailable
from wavescope.service.nodes.node import Node
from wavescope.service.sessions.persistence import SessionStore
from wavescope.sessions.ownership import NOBODY, Lease


class Claimed(NamedTuple):
    """A session that this node owns now. ``handed``: another run of a node owned it before."""

    lease: Lease
    handed: bool


class Ownership:
    """Of one node of a cluster."""

    def __init__(self, table: LeaseTable, node: Node, store: SessionStore) -> None:
        self._table, self._node, self._store = table, node, store

    async def claim(self, session_id: str) -> Claimed:
        """Makes this node the owner. Raises SessionElsewhere if a living node is it; Unavailable while the others may
        take this node for dead.
        """
        node = self._node
        if node.lapsed:
            raise Unavailable("this node", "it has no contact with the others")
        alive, dead = frozenset(one.instance for one in node.alive()), node.dead
        lease, before = await self._store.run(self._table.claim, session_id, node.name, node.instance, alive, dead)
        if lease.instance != node.instance:
            raise SessionElsewhere(session_id, lease.node, lease.instance)
        return Claimed(lease, before is not None and before.instance != node.instance)

    async def lost(self, leases: Iterable[Lease]) -> list[Lease]:
        """Those that another node has got. One statement, however many there are. Raises CatalogAway."""
        held = list(leases)
        owned = await self._store.run(self._table.owned, self._node.instance) if held else {}
        return [lease for lease in held if owned.get(lease.session_id) != lease.term]

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
