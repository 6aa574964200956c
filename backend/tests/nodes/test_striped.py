"""Distributed data: a node asks the node that a part belongs to; what that does not answer it reads itself (CL88)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.databases import Server
from nodes.cluster import RunningNode, add_people, catalog_of, cluster
from object_stores import BUCKET, served
from service.world import World
from wavescope.blocks.base import Answer, BlockRequest, BlockSource
from wavescope.blocks.local import LocalStore
from wavescope.blocks.striped import StripedSource, part_of
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.catalog.catalog import Catalog
from wavescope.config import Config
from wavescope.distribution.hashing import placement
from wavescope.errors import InvalidParameter, Unavailable, WavescopeError
from wavescope.geometry import Address
from wavescope.service.nodes.peers import node_peers
from wavescope.service.storage import block_source
from wavescope.store.objects.backend import FolderBackend, ObjectBackend
from wavescope.store.objects.client import Objects
from wavescope.store.objects.copy import copy

ALL = [BlockRequest(Address(0, 0, level, x, y), range(1)) for level in (0, 1) for x in (0, 1) for y in (0, 1)]


class Peer(SourceWrapper):
    """Another node; ``error``: what it answers."""

    def __init__(self, inner: BlockSource, error: WavescopeError | None = None) -> None:
        super().__init__(inner)
        self.error, self.asked = error, list[BlockRequest]()

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        self.asked.append(BlockRequest(address, layers))
        if self.error is not None:
            raise self.error
        return await self._inner.get(slide, address, layers)

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        self.asked += requests
        for position, request in enumerate(requests):
            yield position, self.error or await self._inner.get(slide, *request)


class LevelOwners:
    """Level 0 belongs to another node, the others to this one."""

    def __init__(self, peer: BlockSource) -> None:
        self._peer = peer

    async def of(self, slide: str, parts: Sequence[str]) -> Mapping[str, BlockSource | None]:
        return {part: self._peer if part.split("/")[3] == "0" else None for part in parts}


@pytest.fixture
def local(world: World) -> LocalStore:
    return LocalStore(world.store)


async def answers_of(source: BlockSource, slide: str) -> list[bytes | WavescopeError]:
    found = dict([answer async for answer in source.get_many(slide, ALL)])
    assert sorted(found) == list(range(len(ALL)))
    return [found[position] for position in range(len(ALL))]


async def test_blocks_come_from_the_node_of_their_part_and_equal_those_of_the_store_cl88(
    world: World, local: LocalStore
) -> None:
    slide, peer = world.digests["visual"], Peer(local)
    source = StripedSource(local, LevelOwners(peer))
    assert await answers_of(source, slide) == [await local.get(slide, *request) for request in ALL]
    assert sorted(peer.asked) == sorted(request for request in ALL if request.address.level == 0)
    for request in ALL:
        assert await source.get(slide, *request) == await local.get(slide, *request)
    assert (source.counts.own, source.counts.peers, source.counts.fallbacks) == (8, 8, 0)


async def test_what_a_node_does_not_answer_is_read_here_cl88(world: World, local: LocalStore) -> None:
    slide, peer = world.digests["visual"], Peer(local, Unavailable("node", "gone"))
    source = StripedSource(local, LevelOwners(peer))
    assert await answers_of(source, slide) == [await local.get(slide, *request) for request in ALL]
    assert await source.get(slide, *ALL[0]) == await local.get(slide, *ALL[0])
    assert source.counts.fallbacks == 5


@pytest.mark.slow
@given(st.lists(st.sets(st.sampled_from("abcdef")), min_size=6, max_size=6), st.text(max_size=8))
def test_no_request_goes_in_circles_though_nodes_know_different_nodes_cl88(known: list[set[str]], part: str) -> None:
    for at in "abcdef":
        seen = [at]
        while (owner := placement(sorted(known["abcdef".index(seen[-1])] | {seen[-1]}), part)[0]) != seen[-1]:
            assert owner not in seen
            seen.append(owner)


def test_blocks_of_a_shard_are_one_part_cl88() -> None:
    assert part_of("s", Address(0, 0, 1, 0, 0)) == part_of("s", Address(0, 0, 1, 15, 15))
    assert len({part_of("s", Address(0, 0, 1, *place)) for place in [(0, 0), (16, 0), (0, 16)]}) == 3


def test_the_layout_needs_a_node_and_an_object_store_cl88(tmp_path: Path) -> None:
    with closing(Catalog.open(tmp_path)) as catalog, pytest.raises(InvalidParameter, match="node_name"):
        node_peers(Config(store=tmp_path, data_layout="striped"), None, catalog, None)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="slide_store"):
        block_source(Config(store=tmp_path, data_layout="striped"), LevelOwners(LocalStore(tmp_path)))


@pytest.fixture
def slides(world: World, tmp_path: Path) -> Iterator[str]:
    with served(tmp_path / "s3"):
        place = ObjectBackend(Objects.at(f"s3://{BUCKET}"))
        for digest in world.digests.values():
            copy(FolderBackend(world.store), place, digest)
        yield f"s3://{BUCKET}"


@asynccontextmanager
async def striped(world: World, server: Server, folder: Path, slides: str, access: str) -> Any:
    url = catalog_of(world, server.url)
    add_people(url)
    async with cluster(world, url, folder, "abc", access=access, slide_store=slides, data_layout="striped") as nodes:
        yield nodes


def striped_of(node: RunningNode) -> StripedSource:
    """The source of a node below its cache."""
    source: Any = node.services.blocks
    while not isinstance(source, StripedSource):
        source = source._inner
    return source


@pytest.mark.slow
@pytest.mark.parametrize("access", ["local", "accounts"])
async def test_three_nodes_share_the_parts_of_slides_and_one_may_go_cl88(
    world: World, server: Server, tmp_path: Path, slides: str, access: str
) -> None:
    local = LocalStore(world.store)
    async with striped(world, server, tmp_path, slides, access) as nodes:
        for node in nodes:
            for digest in world.digests.values():
                for request in ALL:
                    assert await node.services.blocks.get(digest, *request) == await local.get(digest, *request)
        counts = [striped_of(node).counts for node in nodes]
        assert sum(one.peers for one in counts) > 0
        assert sum(one.own for one in counts) > 0
        assert sum(one.fallbacks for one in counts) == 0
        await nodes[2].stop()
        for node in nodes[:2]:
            for digest in world.digests.values():
                node.services.blocks.forget(digest)
                found = await answers_of(node.services.blocks, digest)
                assert found == [await local.get(digest, *request) for request in ALL]
