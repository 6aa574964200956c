"""The original file of an import: stored with the slide, all or nothing; it belongs to the slide (ST90 to ST96)."""

from __future__ import annotations

import errno
import hashlib
import shutil
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from ingest.worlds import ingested, tissue, twins, write_tiff
from source.test_focus_series import write_plane
from source.worlds import tissue as tissue_of
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.originals.rows import OriginalRow
from wavescope.catalog.originals.table import OriginalTable
from wavescope.catalog.trash import Trash
from wavescope.config import Config
from wavescope.errors import IngestCancelled, InvalidParameter, NotEnoughSpace, StoreFull, UnreadableSource
from wavescope.ingest import originals as staging
from wavescope.ingest.pipeline import Options, ingest
from wavescope.ingest.stored_source import spec_of
from wavescope.service.slides.removal import collect_originals
from wavescope.store.files.stored import StoredFile

Store = Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_tiff(tmp_path / "Müller 1950.tif", tissue(500, 300))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def catalog(store: Path) -> Iterator[Catalog]:
    store.mkdir()
    with closing(Catalog.open(store)) as opened:
        yield opened


def kept(file: Path | str, store: Path, slide_id: str = "s", **options: Any) -> None:
    ingested(file, store, slide_id, **{"keep_original": True, **options})


def original(catalog: Catalog, slide_id: str = "s") -> StoredFile | None:
    return OriginalTable(catalog).of(slide_id)


def stored(store: Path) -> set[str]:
    """SHA-256 of the files that are there, each compared with its content."""
    found = {path.parent.name: path for path in store.glob("originals/*/content")}
    for sha256, path in found.items():
        assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    return set(found)


def collected(catalog: Catalog, store: Path) -> tuple[str, ...]:
    return collect_originals(OriginalTable(catalog), store, time.time() + 1)


def test_st90_a_file_is_stored_as_it_is_and_only_on_request(file: Path, store: Path, catalog: Catalog) -> None:
    ingested(file, store)
    assert original(catalog) is None
    assert not (store / "originals").exists()
    kept(file, store)
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    found = original(catalog)
    assert found is not None
    assert (found.sha256, found.name, found.size, found.files) == (sha256, "Müller 1950.tif", file.stat().st_size, 1)
    folder = store / "originals" / sha256
    assert (folder / "content").read_bytes() == file.read_bytes()
    assert StoredFile.from_json((folder / "original.json").read_bytes()) == found
    for path in (store / "originals", folder, *folder.iterdir()):
        assert path.stat().st_mode & 0o077 == 0
    for path in (store / "slides").rglob("*"):
        assert path.is_dir() or file.read_bytes()[:400] not in path.read_bytes()


@pytest.mark.slow
def test_st92_st97_the_import_of_a_file_that_differs_in_some_pixels_ends_the_original(
    tmp_path: Path, store: Path, catalog: Catalog
) -> None:
    first, second = twins(tmp_path)
    kept(first, store)
    ingested(second, store)
    assert original(catalog) is None


def test_st97_the_original_of_an_older_import_stays_when_the_same_file_is_imported_again(
    file: Path, store: Path, catalog: Catalog
) -> None:
    kept(file, store)
    with catalog.writing(rights=False) as session:  # as it was before fingerprints covered all bytes
        session.execute(update(OriginalRow).values(fingerprint="0" * 64))
    assert original(catalog) is not None
    ingested(file, store)
    assert original(catalog) is not None


def test_st90_several_files_are_one_zip_that_can_be_imported_again(tmp_path: Path, store: Path) -> None:
    folder = tmp_path / "focus"
    folder.mkdir()
    for z in range(3):
        write_plane(folder / f"focus{z}.tif", tissue_of(60, 80, seed=z))
    kept(folder, store)
    (sha256,) = stored(store)
    with zipfile.ZipFile(store / "originals" / sha256 / "content") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [f"focus/focus{z}.tif" for z in range(3)]
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
        archive.extractall(tmp_path / "again")
    with closing(Catalog.open(store)) as catalog:
        found, digest = original(catalog), catalog.resolve("s")
        assert found is not None
        assert (found.name, found.files) == ("focus.zip", 3)
        kept(tmp_path / "again" / "focus", store, "t")
        assert catalog.resolve("t") == digest
        assert original(catalog, "t") == found  # the same bytes, whenever they were made
    assert stored(store) == {sha256}


