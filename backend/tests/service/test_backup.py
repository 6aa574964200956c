"""Backups: consistent while others write, verified, refused where they would overwrite data (PR50 to PR53)."""

from __future__ import annotations

import json
import shutil
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from service.world import World, make_world
from wavescope.catalog.access.audit import AuditEntry, AuditLog
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.dump import snapshot
from wavescope.errors import InvalidParameter, StoreBusy
from wavescope.service.backup import make_backup, restore_backup, verify_backup
from wavescope.store.durable import locked
from wavescope.store.verify import verify

A = "a" * 32


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return make_world(tmp_path_factory.mktemp("backup"))


def backed_up(store: Path, file: Path, *, pixels: bool = False) -> Path:
    catalog = Catalog.open(store)
    make_backup(catalog, store, file, pixels=pixels, replace=False)
    catalog.close()
    return file


def url_of(store: Path) -> str:
    return f"sqlite:///{store / 'catalog.sqlite'}"


def dumped(store: Path) -> dict[str, list[dict[str, Any]]]:
    catalog = Catalog.open(store)
    with snapshot(catalog.engine) as moment:
        rows = {name: [dict(row) for row in moment.rows(name)] for name in moment.tables}
    catalog.close()
    return rows


def test_a_store_comes_back_as_it_was_pr50(world: World, tmp_path: Path) -> None:
    store = world.copy(tmp_path / "store").store
    (store / "identity" / world.digests["visual"]).mkdir(parents=True)
    (store / "identity" / world.digests["visual"] / "label.png").write_bytes(b"label")
    file = backed_up(store, tmp_path / "b.zip", pixels=True)
    assert file.stat().st_mode & 0o077 == 0
    restored = restore_backup(file, tmp_path / "new", url_of(tmp_path / "new"), replace=False)
    assert restored.missing == ()
    assert dumped(tmp_path / "new") == dumped(store)
    for digest in world.digests.values():
        assert list(verify(tmp_path / "new", digest)) == []
    assert (tmp_path / "new" / "identity" / world.digests["visual"] / "label.png").read_bytes() == b"label"
    assert (tmp_path / "new" / "identity").stat().st_mode & 0o077 == 0


def test_without_bytes_it_names_the_slides_that_the_store_lacks_pr51(world: World, tmp_path: Path) -> None:
    file = backed_up(world.store, tmp_path / "b.zip")
    assert restore_backup(file, tmp_path / "new", url_of(tmp_path / "new"), replace=False).missing == (
        "lossless",
        "planes",
        "visual",
    )
    saved = tmp_path / "saved"
    shutil.copytree(world.store / "slides", saved / "slides")
    assert restore_backup(file, saved, url_of(saved), replace=False).missing == ()


def test_it_is_one_moment_while_others_write_pr50(tmp_path: Path) -> None:
    """A slide and its entry in the log are written together: a backup has both or neither."""
    catalog, stop = Catalog.open(tmp_path), threading.Event()
    log = AuditLog(catalog.engine)
    begun = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            log.append(AuditEntry(number, "user", "", "", "", "uploaded", f"s{number}"))
            catalog.publish(f"s{number}", "", A, {"width": 1, "source": {}})
            if number == 3:
                begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert begun.wait(20)
        contents = make_backup(catalog, tmp_path, tmp_path / "b.zip", pixels=False, replace=False)
    finally:
        stop.set()
        writer.join()
        catalog.close()
    assert contents.tables["slides"] <= contents.tables["audit"] <= contents.tables["slides"] + 1
    assert contents.tables["slides"] == len(contents.slides) == contents.tables["versions"]


def test_nothing_is_overwritten_silently_pr53(world: World, tmp_path: Path) -> None:
    store = world.copy(tmp_path / "store").store
    file = backed_up(store, tmp_path / "b.zip")
    with pytest.raises(InvalidParameter):
        backed_up(store, file)
    before = dumped(store)
    with pytest.raises(InvalidParameter, match="an empty one"):
        restore_backup(file, store, url_of(store), replace=False)
    assert dumped(store) == before
    catalog = Catalog.open(store)
    catalog.publish("later", "", A, {"width": 1, "source": {}})
    catalog.close()
    restore_backup(file, store, url_of(store), replace=True)
    assert dumped(store) == before


def test_not_while_a_service_runs_on_the_store_pr53(world: World, tmp_path: Path) -> None:
    file = backed_up(world.store, tmp_path / "b.zip")
    (tmp_path / "new").mkdir()
    with locked(tmp_path / "new" / "jobs.lock", "jobs"), pytest.raises(StoreBusy):
        restore_backup(file, tmp_path / "new", url_of(tmp_path / "new"), replace=False)


def rewritten(file: Path, target: Path, name: str, content: bytes | None) -> Path:
    """The same archive with another (or no) member ``name``."""
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(target, "w") as out:
        for member in source.namelist():
            if member != name:
                out.writestr(member, source.read(member))
        if content is not None:
            out.writestr(name, content)
    return target


@pytest.mark.parametrize("kind", ["a changed table", "a missing table", "a strange file", "cut short", "no archive"])
def test_a_damaged_archive_is_refused_before_anything_is_touched_pr51(world: World, tmp_path: Path, kind: str) -> None:
    file, bad = backed_up(world.store, tmp_path / "b.zip"), tmp_path / "bad.zip"
    if kind == "a changed table":
        rewritten(file, bad, "tables/slides.jsonl", b"{}\n")
    elif kind == "a missing table":
        rewritten(file, bad, "tables/slides.jsonl", None)
    elif kind == "a strange file":
        rewritten(file, bad, "slides/../../evil", b"x")
    elif kind == "cut short":
        bad.write_bytes(file.read_bytes()[:-200])
    else:
        bad.write_bytes(b"not a zip")
    with pytest.raises(InvalidParameter):
        restore_backup(bad, tmp_path / "new", url_of(tmp_path / "new"), replace=False)
    assert not (tmp_path / "new").exists()


def test_a_backup_of_older_tables_is_brought_to_the_newest_pr52(world: World, tmp_path: Path) -> None:
    file = backed_up(world.store, tmp_path / "b.zip")
    contents = json.loads(zipfile.ZipFile(file).read("backup.json"))
    newer = {"sessions", "session_members", "session_events", "session_guests", "recordings", "recording_chunks"}
    newer |= {"second_factors", "recovery_codes", "originals", "words", "overlays", "registrations", "coverage"}
    newer |= {"quizzes", "attempts", "answers", "platforms", "platform_secrets", "launches", "scores"}
    newer |= {"comments", "mentions", "comments_read"}
    newer |= {"session_ballots", "session_visits"}
    contents["revision"] = "0005"
    for table in newer:
        del contents["tables"][table], contents["members"][f"tables/{table}.jsonl"]
    old = tmp_path / "old.zip"
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(old, "w") as out:
        for member in contents["members"]:
            out.writestr(member, source.read(member))
        out.writestr("backup.json", json.dumps(contents))
    restore_backup(old, tmp_path / "new", url_of(tmp_path / "new"), replace=False)
    assert dumped(tmp_path / "new") == dumped(world.store)
    contents["revision"] = "9999"
    with pytest.raises(InvalidParameter, match="newer program"):
        restore_backup(
            rewritten(old, tmp_path / "future.zip", "backup.json", json.dumps(contents).encode()),
            tmp_path / "future",
            url_of(tmp_path / "future"),
            replace=False,
        )
    assert verify_backup(file).slides[0].keys() == {"id", "digest", "title"}
