"""Slides in an object store, by commands alone: import, look, copy, collect; a real S3 server below."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from ingest.worlds import tissue, write_tiff
from object_stores import BUCKET, Server, served
from wavescope.cli import main
from wavescope.store.layout import StorePaths
from wavescope.store.objects.client import Objects
from wavescope.store.objects.phi import PhiObjects
from wavescope.store.phi import PhiStore

pytestmark = pytest.mark.slow

LOCATION = f"s3://{BUCKET}/a"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("WAVESCOPE_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("WAVESCOPE_SLIDE_STORE_SECONDS", "3")
    with served(tmp_path / "s3") as running:
        yield running


def called(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_st80_a_slide_in_an_object_store_is_imported_read_copied_and_collected(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_tiff(tmp_path / "liver.tif", tissue(1300, 700))
    made = called(capsys, "ingest", file, "--store", LOCATION)
    again = called(capsys, "ingest", file, "--store", LOCATION)
    assert again["digest"] == made["digest"]
    assert not list((tmp_path / "store").glob("slides/*"))
    assert not [path for path in (tmp_path / "store" / "ingest").iterdir() if path.is_dir()]
    assert (server.folder / "a" / "slides" / made["digest"] / "manifest.json").is_file()
    assert called(capsys, "info", "liver", "--store", LOCATION)["digest"] == made["digest"]
    assert called(capsys, "verify", "liver", "--store", LOCATION)["ok"]

    region = ["region", "liver", "--x", "0", "--y", "0", "--width", "600", "--height", "400", "-o"]
    assert main([*region, str(tmp_path / "s3.png"), "--store", LOCATION]) == 0
    copied = called(capsys, "copy", LOCATION, tmp_path / "store")
    assert [one["digest"] for one in copied["copied"]] == [made["digest"]]
    assert main([*region, str(tmp_path / "disk.png")]) == 0
    assert (tmp_path / "s3.png").read_bytes() == (tmp_path / "disk.png").read_bytes()
    capsys.readouterr()

    other = called(capsys, "ingest", file, "--id", "liver", "--quality", "lossless", "--store", LOCATION)
    assert main(["collect", "--store", LOCATION]) == 0
    left = {path.name for path in (server.folder / "a" / "slides").iterdir() if (path / "manifest.json").exists()}
    assert left == {other["digest"]}


def test_st71_a_catalog_is_rebuilt_from_an_object_store(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = called(capsys, "ingest", "specimen:300x200", "--id", "one", "--store", LOCATION)
    (tmp_path / "store" / "catalog.sqlite").unlink()
    rebuilt = called(capsys, "rebuild-catalog", "--store", LOCATION)
    assert list(rebuilt["slides"].values()) == [made["digest"]]


def test_st86_a_store_that_does_not_answer_is_named_without_credentials(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.stop()
    assert main(["ingest", "specimen:300x200", "--store", LOCATION]) == 2
    err = capsys.readouterr().err
    assert "the object store is unavailable: it does not answer" in err
    assert server.environment["AWS_SECRET_ACCESS_KEY"] not in err
    server.start()
    assert main(["ingest", "specimen:300x200", "--store", LOCATION]) == 0


@pytest.mark.parametrize("location", ["s3://", "s3://A", "s3://bucket/../x", "s3://bucket//x", "s3://user:pw@host/x"])
def test_a_location_that_is_none_is_refused(location: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["copy", location, str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert "s3://BUCKET" in err
    assert "pw" not in err


def test_st88_presigned_urls_read_one_slide_without_credentials(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_tiff(tmp_path / "liver.tif", tissue(700, 500))
    digest = called(capsys, "ingest", file, "--store", LOCATION)["digest"]
    signed = called(capsys, "presign", "liver", "--store", LOCATION, "--seconds", "600")
    stored = server.folder / "a" / "slides" / digest
    assert set(signed["files"]) == {str(path.relative_to(stored)) for path in stored.rglob("*") if path.is_file()}
    for path, url in signed["files"].items():
        with urlopen(url) as answer:
            assert answer.read() == (stored / path).read_bytes()
    url = signed["files"]["manifest.json"]
    for forged in (url.split("?")[0], url.replace("manifest.json", "layer-index"), url.replace("600", "60000")):
        with pytest.raises(HTTPError, match="403"):
            urlopen(forged)
    assert '"presigned"' in json.dumps(called(capsys, "audit", "list", "--store", LOCATION))


@pytest.mark.parametrize(
    "arguments", [("--store", LOCATION, "--seconds", "0"), ("--store", LOCATION, "--seconds", "604801"), ()]
)
def test_st88_what_cannot_be_presigned_is_said(
    server: Server, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["presign", "liver", *arguments]) == 2
    assert "seconds" in (said := capsys.readouterr().err) or "slide_store" in said


def test_cl14_identifying_data_is_copied_when_asked_for(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_tiff(tmp_path / "liver.tif", tissue(600, 500))
    digest = called(capsys, "ingest", file)["digest"]
    here = PhiStore(StorePaths(tmp_path / "store"))
    here.write(digest, {"name": "Jane"}, {"label": b"a label"})
    there = PhiObjects(Objects.at(LOCATION))
    assert main(["copy", str(tmp_path / "store"), LOCATION]) == 0
    assert "identifying data of 1 version(s) not copied" in capsys.readouterr().err
    assert (there.texts(digest), there.images(digest)) == ({}, ())
    assert called(capsys, "copy", tmp_path / "store", LOCATION, "--identity")["identity"] == [digest]
    assert (there.texts(digest), there.image(digest, "label")) == ({"name": "Jane"}, b"a label")
    called(capsys, "copy", LOCATION, tmp_path / "back", "--identity")
    back = PhiStore(StorePaths(tmp_path / "back"))
    assert (back.texts(digest), back.image(digest, "label")) == ({"name": "Jane"}, b"a label")


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_copy_that_finds_nothing_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["copy", str(tmp_path / "empty"), str(tmp_path / "to"), *more]) == 2
    said = capsys.readouterr()
    assert "with slide versions" in said.err
    assert said.out == ""
    assert not (tmp_path / "to").exists()


def test_copy_names_its_stores_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["copy", "a", "b", "--store", "c"])
    assert "--store" in capsys.readouterr().err


def test_sh1_sh3_a_slide_in_an_object_store_is_exported_as_one_on_the_disk_and_verified(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = called(capsys, "ingest", "specimen:700x500", "--id", "one", "--store", LOCATION)
    called(capsys, "export", "one", tmp_path / "s3.wsz", "--store", LOCATION)
    called(capsys, "export", "one", tmp_path / "folder", "--no-page", "--store", LOCATION)
    called(capsys, "copy", LOCATION, tmp_path / "store")
    called(capsys, "export", "one", tmp_path / "disk.wsz")
    assert (tmp_path / "s3.wsz").read_bytes() == (tmp_path / "disk.wsz").read_bytes()
    stored = server.folder / "a" / "slides" / made["digest"]
    shard = next(stored.glob("levels/0/*"))
    assert (tmp_path / "folder" / shard.relative_to(stored)).read_bytes() == shard.read_bytes()
    shard.write_bytes(bytes(shard.stat().st_size))
    assert main(["export", "one", str(tmp_path / "bad"), "--no-page", "--store", LOCATION]) != 0
    assert not (tmp_path / "bad").exists()
