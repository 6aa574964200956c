"""LocalStore: blocks of a store on disk, one by one and many at once."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from ingest.worlds import ingested, tissue, write_tiff
from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.blocks.local import LocalStore
from wavescope.errors import CorruptBlock, OutOfRange, StaleVersion, WavescopeError
from wavescope.geometry import Address
from wavescope.store.handles import OpenFile
from wavescope.store.reader import StoreReader

Slide = tuple[Path, str]


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Slide:
    """2 x 2 tiles with glass, two levels of blocks above nothing: 1300 x 700."""
    folder = tmp_path_factory.mktemp("blocks")
    return folder, ingested(write_tiff(folder / "s.tif", tissue(1300, 700)), folder).digest


@pytest.fixture
def slide(published: Slide, tmp_path: Path) -> Slide:
    shutil.copytree(published[0] / "slides", tmp_path / "slides")
    return tmp_path, published[1]


@pytest_asyncio.fixture
async def local(slide: Slide) -> AsyncIterator[LocalStore]:
    opened = LocalStore(slide[0])
    yield opened
    opened.close()


def requests_of(reader: StoreReader) -> list[BlockRequest]:
    """Every block and the approximation, all layers."""
    layers = range(reader.manifest.layers)
    levels = [(level, *reader.manifest.pyramid.tiles(level)) for level in range(reader.manifest.top + 1)]
    return [
        BlockRequest(Address(0, 0, level, x, y), layers)
        for level, columns, rows in levels
        for y in range(rows)
        for x in range(columns)
    ]


async def answers(source: BlockSource, slide: str, requests: list[BlockRequest]) -> dict[int, bytes | WavescopeError]:
    found: dict[int, bytes | WavescopeError] = {}
    async for position, answer in source.get_many(slide, requests):
        assert position not in found
        found[position] = answer
    return found


async def answers_in_turn(source: BlockSource, slide: str, requests: list[BlockRequest]) -> list[int]:
    return [position async for position, _ in source.get_many(slide, requests)]


async def test_many_blocks_come_once_each_and_as_one_by_one(local: LocalStore, slide: Slide) -> None:
    requests = requests_of(StoreReader.open(*slide))
    cold = await answers(local, slide[1], requests)
    warm = await answers(local, slide[1], requests)
    single = {n: await local.get(slide[1], r.address, r.layers) for n, r in enumerate(requests)}
    assert cold == warm == single


@pytest.mark.parametrize("cold", [range(0, 99, 3), range(20), range(1, 99)])
async def test_many_blocks_come_in_the_order_of_their_use_whichever_wait_for_the_disk(
    local: LocalStore, slide: Slide, monkeypatch: pytest.MonkeyPatch, cold: range
) -> None:
    requests = requests_of(StoreReader.open(*slide)) * 4
    warm = StoreReader.read_now
    count = iter(range(len(requests)))
    await answers(local, slide[1], requests)
    monkeypatch.setattr(StoreReader, "read_now", lambda *of: None if next(count) in cold else warm(*of))
    assert list(await answers_in_turn(local, slide[1], requests)) == list(range(len(requests)))


async def test_a_damaged_block_does_not_keep_the_others(local: LocalStore, slide: Slide) -> None:
    requests = requests_of(StoreReader.open(*slide))
    good = await answers(local, slide[1], requests)
    local.forget(slide[1])
    (slide[0] / "slides" / slide[1] / "levels" / "0" / "c.0.0.0.0.0").unlink()
    found = await answers(local, slide[1], requests)
    for number, request in enumerate(requests):
        lost = request.address.level == 0 and good[number]
        assert isinstance(found[number], CorruptBlock) if lost else found[number] == good[number]


async def test_a_request_out_of_range_fails_alone(local: LocalStore, slide: Slide) -> None:
    requests = [BlockRequest(Address(0, 0, 0, 99, 0), range(1)), BlockRequest(Address(0, 0, 0, 0, 0), range(1))]
    for _ in range(2):
        found = await answers(local, slide[1], requests)
        assert isinstance(found[0], OutOfRange)
        assert isinstance(found[1], bytes)


async def test_an_unknown_version_is_stale(local: LocalStore) -> None:
    with pytest.raises(StaleVersion):
        await local.get("0" * 32, Address(0, 0, 0, 0, 0), range(1))
    found = await answers(local, "0" * 32, [BlockRequest(Address(0, 0, 0, 0, 0), range(1))])
    assert isinstance(found[0], StaleVersion)


async def test_a_version_removed_meanwhile_is_stale_not_corrupt(local: LocalStore, slide: Slide) -> None:
    await local.version(slide[1])
    shutil.rmtree(slide[0] / "slides" / slide[1])
    with pytest.raises(StaleVersion):
        await local.get(slide[1], Address(0, 0, 0, 0, 0), range(1))


async def test_index_pages_and_approximations_are_the_readers(local: LocalStore, slide: Slide) -> None:
    reader = StoreReader.open(*slide)
    assert await local.index_page(slide[1], 0, 0, 0, 0) == reader.page(0, 0, 0, 0)
    top = Address(0, 0, reader.manifest.top, 0, 0)
    assert await local.approximation(slide[1], 0, 0, range(1)) == reader.read(top, range(1))
    assert (await local.version(slide[1])).manifest == reader.manifest


async def test_what_is_kept_open_is_bounded(slide: Slide) -> None:
    small = LocalStore(slide[0], versions=1, shards=1, pages=1)
    requests = requests_of(StoreReader.open(*slide))
    await answers(small, slide[1], requests)
    assert len(small._caches.shards) == len(small._caches.pages) == len(small._readers) == 1
    small.close()
    assert len(small._caches.shards) == 0


def test_a_descriptor_lives_as_long_as_its_last_reader(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"0123456789")
    opened = OpenFile(file)
    assert opened.read(2, 3) == b"234"
    assert opened.read_cached(2, 3) in (b"234", None)
    with pytest.raises(ValueError, match="the file ends at byte 10"):
        opened.read(8, 3)
    assert opened.read_cached(8, 3) is None


async def test_a_reader_that_stops_early_leaves_no_task_behind(local: LocalStore, slide: Slide) -> None:
    requests = requests_of(StoreReader.open(*slide)) * 20
    many = local.get_many(slide[1], requests)
    async for _ in many:
        break
    await many.aclose()  # type: ignore[attr-defined]
    assert await local.get(slide[1], requests[0].address, range(1))
