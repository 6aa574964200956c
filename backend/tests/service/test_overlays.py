"""Overlays in a store: imported whole or not at all, whatever interrupts them; collected, checked (OV22 to OV32)."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import random
import signal
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import tifffile
from sqlalchemy import event

from overlays.rasters import heat, whole
from overlays.shapes import mixed
from small_disk import small_disk
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.overlays import OverlayRecord, OverlayTable
from wavescope.catalog.trash import Trash
from wavescope.config import Config
from wavescope.errors import CorruptOverlay, StoreFull, UnknownOverlay, UnknownSlide
from wavescope.overlays.archive import Archive
from wavescope.overlays.builder import Builder
from wavescope.overlays.raster import Samples
from wavescope.overlays.reading.files import Reading
from wavescope.overlays.reading.skipped import Skipped
from wavescope.overlays.tile import Tile
from wavescope.service.backup import make_backup, restore_backup
from wavescope.service.opening import url_of
from wavescope.service.overlays import rasters
from wavescope.service.overlays.importing import OverlayImport, import_mark, import_overlay
from wavescope.service.overlays.opened import damages_of, opened
from wavescope.service.overlays.sources import OverlaySource, ShapeSource, Share, of_file
from wavescope.service.rebuild import rebuild_catalog
from wavescope.service.slides.removal import collect_overlays, discard_ingests
from wavescope.store.files.location import files_at
from wavescope.store.files.stored import OVERLAYS, StoredFile, StoredFiles
from wavescope.store.layout import StorePaths

SIDE = 3000
KILLS = 30
Made = Callable[..., OverlaySource]
"""Makes a source of an overlay by its seed and how much it has."""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def catalog(store: Path) -> Iterator[Catalog]:
    store.mkdir()
    with closing(Catalog.open(store)) as opened_catalog:
        slide(opened_catalog)
        yield opened_catalog


def slide(catalog: Catalog, slide_id: str = "s", fingerprint: str = "f") -> None:
    """A slide without pixels."""
    source = {"fingerprint": fingerprint, "name": "a.tif"}
    manifest = {"width": SIDE, "height": SIDE, "source": source, "mpp": None, "planes": 1}
    catalog.publish(slide_id, slide_id, hashlib.sha256(slide_id.encode()).hexdigest(), manifest)


@pytest.fixture(params=["cells", "values", "labels"])
def made(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """Each kind of overlay, so that what holds for one holds for all."""
    if request.param == "cells":
        return cells
    monkeypatch.setattr(rasters, "WIDE", 512)  # as many steps as shapes have
    return partial(raster, tmp_path, request.param)


def raster(folder: Path, content: Literal["values", "labels"], seed: int = 1, steps: int = 3) -> OverlaySource:
    """A file of noise, which does not compress; the slide is twice as large in each direction."""
    side, path = SIDE // 2, folder / f"{content} {seed} {steps}.tif"
    rng = np.random.default_rng(seed)
    if content == "labels":
        pixels = np.kron(rng.integers(0, 60000, (side // 10, side // 10)), np.ones((10, 10), int)).astype(np.uint16)
    else:
        pixels = (heat(side, side) + rng.random((side, side)) * steps).astype(np.float32)
    tifffile.imwrite(path, pixels)
    return of_file(path, Reading("p" if content == "values" else "", None, content))


def cells(seed: int = 1, steps: int = 3) -> ShapeSource:
    """Shapes of four classes with scores, in some pieces."""

    def read(builder: Builder, _reading: Reading, share: Share) -> Skipped:
        for number in range(4):
            builder.class_number(f"class {number}")
        for step in range(steps):
            shapes = mixed(seed + step, SIDE)
            builder.add(shapes, (shapes.scores / 255.0).astype(np.float32))
            share((step + 1) / steps)
        return Skipped()

    return ShapeSource(read, Reading("p"))


def wanted(source: OverlaySource | None = None, slide_id: str = "s") -> OverlayImport:
    return OverlayImport(uuid.uuid4().hex, slide_id, "cells", "anna", source or cells())


def added(catalog: Catalog, store: Path, what: OverlayImport | None = None) -> OverlayRecord:
    what = what or wanted()
    import_overlay(Config(store=store), catalog, what)
    return OverlayTable(catalog).get(what.slide_id, what.id)


def files_of(store: Path) -> StoredFiles:
    return files_at(StorePaths(store), None, OVERLAYS)


def stored(store: Path) -> set[str]:
    """The digests of the files that are there, each compared with its content."""
    found = {path.parent.name: path for path in store.glob("overlays/*/content")}
    for sha256, path in found.items():
        assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    return set(found)


def collected(catalog: Catalog, store: Path, before: float | None = None) -> tuple[str, ...]:
    before = time.time() + 1 if before is None else before
    return collect_overlays(OverlayTable(catalog), store, before, time.time() + 1)


def test_a_file_is_stored_beside_the_slides_for_the_owner_of_the_store_alone_ov22(
    catalog: Catalog, store: Path, made: Made
) -> None:
    record = added(catalog, store, wanted(made()))
    folder = store / "overlays" / record.file.sha256
    assert stored(store) == {record.file.sha256}
    assert StoredFile.from_json((folder / "overlay.json").read_bytes()) == record.file
    assert (record.file.name, record.file.fingerprint, record.author) == ("cells", "f", "anna")
    for path in (store / "overlays", folder, *folder.iterdir()):
        assert path.stat().st_mode & 0o077 == 0
    assert list((store / "ingest").iterdir()) == []
    assert opened(files_of(store), record.file).manifest.document() == record.manifest


def test_counts_of_every_level_and_class_are_those_of_the_source_ov9(catalog: Catalog, store: Path) -> None:
    record = added(catalog, store)
    source = [mixed(1 + step, SIDE) for step in range(3)]
    counts = {n: sum(int((one.classes == n).sum()) for one in source) for n in range(4)}
    assert [one["count"] for one in record.manifest["classes"]] == list(counts.values())
    archive = opened(files_of(store), record.file)
    top = archive.tile(record.manifest["top"], 0, 0)
    assert top is not None
    assert top.counts is not None
    assert {n: int(found.sum()) for n, found in top.counts.shapes.items()} == counts


def test_an_overlay_belongs_to_the_source_of_its_slide_ov23(catalog: Catalog, store: Path) -> None:
    table, record = OverlayTable(catalog), added(catalog, store)
    slide(catalog, fingerprint="another")
    assert table.of("s") == ()
    with pytest.raises(UnknownOverlay):
        table.get("s", record.id)
    slide(catalog, fingerprint="f")
    assert table.of("s") == (record,)
    Trash(catalog).put("s")
    with pytest.raises(UnknownSlide):
        table.of("s")
    assert collected(catalog, store) == ()
    Trash(catalog).restore("s")
    assert table.of("s") == (record,)
    Trash(catalog).put("s")
    Trash(catalog).purge("s")
    assert collected(catalog, store, before=1.0) == (record.file.sha256,)
    slide(catalog)  # the id is used again: nothing of the purged slide comes back
    assert table.of("s") == ()
    with pytest.raises(UnknownOverlay):
        table.restore("s", record.id)


def test_a_deleted_overlay_can_be_restored_until_it_is_collected_ov31(
    catalog: Catalog, store: Path, made: Made
) -> None:
    table, source = OverlayTable(catalog), made()
    slide(catalog, "t")
    one, same = added(catalog, store, wanted(source)), added(catalog, store, wanted(source, "t"))
    assert one.file.sha256 == same.file.sha256
    table.remove("s", one.id)
    assert collected(catalog, store, before=time.time() - 60) == ()
    assert table.restore("s", one.id) == one
    assert table.restore("s", one.id) == one
    table.remove("s", one.id)
    assert collected(catalog, store) == ()  # the other slide has the file
    with pytest.raises(UnknownOverlay):
        table.restore("s", one.id)
    assert stored(store) == {one.file.sha256}
    table.remove("t", same.id)
    assert collected(catalog, store) == (one.file.sha256,)
    assert stored(store) == set()


# -- what interrupts an import (OV27)


class Steps:
    """Counts what an import does to the disk and the catalog; kills the process at one of these steps."""

    def __init__(self, catalog: Catalog, last: int | None) -> None:
        self.count, self._last = 0, last
        event.listen(catalog.engine, "commit", self.step)

    def step(self, *_: object) -> None:
        if self.count == self._last:
            os.kill(os.getpid(), signal.SIGKILL)
        self.count += 1

    def wrapped(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any, **named: Any) -> Any:
            self.step()
            made = work(*given, **named)
            self.step()
            return made

        return run


def imported(store: str, what: str, source: OverlaySource, last: int | None) -> int:
    """Imports in this process, killed at step ``last``; how many steps there were."""
    with closing(Catalog.open(store)) as catalog:
        steps = Steps(catalog, last)
        os.fsync = steps.wrapped(os.fsync)
        Path.rename = steps.wrapped(Path.rename)  # type: ignore[method-assign]
        np.save = steps.wrapped(np.save)
        overlay = OverlayImport(what, "s", "cells", "anna", source)
        import_overlay(Config(store=Path(store)), catalog, overlay, lambda _: steps.step())
        return steps.count


def in_child(*given: Any) -> int | None:
    """The exit code of the process, -9 if it was killed; the number of its steps if it ended well."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=lambda: sender.send(imported(*given)))
    child.start()
    child.join()
    return receiver.recv() if child.exitcode == 0 else child.exitcode


