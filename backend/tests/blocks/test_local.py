"""LocalStore: what it adds to a BlockSource (see test_block_source)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from blocks.conftest import Slide, answers
from wavescope.blocks.base import BlockRequest
from wavescope.blocks.local import LocalStore
from wavescope.store.handles import OpenFile
from wavescope.store.reader import StoreReader


@pytest_asyncio.fixture
async def local(slide: Slide) -> AsyncIterator[LocalStore]:
    opened = LocalStore(slide[0])
    yield opened
    await opened.close()


@pytest.mark.parametrize("cold", [range(0, 99, 3), range(20), range(1, 99)])
async def test_many_blocks_come_in_the_order_of_their_use_whichever_wait_for_the_disk(
    local: LocalStore, slide: Slide, requests: list[BlockRequest], monkeypatch: pytest.MonkeyPatch, cold: range
) -> None:
    many = requests * 4
    warm = StoreReader.read_cached
    count = iter(range(len(many)))
    await answers(local, slide[1], many)
    monkeypatch.setattr(StoreReader, "read_cached", lambda *of: None if next(count) in cold else warm(*of))
    assert [position async for position, _ in local.get_many(slide[1], many)] == list(range(len(many)))


async def test_what_is_cached_is_bounded_and_released_at_the_end(slide: Slide, requests: list[BlockRequest]) -> None:
    small = LocalStore(slide[0], versions=1, shards=1, pages=1)
    await answers(small, slide[1], requests)
    caches = small._caches
    assert [len(cache) for cache in (small._readers, caches.indexes, caches.shards, caches.pages)] == [1] * 4
    await small.close()
    assert [len(cache) for cache in (small._readers, caches.indexes, caches.shards, caches.pages)] == [0] * 4


async def test_a_forgotten_version_leaves_nothing_in_any_cache(
    local: LocalStore, slide: Slide, requests: list[BlockRequest]
) -> None:
    await answers(local, slide[1], requests)
    local.forget(slide[1])
    caches = local._caches
    assert [len(cache) for cache in (local._readers, caches.indexes, caches.shards, caches.pages)] == [0] * 4


def test_a_descriptor_lives_as_long_as_its_last_reader(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"0123456789")
    opened = OpenFile(file)
    assert opened.read(2, 3) == b"234"
    assert opened.read_cached(2, 3) in (b"234", None)
    with pytest.raises(ValueError, match="the file ends at byte 10"):
        opened.read(8, 3)
    assert opened.read_cached(8, 3) is None
