"""A wrapper for data that are distributed over nodes: each part of a version has one node that reads and caches it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol

from wavescope.blocks.base import Answer, BlockRequest, BlockSource
from wavescope.blocks.cache.batch import Batch, filled
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.errors import CorruptBlock, CorruptStore, StaleVersion, Unavailable
from wavescope.geometry import Address
from wavescope.store.layout import SHARD

PEER_FAILED = (Unavailable, StaleVersion, CorruptBlock, CorruptStore)
"""After which the own place is asked: what it says is the answer."""


class Owners(Protocol):
    """Which node has a part."""

    async def of(self, slide: str, parts: Sequence[str]) -> Mapping[str, BlockSource | None]:
        """By part, the source of the node that has it; None: this node. Raises nothing."""
        ...


@dataclass
class StripedCounts:
    """Blocks: of parts of this node, of parts of other nodes, and of those what had to be read here all the same."""

    own: int = 0
    peers: int = 0
    fallbacks: int = 0


class StripedSource(SourceWrapper):
    """Asks the node of a part for its blocks; all else, and what that node does not answer, comes from ``inner``.

    ``inner`` has all data: distributing them saves memory and reads, and is never needed for an answer.
    """

    def __init__(self, inner: BlockSource, owners: Owners) -> None:
        super().__init__(inner)
        self._owners = owners
        self.counts = StripedCounts()

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        """See BlockSource."""
        part = part_of(slide, address)
        owner = (await self._owners.of(slide, [part]))[part]
        if owner is not None:
            self.counts.peers += 1
            try:
                return await owner.get(slide, address, layers)
            except PEER_FAILED:
                self.counts.fallbacks += 1
        else:
            self.counts.own += 1
        return await self._inner.get(slide, address, layers)

    def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        """See BlockSource. All nodes are asked at the same time."""
        return filled(lambda batch: self._fill(batch, slide, requests))

    async def _fill(self, batch: Batch, slide: str, requests: Sequence[BlockRequest]) -> None:
        try:
            parts = [part_of(slide, request.address) for request in requests]
            owners = await self._owners.of(slide, sorted(set(parts)))
            groups: dict[BlockSource | None, list[int]] = {}
            for position, part in enumerate(parts):
                groups.setdefault(owners[part], []).append(position)
            async with asyncio.TaskGroup() as group:
                for owner, positions in groups.items():
                    group.create_task(self._ask(batch, slide, requests, owner, positions))
        finally:
            batch.end()

    async def _ask(
        self,
        batch: Batch,
        slide: str,
        requests: Sequence[BlockRequest],
        owner: BlockSource | None,
        positions: Sequence[int],
    ) -> None:
        if owner is None:
            self.counts.own += len(positions)
        else:
            self.counts.peers += len(positions)
            positions = await self._peer(batch, slide, requests, owner, positions)
            self.counts.fallbacks += len(positions)
        if positions:
            async with aclosing(self._inner.get_many(slide, [requests[at] for at in positions])) as answers:
                async for at, data in answers:
                    await batch.add(positions[at], data)

    async def _peer(
        self,
        batch: Batch,
        slide: str,
        requests: Sequence[BlockRequest],
        owner: BlockSource,
        positions: Sequence[int],
    ) -> list[int]:
        """The positions that the other node did not answer."""
        failed = []
        async with aclosing(owner.get_many(slide, [requests[at] for at in positions])) as answers:
            async for at, data in answers:
                if isinstance(data, PEER_FAILED):
                    failed.append(positions[at])
                else:
                    await batch.add(positions[at], data)
        return failed


def part_of(slide: str, address: Address) -> str:
    """The part that a block belongs to: its shard."""
    return f"{slide}/{address.z}/{address.c}/{address.level}/{address.x // SHARD}/{address.y // SHARD}"
