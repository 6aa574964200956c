"""Large answers and bodies stream through an edge: what it has of them in memory is bounded (ED3, ED21)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import numpy as np
import pytest
import pytest_asyncio
from PIL import Image

from api.asking import API
from api.test_resumable import BYTES, TUS, create
from edge.edge_process import EdgeProcess, edge_process
from edge.edges import served
from service.world import running_service
from wavescope.api.app import build_app
from wavescope.catalog.catalog import Catalog
from wavescope.ingest.pipeline import Options, ingest
from wavescope.service.composition import Services
from wavescope.service.jobs.runs import IngestResult, Report

MIB = 1 << 20
HELD = 48 * MIB  # that an edge may use for one transfer, whatever its size
PIECE = MIB
SIDE = 1024
LAYERS = 3
SIZES = [pytest.param(64 * MIB, id="64 MiB"), pytest.param(200 * MIB, id="200 MiB", marks=pytest.mark.long)]

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Hashes:
    """A runner of jobs that says what it was given."""

    def __init__(self) -> None:
        self.found: list[str] = []

    async def discard(self, path: Path) -> None:
        pass

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        with path.open("rb") as file:
            digest = sha256()
            while piece := file.read(PIECE):
                digest.update(piece)
        self.found.append(digest.hexdigest())
        return IngestResult("noise", ())


class Origin:
    """A service with one slide of noise, which also answers ``/large/SIZE`` and counts its bytes in ``written``."""

    def __init__(self, service: Services, hashes: Hashes, digest: str) -> None:
        self._app, self.hashes, self.digest, self.written = build_app(service), hashes, digest, 0
        self.state = self._app.state

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if not scope["path"].startswith("/large/"):

            async def counted(message: Any) -> None:
                await send(message)
                self.written += len(message.get("body", b""))

            await self._app(scope, receive, counted)
            return
        size = int(scope["path"].rpartition("/")[2])
        head = [(b"content-length", b"%d" % size), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        for start in range(0, size, PIECE):
            await send({"type": "http.response.body", "body": bytes(PIECE), "more_body": start + PIECE < size})
            self.written += PIECE

    async def stalls(self) -> None:
        """Returns when nothing was written for a while, because nobody reads."""
        before = -1
        async with asyncio.timeout(30):
            while self.written != before:
                before = self.written
                await asyncio.sleep(0.3)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Origin, EdgeProcess]]:
    folder = tmp_path_factory.mktemp("large")
    noise = np.random.default_rng(1).integers(0, 255, (SIDE, SIDE, 3), np.uint8)
    Image.fromarray(noise).save(folder / "noise.png", compress_level=1)
    catalog = Catalog.open(folder / "store")
    options = Options("noise", "Noise", "lossless")
    digest = ingest(str(folder / "noise.png"), folder / "store", catalog, options).digest
    catalog.close()
    hashes = Hashes()
    async with running_service(folder / "store", open_to_all=True, runner=hashes) as service:
        origin = Origin(service, hashes, digest)
        async with served(origin) as url, edge_process(folder / "cache", url) as process:
            yield origin, process


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_a_download_waits_for_its_reader_ed21(site: tuple[Origin, EdgeProcess], size: int) -> None:
    origin, edge = site
    origin.written, before = 0, edge.begin_peak()
    async with aiohttp.ClientSession() as http, http.get(f"{edge.url}/large/{size}") as answer:
        await answer.content.readexactly(PIECE)
        await origin.stalls()
        assert origin.written < size // 2  # the origin waits, too
        rest = 0
        async for piece in answer.content.iter_any():
            rest += len(piece)
    assert rest == size - PIECE
    assert edge.peak() - before < HELD


@pytest.mark.slow
async def test_a_large_batch_waits_for_its_reader_ed3(site: tuple[Origin, EdgeProcess]) -> None:
    """Every block hundreds of times: 4096 blocks, 800 MiB."""
    origin, edge = site
    tiles = SIDE // 512 * 2
    blocks = [[0, 0, 0, n % tiles, n // tiles % tiles, 0, LAYERS] for n in range(4096)]
    url = f"{edge.url}{API}/slides/noise/v/{origin.digest}/blocks:batch"
    for _ in range(2):  # from the origin, then from the cache
        before, read = edge.begin_peak(), 0
        async with aiohttp.ClientSession() as http, http.post(url, json={"blocks": blocks}) as answer:
            assert answer.status == 200
            await answer.content.readexactly(PIECE)
            await asyncio.sleep(1)
            async for piece in answer.content.iter_any():
                read += len(piece)
                if read > 128 * MIB:
                    break  # and leaves
        assert edge.peak() - before < HELD


async def sent(size: int) -> AsyncIterator[bytes]:
    for start in range(0, size, PIECE):
        yield piece_at(start)


def piece_at(start: int) -> bytes:
    """One piece of the file that is uploaded."""
    return (start // PIECE).to_bytes(4, "little") * (PIECE // 4)


def digest_of(size: int) -> str:
    found = sha256()
    for start in range(0, size, PIECE):
        found.update(piece_at(start))
    return found.hexdigest()


async def ended(client: httpx.AsyncClient, job: str) -> str:
    async with client.stream("GET", f"{API}/jobs/{job}/events") as events:
        async for _ in events.aiter_lines():
            pass
    return str((await client.get(f"{API}/jobs/{job}")).json()["state"])


@pytest.mark.parametrize("size", SIZES)
async def test_an_upload_streams_ed21(site: tuple[Origin, EdgeProcess], size: int) -> None:
    origin, edge = site
    before = edge.begin_peak()
    async with httpx.AsyncClient(base_url=edge.url, timeout=60) as client:
        made = await client.post(f"{API}/uploads?filename=a{size}.tif", content=sent(size))
        assert made.status_code == 202, made.text
        assert await ended(client, made.json()["id"]) == "done"
    assert origin.hashes.found[-1] == digest_of(size)
    assert edge.peak() - before < HELD


@pytest.mark.parametrize("size", SIZES)
async def test_a_resumable_upload_streams_and_resumes_ed21(site: tuple[Origin, EdgeProcess], size: int) -> None:
    origin, edge = site
    before = edge.begin_peak()

    async def cut() -> AsyncIterator[bytes]:
        async for piece in sent(size // 2):
            yield piece
        raise ConnectionResetError("the link is gone")

    async def rest(offset: int) -> AsyncIterator[bytes]:
        first = offset - offset % PIECE
        for start in range(first, size, PIECE):
            yield piece_at(start)[offset - start if start < offset else 0 :]

    async with httpx.AsyncClient(base_url=edge.url, timeout=60) as client:
        url = await create(client, size, filename=f"b{size}.tif")
        head = TUS | BYTES | {"upload-offset": "0", "content-length": str(size)}
        with pytest.raises(ConnectionResetError):
            await client.patch(url, headers=head, content=cut())
        async with asyncio.timeout(30):
            while True:
                offset = int((await client.head(url, headers=TUS)).headers["upload-offset"])
                assert offset <= size // 2
                head = TUS | BYTES | {"upload-offset": str(offset), "content-length": str(size - offset)}
                last = await client.patch(url, headers=head, content=rest(offset))
                if last.status_code not in (409, 423):  # the origin has not seen yet that the client has left
                    break
        assert last.status_code == 204, last.text
        assert offset > 0
        assert await ended(client, last.headers["content-location"].rpartition("/")[2]) == "done"
    assert origin.hashes.found[-1] == digest_of(size)
    assert edge.peak() - before < HELD
