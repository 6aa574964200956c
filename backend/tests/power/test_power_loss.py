"""The power fails after any system call: what was acknowledged is there, a slide is whole or absent (ST54, ST74).

A program runs once under strace; each moment of its log gives the states that a disk may be in afterwards.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.worlds import ingested
from power import programs
from power.disk import Disk, State, laid_out
from power.trace import recorded, require_strace
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.annotations import AnnotationTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.health import check_integrity
from wavescope.cli import main
from wavescope.config import Config
from wavescope.errors import CatalogMissing
from wavescope.service.backup import verify_backup
from wavescope.service.opening import open_catalog, url_of
from wavescope.store.verify import verify

pytestmark = pytest.mark.slow

Check = Callable[[Catalog, Path, tuple[str, ...]], None]


@pytest.fixture(scope="module", autouse=True)
def _strace() -> None:
    require_strace()


def states_of(name: str, folder: Path) -> list[State]:
    """What the program NAME may leave of ``folder``/store."""
    disk = Disk(folder)
    log = folder.with_name(f"{folder.name}.{name}.log")
    found = list(disk.states(recorded(Path(programs.__file__), log, name, folder / "store")))
    assert found[-1].acknowledged, "the program has acknowledged nothing"
    return found


def carried_out(name: str, folder: Path) -> Path:
    """The folder after the program has run."""
    folder.mkdir(exist_ok=True)
    getattr(programs, name)(folder / "store")
    return folder


def hold(states: list[State], tmp_path: Path, check: Check, unfinished: type[Exception] | None = None) -> None:
    """Every state opens, its catalog is whole, and ``check`` holds; before anything is acknowledged it may instead be
    refused as ``unfinished``.
    """
    broken = []
    for number, state in enumerate(states):
        store = laid_out(state, tmp_path / f"state{number}") / "store"
        config = Config(store=store)
        try:
            check_integrity(url_of(config))
            with contextlib.closing(open_catalog(config)) as catalog:
                check(catalog, store, state.acknowledged)
        except Exception as error:
            if unfinished is not None and isinstance(error, unfinished) and not state.acknowledged:
                continue
            broken.append(f"{state.kind} after {state.moment}: {type(error).__name__}: {error}")
    assert not broken, f"{len(broken)} of {len(states)} states: " + "\n".join(broken[:5])


def slides_are_whole(catalog: Catalog, store: Path, acknowledged: tuple[str, ...]) -> None:
    records = catalog.list().slides
    for record in records:
        assert list(verify(store, record.digest)) == []
    if "slide s" in acknowledged:
        assert [record.id for record in records] == ["s"]


def test_st74_a_slide_published_first_is_whole_or_absent_and_there_once_acknowledged(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    hold(states_of("ingest", tmp_path / "disk"), tmp_path, slides_are_whole)


def test_st74_a_slide_published_again_is_never_lost(tmp_path: Path) -> None:
    folder = carried_out("ingest", tmp_path / "disk")

    def check(catalog: Catalog, store: Path, acknowledged: tuple[str, ...]) -> None:
        slides_are_whole(catalog, store, ("slide s",))

    hold(states_of("ingest", folder), tmp_path, check)


def test_st74_an_ingest_that_lost_its_power_is_taken_up_again(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    states = [state for state in states_of("ingest", tmp_path / "disk") if not state.acknowledged]
    digests = set()
    for number in range(0, len(states), max(1, len(states) // 8)):
        folder = carried_out("ingest", laid_out(states[number], tmp_path / f"state{number}"))
        catalog = Catalog.open(folder / "store")
        slides_are_whole(catalog, folder / "store", ("slide s",))
        digests.add(catalog.resolve("s"))
        catalog.close()
    assert len(digests) == 1


def test_st74_what_an_ingest_has_finished_survives(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    synced = [state for state in states_of("ingest", tmp_path / "disk") if state.kind == "only what is synced"]
    last = [state for state in synced if not any("/slides/" in path for path in state.files)][-1]
    made = ingested(programs.PICTURE, laid_out(last, tmp_path / "state") / "store", workers=1)
    assert made.encoded_tiles < made.tiles


def test_st74_an_acknowledged_upload_is_there(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    for number, state in enumerate(states_of("upload", tmp_path / "disk")):
        file = laid_out(state, tmp_path / f"state{number}") / "store" / "uploads" / "job" / "file"
        assert not state.acknowledged or file.read_bytes() == 3 * programs.UPLOADED, state.kind


def test_st74_acknowledged_annotations_are_there(tmp_path: Path) -> None:
    folder = carried_out("ingest", tmp_path / "disk")

    def check(catalog: Catalog, store: Path, acknowledged: tuple[str, ...]) -> None:
        table = AnnotationTable(catalog.engine, max_objects=100, max_classes=10)
        for line in acknowledged:
            assert table.get("s", line.removeprefix("annotation ")) is not None, line

    hold(states_of("annotate", folder), tmp_path, check)


def test_st74_acknowledged_accounts_and_passwords_are_there(tmp_path: Path) -> None:
    (tmp_path / "disk" / "store").mkdir(parents=True)

    def check(catalog: Catalog, store: Path, acknowledged: tuple[str, ...]) -> None:
        for line in acknowledged:
            user = Accounts(catalog).named(line.split()[1])
            assert user is not None, line
            assert line != "password cem" or user.password == "another hash"

    hold(states_of("accounts", tmp_path / "disk"), tmp_path, check)


def test_st74_a_backup_is_whole_or_absent_and_its_restored_slides_are_there(tmp_path: Path) -> None:
    folder = carried_out("ingest", tmp_path / "disk")
    for number, state in enumerate(states_of("backup", folder)):
        file = laid_out(state, tmp_path / f"backup{number}") / "b.zip"
        assert file.exists() or not state.acknowledged, state.moment
        if file.exists():
            verify_backup(file)
    (tmp_path / "other").mkdir()
    (folder / "b.zip").rename(tmp_path / "other" / "b.zip")
    hold(states_of("restore", tmp_path / "other"), tmp_path, slides_are_whole, unfinished=CatalogMissing)


def test_st74_a_restore_that_lost_its_power_can_be_done_again(tmp_path: Path) -> None:
    folder = carried_out("backup", carried_out("ingest", tmp_path / "disk"))
    (tmp_path / "other").mkdir()
    (folder / "b.zip").rename(tmp_path / "other" / "b.zip")
    states = [state for state in states_of("restore", tmp_path / "other") if not state.acknowledged]
    for number in range(0, len(states), max(1, len(states) // 6)):
        again = laid_out(states[number], tmp_path / f"state{number}")
        assert main(["restore-backup", str(again / "b.zip"), "--store", str(again / "store"), "--replace"]) == 0
        with contextlib.closing(Catalog.open(again / "store")) as catalog:
            slides_are_whole(catalog, again / "store", ("slide s",))