@pytest.mark.slow
def test_st92_it_belongs_to_the_slide(file: Path, tmp_path: Path, store: Path, catalog: Catalog) -> None:
    kept(file, store, quality="visual")
    before = original(catalog)
    ingest(spec_of(store, catalog.resolve("s")), store, catalog, Options("s", quality="compact"))
    assert original(catalog) == before
    ingested(file, store, quality="lossless")  # the same file, without asking for it
    assert original(catalog) == before
    Trash(catalog).put("s")
    assert collected(catalog, store) == ()
    Trash(catalog).restore("s")
    assert original(catalog) == before
    ingested(write_tiff(tmp_path / "other.tif", tissue(300, 200, seed=4)), store)
    assert original(catalog) is None
    assert before is not None
    assert collected(catalog, store) == (before.sha256,)
    assert stored(store) == set()


@pytest.mark.slow
def test_st93_slides_of_one_file_share_it_until_the_last_one_is_purged(file: Path, store: Path) -> None:
    kept(file, store, "a")
    kept(file, store, "b")
    with closing(Catalog.open(store)) as catalog:
        table, trash = OriginalTable(catalog), Trash(catalog)
        assert len(stored(store)) == 1
        trash.put("a")
        trash.purge("a")
        assert collected(catalog, store) == ()
        assert table.drop("b")
        assert not table.drop("b")
        assert len(collected(catalog, store)) == 1
        assert list((store / "originals").iterdir()) == []
        ingested(file, store, "a")  # the id is used again: nothing of the purged slide comes back
        assert original(catalog, "a") is None


def test_st93_a_crash_between_the_file_and_the_slide_leaves_neither_in_the_end(
    file: Path, store: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Crash(BaseException):
        pass

    def crash(*_: object, **__: object) -> None:
        raise Crash

    monkeypatch.setattr(Catalog, "publish_version", crash)
    with pytest.raises(Crash):
        kept(file, store)
    monkeypatch.undo()
    assert len(stored(store)) == 1  # it lies there, and belongs to no slide
    assert OriginalTable(catalog).all() == ()
    kept(file, store)  # the import goes on
    assert original(catalog) is not None
    assert collected(catalog, store) == ()
    assert len(stored(store)) == 1

    monkeypatch.setattr(Catalog, "publish_version", crash)
    other = write_tiff(file.with_name("other.tif"), tissue(300, 200, seed=4))
    with pytest.raises(Crash):
        kept(other, store, "t")
    monkeypatch.undo()
    assert len(stored(store)) == 2
    assert collected(catalog, store) == (hashlib.sha256(other.read_bytes()).hexdigest(),)  # the import is abandoned
    assert len(stored(store)) == 1


@pytest.mark.parametrize("files", [1, 3])
def test_st94_what_does_not_fit_changes_nothing_and_the_next_run_goes_on(
    files: int, tmp_path: Path, store: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "focus"
    source.mkdir()
    for z in range(3):
        write_plane(source / f"focus{z}.tif", tissue_of(60, 80, seed=z))
    source = source / "focus0.tif" if files == 1 else source
    full = shutil._ntuple_diskusage(10**9, 10**9 - 1, 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
    with pytest.raises(NotEnoughSpace):
        kept(source, store)
    monkeypatch.undo()

    def no_space(*_: object) -> Iterator[bytes]:
        yield b"some"
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(staging, "_chunks", no_space)
    with pytest.raises(StoreFull):
        kept(source, store)
    monkeypatch.undo()
    assert catalog.list().slides == ()
    assert stored(store) == set()
    kept(source, store)
    assert len(stored(store)) == 1


def test_st90_a_cancelled_import_and_a_file_that_changes_store_nothing(
    file: Path, store: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged = staging.staged_original
    monkeypatch.setattr(staging, "_chunks", lambda path, _: (_ for _ in ()).throw(IngestCancelled()))
    with pytest.raises(IngestCancelled):
        kept(file, store)
    monkeypatch.undo()

    def changed(*given: Any) -> object:
        with file.open("ab") as stream:
            stream.write(b"more")
        return staged(*given)

    monkeypatch.setattr("wavescope.ingest.pipeline.staged_original", changed)
    with pytest.raises(UnreadableSource, match="changed"):
        kept(file, store)
    assert catalog.list().slides == ()
    assert stored(store) == set()


def test_st96_it_is_never_stored_without_identifying_data(file: Path, store: Path, catalog: Catalog) -> None:
    with pytest.raises(InvalidParameter, match="may identify the patient"):
        kept(file, store, deidentify=True)
    with pytest.raises(InvalidParameter, match="no file"):
        kept("specimen:64x64", store)
    with pytest.raises(InvalidParameter, match="keep_originals"):
        Config(keep_originals=True, deidentify=True)
    kept(file, store)
    ingested(file, store, deidentify=True)
    assert original(catalog) is None
