"""Overlays by commands, in a folder and in a real object store (OV22, OV31, OV32, OV34, SH34)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile

from api.asking import API, running_client
from object_stores import BUCKET, Server, served
from overlays.rasters import heat
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.overlays import OverlayTable
from wavescope.cli import main
from wavescope.config import Config
from wavescope.overlays.archive import digest_of
from wavescope.service.slides.removal import collect_overlays
from wavescope.service.storage import object_backend

pytestmark = pytest.mark.slow

LOCATION = f"s3://{BUCKET}/a"


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
def table(tmp_path: Path) -> Path:
    path = tmp_path / "points.csv"
    path.write_text("x,y,class,p\n10,20,a,0.25\n500,400,b,0.75\n30,40,a,1\n")
    return path


@pytest.fixture(params=["points.csv", "heat.tif", "areas.tif"])
def file(request: pytest.FixtureRequest, table: Path) -> Path:
    """A file of each kind of overlay."""
    path = table.with_name(request.param)
    if path.name == "heat.tif":
        tifffile.imwrite(path, heat(600, 500))
    elif path.name == "areas.tif":
        tifffile.imwrite(path, np.kron(np.arange(30, dtype=np.uint16).reshape(5, 6), np.ones((100, 100), np.uint16)))
    return path


def add(capsys: pytest.CaptureFixture[str], file: Path) -> Any:
    """Adds it to the slide as what its name says."""
    return called(capsys, "overlay", "add", "s", file, *(("--content", "labels") if file.stem == "areas" else ()))


def called(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> Any:
    capsys.readouterr()
    assert main([*map(str, arguments), "--json"]) == code, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def ingest(capsys: pytest.CaptureFixture[str]) -> None:
    called(capsys, "ingest", "specimen:600x500?seed=3", "--id", "s")


def test_ov34_overlays_are_added_listed_removed_restored_and_verified(
    capsys: pytest.CaptureFixture[str], store: Path, table: Path
) -> None:
    ingest(capsys)
    cells = called(capsys, "overlay", "add", "s", "specimen")
    assert (cells["name"], cells["score"]["name"], cells["left_out"]) == ("Cells", "Probability", 0)
    assert cells["shapes"] > 10
    points = called(capsys, "overlay", "add", "s", table, "--name", "Points", "--score", "p", "--transform", "0.5")
    assert {one["name"]: one["count"] for one in points["classes"]} == {"a": 2, "b": 1}
    assert [one["name"] for one in called(capsys, "overlay", "list", "s")] == ["Cells", "Points"]
    assert called(capsys, "verify", "s")["ok"]
    removed = called(capsys, "overlay", "remove", "s", "Points")
    assert [one["name"] for one in called(capsys, "overlay", "list", "s")] == ["Cells"]
    assert main(["collect"]) == 0
    assert called(capsys, "overlay", "restore", "s", removed["id"])["digest"] == points["digest"]
    content = store / "overlays" / points["digest"] / "content"
    whole = bytearray(content.read_bytes())
    whole[len(whole) // 2] ^= 1
    content.write_bytes(whole)
    found = called(capsys, "verify", "s", code=1)["damages"]
    assert found[0]["part"] == "the overlay 'Points'"
    assert main(["overlay", "add", "s", str(table.with_name("nothing"))]) == 2
    assert main(["overlay", "remove", "s", "Nothing"]) == 2
    assert main(["overlay", "add", "nothing", str(table)]) == 2


def test_sh34_an_export_has_the_overlays_on_request(
    capsys: pytest.CaptureFixture[str], store: Path, file: Path, tmp_path: Path
) -> None:
    ingest(capsys)
    made = add(capsys, file)
    called(capsys, "export", "s", tmp_path / "without", "--no-page")
    assert not (tmp_path / "without" / "overlays.json").exists()
    called(capsys, "export", "s", tmp_path / "with", "--no-page", "--overlays")
    (listed,) = json.loads((tmp_path / "with" / "overlays.json").read_text())["overlays"]
    assert (listed["digest"], listed["author"], listed["shapes"]) == (made["digest"], "", made["shapes"])
    assert listed["raster"] == made["raster"]
    assert digest_of(tmp_path / "with" / "overlays" / f"{made['digest']}.pmtiles") == made["digest"]
    called(capsys, "export", "s", tmp_path / "a.wsz", "--overlays")
    (store / "overlays" / made["digest"] / "content").write_bytes(b"x")
    assert main(["export", "s", str(tmp_path / "damaged"), "--no-page", "--overlays"]) == 2
    assert not (tmp_path / "damaged").exists()


async def test_ov22_an_object_store_has_overlays_too(
    capsys: pytest.CaptureFixture[str],
    store: Path,
    file: Path,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WAVESCOPE_SLIDE_STORE", LOCATION)
    ingest(capsys)
    made = add(capsys, file)
    folder = server.folder / "a" / "overlays" / made["digest"]
    assert sorted(path.name for path in folder.iterdir()) == ["content", "overlay.json"]
    assert not (store / "overlays").exists()
    assert called(capsys, "verify", "s")["ok"]
    async with running_client(store, slide_store=LOCATION, slide_store_seconds=3.0) as client:
        (listed,) = (await client.get(f"{API}/slides/s/overlays")).json()["overlays"]
        tile = f"{API}/slides/s/overlays/{listed['id']}/tiles/0/0/0"
        assert (await client.get(tile)).status_code == 200
        whole = (folder / "content").read_bytes()
        (folder / "content").write_bytes(whole[: len(whole) // 2])
    assert not called(capsys, "verify", "s", code=1)["ok"]
    (folder / "content").write_bytes(whole)
    monkeypatch.delenv("WAVESCOPE_SLIDE_STORE")
    copied = called(capsys, "copy", LOCATION, tmp_path / "copy", "--overlays")["overlays"]
    assert copied == [{"sha256": made["digest"], "sent": True, "reason": None}]
    assert digest_of(tmp_path / "copy" / "overlays" / made["digest"] / "content") == made["digest"]
    assert called(capsys, "copy", LOCATION, tmp_path / "copy")["overlays"] == []
    monkeypatch.setenv("WAVESCOPE_SLIDE_STORE", LOCATION)
    called(capsys, "overlay", "remove", "s", made["id"])
    later, backend = time.time() + 1, object_backend(Config(store=store, slide_store=LOCATION))
    with closing(Catalog.open(store)) as catalog:
        gone = collect_overlays(OverlayTable(catalog), store, later, later, backend)
    assert gone == (made["digest"],)
    assert not folder.exists() or list(folder.iterdir()) == []
