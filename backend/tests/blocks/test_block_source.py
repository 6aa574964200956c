"""What every BlockSource does, whichever it is. An implementation or wrapper joins by one line in SOURCES."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
import pytest_asyncio
from obstore.store import LocalStore as Folder

from blocks.conftest import Slide, answers
from blocks.origin import AnyPermit, origin
from ingest.worlds import ingested, tissue, write_tiff
from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.blocks.cache.disk import DiskCache
from wavescope.blocks.cache.memory import MemoryCache
from wavescope.blocks.cache.policies import Sieve
from wavescope.blocks.cached import CachedSource
from wavescope.blocks.coalescing import CoalescingSource
from wavescope.blocks.local import LocalStore
from wavescope.blocks.measured import MeasuredSource, SourceReads
from wavescope.blocks.object_store.source import ObjectSource
from wavescope.blocks.remote.source import RemoteSource
from wavescope.blocks.replicated.policies import policy
from wavescope.blocks.replicated.source import ReplicatedSource
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.errors import CorruptBlock, CorruptStore, OutOfRange, StaleVersion
from wavescope.geometry import Address
from wavescope.store.objects.client import Objects
from wavescope.store.reader import StoreReader

SOURCES: dict[str, Callable[[Path], BlockSource]] = {
    "local": LocalStore,
    "coalescing": lambda store: CoalescingSource(LocalStore(store)),
    "cached": lambda store: CachedSource(LocalStore(store), MemoryCache(1 << 20, Sieve())),
    "wrapped": lambda store: SourceWrapper(LocalStore(store)),
    "measured": lambda store: MeasuredSource(LocalStore(store), SourceReads()),
    "replicated": lambda store: ReplicatedSource({"a": LocalStore(store), "b": LocalStore(store)}, policy("flow")),
    "object store": lambda store: ObjectSource(objects_in(store)),
    "cached object store": lambda store: CachedSource(
        CoalescingSource(ObjectSource(objects_in(store))), MemoryCache(1 << 20, Sieve())
    ),
    "measured twice": lambda store: MeasuredSource(MeasuredSource(LocalStore(store), SourceReads()), SourceReads()),
}
REMOTE: dict[str, Callable[[str, Path], BlockSource]] = {
    "remote": lambda url, _: RemoteSource(url, AnyPermit()),
    "edge": lambda url, folder: CachedSource(
        CoalescingSource(RemoteSource(url, AnyPermit())),
        MemoryCache(1 << 20, Sieve()),
        DiskCache(folder / "cache", 1 << 24, "sieve"),
    ),
}
FIRST = Address(0, 0, 0, 0, 0)
UNKNOWN = "0" * 32


def objects_in(folder: Path) -> Objects:
    """A folder in place of a bucket."""
    return Objects(Folder(folder))  # type: ignore[arg-type]


@pytest_asyncio.fixture(params=[*SOURCES, *REMOTE])
async def source(request: pytest.FixtureRequest, slide: Slide) -> AsyncIterator[BlockSource]:
    if request.param in SOURCES:
        opened = SOURCES[request.param](slide[0])
        yield opened
        await opened.close()
        return
    stored = LocalStore(slide[0])
    async with origin(slide[0], stored) as served:
        opened = REMOTE[request.param](served.url, slide[0])
        forget = opened.forget

        def forget_both(slide: str) -> None:
            stored.forget(slide)
            forget(slide)

        opened.forget = forget_both  # type: ignore[method-assign]
        yield opened
        await opened.close()
    await stored.close()


@pytest.fixture
def reader(slide: Slide) -> StoreReader:
    return StoreReader.open(*slide)


async def test_a_version_is_opened_once_until_it_is_forgotten(source: BlockSource, reader: StoreReader) -> None:
    version = await source.version(reader.digest)
    assert version == reader.version
    assert await source.version(reader.digest) is version
    source.forget(reader.digest)
    again = await source.version(reader.digest)
    assert again == version
    assert again is not version


async def test_a_block_is_what_is_stored(
    source: BlockSource, reader: StoreReader, requests: list[BlockRequest]
) -> None:
    for _ in range(2):  # from the disk, then from memory
        for request in requests:
            stored = reader.read(request.address, request.layers)
            assert await source.get(reader.digest, request.address, request.layers) == stored
    assert await source.get(reader.digest, FIRST, range(1, 2)) == reader.read(FIRST, range(1, 2))
    assert await source.get(reader.digest, FIRST, range(1, 1)) == b""


async def test_many_blocks_come_once_each_and_as_one_by_one(
    source: BlockSource, slide: Slide, requests: list[BlockRequest]
) -> None:
    cold = await answers(source, slide[1], requests)
    warm = await answers(source, slide[1], requests)
    single = {n: await source.get(slide[1], r.address, r.layers) for n, r in enumerate(requests)}
    assert cold == warm == single
    assert await answers(source, slide[1], []) == {}


async def test_an_approximation_is_the_block_of_the_top_level(source: BlockSource, reader: StoreReader) -> None:
    top = Address(0, 0, reader.version.top, 0, 0)
    for layers in (range(1), range(reader.version.layers)):
        found = await source.approximation(reader.digest, 0, 0, layers)
        assert found == reader.read(top, layers) == await source.get(reader.digest, top, layers)


async def test_an_index_page_is_what_is_stored(source: BlockSource, reader: StoreReader) -> None:
    for level in range(reader.version.top):
        assert await source.index_page(reader.digest, 0, 0, level, 0) == reader.page(0, 0, level, 0)


@pytest.mark.slow
@pytest.mark.parametrize("profile", [None, b"a profile"])
async def test_an_icc_profile_is_that_of_the_file(source: BlockSource, tmp_path: Path, profile: bytes | None) -> None:
    file = write_tiff(tmp_path / "s.tif", tissue(600, 600), profile)
    assert await source.icc_profile(ingested(file, tmp_path).digest) == profile


Read = Callable[[BlockSource, str], Awaitable[Any]]
READS: dict[str, Read] = {
    "version": lambda source, slide: source.version(slide),
    "get": lambda source, slide: source.get(slide, FIRST, range(1)),
    "approximation": lambda source, slide: source.approximation(slide, 0, 0, range(1)),
    "index_page": lambda source, slide: source.index_page(slide, 0, 0, 0, 0),
    "icc_profile": lambda source, slide: source.icc_profile(slide),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS.keys())
async def test_an_unknown_version_is_stale(source: BlockSource, read: Read) -> None:
    with pytest.raises(StaleVersion):
        await read(source, UNKNOWN)


async def test_many_blocks_of_an_unknown_version_are_stale_one_by_one(
    source: BlockSource, requests: list[BlockRequest]
) -> None:
    found = await answers(source, UNKNOWN, requests)
    assert {type(answer) for answer in found.values()} == {StaleVersion}
    assert len(found) == len(requests)


OUTSIDE: dict[str, Read] = {
    "a plane": lambda source, slide: source.get(slide, Address(1, 0, 0, 0, 0), range(1)),
    "a channel group": lambda source, slide: source.get(slide, Address(0, 1, 0, 0, 0), range(1)),
    "a level": lambda source, slide: source.get(slide, Address(0, 0, 9, 0, 0), range(1)),
    "a tile": lambda source, slide: source.get(slide, Address(0, 0, 0, 99, 0), range(1)),
    "a negative tile": lambda source, slide: source.get(slide, Address(0, 0, 0, 0, -1), range(1)),
    "layers": lambda source, slide: source.get(slide, FIRST, range(9)),
    "every second layer": lambda source, slide: source.get(slide, FIRST, range(0, 2, 2)),
    "a plane's approximation": lambda source, slide: source.approximation(slide, 1, 0, range(1)),
    "layers of an approximation": lambda source, slide: source.approximation(slide, 0, 0, range(9)),
    "an index page": lambda source, slide: source.index_page(slide, 0, 0, 0, 9),
    "an index page of the top level": lambda source, slide: source.index_page(slide, 0, 0, 3, 0),
}


@pytest.mark.parametrize("ask", OUTSIDE.values(), ids=OUTSIDE.keys())
async def test_what_the_slide_does_not_have_is_out_of_range(source: BlockSource, slide: Slide, ask: Read) -> None:
    for _ in range(2):  # as the version is opened, and when it is open
        with pytest.raises(OutOfRange):
            await ask(source, slide[1])


async def test_a_request_out_of_range_fails_alone(source: BlockSource, slide: Slide) -> None:
    requests = [BlockRequest(Address(0, 0, 0, 99, 0), range(1)), BlockRequest(FIRST, range(1))]
    for _ in range(2):
        found = await answers(source, slide[1], requests)
        assert isinstance(found[0], OutOfRange)
        assert isinstance(found[1], bytes)


async def test_a_damaged_block_does_not_keep_the_others(
    source: BlockSource, slide: Slide, requests: list[BlockRequest]
) -> None:
    good = await answers(source, slide[1], requests)
    source.forget(slide[1])
    (slide[0] / "slides" / slide[1] / "levels" / "0" / "c.0.0.0.0.0").unlink()
    found = await answers(source, slide[1], requests)
    for number, request in enumerate(requests):
        lost = request.address.level == 0 and good[number]
        assert isinstance(found[number], CorruptBlock) if lost else found[number] == good[number]
    with pytest.raises(CorruptBlock):
        await source.get(slide[1], FIRST, range(1))


async def test_a_forgotten_version_is_read_anew(source: BlockSource, slide: Slide) -> None:
    shard = slide[0] / "slides" / slide[1] / "levels" / "0" / "c.0.0.0.0.0"
    stored = await source.get(slide[1], FIRST, range(1))
    good = shard.read_bytes()
    shard.write_bytes(bytes(len(good)))
    source.forget(slide[1])
    with pytest.raises(CorruptBlock):
        await source.get(slide[1], FIRST, range(1))
    shard.write_bytes(good)
    source.forget(slide[1])
    assert await source.get(slide[1], FIRST, range(1)) == stored


async def test_a_damaged_manifest_is_a_corrupt_store(source: BlockSource, slide: Slide) -> None:
    (slide[0] / "slides" / slide[1] / "manifest.json").write_bytes(b"{}")
    with pytest.raises(CorruptStore):
        await source.version(slide[1])


@pytest.mark.parametrize("read", [READS["get"], READS["approximation"], READS["index_page"]])
async def test_a_version_removed_meanwhile_is_stale_not_corrupt(source: BlockSource, slide: Slide, read: Read) -> None:
    await source.version(slide[1])
    shutil.rmtree(slide[0] / "slides" / slide[1])
    for ask in (read, READS["version"]):
        with pytest.raises(StaleVersion):
            await ask(source, slide[1])


async def test_a_caller_that_stops_early_leaves_no_task_behind(
    source: BlockSource, slide: Slide, requests: list[BlockRequest]
) -> None:
    async with aclosing(source.get_many(slide[1], requests * 20)) as many:
        async for _ in many:
            break
    await asyncio.sleep(0)  # cancelled reads end
    left = {coroutine_file(task) for task in asyncio.all_tasks() if task is not asyncio.current_task()}
    if any("uvicorn" in file for file in left):  # the origin is in this process, too, and notices later
        left = {file for file in left if file.endswith(("cached.py", "coalescing.py", "source.py", "client.py"))}
    assert not left
    assert await source.get(slide[1], FIRST, range(1))


def coroutine_file(task: asyncio.Task[Any]) -> str:
    """The file whose function a task runs."""
    code: CodeType = task.get_coro().cr_code  # type: ignore[union-attr]
    return code.co_filename
