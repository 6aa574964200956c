"""Overlays of several nodes: listed, sent and deleted by any of them, and not lost with one (CL57)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import httpx
import pytest
import tifffile

from api.test_overlays import document
from catalog.databases import new_database
from object_stores import BUCKET, Server
from overlays.rasters import heat
from overlays.shapes import cells
from service.cluster.processes import NodeProcess
from service.cluster.worlds import Cluster, answered, until
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.database import open_engine
from wavescope.catalog.jobs.table import JobTable
from wavescope.errors import UnknownOverlay
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.files import Reading
from wavescope.overlays.reading.geojson import read_geojson
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.composition import Services
from wavescope.service.overlays.importing import OverlayImport, import_overlay
from wavescope.service.overlays.sources import of_file

pytestmark = pytest.mark.slow

NUMBERS = count()
WIDTH, HEIGHT = 900, 700
MANIFEST = {"source": {"fingerprint": "f"}, "width": WIDTH, "height": HEIGHT}


@pytest.fixture
async def cluster(tmp_path: Path, database: str, objects: Server) -> AsyncIterator[Cluster]:
    made = Cluster(tmp_path, new_database(database, f"overlays{next(NUMBERS)}"))
    yield made
    await made.close()


def add(node: Services, overlay: str, path: Path) -> None:
    """Imports a file on this node."""
    wanted = OverlayImport(overlay, "s", path.stem, "", of_file(path, Reading()))
    import_overlay(node.config, node.catalog, wanted)


async def listed(node: Services) -> list[str]:
    return [one.id for one in await node.overlays.list(LOCAL_USER, "s")]


async def test_overlays_of_one_node_are_listed_drawn_and_deleted_through_another_cl57(
    cluster: Cluster, tmp_path: Path
) -> None:
    a, b = [await cluster.start(name, run_jobs=False) for name in "ab"]
    a.catalog.publish("s", "", "d" * 64, MANIFEST)
    shapes, pixels = tmp_path / "cells.geojson", tmp_path / "heat.tif"
    shapes.write_text(json.dumps(document(cells(3, 400, HEIGHT))))
    tifffile.imwrite(pixels, heat(WIDTH // 10, HEIGHT // 10))
    add(a, "1" * 32, shapes)
    add(b, "2" * 32, pixels)
    ids, drawn = ["1" * 32, "2" * 32], []
    for node in (a, b):
        assert await listed(node) == ids
        records = [await node.overlays.of_slide("s", one) for one in ids]
        drawn.append([await node.overlays.tile(record, 0, 0, 0) for record in records])
    assert drawn[0] == drawn[1]
    assert all(drawn[0])
    await cluster.stop("a")
    again = await cluster.start("c", run_jobs=False)
    record = await again.overlays.of_slide("s", ids[0])
    assert await again.overlays.tile(record, 0, 0, 0) == drawn[0][0]
    for one in ids:
        await again.overlays.remove(LOCAL_USER, "s", one)
    assert await listed(b) == []
    with pytest.raises(UnknownOverlay):
        await b.overlays.get(LOCAL_USER, "s", ids[0])
    await b.overlays.restore(LOCAL_USER, "s", ids[0])
    assert await listed(again) == ids[:1]


async def test_an_import_of_an_overlay_outlives_its_node_cl57(tmp_path: Path, database: str, objects: Server) -> None:
    url, place = new_database(database, f"overlays{next(NUMBERS)}"), f"s3://{BUCKET}/overlays{next(NUMBERS)}"
    shapes = json.dumps(document(cells(3, 6000, HEIGHT))).encode()
    nodes = {name: NodeProcess(tmp_path, name, url, place) for name in "ab"}
    try:
        for node in nodes.values():
            await node.start()
        engine = open_engine(url)
        Catalog(engine).publish("s", "", "d" * 64, MANIFEST)
        table = JobTable(engine)
        async with httpx.AsyncClient(base_url=f"{nodes['b'].url}/api/v1", timeout=60) as client:
            sent = await client.post("/slides/s/overlays?filename=cells.geojson", content=shapes)
        assert sent.status_code == 202, sent.text
        job_id = sent.json()["id"]
        await until(lambda: (record := table.find(job_id)) is not None and record.total > 0)
        first = table.find(job_id)
        assert first is not None
        assert first.node is not None
        nodes.pop(first.node).kill()
        (other,) = nodes.values()
        async with httpx.AsyncClient(base_url=f"{other.url}/api/v1", timeout=60) as client:
            job = await answered(client, f"/jobs/{job_id}", lambda job: job["state"] not in ("queued", "running"))
            assert job["state"] == "done", job
            (made,) = (await client.get("/slides/s/overlays")).json()["overlays"]
        engine.dispose()
    finally:
        for node in nodes.values():
            node.stop()
    (tmp_path / "cells.geojson").write_bytes(shapes)
    (tmp_path / "work").mkdir()
    builder = Builder(tmp_path / "work", WIDTH, HEIGHT)
    with (tmp_path / "cells.geojson").open("rb") as stream:
        read_geojson(stream, "cells.geojson", builder, None)
    assert (made["id"], made["digest"]) == (job_id, builder.finish(tmp_path / "made")[0])
