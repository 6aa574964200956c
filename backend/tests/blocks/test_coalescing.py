"""A cache above coalescing: whenever a caller comes, what others fetch or have fetched is not fetched again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence

import pytest

from blocks.conftest import Slide
from wavescope.blocks.base import Answer, BlockRequest
from wavescope.blocks.cache.disk import DiskCache
from wavescope.blocks.cache.memory import MemoryCache
from wavescope.blocks.cache.policies import Sieve
from wavescope.blocks.cached import CachedSource
from wavescope.blocks.coalescing import CoalescingSource
from wavescope.blocks.local import LocalStore
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.geometry import Address

FIRST = BlockRequest(Address(0, 0, 0, 0, 0), range(1))
SECOND = BlockRequest(Address(0, 0, 0, 1, 0), range(1))
LAYER = bytes([8]) + b"12345678"  # its length, and as many bytes


async def turns(number: int) -> None:
    """Gives way to other tasks so many times."""
    for _ in range(number):
        await asyncio.sleep(0)


class Slow(SourceWrapper):
    """Answers something after some turns of the event loop, and counts what it was asked for."""

    wait = 3

    def __init__(self, inner: LocalStore) -> None:
        super().__init__(inner)
        self.asked: list[BlockRequest] = []

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        self.asked += requests
        await turns(self.wait)
        for position in range(len(requests)):
            yield position, LAYER


class SlowDisk(DiskCache):
    """A disk that has nothing, which it says after ``wait`` turns."""

    def __init__(self, wait: int) -> None:
        self.wait = wait

    async def find_many(self, keys: Collection[bytes]) -> Mapping[bytes, bytes]:
        await turns(self.wait)
        return {}

    async def which(self, keys: Collection[bytes]) -> set[bytes]:
        await turns(self.wait)
        return set()

    def put(self, key: bytes, value: bytes, replace: bool = False) -> None: ...

    async def close(self) -> None: ...


@pytest.mark.slow
@pytest.mark.parametrize("batch", [False, True], ids=["single", "batch"])
async def test_who_comes_at_any_moment_causes_no_second_fetch(slide: Slide, batch: bool) -> None:
    folder, digest = slide
    for wait in range(12):
        slow = Slow(LocalStore(folder))
        source = CachedSource(CoalescingSource(slow), MemoryCache(1 << 20, Sieve()), SlowDisk(wait))

        async def ask(later: int, source: CachedSource = source) -> bytes:
            await turns(later)
            if not batch:
                return await source.get(digest, FIRST.address, FIRST.layers)
            blocks = [block async for _, block in source.get_many(digest, [FIRST])]
            assert isinstance(blocks[0], bytes)
            return blocks[0]

        found = await asyncio.gather(*(ask(later) for later in range(60)))
        assert len(set(found)) == 1
        assert slow.asked == [FIRST]
        await source.close()


async def test_who_joins_a_fetch_that_was_given_up_begins_a_new_one(slide: Slide) -> None:
    folder, digest = slide
    slow = Slow(LocalStore(folder))
    slow.wait = 1000
    source = CoalescingSource(slow)

    async def ask(requests: Sequence[BlockRequest]) -> list[bytes]:
        return [block async for _, block in source.get_many(digest, requests) if isinstance(block, bytes)]

    leaving = asyncio.ensure_future(ask([FIRST, SECOND]))
    await turns(5)
    slow.wait = 3
    leaving.cancel()
    staying = asyncio.ensure_future(ask([SECOND, FIRST]))
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert len(await staying) == 2
    assert slow.asked == [FIRST, SECOND, SECOND, FIRST]
    assert not source._blocks
    await source.close()


async def test_what_nobody_waits_for_any_more_is_not_kept(slide: Slide) -> None:
    folder, digest = slide
    source = CoalescingSource(Slow(LocalStore(folder)))
    staying = asyncio.ensure_future(source.get(digest, FIRST.address, FIRST.layers))
    await turns(1)
    both = source.get_many(digest, [SECOND, FIRST])
    await anext(both)
    await both.aclose()
    await staying
    assert not source._blocks
    await source.close()
