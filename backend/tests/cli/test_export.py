"""``wavescope export``: a folder for any web server, and one file (static.md)."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ingest.worlds import tissue, write_tiff
from wavescope.api.schemas.annotations import AnnotationList
from wavescope.api.schemas.slides import ManifestView
from wavescope.catalog.annotations import AnnotationTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.changes import Change
from wavescope.cli import main
from wavescope.errors import CorruptStore, InvalidParameter
from wavescope.store.exported.sinks import MAX_ENTRY, archive_in, exporting
from wavescope.store.exported.version import write_version
from wavescope.store.objects.backend import FolderFiles

Capture = pytest.CaptureFixture[str]
CONTENT = '{"kind":"point","geometry":{"type":"Point","coordinates":[10,20]},"name":"a mitosis"}'


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the slide ``liver``, 700 x 500, and one annotation by ``rosa``. Look, but do not damage."""
    folder = tmp_path_factory.mktemp("export")
    source = write_tiff(folder / "liver.tif", tissue(700, 500))
    assert main(["ingest", str(source), "--id", "liver", "--store", str(folder / "store")]) == 0
    catalog = Catalog.open(folder / "store")
    table = AnnotationTable(catalog.engine, max_objects=100, max_classes=10)
    table.apply("liver", [Change("one", 0, CONTENT)], "rosa")
    catalog.close()
    return folder / "store"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page that was built, as far as the command knows."""
    page = tmp_path / "dist" / "exported"
    (page / "page").mkdir(parents=True)
    (page / "index.html").write_text("<title>Wavescope</title>")
    (page / "index.html.br").write_bytes(b"packed")
    (page / "page" / "index-1.js").write_text("1")
    monkeypatch.setenv("WAVESCOPE_FRONTEND", str(page.parent))
    return page


def exported(store: Path, target: Path, *options: str, code: int = 0) -> None:
    assert main(["export", "liver", str(target), "--store", str(store), *options]) == code


def files_in(folder: Path) -> dict[str, bytes]:
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def version_of(store: Path) -> dict[str, bytes]:
    (folder,) = (store / "slides").iterdir()
    return files_in(folder)


def document(data: bytes) -> Any:
    return json.loads(data)


@pytest.mark.slow
def test_sh1_sh2_a_folder_has_the_version_byte_by_byte_its_document_and_the_page(
    store: Path, built: Path, tmp_path: Path
) -> None:
    exported(store, tmp_path / "out")
    found = files_in(tmp_path / "out")
    version = version_of(store)
    assert {path: found[path] for path in version} == version
    own = set(found) - set(version)
    assert own == {"export.json", "thumbnail.jpg", "index.html", "page/index-1.js"}
    said = document(found["export.json"])
    assert (said["format"], said["version"], said["annotations"]) == ("wavescope-export", "1.0", False)
    view = ManifestView.model_validate(said["slide"])
    assert (view.id, view.digest) == ("liver", document(version["manifest.json"])["digest"])
    assert (view.allowed, view.editable, view.tags, view.original) == ([], False, {}, None)


def test_sh2_annotations_are_written_only_when_asked_for_and_without_their_authors(store: Path, tmp_path: Path) -> None:
    exported(store, tmp_path / "out", "--no-page", "--annotations")
    found = files_in(tmp_path / "out")
    assert "index.html" not in found
    assert document(found["export.json"])["annotations"] is True
    listed = AnnotationList.model_validate(document(found["annotations.json"]))
    assert [(one.id, one.author, one.editor) for one in listed.annotations] == [("one", "", "")]
    assert (listed.editable, listed.more, listed.total) == (False, False, 1)
    assert not any(b"rosa" in data for data in found.values())


def test_sh4_another_folder_is_never_replaced_an_export_only_when_asked(
    store: Path, tmp_path: Path, capsys: Capture
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    for options in ((), ("--replace",)):
        exported(store, mine, "--no-page", *options, code=2)
        assert files_in(mine) == {"letter.txt": b"dear"}
    exported(store, tmp_path / "out", "--no-page")
    exported(store, tmp_path / "out", "--no-page", code=2)
    assert "--replace" in capsys.readouterr().err
    exported(store, tmp_path / "out", "--no-page", "--replace")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["mine", "out"]


def test_sh4_a_page_that_is_not_built_is_said_before_anything_is_written(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("WAVESCOPE_FRONTEND", str(tmp_path / "nowhere"))
    exported(store, tmp_path / "out", code=2)
    assert "--no-page" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_sh10_sh11_one_file_stores_entries_as_they_are_one_directly_after_another(store: Path, tmp_path: Path) -> None:
    target = tmp_path / "liver.wsz"
    exported(store, target, "--annotations")
    with zipfile.ZipFile(target) as archive:
        entries = archive.infolist()
        assert archive.testzip() is None
        held = {entry.filename: archive.read(entry) for entry in entries}
        start = archive.start_dir
    assert {path: held[path] for path in version_of(store)} == version_of(store)
    assert set(held) - set(version_of(store)) == {"export.json", "thumbnail.jpg", "annotations.json"}
    assert entries[0].filename == "export.json"
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
    assert {entry.flag_bits for entry in entries} == {0}
    ends = [entry.header_offset + 30 + len(entry.filename) + entry.file_size for entry in entries]
    assert ends == [*(entry.header_offset for entry in entries[1:]), start]
    signature, _, _, _, count, size, offset, comment = struct.unpack("<4s4H2IH", target.read_bytes()[-22:])
    assert (signature, count, offset + size + 22, comment) == (b"PK\5\6", len(entries), target.stat().st_size, 0)


def test_sh12_the_largest_entry_has_no_extra_field_and_a_larger_one_is_refused() -> None:
    stream = io.BytesIO()
    with archive_in(stream) as sink:
        sink.add("largest", MAX_ENTRY, [])
        with pytest.raises(InvalidParameter, match="export it to a folder"):
            sink.add("larger", MAX_ENTRY + 1, [])
    assert struct.unpack_from("<I22xHH", stream.getvalue()) == (0x04034B50, len("largest"), 0)


def test_sh11_the_same_slide_gives_the_same_bytes(store: Path, tmp_path: Path) -> None:
    for name in ("a.wsz", "b.wsz"):
        exported(store, tmp_path / name)
    assert (tmp_path / "a.wsz").read_bytes() == (tmp_path / "b.wsz").read_bytes()
    exported(store, tmp_path / "a.wsz", code=2)


@pytest.mark.parametrize("damage", ["flipped", "short", "missing"])
def test_sh3_a_damaged_version_leaves_nothing_behind(store: Path, tmp_path: Path, damage: str) -> None:
    (folder,) = (store / "slides").iterdir()
    copy = tmp_path / "copy"
    for path, data in files_in(folder).items():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_bytes(data)
    victim = copy / "levels" / "0" / "c.0.0.0.0.0"
    data = victim.read_bytes()
    if damage == "missing":
        victim.unlink()
    else:
        victim.write_bytes(data[:-1] if damage == "short" else bytes([data[0] ^ 1, *data[1:]]))
    for target in (tmp_path / "out", tmp_path / "out.wsz"):
        with pytest.raises(CorruptStore), exporting(target, replace=False) as sink:
            write_version(FolderFiles(copy), folder.name, sink)
    assert [one.name for one in tmp_path.iterdir()] == ["copy"]


def test_an_export_is_in_the_audit_log(store: Path, tmp_path: Path, capsys: Capture) -> None:
    exported(store, tmp_path / "out", "--no-page")
    capsys.readouterr()
    assert main(["audit", "list", "--store", str(store), "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert "exported" in json.dumps(listed)


@pytest.mark.parametrize("name", ["back.wsz", "back"])
def test_sh25_an_export_is_imported_again_byte_by_byte(store: Path, tmp_path: Path, capsys: Capture, name: str) -> None:
    exported(store, tmp_path / name, *(() if name.endswith(".wsz") else ("--no-page",)))
    other = tmp_path / "other"
    assert main(["ingest", str(tmp_path / name), "--id", "again", "--store", str(other)]) == 0
    assert version_of(other) == version_of(store)
    catalog = Catalog.open(other)
    assert (catalog.get("again").title, catalog.get("again").digest) == (
        "back",
        next((store / "slides").iterdir()).name,
    )
    catalog.close()
    assert main(["verify", "again", "--store", str(other)]) == 0
    assert not [path for path in (other / "ingest").rglob("*") if path.is_file()]


@pytest.mark.parametrize("name", ["back.wsz", "back"])
def test_sh25_a_damaged_export_is_refused(store: Path, tmp_path: Path, capsys: Capture, name: str) -> None:
    target = tmp_path / name
    exported(store, target, *(() if name.endswith(".wsz") else ("--no-page",)))
    damaged = target if target.is_file() else next((target / "levels" / "0").glob("c*"))
    data = bytearray(damaged.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.write_bytes(data)
    assert main(["ingest", str(target), "--id", "again", "--store", str(tmp_path / "other")]) != 0
    assert not list((tmp_path / "other" / "slides").glob("*"))
    (tmp_path / "letter.wsz").write_bytes(b"dear")
    assert main(["ingest", str(tmp_path / "letter.wsz"), "--store", str(tmp_path / "other")]) != 0
    assert "no export that can be read" in capsys.readouterr().err


def test_sh25_an_export_cannot_be_deidentified(store: Path, tmp_path: Path, capsys: Capture) -> None:
    exported(store, tmp_path / "liver.wsz")
    options = ["--deidentify", "--store", str(tmp_path / "other")]
    assert main(["ingest", str(tmp_path / "liver.wsz"), *options]) == 2
    assert "--deidentify" in capsys.readouterr().err
