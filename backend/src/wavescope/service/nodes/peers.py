"""The nodes that have the parts of distributed data, as sources of blocks (CL88)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence

from wavescope.access.grants import SECONDS, Granted, sign_grant
from wavescope.blocks.base import BlockSource
from wavescope.blocks.remote.client import Permit, Permits
from wavescope.blocks.remote.source import RemoteSource
from wavescope.catalog.access.keys import SigningKeys
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.cluster.versions import slide_of
from wavescope.config import Config
from wavescope.distribution.hashing import placement
from wavescope.errors import InvalidParameter, WavescopeError
from wavescope.service.nodes.node import Node

SILENCE_SECONDS = 2.0  # without a byte, after which this node reads by itself
RENEW_SECONDS = SECONDS / 2
CONNECTIONS = 16  # to each node


class Peers:
    """Owners of parts among the nodes that are alive. ``keys``: by which grants are signed; None: none are needed.

    A node never asks one that asks it for the same part, whatever each knows of the others: of those that a node knows,
    itself included, the one with the highest hash has the part, so that hashes rise along any chain.
    """

    def __init__(self, node: Node, catalog: Catalog, keys: SigningKeys | None) -> None:
        self._node, self._catalog, self._keys = node, catalog, keys
        self._permits = Permits()
        self._until: dict[str, float] = {}
        self._sources: dict[str, RemoteSource] = {}

    async def of(self, slide: str, parts: Sequence[str]) -> Mapping[str, BlockSource | None]:
        """See Owners."""
        urls = {one.name: one.url for one in self._node.alive()}
        names = sorted({*urls, self._node.name})
        owners = {part: placement(names, part)[0] for part in parts}
        if any(owner != self._node.name for owner in owners.values()) and not await self._permitted(slide):
            return dict.fromkeys(parts)
        return {part: None if owner == self._node.name else self._source(urls[owner]) for part, owner in owners.items()}

    async def close(self) -> None:
        """Ends all connections."""
        for source in self._sources.values():
            await source.close()

    def _source(self, url: str) -> RemoteSource:
        if url not in self._sources:
            self._sources[url] = RemoteSource(url, self._permits, connections=CONNECTIONS, timeout=SILENCE_SECONDS)
        return self._sources[url]

    async def _permitted(self, slide: str) -> bool:
        """Makes sure that there is what proves to other nodes that this one may read a version."""
        now = time.monotonic()
        if self._until.get(slide, now) > now:
            return True
        try:
            permit = await asyncio.to_thread(self._permit, slide)
        except WavescopeError:  # the database does not answer: this node reads by itself
            return False
        if permit is None:
            return False
        self._permits.put(slide, permit)
        self._until[slide] = now + RENEW_SECONDS
        return True

    def _permit(self, slide: str) -> Permit | None:
        slide_id = slide_of(self._catalog, slide)
        if slide_id is None:
            return None
        headers = {}
        if self._keys is not None:
            granted = Granted(f"node {self._node.name}", self._node.name, {slide_id: "view"})
            token = sign_grant(self._keys.current(), granted, time.time() + SECONDS)
            headers["Authorization"] = f"Bearer {token}"
        return Permit(slide_id, headers, time.monotonic() + SECONDS)


def node_peers(config: Config, node: Node | None, catalog: Catalog, keys: SigningKeys) -> Peers | None:
    """The other nodes as owners of parts; None: data are not distributed. Raises InvalidParameter."""
    if config.data_layout != "striped":
        return None
    if node is None:
        raise InvalidParameter("data_layout", config.data_layout, "mirrored, unless node_name is set")
    return Peers(node, catalog, None if config.access == "local" else keys)
