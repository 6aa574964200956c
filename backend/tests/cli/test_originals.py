"""Original files by commands alone, in a folder and in a real object store (ST90 to ST95)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from ingest.worlds import tissue, write_tiff
from object_stores import BUCKET, Server, served
from service.world import running_service
from wavescope.api.app import build_app
from wavescope.catalog.access.audit import AuditLog
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.originals.table import OriginalTable
from wavescope.cli import main
from wavescope.config import Config
from wavescope.errors import StoreBusy
from wavescope.service.slides.removal import collect_originals
from wavescope.service.storage import object_backend
from wavescope.store.objects.client import Objects
from wavescope.store.objects.lease import leased

pytestmark = pytest.mark.slow

LOCATION = f"s3://{BUCKET}/a"
API = "/api/v1"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WAVESCOPE_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("WAVESCOPE_SLIDE_STORE_SECONDS", "3")
    return tmp_path / "store"


@pytest.fixture
def server(store: Path, tmp_path: Path) -> Iterator[Server]:
    with served(tmp_path / "s3") as running:
        yield running


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_tiff(tmp_path / "liver.tif", tissue(700, 500))


def called(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> Any:
    capsys.readouterr()
    assert main([*map(str, arguments), "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_st90_st94_commands_store_name_verify_save_and_delete_it(
    store: Path, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ingest", str(file), "--keep-original"]) == 0
    stated = called(capsys, "original", "liver")
    assert (stated["name"], stated["bytes"], stated["files"]) == ("liver.tif", file.stat().st_size, 1)
    assert called(capsys, "info", "liver")["original"]["sha256"] == stated["sha256"]
    out = tmp_path / "out.tif"
    assert called(capsys, "original", "liver", "-o", out) == stated
    assert out.read_bytes() == file.read_bytes()
    assert out.stat().st_mode & 0o077 == 0
    assert called(capsys, "verify", "liver")["ok"]
    content = store / "originals" / stated["sha256"] / "content"
    content.write_bytes(b"\0" + file.read_bytes()[1:])
    damages = called(capsys, "verify", "liver", code=1)["damages"]
    assert [(one["part"], one["reason"]) for one in damages] == [("the original file", "its SHA-256 does not match")]
    assert main(["original", "liver", "-o", str(tmp_path / "damaged.tif")]) == 2
    assert not (tmp_path / "damaged.tif").exists()
    assert main(["original", "liver", "--drop"]) == 0
    assert not content.exists()
    assert called(capsys, "info", "liver")["original"] is None
    assert main(["original", "liver"]) == 2
    with closing(Catalog.open(store)) as catalog:
        actions = [one.entry.action for one in AuditLog(catalog.engine).all()]
    assert actions == ["original downloaded", "original downloaded", "original deleted"]
    for refused in ([str(file), "--deidentify"], ["specimen:64x64"]):
        assert main(["ingest", "--keep-original", *refused]) == 2


def test_st94_a_backup_has_it_and_a_rebuilt_catalog_finds_it(
    store: Path, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ingest", str(file), "--keep-original"]) == 0
    assert main(["ingest", str(file), "--id", "hidden", "--deidentify"]) == 0
    stated = called(capsys, "original", "liver")
    assert main(["backup", str(tmp_path / "b.zip"), "--pixels"]) == 0
    assert main(["restore-backup", str(tmp_path / "b.zip"), "--store", str(tmp_path / "new")]) == 0
    assert called(capsys, "original", "liver", "--store", tmp_path / "new") == stated
    assert called(capsys, "verify", "liver", "--store", tmp_path / "new")["ok"]
    for path in (tmp_path / "new" / "originals").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0
    assert main(["backup", str(tmp_path / "small.zip")]) == 0
    assert (tmp_path / "small.zip").stat().st_size < file.stat().st_size / 2

    for path in store.glob("catalog.sqlite*"):
        path.unlink()
    assert main(["rebuild-catalog"]) == 0
    assert called(capsys, "original", "liver") == stated
    hidden = [slide["id"] for slide in called(capsys, "list") if slide["id"] != "liver"]
    assert len(hidden) == 1
    assert called(capsys, "info", hidden[0])["original"] is None


def test_st91_st95_an_object_store_has_it_apart_from_what_may_be_public(
    server: Server, store: Path, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    called(capsys, "ingest", file, "--keep-original", "--store", LOCATION)
    stated = called(capsys, "original", "liver", "--store", LOCATION)
    folder = server.folder / "a" / "originals" / stated["sha256"]
    assert (folder / "content").read_bytes() == file.read_bytes()
    assert not (store / "originals").exists()
    assert not [path for path in (server.folder / "a" / "slides").rglob("*") if path.name in ("content", file.name)]
    assert "originals" not in json.dumps(called(capsys, "presign", "liver", "--store", LOCATION))

    config: dict[str, Any] = {"slide_store": LOCATION, "slide_store_seconds": 3.0}

    async def downloaded() -> None:
        async with running_service(store, run_jobs=False, **config) as service:
            transport = httpx.ASGITransport(build_app(service))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                url = f"{API}/slides/liver/original"
                assert (await client.get(url)).content == file.read_bytes()
                part = await client.get(url, headers={"range": "bytes=70000-"})
                assert (part.status_code, part.content) == (206, file.read_bytes()[70000:])

    asyncio.run(downloaded())

    copied = tmp_path / "copied"
    capsys.readouterr()
    assert main(["copy", LOCATION, str(copied)]) == 0
    assert "1 original file(s) not copied" in capsys.readouterr().err
    assert not (copied / "originals").exists()
    for sent in (True, False):
        found = called(capsys, "copy", LOCATION, copied, "--originals")["originals"]
        assert found == [{"sha256": stated["sha256"], "sent": sent, "reason": None}]
    assert (copied / "originals" / stated["sha256"] / "content").read_bytes() == file.read_bytes()
    found = called(capsys, "copy", copied, f"s3://{BUCKET}/b", "--originals")["originals"]
    assert [one["sent"] for one in found] == [True]
    (copied / "originals" / stated["sha256"] / "content").write_bytes(b"?")
    found = called(capsys, "copy", copied, f"s3://{BUCKET}/c", "--originals", code=1)["originals"]
    assert [one["sent"] for one in found] == [False]

    place = object_backend(Config(**config))
    with closing(Catalog.open(store)) as catalog:
        table = OriginalTable(catalog)
        assert table.drop("liver")
        with leased(Objects.at(LOCATION), f"original-{stated['sha256']}"):  # an import stores it again right now
            assert collect_originals(table, store, 1e12, place) == ()
        assert (folder / "content").exists()
        assert collect_originals(table, store, 1e12, place) == (stated["sha256"],)
    assert not (folder / "content").exists()
    assert not (folder / "original.json").exists()


def test_st93_an_upload_to_an_object_store_that_was_interrupted_leaves_nothing(
    server: Server, store: Path, file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise StoreBusy("the slide version")

    monkeypatch.setattr(Catalog, "publish_version", busy)
    assert main(["ingest", str(file), "--keep-original", "--store", LOCATION]) == 2
    monkeypatch.undo()
    monkeypatch.setenv("WAVESCOPE_STORE", str(store))
    assert len(list(server.folder.glob("a/originals/*/content"))) == 1
    assert main(["collect", "--store", LOCATION]) == 0
    assert "1 original file(s)" in capsys.readouterr().out
    assert list(server.folder.glob("a/originals/*/content")) == []
    called(capsys, "ingest", file, "--keep-original", "--store", LOCATION)
    assert called(capsys, "verify", "liver", "--store", LOCATION)["ok"]
