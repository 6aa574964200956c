"""Nodes as processes, one of them killed: no job and no upload is lost (CL41 to CL43, CL46, CL49)."""

from __future__ import annotations

import time
import zipfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

import httpx
import pytest

from catalog.databases import new_database
from ingest.worlds import ingested, tissue, write_tiff
from object_stores import BUCKET, Server
from service.cluster.processes import NodeProcess
from service.cluster.worlds import answered, until
from wavescope.catalog.database import open_engine
from wavescope.catalog.jobs.table import JobTable

pytestmark = pytest.mark.slow

NUMBERS = count()
JSON = {"content-type": "application/octet-stream"}
TUS = {"tus-resumable": "1.0.0"}
PIECE = {**TUS, "content-type": "application/offset+octet-stream"}


class Pair:
    """Two nodes and their clients."""

    def __init__(self, nodes: list[NodeProcess], clients: list[httpx.AsyncClient]) -> None:
        (self.a, self.b), (self.at_a, self.at_b) = nodes, clients


@pytest.fixture
async def pair(tmp_path: Path, database: str, objects: Server) -> AsyncIterator[Pair]:
    url, place = new_database(database, f"nodes{next(NUMBERS)}"), f"s3://{BUCKET}/nodes{next(NUMBERS)}"
    nodes = [NodeProcess(tmp_path, name, url, place) for name in "ab"]
    async with AsyncExitStack() as stack:
        for node in nodes:
            stack.callback(node.stop)
            await node.start()
        clients = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=f"{node.url}/api/v1", timeout=60))
            for node in nodes
        ]
        yield Pair(nodes, clients)


async def test_a_node_killed_in_the_middle_of_a_job_loses_nothing_cl41_cl42(pair: Pair, tmp_path: Path) -> None:
    file = write_tiff(tmp_path / "s.tif", tissue(5000, 4000))
    made = ingested(file, tmp_path / "one")
    engine = open_engine(pair.a.environment("CATALOG"))
    table = JobTable(engine)
    sent = await pair.at_b.post("/uploads?filename=s.tif", content=file.read_bytes(), headers=JSON)
    assert sent.status_code == 202, sent.text
    await until(lambda: table.all()[0].node is not None)
    first = table.all()[0].node
    lost, other = (pair.a, pair.at_b) if first == "a" else (pair.b, pair.at_a)
    await until(lambda: table.all()[0].total > 0)
    lost.kill()
    began = time.monotonic()
    await until(lambda: table.all()[0].node not in (first, None))
    assert time.monotonic() - began < 5
    engine.dispose()
    job = await answered(other, f"/jobs/{sent.json()['id']}", lambda job: job["state"] not in ("queued", "running"))
    assert job["state"] == "done", job
    assert [slide["digest"] for slide in (await other.get("/slides")).json()["slides"]] == [made.digest]


async def test_an_unfinished_upload_is_continued_from_any_node_cl49(pair: Pair, tmp_path: Path) -> None:
    content = write_tiff(tmp_path / "s.tif", tissue(900, 700)).read_bytes()
    headers = {**TUS, "upload-length": str(len(content)), "upload-metadata": "filename cy50aWY=,start ZmFsc2U="}
    made = await pair.at_a.post("/uploads/resumable", headers=headers)
    assert made.status_code == 201, made.text
    path, half = made.headers["location"].removeprefix("/api/v1"), len(content) // 2
    for client, start, piece in ((pair.at_b, 0, content[:half]), (pair.at_a, half, content[half : half + 9])):
        sent = await client.patch(path, content=piece, headers={**PIECE, "upload-offset": str(start)})
        assert (sent.status_code, sent.headers["upload-offset"]) == (204, str(start + len(piece)))
    left = await pair.at_b.head(path, headers=TUS)
    assert left.headers["upload-offset"] == str(half + 9)
    sent = await pair.at_b.patch(path, content=content[half + 9 :], headers={**PIECE, "upload-offset": str(half + 9)})
    assert sent.status_code == 204
    job = (await pair.at_b.get(path)).json()["job"]
    # the job is held: a preview and an estimate come from either node, also without the one that received it
    for client in (pair.at_a, pair.at_b):
        assert (await client.get(f"/jobs/{job}/preview")).json()["width"] == 900
    pair.a.kill()
    assert (await pair.at_b.get(f"/jobs/{job}/preview/thumbnail")).headers["content-type"] == "image/webp"
    assert (await pair.at_b.get(f"/jobs/{job}/advice")).status_code == 200
    assert (await pair.at_b.get(path)).status_code in (503, 404)
    assert (await pair.at_b.delete(f"/jobs/{job}")).json()["state"] == "cancelled"


async def test_an_archive_becomes_a_slide_on_another_node_cl45(pair: Pair, tmp_path: Path) -> None:
    file = write_tiff(tmp_path / "inside.tif", tissue(900, 700))
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        archive.write(file, "folder/inside.tif")
    sent = await pair.at_b.post("/uploads?filename=s.zip", content=(tmp_path / "s.zip").read_bytes(), headers=JSON)
    job = await answered(pair.at_b, f"/jobs/{sent.json()['id']}", lambda job: job["state"] in ("done", "failed"))
    assert job["state"] == "done", job
