"""A service whose slides are in an object store: blocks by few reads, outages without wrong answers, collection."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ingest.worlds import tissue, write_tiff
from object_stores import BUCKET, Server, served
from wavescope.blocks.base import BlockRequest
from wavescope.blocks.object_store.source import ObjectSource
from wavescope.catalog.catalog import Catalog
from wavescope.config import Config
from wavescope.errors import InvalidParameter, StaleVersion, StoreBusy, Unavailable
from wavescope.geometry import Address
from wavescope.ingest.pipeline import Options, ingest
from wavescope.service.composition import compose
from wavescope.service.jobs import advice_child
from wavescope.service.jobs.runner import ChildRunner
from wavescope.service.slides.removal import collect_versions
from wavescope.service.storage import (
    block_source,
    object_backend,
    stored_manifest,
    version_in_folder,
)
from wavescope.store.objects.backend import FolderBackend
from wavescope.store.objects.client import Objects
from wavescope.store.objects.copy import copy, verify_objects
from wavescope.store.objects.lease import leased
from wavescope.store.reader import StoreReader

LOCATION = f"s3://{BUCKET}"
Served = tuple[Server, Path, str]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A slide in a folder and in an object store."""
    root = tmp_path_factory.mktemp("objects")
    file = write_tiff(root / "s.tif", tissue(4400, 1800))
    with closing(Catalog.open(root / "store")) as catalog:
        digest = ingest(file, root / "store", catalog, Options("s")).digest
    with served(root / "s3") as server:
        place = object_backend(Config(slide_store=LOCATION))
        assert place is not None
        copy(FolderBackend(root / "store"), place, digest)
        yield server, root / "store", digest


def view(x: int, y: int, columns: int, rows: int, level: int = 0, layers: int = 1) -> list[BlockRequest]:
    return [
        BlockRequest(Address(0, 0, level, x + dx, y + dy), range(layers)) for dy in range(rows) for dx in range(columns)
    ]


async def found(source: object, digest: str, requests: list[BlockRequest]) -> dict[int, object]:
    return {position: data async for position, data in source.get_many(digest, requests)}  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize("where", [(0, 0), (5, 1), (10, 2)])
async def test_st82_a_view_of_stored_blocks_needs_at_most_four_reads_a_level(
    stored: Served, where: tuple[int, int]
) -> None:
    _, store, digest = stored
    reader, source = StoreReader.open(store, digest), ObjectSource(Objects.at(LOCATION))
    requests = view(*where, 8, 6)
    await source.index_page(digest, 0, 0, 0, 0)
    before = source.reads.requests
    assert await found(source, digest, requests) == {
        at: reader.read(one.address, one.layers) for at, one in enumerate(requests)
    }
    assert source.reads.requests - before <= 4


async def test_st81_the_first_block_of_a_slide_takes_three_reads(stored: Served) -> None:
    source = ObjectSource(Objects.at(LOCATION))
    await source.get(stored[2], Address(0, 0, 0, 0, 0), range(1))
    assert source.reads.requests == 3  # manifest, start of the layer index, block


async def test_st82_the_service_reads_a_view_as_one(stored: Served, tmp_path: Path) -> None:
    source, _ = block_source(Config(store=tmp_path, slide_store=LOCATION))
    requests = view(2, 0, 16, 7)
    first = await found(source, stored[2], requests)
    assert await found(source, stored[2], requests) == first
    assert all(isinstance(data, bytes) for data in first.values())
    await source.close()


async def test_st80_a_service_is_composed_over_an_object_store(stored: Served) -> None:
    _, store, digest = stored
    services = compose(Config(store=store, slide_store=LOCATION, run_jobs=False))
    address = Address(0, 0, 1, 2, 2)
    assert await services.blocks.get(digest, address, range(1)) == StoreReader.open(store, digest).read(
        address, range(1)
    )
    assert services.caches["pages"].misses == 1
    services.blocks.forget(digest)
    services.pixels.close()
    await services.blocks.close()
    services.catalog.close()


async def test_st86_an_outage_gives_no_wrong_and_no_lost_answer(stored: Served) -> None:
    server, store, digest = stored
    reader, source = StoreReader.open(store, digest), ObjectSource(Objects.at(LOCATION, 30.0))
    requests = view(0, 0, 4, 4, layers=2)
    await source.version(digest)
    server.stop()
    batch = asyncio.ensure_future(found(source, digest, requests))
    single = asyncio.ensure_future(source.get(digest, requests[5].address, range(1)))
    await asyncio.sleep(0.3)  # both have met the outage
    assert not batch.done()
    assert not single.done()
    await asyncio.to_thread(server.start)
    assert await batch == {at: reader.read(one.address, one.layers) for at, one in enumerate(requests)}
    assert await single == reader.read(requests[5].address, range(1))


@pytest.mark.long
async def test_st86_ten_seconds_without_the_store_under_load_lose_no_answer(stored: Served) -> None:
    server, store, digest = stored
    reader, source = StoreReader.open(store, digest), ObjectSource(Objects.at(LOCATION))
    requests = view(0, 0, 16, 7)
    right = [reader.read(one.address, one.layers) for one in requests]
    ended, counts = asyncio.Event(), {"right": 0, "other": 0}

    async def client(number: int) -> None:
        while not ended.is_set():
            some = [(7 * number + 13 * n) % len(requests) for n in range(12)]
            answers = await found(source, digest, [requests[at] for at in some])
            for n, at in enumerate(some):
                counts["right" if answers.get(n) == right[at] else "other"] += 1

    clients = [asyncio.ensure_future(client(number)) for number in range(16)]
    await asyncio.sleep(2)
    server.stop()
    before = counts["right"]
    await asyncio.sleep(10)
    await asyncio.to_thread(server.start)
    during, began = counts["right"], asyncio.get_running_loop().time()
    while counts["right"] < during + 12 * len(clients):
        await asyncio.sleep(0.05)
    print(f"answers before {before}, recovered after {asyncio.get_running_loop().time() - began:.1f} s")
    ended.set()
    await asyncio.gather(*clients)
    assert before > 0
    assert counts["other"] == 0


