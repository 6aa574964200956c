"""The original file of a slide over HTTP: in ranges, for its owner alone, recorded (WI130 to WI134, PR48, ST95)."""

from __future__ import annotations

import asyncio
import hashlib
import io
import zipfile
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.accounts import clinic
from api.asking import API, problem, running_client
from api.test_resumable import BYTES, TUS, metadata
from api.test_server import serving
from ingest.worlds import ingested, tissue, write_tiff
from service.world import World, running_service
from wavescope.api.app import build_app
from wavescope.api.routes.slides.originals import disposition
from wavescope.catalog.access.audit import AuditLog
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.originals.table import OriginalTable
from wavescope.errors import Unavailable
from wavescope.service.composition import Services
from wavescope.service.slides.removal import collect_originals
from wavescope.store.files.stored import StoredFile

NAME = 'Łódź 50 % "a".tif'
URL = f"{API}/slides/s/original"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A store with the slides ``s``, which has its file, and ``t``, which has none; the file."""
    folder = tmp_path_factory.mktemp("originals")
    file = write_tiff(folder / NAME, tissue(900, 700))
    ingested(file, folder / "store", "s", keep_original=True)
    ingested(write_tiff(folder / "t.tif", tissue(300, 200)), folder / "store", "t")
    return folder / "store", file.read_bytes()


@pytest.fixture
async def service(made: tuple[Path, bytes]) -> AsyncIterator[Services]:
    async with running_service(made[0]) as running:
        yield running


@pytest.fixture
async def client(service: Services) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build_app(service), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as opened:
        yield opened


def entries(service: Services) -> list[tuple[str, str | None, Any]]:
    log = AuditLog(service.catalog.engine)
    return [(one.entry.action, one.entry.slide_id, one.entry.detail.get("file")) for one in log.all()]


@pytest.mark.slow
async def test_wi130_the_file_comes_back_byte_by_byte(
    client: httpx.AsyncClient, made: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wavescope.service.slides.originals.CHUNK", 100_000)
    answer = await client.get(URL)
    assert (answer.status_code, answer.content) == (200, made[1])
    assert answer.headers["etag"] == f'"{hashlib.sha256(made[1]).hexdigest()}"'
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers["content-disposition"] == disposition(NAME)
    assert problem(await client.get(f"{API}/slides/t/original")) == (404, "unknown-original")
    assert problem(await client.get(f"{API}/slides/nothing/original")) == (404, "unknown-slide")


@pytest.mark.parametrize(
    ("name", "stated"),
    [
        ("a.svs", 'attachment; filename="a.svs"'),
        ("Ł.tif", "attachment; filename=\"_.tif\"; filename*=UTF-8''%C5%81.tif"),
        ('a"\\b.tif', "attachment; filename=\"a__b.tif\"; filename*=UTF-8''a%22%5Cb.tif"),
        ("a\r\nset-cookie: x", "attachment; filename=\"a__set-cookie: x\"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20x"),
        ("../../etc;x=%41", "attachment; filename=\"../../etc;x=_41\"; filename*=UTF-8''..%2F..%2Fetc%3Bx%3D%2541"),
    ],
)
def test_wi130_hostile_names_stay_names(name: str, stated: str) -> None:
    assert disposition(name) == stated


@pytest.mark.parametrize(
    ("wanted", "status", "first", "last"),
    [
        ("bytes=0-9", 206, 0, 10),
        ("bytes=1000-", 206, 1000, None),
        ("bytes=-7", 206, -7, None),
        ("bytes=5-99999999999", 206, 5, None),
        ("bytes=0-1,5-6", 200, 0, None),
        ("bytes=9-1", 200, 0, None),
        ("lines=1-2", 200, 0, None),
    ],
)
async def test_wi131_one_range_of_bytes(
    client: httpx.AsyncClient, made: tuple[Path, bytes], wanted: str, status: int, first: int, last: int | None
) -> None:
    answer = await client.get(URL, headers={"range": wanted})
    assert (answer.status_code, answer.content) == (status, made[1][first:last])
    assert answer.headers["content-length"] == str(len(answer.content))
    if status == 206:
        start = first % len(made[1])
        stop = start + len(answer.content) - 1
        assert answer.headers["content-range"] == f"bytes {start}-{stop}/{len(made[1])}"
    head = await client.head(URL, headers={"range": wanted})
    assert (head.status_code, head.content) == (status, b"")
    for name in ("content-length", "etag", "content-disposition", "accept-ranges", "cache-control"):
        assert head.headers[name] == answer.headers[name]


async def test_wi131_conditions(client: httpx.AsyncClient, made: tuple[Path, bytes]) -> None:
    etag, content = (await client.head(URL)).headers["etag"], made[1]
    past = {"range": f"bytes={len(content)}-"}
    assert problem(await client.get(URL, headers=past)) == (416, "range-not-satisfiable")
    for tag, status in ((etag, 206), ('"other"', 200), (f"W/{etag}", 200), ("Wed, 21 Oct 2026 07:28:00 GMT", 200)):
        answer = await client.get(URL, headers={"range": "bytes=3-4", "if-range": tag})
        assert (answer.status_code, answer.content) == (status, content[3:5] if status == 206 else content)
    assert (await client.get(URL, headers={"if-none-match": etag})).status_code == 304


async def test_wi131_an_interrupted_download_goes_on(made: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wavescope.service.slides.originals.CHUNK", 65_536)
    _, content = made
    async with serving(made[0]) as at:
        async with at.client.stream("GET", URL) as answer:
            etag, got = answer.headers["etag"], b""
            async for piece in answer.aiter_raw(10_000):
                got += piece
                if len(got) > 300_000:
                    break  # the connection closes here
        assert len(got) < len(content)
        while len(got) < len(content):
            ask = {"range": f"bytes={len(got)}-{len(got) + 499_999}", "if-range": etag}
            rest = await at.client.get(URL, headers=ask)
            assert rest.status_code == 206
            got += rest.content
        assert got == content
        async with asyncio.timeout(10):
            assert (await at.client.get("/healthz")).status_code == 200


async def test_pr48_a_download_is_recorded_once_whatever_parts_are_requested(
    service: Services, client: httpx.AsyncClient
) -> None:
    AuditLog(service.catalog.engine).prune(1 << 60)
    before = len(entries(service))
    await client.head(URL)
    assert entries(service)[before:] == []
    for wanted in ("bytes=5-6", "bytes=100-", "bytes=0-1"):
        assert (await client.get(URL, headers={"range": wanted})).status_code == 206
    assert entries(service)[before:] == [("original downloaded", "s", NAME)]


async def test_pr48_without_an_entry_there_is_no_download(
    service: Services, client: httpx.AsyncClient, made: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise Unavailable("the catalog", "disk I/O error")

    monkeypatch.setattr(AuditLog, "append", full)
    answer = await client.get(URL)
    assert problem(answer) == (503, "unavailable")
    assert made[1][:100] not in answer.content


async def test_st94_a_damaged_file_is_a_typed_error(client: httpx.AsyncClient, made: tuple[Path, bytes]) -> None:
    (content,) = made[0].glob("originals/*/content")
    try:
        content.write_bytes(made[1][:-1])
        answer = await client.get(URL)
        assert problem(answer) == (500, "original-damaged")
        assert str(made[0]) not in answer.text
        content.unlink()
        assert (await client.head(URL)).status_code == 500
    finally:
        content.write_bytes(made[1])


async def test_wi132_st95_only_the_owner_learns_of_it_and_may_have_it(world: World, tmp_path: Path) -> None:
    store = world.copy(tmp_path / "store").store
    file = write_tiff(tmp_path / NAME, tissue(300, 200))
    ingested(file, store, "visual", keep_original=True)
    url = f"{API}/slides/visual"
    async with clinic(store) as at:
        at.own("visual", "ivan")
        ivan, olga, anyone = await at.signed_in("ivan"), await at.signed_in("olga"), at.client()
        shares = [{"kind": "user", "id": at.ids["olga"], "right": "annotate"}]
        await ivan.put(f"{url}/sharing", json={"public": True, "shares": shares})
        own = (await ivan.get(url)).json()
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        stated = {"name": NAME, "bytes": file.stat().st_size, "files": 1, "sha256": digest}
        assert own["original"] == stated
        assert "download original" in own["allowed"]
        link = (await ivan.post(f"{url}/links", json={"right": "annotate", "title": "l"})).json()
        grant = (await ivan.post(f"{API}/grants", json={"slides": ["visual"]})).json()["grant"]
        for browser, headers, status in (
            (olga, {}, 403),
            (anyone, {}, 401),
            (at.client(), {"authorization": f"Bearer {link['token']}"}, 401),
            (at.client(), {"authorization": f"Bearer {grant}"}, 401),
        ):
            seen = await browser.get(url, headers=headers)
            assert seen.status_code == 200
            assert (seen.json()["original"], "Łódź" in seen.text) == (None, "Łódź" in seen.json()["source"]["name"])
            assert "download original" not in seen.json()["allowed"]
            assert (await browser.get(f"{url}/original", headers=headers)).status_code == status
            assert (await browser.delete(f"{url}/original", headers=headers)).status_code == status
        answer = await ivan.get(f"{url}/original", headers={"range": "bytes=0-3"})
        assert (answer.status_code, answer.headers["cache-control"]) == (206, "private, no-store")
        exported = await ivan.get(f"{API}/me/export")
        archive = zipfile.ZipFile(io.BytesIO(exported.content))
        assert all(file.read_bytes()[:64] not in archive.read(name) for name in archive.namelist())
        assert not [name for name in archive.namelist() if "original" in name or name.endswith(".tif")]


async def test_wi134_it_is_deleted_alone(tmp_path: Path) -> None:
    store = tmp_path / "store"
    ingested(write_tiff(tmp_path / "a.tif", tissue(300, 200)), store, "s", keep_original=True)
    async with running_service(store) as service:
        transport = httpx.ASGITransport(build_app(service), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            before = await client.get(f"{API}/slides/s")
            await service.health.watch_disk()
            assert (await client.get(f"{API}/storage")).json()["original_bytes"] > 180_000
            assert (await client.delete(URL)).status_code == 204
            after = await client.get(f"{API}/slides/s", headers={"if-none-match": before.headers["etag"]})
            assert (after.status_code, after.json()["original"]) == (200, None)
            assert problem(await client.get(URL)) == (404, "unknown-original")
            assert problem(await client.delete(URL)) == (404, "unknown-original")
            assert ("original deleted", "s", "a.tif") in entries(service)
    with closing(Catalog.open(store)) as catalog:
        collect_originals(OriginalTable(catalog), store, 1e12)
    assert list((store / "originals").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("resumable", [False, True])
@pytest.mark.parametrize(
    ("asked", "setting", "kept"), [("true", False, True), ("false", True, False), ("", True, True)]
)
async def test_wi133_an_upload_says_whether_it_is_stored(
    tmp_path: Path, resumable: bool, asked: str, setting: bool, kept: bool
) -> None:
    content = write_tiff(tmp_path / "a.tif", tissue(60, 50)).read_bytes()
    options = {"filename": "a.tif", "id": "s", **({"keep_original": asked} if asked else {})}
    async with running_client(tmp_path / "store", keep_originals=setting) as client:
        if resumable:
            head = TUS | {"upload-length": str(len(content)), "upload-metadata": metadata(**options)}
            url = (await client.post(f"{API}/uploads/resumable", headers=head)).headers["location"]
            sent = await client.patch(url, headers=TUS | BYTES | {"upload-offset": "0"}, content=content)
            job = sent.headers["content-location"]
        else:
            job = (await client.post(f"{API}/uploads", params=options, content=content)).headers["location"]
        async with asyncio.timeout(60):
            async with client.stream("GET", f"{job}/events") as events:
                [_ async for _ in events.aiter_bytes()]
        assert (await client.get(job)).json()["state"] == "done"
        found = await client.get(URL)
        assert (found.status_code, found.content == content) == ((200, True) if kept else (404, False))


async def test_st96_an_upload_is_refused_before_it_is_sent_where_nothing_may_identify(tmp_path: Path) -> None:
    async with running_client(tmp_path / "store", deidentify=True) as client:
        options = {"filename": "a.tif", "keep_original": "true"}
        assert problem(await client.post(f"{API}/uploads", params=options, content=b"x")) == (422, "invalid-parameter")
        head = TUS | {"upload-length": "9", "upload-metadata": metadata(**options)}
        assert problem(await client.post(f"{API}/uploads/resumable", headers=head)) == (422, "invalid-parameter")


def test_a_record_of_another_kind_is_refused_st90() -> None:
    for data in (b"{}", b"[]", b"x", b'{"sha256": 1, "name": "a", "size": 1, "files": 1, "fingerprint": ""}'):
        with pytest.raises(ValueError, match=r"record|Expecting"):
            StoredFile.from_json(data)
