"""Blocks from S3 against local disk: CPU and latency per block, single and batch; beside them obstore alone.

A real S3 server (versitygw) on loopback has a copy of the slide. Latency is the median of a call, divided by its
blocks; CPU is that of this process per block. The peer reads the same bytes without plan and checks, one ranged read
per block.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing, closing
from pathlib import Path
from tempfile import TemporaryDirectory

import obstore
from obstore.store import S3Store
from setting import table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from object_stores import BUCKET, served
from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.blocks.local import LocalStore
from wavescope.blocks.object_store.source import ObjectSource
from wavescope.catalog.catalog import Catalog
from wavescope.geometry import Address
from wavescope.ingest.pipeline import Options, ingest
from wavescope.store.handles import OpenShard
from wavescope.store.objects.backend import FolderBackend, ObjectBackend
from wavescope.store.objects.client import Objects
from wavescope.store.objects.copy import copy
from wavescope.store.reader import StoreReader
from wavescope.store.reading import entry_of, shard_of

SLIDE = "specimen:6000x4500?seed=3"
VIEW = (8, 5)  # tiles of a view of 1876 x 1004 and a margin
VIEWS, ROUNDS, SINGLES = 8, 12, 60
Work = Callable[[], Awaitable[int]]


async def measured(work: Work) -> tuple[float, float, int]:
    """Median seconds of a call, CPU seconds per call, blocks per call."""
    await work()  # what is opened once
    seconds, cpu, blocks = [], time.process_time(), 0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        blocks = await work()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds), (time.process_time() - cpu) / ROUNDS, blocks


def views(columns: int, rows: int) -> list[list[BlockRequest]]:
    dice, found = random.Random(5), []
    for _ in range(VIEWS):
        x, y = dice.randint(0, columns - VIEW[0]), dice.randint(0, rows - VIEW[1])
        found.append(
            [BlockRequest(Address(0, 0, 0, x + dx, y + dy), range(2)) for dy in range(VIEW[1]) for dx in range(VIEW[0])]
        )
    return found


def batches(source: BlockSource, digest: str, wanted: list[list[BlockRequest]]) -> Work:
    async def work() -> int:
        for one in wanted:
            async with aclosing(source.get_many(digest, one)) as answers:
                async for _, data in answers:
                    assert isinstance(data, bytes), data
        return sum(map(len, wanted))

    return work


def singles(source: BlockSource, digest: str, wanted: list[list[BlockRequest]]) -> Work:
    some = [one for view in wanted for one in view][:SINGLES]

    async def work() -> int:
        for one in some:
            await source.get(digest, one.address, one.layers)
        return len(some)

    return work


def plain(store: S3Store, reader: StoreReader, wanted: list[list[BlockRequest]], at_once: bool) -> Work:
    """The same bytes by obstore alone, one ranged read per block."""
    extents = []
    for one in [one for view in wanted for one in view][: None if at_once else SINGLES]:
        shard = shard_of(one.address)
        path = reader.paths.shard(*shard)
        entry = entry_of(OpenShard(path).entries, one.address)
        assert entry is not None
        extents.append((f"slides/{reader.digest}/{path.relative_to(reader.paths.root)}", *entry))

    async def work() -> int:
        reads = [obstore.get_range_async(store, path, start=start, length=size) for path, start, size in extents]
        if at_once:
            await asyncio.gather(*reads)
        else:
            for read in reads:
                await read
        return len(extents)

    return work


async def run(folder: Path) -> None:
    with closing(Catalog.open(folder / "store")) as catalog:
        digest = ingest(SLIDE, folder / "store", catalog, Options("bench")).digest
    place = ObjectBackend(Objects.at(f"s3://{BUCKET}"))
    copy(FolderBackend(folder / "store"), place, digest)
    reader = StoreReader.open(folder / "store", digest)
    wanted = [
        [one for one in view if any(reader.layer_lengths(one.address))]
        for view in views(*reader.manifest.pyramid.tiles(0))
    ]
    local, remote = LocalStore(folder / "store"), ObjectSource(Objects.at(f"s3://{BUCKET}"))
    store = S3Store(BUCKET, client_options={"allow_http": True})
    rows = []
    works: dict[str, Work] = {
        "disk, single": singles(local, digest, wanted),
        "S3, single": singles(remote, digest, wanted),
        "obstore alone, single": plain(store, reader, wanted, False),
        "disk, batch of a view": batches(local, digest, wanted),
        "S3, batch of a view": batches(remote, digest, wanted),
        "obstore alone, all at once": plain(store, reader, wanted, True),
    }
    for name, work in works.items():
        seconds, cpu, blocks = await measured(work)
        rows.append((name, f"{1e6 * seconds / blocks:.0f}", f"{1e6 * cpu / blocks:.0f}"))
    before = remote.reads.requests
    await batches(remote, digest, wanted)()
    reads = remote.reads.requests - before
    table("Blocks of level 0", ("blocks from", "latency, us per block", "CPU, us per block"), rows)
    print(f"{len(wanted)} views of {VIEW[0]} x {VIEW[1]} blocks of one level took {reads} ranged reads")
    await local.close()
    await remote.close()


def main() -> None:
    with TemporaryDirectory() as name, served(Path(name) / "s3"):
        asyncio.run(run(Path(name)))


if __name__ == "__main__":
    main()
