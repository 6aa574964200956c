"""MeasuredSource counts and times what it passes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing

import pytest
import pytest_asyncio

from blocks.conftest import Slide, answers
from wavescope.blocks import measured
from wavescope.blocks.base import Answer, BlockRequest
from wavescope.blocks.local import LocalStore
from wavescope.blocks.measured import MeasuredSource, SourceReads
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.errors import CorruptBlock, OutOfRange, StaleVersion
from wavescope.geometry import Address

FIRST = Address(0, 0, 0, 0, 0)


@pytest.fixture
def reads() -> SourceReads:
    return SourceReads()


@pytest_asyncio.fixture
async def source(slide: Slide, reads: SourceReads) -> AsyncIterator[MeasuredSource]:
    opened = MeasuredSource(LocalStore(slide[0]), reads)
    yield opened
    await opened.close()


async def test_reads_are_counted_with_their_bytes_and_seconds_by_kind(
    source: MeasuredSource, reads: SourceReads, slide: Slide, requests: list[BlockRequest]
) -> None:
    blocks = [await source.get(slide[1], FIRST, range(1)) for _ in range(2)]
    many = [data for data in (await answers(source, slide[1], requests)).values() if isinstance(data, bytes)]
    top = await source.approximation(slide[1], 0, 0, range(1))
    page = await source.index_page(slide[1], 0, 0, 0, 0)
    assert await source.icc_profile(slide[1]) is None
    assert {kind: (counted.count, counted.bytes) for kind, counted in reads.of.items()} == {
        "block": (2, sum(map(len, blocks))),
        "batch": (len(requests), sum(map(len, many))),
        "approximation": (1, len(top)),
        "index_page": (1, len(page)),
        "icc_profile": (1, 0),
    }
    assert all(counted.seconds > 0 and not counted.failures for counted in reads.of.values())


async def test_failures_are_counted_by_their_cause_and_not_as_reads(
    source: MeasuredSource, reads: SourceReads, slide: Slide, requests: list[BlockRequest]
) -> None:
    with pytest.raises(StaleVersion):
        await source.get("0" * 32, FIRST, range(1))
    with pytest.raises(OutOfRange):
        await source.index_page(slide[1], 0, 0, 0, 9)
    (slide[0] / "slides" / slide[1] / "levels" / "0" / "c.0.0.0.0.0").unlink()
    found = await answers(source, slide[1], requests)
    damaged = sum(isinstance(answer, CorruptBlock) for answer in found.values())
    assert damaged
    assert dict(reads.of["block"].failures) == {"StaleVersion": 1}
    assert dict(reads.of["index_page"].failures) == {"OutOfRange": 1}
    assert dict(reads.of["batch"].failures) == {"CorruptBlock": damaged}
    assert reads.of["block"].count == reads.of["index_page"].count == 0
    assert reads.of["batch"].count == len(requests) - damaged


async def test_every_wrapper_of_a_stack_counts_the_same(slide: Slide, requests: list[BlockRequest]) -> None:
    inner, outer = SourceReads(), SourceReads()
    source = MeasuredSource(MeasuredSource(LocalStore(slide[0]), inner), outer)
    await answers(source, slide[1], requests)
    await source.get(slide[1], FIRST, range(1))
    for kind, counted in outer.of.items():
        assert (counted.count, counted.bytes) == (inner.of[kind].count, inner.of[kind].bytes)
    await source.close()


async def test_the_seconds_of_a_batch_are_those_of_the_source_not_of_its_caller(
    reads: SourceReads, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(measured, "perf_counter", lambda: now)

    class Slow(SourceWrapper):
        def __init__(self) -> None:
            """Wraps nothing: every answer takes 2 s."""

        async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
            nonlocal now
            for position, _ in enumerate(requests):
                now += 2
                yield position, b"data"

    async for _ in MeasuredSource(Slow(), reads).get_many("digest", [BlockRequest(FIRST, range(1))] * 3):
        now += 100
    assert reads.of["batch"].seconds == 6


async def test_a_read_that_is_cancelled_is_neither_a_read_nor_a_failure(reads: SourceReads) -> None:
    begun = asyncio.Event()

    class Hanging(SourceWrapper):
        def __init__(self) -> None:
            """Wraps nothing: a block never comes."""

        async def get(self, slide: str, address: Address, layers: range) -> bytes:
            begun.set()
            await asyncio.Event().wait()
            return b""

    task = asyncio.ensure_future(MeasuredSource(Hanging(), reads).get("digest", FIRST, range(1)))
    await begun.wait()
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    assert (reads.of["block"].count, reads.of["block"].failures) == (0, {})


async def test_a_batch_that_is_closed_early_closes_its_source(reads: SourceReads) -> None:
    closed = []

    class Watched(SourceWrapper):
        def __init__(self) -> None:
            """Wraps nothing: says when it is closed."""

        async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
            try:
                for position, _ in enumerate(requests):
                    yield position, b""
            finally:
                closed.append(True)

    many = MeasuredSource(Watched(), reads).get_many("digest", [BlockRequest(FIRST, range(1))] * 3)
    async with aclosing(many):
        async for _ in many:
            break
    assert closed == [True]
    assert reads.of["batch"].count == 1