async def test_st86_a_longer_outage_is_unavailable_never_damage(stored: Served) -> None:
    server, _, digest = stored
    source = ObjectSource(Objects.at(LOCATION, 0.2))
    await source.version(digest)
    server.stop()
    try:
        answers = await found(source, digest, view(0, 0, 3, 3))
        assert {type(data) for data in answers.values()} == {Unavailable}
        with pytest.raises(Unavailable):
            await source.get(digest, Address(0, 0, 0, 0, 0), range(1))
        with pytest.raises(Unavailable):
            await ObjectSource(Objects.at(LOCATION, 0.2)).version(digest)
    finally:
        await asyncio.to_thread(server.start)
    assert all(isinstance(data, bytes) for data in (await found(source, digest, view(0, 0, 3, 3))).values())


@pytest.mark.slow
async def test_st80_a_job_publishes_in_the_object_store(stored: Served, tmp_path: Path) -> None:
    config = Config(store=tmp_path / "store", slide_store=f"{LOCATION}/jobs")
    (tmp_path / "store").mkdir()
    file = write_tiff(tmp_path / "job.tif", tissue(600, 500))
    made = await ChildRunner(config).run(file, {}, lambda done, total: None)
    place = object_backend(config)
    assert place is not None
    with closing(Catalog.open(config.store)) as catalog:
        digest = catalog.resolve(made.slide_id)
    assert place.digests() == [digest]
    assert list(verify_objects(place, digest)) == []


async def test_st85_a_version_that_is_published_again_is_not_collected(stored: Served, tmp_path: Path) -> None:
    place = object_backend(Config(slide_store=f"{LOCATION}/collected"))
    assert place is not None
    catalog, digests = Catalog.open(tmp_path / "store"), []
    for seed in (0, 1):
        file = write_tiff(tmp_path / f"{seed}.tif", tissue(300, 200, seed=seed))
        digests.append(ingest(file, tmp_path / "store", catalog, Options("s", backend=place)).digest)
    source = ObjectSource(Objects.at(f"{LOCATION}/collected"))
    await source.version(digests[0])
    with leased(Objects.at(f"{LOCATION}/collected"), digests[0]):
        assert collect_versions(catalog, tmp_path / "store", 1e12, lambda _: None, place) == ()
        with pytest.raises(StoreBusy):
            place.remove(digests[0])
    await source.approximation(digests[0], 0, 0, range(1))
    assert collect_versions(catalog, tmp_path / "store", 1e12, source.forget, place) == (digests[0],)
    with pytest.raises(StaleVersion):
        await source.approximation(digests[0], 0, 0, range(1))
    assert place.digests() == [digests[1]]
    catalog.close()


@pytest.fixture
def own(stored: Served, tmp_path: Path) -> Iterator[tuple[Config, Catalog, str]]:
    """A service whose slide s lies in an object store alone."""
    config = Config(store=tmp_path / "own", slide_store=f"{LOCATION}/{tmp_path.name}")
    file = write_tiff(tmp_path / "own.tif", tissue(900, 700))
    with closing(Catalog.open(config.store)) as catalog:
        options = Options("s", quality="lossless", backend=object_backend(config))
        yield config, catalog, ingest(file, config.store, catalog, options).digest


@pytest.mark.slow
async def test_st87_a_slide_in_an_object_store_is_encoded_again_there(own: tuple[Config, Catalog, str]) -> None:
    config, catalog, digest = own
    options = {"id": "s", "quality": "36dB", "reencodes": digest}
    made = await ChildRunner(config).run(Path("s"), options, lambda done, total: None)
    assert made.slide_id == "s"
    place, again = object_backend(config), catalog.resolve("s")
    assert place is not None
    assert set(place.digests()) == {digest, again}
    assert list(verify_objects(place, again)) == []
    assert stored_manifest(config, again).chosen.reencoded == (digest,)  # type: ignore[union-attr]
    assert not list((config.store / "ingest").glob("reencode-*"))
    assert not list((config.store / "slides").glob("*"))


async def test_st87_a_copy_is_for_one_process_and_goes_after_use(own: tuple[Config, Catalog, str]) -> None:
    config, _, digest = own
    with version_in_folder(config, digest, "this") as folder:
        reader = StoreReader.open(folder, digest)
        assert reader.read(Address(0, 0, 1, 0, 0), range(1))
        with pytest.raises(StoreBusy), version_in_folder(config, digest, "this"):
            pass
    assert not list((config.store / "ingest").iterdir())
    with pytest.raises(StaleVersion), version_in_folder(config, "0" * 32, "this"):
        pass
    assert not list((config.store / "ingest").iterdir())


@pytest.mark.slow
def test_st87_the_estimate_reads_the_object_store(own: tuple[Config, Catalog, str]) -> None:
    config, _, digest = own
    order = {
        "store": str(config.store),
        "slide_store": config.slide_store,
        "slide_store_seconds": config.slide_store_seconds,
        "digest": digest,
        "limits": vars(config.limits),
    }
    assert advice_child.response_to(order)["presets"]["compact"]["bytes"] > 0
    assert advice_child.response_to({**order, "digest": "0" * 32})["cause"] == "StaleVersion"


def test_what_needs_a_folder_says_so() -> None:
    with pytest.raises(InvalidParameter, match="slide_store"):
        Config(store=Path(LOCATION))
