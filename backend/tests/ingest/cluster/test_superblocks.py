"""One slide across the workers of a real Dask cluster: the same bytes, whatever happens to workers (CL51 to CL55)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import tifffile

from dask_cluster import DaskProcesses, dask_cluster
from ingest.worlds import ingested, tissue, write_tiff
from small_disk import small_disk
from wavescope.catalog.catalog import Catalog
from wavescope.errors import IngestCancelled, IngestClusterAway, StoreFull, UnreadableSource
from wavescope.ingest.cluster import client as client_module
from wavescope.ingest.cluster import superblocks as superblocks_module
from wavescope.ingest.cluster.client import connected
from wavescope.ingest.cluster.orders import SharedSource
from wavescope.ingest.cluster.superblocks import encode_on
from wavescope.ingest.pipeline import Ingested, Options, Progress, ingest
from wavescope.ingest.quality.presets import DEFAULT

pytestmark = pytest.mark.slow

WIDTH, HEIGHT = 4500, 4300  # 2 x 2 units of level 0


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskProcesses]:
    with dask_cluster(tmp_path_factory.mktemp("dask"), 2) as running:
        yield running


@pytest.fixture(scope="module")
def slide(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A file, and the digest that one machine makes of it."""
    folder = tmp_path_factory.mktemp("slide")
    file = write_tiff(folder / "s.tif", tissue(WIDTH, HEIGHT))
    return file, ingested(file, folder / "one").digest


def on(
    cluster: DaskProcesses,
    file: Path,
    store: Path,
    *,
    source: SharedSource | None = None,
    quality: str = DEFAULT,
    **hooks: object,
) -> Ingested:
    store.mkdir(exist_ok=True)
    catalog = Catalog.open(store)
    try:
        with connected(cluster.address, source or SharedSource(str(file))) as workers:
            workers._client.wait_for_workers(1, timeout=60)
            options = Options("s", encode_elsewhere=partial(encode_on, workers), quality=quality)
            return ingest(file, store, catalog, options, **hooks)  # type: ignore[arg-type]
    finally:
        catalog.close()


def test_the_store_equals_that_of_one_machine_cl51(
    cluster: DaskProcesses, slide: tuple[Path, str], tmp_path: Path
) -> None:
    file, digest = slide
    seen: list[Progress] = []
    made = on(cluster, file, tmp_path / "store", progress=seen.append)
    assert made.digest == digest
    assert len({progress.done for progress in seen}) > 3
    assert seen[-1].done == seen[-1].total == made.tiles


@pytest.mark.parametrize("quality", ["visual", "lossless"])
def test_channels_of_16_bits_equal_those_of_one_machine_cl51(
    cluster: DaskProcesses, tmp_path: Path, quality: str
) -> None:
    rng = np.random.default_rng(3)
    waves = np.add.outer(np.arange(HEIGHT) * 3, np.arange(WIDTH) * 5) % 9000 + 200
    planes = np.stack([rng.poisson(waves // (c + 1)).astype(np.uint16) for c in range(2)])
    file = tmp_path / "a.ome.tif"
    tifffile.imwrite(file, planes, metadata={"axes": "CYX"}, photometric="minisblack", tile=(256, 256))
    made = on(cluster, file, tmp_path / "store", quality=quality)
    assert made.digest == ingested(file, tmp_path / "one", quality=quality).digest


def test_a_worker_killed_in_the_middle_loses_nothing_cl52(slide: tuple[Path, str], tmp_path: Path) -> None:
    file, digest = slide
    with dask_cluster(tmp_path / "dask", 2) as cluster:
        with connected(cluster.address, SharedSource(str(file))) as workers:
            workers._client.wait_for_workers(2, timeout=60)
        killed = threading.Event()

        def kill(progress: Progress) -> None:
            if progress.done and not killed.is_set():
                killed.set()
                cluster.kill("w0")

        made = on(cluster, file, tmp_path / "store", progress=kill)
    assert killed.is_set()
    assert made.digest == digest


def test_a_cancelled_ingest_ends_and_goes_on_later_cl53(
    cluster: DaskProcesses, slide: tuple[Path, str], tmp_path: Path
) -> None:
    file, digest = slide
    done: list[Progress] = []
    with pytest.raises(IngestCancelled):
        on(cluster, file, tmp_path / "store", progress=done.append, cancelled=lambda: done[-1].done > 0)
    made = on(cluster, file, tmp_path / "store")
    assert made.digest == digest
    assert 0 < made.encoded_tiles < made.tiles


def test_a_scheduler_that_does_not_answer_is_reported_cl55(
    slide: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "CONNECT_SECONDS", 0.5)
    with pytest.raises(IngestClusterAway):
        on(DaskProcesses(tmp_path / "nobody"), slide[0], tmp_path / "store")


def test_a_file_that_the_workers_do_not_see_is_reported_cl54(
    cluster: DaskProcesses, slide: tuple[Path, str], tmp_path: Path
) -> None:
    with pytest.raises(UnreadableSource, match="does not see this file"):
        on(cluster, slide[0], tmp_path / "store", source=SharedSource(str(tmp_path / "elsewhere.tif")))


def test_a_worker_with_a_full_disk_leaves_the_work_to_others_cl55(
    slide: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, digest = slide
    monkeypatch.setattr(superblocks_module, "superblock_level", lambda plan, threads: 1)  # these need the disk
    with small_disk(tmp_path / "disk", 2) as small, dask_cluster(tmp_path / "dask", 0) as cluster:
        cluster.add("full", folder=small.path)
        with pytest.raises(StoreFull):
            on(cluster, file, tmp_path / "store")
        cluster.add("free")
        assert on(cluster, file, tmp_path / "store").digest == digest
