"""Jobs of a node on a real Dask cluster: whole slides on workers, published by the node (CL50 to CL56)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile

from catalog.databases import new_database
from dask_cluster import DaskProcesses, dask_cluster
from ingest.worlds import ingested, tissue, write_tiff
from object_stores import Server
from service.cluster.worlds import Cluster, ended, until, until_jobs, upload, view_of
from small_disk import small_disk
from wavescope.config import Limits
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.composition import Services
from wavescope.service.jobs.cluster import dask as dask_runner
from wavescope.service.jobs.uploads import UploadOptions
from wavescope.service.storage import object_backend
from wavescope.source.base import Limits as SourceLimits
from wavescope.store.objects.copy import verify_objects

pytestmark = pytest.mark.slow

NUMBERS = count()


@pytest.fixture
async def cluster(tmp_path: Path, database: str, objects: Server) -> AsyncIterator[Cluster]:
    made = Cluster(tmp_path, new_database(database, f"dask{next(NUMBERS)}"))
    yield made
    await made.close()


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory, objects: Server) -> Iterator[DaskProcesses]:
    with dask_cluster(tmp_path_factory.mktemp("dask"), 2) as running:
        yield running


async def connected(cluster: Cluster, dask: DaskProcesses, workers: int = 2, **options: Any) -> Services:
    """A node whose Dask cluster has so many workers."""
    node = await cluster.start("a", dask_scheduler=dask.address, **options)
    assert node.dask is not None
    runner = node.dask
    await until(lambda: runner.max_in_flight() >= workers + 1)
    return node


def file_of(folder: Path, seed: int, size: tuple[int, int] = (700, 600)) -> tuple[bytes, str]:
    """A TIFF, and the digest that one machine makes of it."""
    file = write_tiff(folder / f"s{seed}.tif", tissue(*size, seed=seed))
    return file.read_bytes(), ingested(file, folder / f"one{seed}", quality="visual").digest


async def test_queued_slides_go_to_the_workers_and_equal_those_of_one_machine_cl50_cl56(
    cluster: Cluster, dask: DaskProcesses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_runner, "scan_after_import", lambda _config, _catalog, slide_id: f"judged: {slide_id}")
    node = await connected(cluster, dask)
    files = [file_of(tmp_path, seed) for seed in range(5)]
    held = [await upload(node, content, f"s{seed}.tif", hold="always") for seed, (content, _) in enumerate(files)]
    for job_id in held:
        await node.jobs.begin(LOCAL_USER, job_id)
    records = [(await ended(node, job_id)).record for job_id in held]
    assert [(record.state, record.error) for record in records] == [("done", None)] * 5
    assert [record.notices for record in records] == [(f"judged: {record.slide_id}",) for record in records]
    digests = [node.catalog.get(str(record.slide_id)).digest for record in records]
    assert digests == [digest for _, digest in files]
    place = object_backend(node.config)
    assert place is not None
    for digest in digests:
        assert not list(verify_objects(place, digest))
    assert not list((cluster.root / "a" / "ingest").glob("*")), "nothing is encoded on the node"


async def test_a_worker_takes_the_time_point_and_the_quality_of_channels_cl50_st66(
    cluster: Cluster, dask: DaskProcesses, tmp_path: Path
) -> None:
    """A quality for pictures that would be refused of channels is beside it."""
    node, file = await connected(cluster, dask), tmp_path / "a.ome.tif"
    samples = np.random.default_rng(50).integers(0, 4096, (2, 3, 300, 400), np.uint16)
    tifffile.imwrite(file, samples, metadata={"axes": "TCYX"}, photometric="minisblack")
    options = UploadOptions(quality="40dB", channel_quality="lossless", time=1)
    held = await upload(node, file.read_bytes(), file.name, options, hold="always")
    await node.jobs.begin(LOCAL_USER, held)
    record = (await ended(node, held)).record
    assert (record.state, record.error) == ("done", None)
    alone = ingested(file, tmp_path / "alone", quality="lossless", limits=SourceLimits(time=1))
    assert node.catalog.get(str(record.slide_id)).digest == alone.digest
    assert not list((cluster.root / "a" / "ingest").glob("*")), "nothing is encoded on the node"


async def test_one_slide_is_divided_among_the_workers_cl51(
    cluster: Cluster, dask: DaskProcesses, tmp_path: Path
) -> None:
    node = await connected(cluster, dask)
    content, digest = file_of(tmp_path, 9, (4300, 600))
    record = (await ended(node, await upload(node, content, "s9.tif"))).record
    assert (record.state, record.error) == ("done", None)
    assert node.catalog.get(str(record.slide_id)).digest == digest


async def test_a_worker_killed_in_the_middle_of_slides_loses_nothing_cl52(
    cluster: Cluster, tmp_path: Path, objects: Server
) -> None:
    with dask_cluster(tmp_path / "dask", 2) as dask:
        node = await connected(cluster, dask)
        files = [file_of(tmp_path, seed, (2200, 1500)) for seed in range(4)]
        jobs = [await upload(node, content, f"s{seed}.tif", hold="always") for seed, (content, _) in enumerate(files)]
        for job_id in jobs:
            await node.jobs.begin(LOCAL_USER, job_id)
        await until_jobs(node, lambda views: any(view.record.done for view in views))
        dask.kill("w0")
        records = [(await ended(node, job_id)).record for job_id in jobs]
        assert [(record.state, record.error) for record in records] == [("done", None)] * 4
        assert [node.catalog.get(str(one.slide_id)).digest for one in records] == [digest for _, digest in files]


async def test_a_cancelled_job_ends_on_its_worker_cl53(cluster: Cluster, dask: DaskProcesses, tmp_path: Path) -> None:
    node = await connected(cluster, dask)
    file = write_tiff(tmp_path / "s.tif", tissue(6000, 5000)).read_bytes()
    jobs = [await upload(node, file, f"{number}.tif", hold="always") for number in range(2)]
    for job_id in jobs:
        await node.jobs.begin(LOCAL_USER, job_id)

    async def cancelled(job_id: str) -> str:
        """Cancels it as soon as it works; one need not wait for the other, which may begin when the first is done."""
        await until_jobs(node, lambda views: any(view.record.total for view in views if view.record.id == job_id))
        return (await node.jobs.cancel(LOCAL_USER, job_id)).record.state

    assert await asyncio.gather(*map(cancelled, jobs)) == ["cancelled", "cancelled"]
    content, digest = file_of(tmp_path, 3)
    record = (await ended(node, await upload(node, content, "s3.tif"))).record  # the workers are free again
    assert node.catalog.get(str(record.slide_id)).digest == digest


async def test_bad_files_and_broken_workers_end_with_a_reason_cl55(cluster: Cluster, dask: DaskProcesses) -> None:
    node = await connected(cluster, dask)
    jobs = [await upload(node, b"no slide at all", f"{number}.svs", hold="always") for number in range(3)]
    for job_id in jobs:
        await node.jobs.begin(LOCAL_USER, job_id)
    for job_id in jobs:
        record = (await ended(node, job_id)).record
        assert record.state == "failed"
        assert record.error is not None
        assert record.error["cause"] == "UnsupportedSource"


async def test_a_worker_with_a_full_disk_leaves_slides_to_others_cl55(
    cluster: Cluster, tmp_path: Path, objects: Server
) -> None:
    with small_disk(tmp_path / "disk", 1) as small, dask_cluster(tmp_path / "dask", 1) as dask:
        dask.add("full", folder=small.path)
        node = await connected(cluster, dask, limits=Limits(free_bytes=0))
        files = [file_of(tmp_path, seed, (1500, 900)) for seed in range(3)]
        jobs = [await upload(node, content, f"s{seed}.tif", hold="always") for seed, (content, _) in enumerate(files)]
        for job_id in jobs:
            await node.jobs.begin(LOCAL_USER, job_id)
        records = [(await ended(node, job_id)).record for job_id in jobs]
        assert [(record.state, record.error) for record in records] == [("done", None)] * 3


async def test_jobs_wait_for_a_scheduler_that_is_away_cl55(cluster: Cluster, tmp_path: Path, objects: Server) -> None:
    dask = DaskProcesses(tmp_path / "dask")
    node = await cluster.start("a", dask_scheduler=dask.address)
    content, digest = file_of(tmp_path, 1)
    job_id = await upload(node, content, "s1.tif")
    await asyncio.sleep(0)
    assert (await view_of(node, job_id)).record.state in ("queued", "running")
    try:
        dask.start(1)
        record = (await ended(node, job_id)).record
        assert node.catalog.get(str(record.slide_id)).digest == digest
    finally:
        dask.stop()
