"""Blocks that a connection asks for, outside of a task (ED40): of the sources of a service and of an edge."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from blocks.conftest import Slide
from wavescope.api.http.begun import Waiting, begin
from wavescope.blocks.cache.disk import DiskCache
from wavescope.blocks.cache.memory import MemoryCache
from wavescope.blocks.cache.policies import Sieve
from wavescope.blocks.cached import CachedSource
from wavescope.blocks.coalescing import CoalescingSource
from wavescope.blocks.local import LocalStore
from wavescope.blocks.measured import MeasuredSource, SourceReads
from wavescope.geometry import Address
from wavescope.store.reader import StoreReader

FIRST = Address(0, 0, 0, 0, 0)


@pytest_asyncio.fixture(params=["local", "edge"])
async def source(request: pytest.FixtureRequest, slide: Slide, tmp_path: Path) -> AsyncIterator[MeasuredSource]:
    """As a service and an edge have it."""
    inner = LocalStore(slide[0])
    disk = DiskCache(tmp_path / "cache", 1 << 24, "sieve")
    cached = CachedSource(CoalescingSource(inner), MemoryCache(1 << 20, Sieve()), disk)
    opened = MeasuredSource(inner if request.param == "local" else cached, SourceReads())
    yield opened
    await (opened if request.param == "edge" else cached).close()


async def test_a_block_can_be_asked_for_outside_of_a_task(source: MeasuredSource, slide: Slide) -> None:
    def ask() -> bytes | Waiting[bytes]:
        assert asyncio.current_task() is None
        return begin(source.get(slide[1], FIRST, range(1)))

    async def asked() -> bytes | Waiting[bytes]:
        answer: asyncio.Future[bytes | Waiting[bytes]] = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(lambda: answer.set_result(ask()))
        return await answer

    cold = await asked()
    assert isinstance(cold, Waiting)
    await cold.cancel()
    assert source._blocks.count == 0
    assert source._blocks.failures == {}
    stored = StoreReader.open(*slide).read(FIRST, range(1))
    assert await source.get(slide[1], FIRST, range(1)) == stored
    assert await asked() == stored