@pytest.mark.slow
def test_an_import_that_is_killed_anywhere_is_whole_or_nothing_and_can_be_repeated_ov27(
    tmp_path: Path, store: Path, made: Made
) -> None:
    source = made()
    store.mkdir()
    with closing(Catalog.open(store)) as catalog:
        slide(catalog)
    total = in_child(str(store), uuid.uuid4().hex, source, None)
    assert total is not None
    assert total > KILLS
    (digest,) = stored(store)
    for number, last in enumerate(np.linspace(0, total - 1, KILLS).astype(int).tolist()):
        one, what = tmp_path / f"store {number}", uuid.uuid4().hex
        one.mkdir()
        with closing(Catalog.open(one)) as catalog:
            slide(catalog)
        assert in_child(str(one), what, source, last) == -signal.SIGKILL
        with closing(Catalog.open(one)) as catalog:
            table = OverlayTable(catalog)
            for record in table.of("s"):
                assert list(damages_of(files_of(one), record.file)) == []
            assert stored(one) <= {digest}
            again = added(catalog, one, OverlayImport(what, "s", "cells", "anna", source))
            assert again.file.sha256 == digest
            assert table.of("s") == (again,)
            assert collected(catalog, one) == ()
            assert stored(one) == {digest}
            assert list((one / "ingest").iterdir()) == []


def test_what_a_killed_import_left_without_a_slide_is_collected_ov27(
    catalog: Catalog, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Crash(BaseException):
        pass

    def crash(*_: object) -> None:
        raise Crash

    monkeypatch.setattr(OverlayTable, "publish", crash)
    with pytest.raises(Crash):
        added(catalog, store)
    monkeypatch.undo()
    assert len(stored(store)) == 1
    assert OverlayTable(catalog).of("s") == ()
    assert len(collected(catalog, store, before=0.0)) == 1
    assert stored(store) == set()


def test_a_cancelled_import_leaves_nothing_ov27(catalog: Catalog, store: Path) -> None:
    what = wanted()
    work = store / "ingest" / f"overlay-{what.id}"

    class Cancelled(BaseException):
        pass

    def cancelled(_builder: Builder, _reading: Reading, _share: Share) -> Skipped:
        assert work.is_dir()
        raise Cancelled

    with pytest.raises(Cancelled):
        added(catalog, store, replace(what, source=ShapeSource(cancelled, Reading())))
    assert list((store / "ingest").iterdir()) == []
    work.mkdir()
    (work / "plan.json").write_text(json.dumps({"fingerprint": import_mark(what.id)}))
    discard_ingests(store, import_mark(what.id))  # of a process that was killed
    assert not work.exists()
    assert OverlayTable(catalog).of("s") == ()
    assert stored(store) == set()


def test_an_import_on_a_full_disk_changes_nothing_and_goes_on_when_there_is_space_ov27(
    tmp_path: Path, made: Made
) -> None:
    with small_disk(tmp_path / "disk", 24) as disk:
        store = disk.path / "store"
        store.mkdir()
        with closing(Catalog.open(store)) as catalog:
            slide(catalog)
            first = added(catalog, store, wanted(made()))
            for left in (0, 20_000, 100_000, 300_000):
                disk.fill(left)
                what = wanted(made(5, steps=12))
                with pytest.raises(StoreFull):
                    added(catalog, store, what)
                disk.free()
                assert OverlayTable(catalog).of("s") == (first,)
                assert list((store / "ingest").iterdir()) == []
            second = added(catalog, store, what)
            assert OverlayTable(catalog).of("s") == (first, second)
            assert not list(damages_of(files_of(store), second.file))


# -- damage (OV32)


def tile_of(archive: Archive, place: tuple[int, int, int]) -> Tile | Samples | None:
    return archive.tile(*place) if archive.manifest.raster is None else archive.samples(*place)


def same(one: Tile | Samples | None, other: Tile | Samples | None) -> bool:
    if not (isinstance(one, Tile) and isinstance(other, Tile)):
        return one is other or np.array_equal(np.asarray(one), np.asarray(other))
    parts: list[tuple[Any, Any]] = [
        (one.shapes.corners, other.shapes.corners),
        (one.shapes.classes, other.shapes.classes),
    ]
    if one.symbols is not None and other.symbols is not None:
        parts.append((one.symbols.middles, other.symbols.middles))
    if one.counts is not None and other.counts is not None:
        parts += [(found, other.counts.shapes[n]) for n, found in one.counts.shapes.items()]
    return all(np.array_equal(a, b) for a, b in parts)


def test_every_flipped_byte_is_named_and_nothing_wrong_is_read_ov32(catalog: Catalog, store: Path, made: Made) -> None:
    record, files = added(catalog, store, wanted(made())), files_of(store)
    path = store / "overlays" / record.file.sha256 / "content"
    whole, archive = path.read_bytes(), opened(files, record.file)
    tiles = {place: tile_of(archive, place) for place in archive.places()}
    generator = random.Random(7)
    refused = 0
    for at in [*range(127), *(generator.randrange(len(whole)) for _ in range(150))]:
        damaged = bytearray(whole)
        damaged[at] ^= 1 << generator.randrange(8)
        path.write_bytes(damaged)
        assert "its SHA-256 does not match" in next(damages_of(files, record.file))
        try:
            broken = opened(files, record.file)
        except CorruptOverlay:
            refused += 1
            continue
        for place, tile in tiles.items():
            try:
                assert same(tile_of(broken, place), tile), (at, place)
            except CorruptOverlay:
                refused += 1
    assert refused > 150
    path.write_bytes(whole[:-1])
    assert "bytes instead of" in next(damages_of(files, record.file))
    path.unlink()
    assert next(damages_of(files, record.file)) == "the file is missing"
    with pytest.raises(CorruptOverlay, match="missing"):
        opened(files, record.file)


def test_a_damaged_tile_is_named_ov32(catalog: Catalog, store: Path, made: Made) -> None:
    record, files = added(catalog, store, wanted(made())), files_of(store)
    path = store / "overlays" / record.file.sha256 / "content"
    top = record.manifest["top"]
    member = opened(files, record.file).member(top, 0, 0)
    assert member is not None
    whole = bytearray(path.read_bytes())
    whole[whole.index(member) + len(member) // 2] ^= 4
    path.write_bytes(whole)
    found = list(damages_of(files, record.file))
    assert len(found) == 2
    assert found[1].startswith(f"tile 0, 0 of level {top}: ")


def test_labels_are_stored_byte_for_byte_ov65(catalog: Catalog, store: Path, tmp_path: Path) -> None:
    record = added(catalog, store, wanted(raster(tmp_path, "labels")))
    assert tuple(record.transform) == (2.0, 0.0, 0.0, 0.0, 2.0, 0.0)
    archive = opened(files_of(store), record.file)
    assert np.array_equal(whole(archive), tifffile.imread(next(tmp_path.glob("labels *.tif"))))


# -- backups and rebuilt catalogs (OV22, OV23)


def test_a_backup_brings_overlays_back_ov22(catalog: Catalog, store: Path, tmp_path: Path, made: Made) -> None:
    kept, gone = added(catalog, store, wanted(made())), added(catalog, store, wanted(made(9)))
    OverlayTable(catalog).remove("s", gone.id)
    make_backup(catalog, store, tmp_path / "b.zip", pixels=True, replace=False)
    other = tmp_path / "other"
    restore_backup(tmp_path / "b.zip", other, url_of(Config(store=other)), replace=False)
    assert stored(other) == {kept.file.sha256}
    with closing(Catalog.open(other)) as restored:
        assert OverlayTable(restored).of("s") == (kept,)
        assert list(damages_of(files_of(other), kept.file)) == []


@pytest.mark.slow
def test_a_rebuilt_catalog_has_the_overlays_of_the_stored_slides_ov23(tmp_path: Path, made: Made) -> None:
    from ingest.worlds import ingested, tissue, write_tiff

    store = tmp_path / "store"
    ingested(write_tiff(tmp_path / "a.tif", tissue(300, 200)), store, "s")
    with closing(Catalog.open(store)) as catalog:
        before = added(catalog, store, wanted(made()))
    for path in store.glob("catalog.sqlite*"):
        path.unlink()
    rebuilt = rebuild_catalog(Config(store=store), lambda _: ("again", "Again"), replace=False)
    assert list(rebuilt.slides) == ["again"]
    with closing(Catalog.open(store)) as catalog:
        (found,) = OverlayTable(catalog).of("again")
        assert (found.file, found.manifest) == (before.file, before.manifest)
        assert collected(catalog, store) == ()
