"""A lost or damaged catalog: reported, never replaced by an empty one, rebuilt from the slides (ST70 to ST72)."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.worlds import slide_ids
from service.world import World, make_world
from wavescope.catalog.catalog import Catalog
from wavescope.cli import main
from wavescope.cli.rebuild import named
from wavescope.config import Config
from wavescope.errors import CatalogDamaged, CatalogMissing, CorruptStore
from wavescope.service.backup import make_backup, restore_backup
from wavescope.service.composition import compose
from wavescope.service.jobs.child import run as run_child
from wavescope.service.opening import open_catalog, url_of
from wavescope.service.rebuild import rebuild_catalog
from wavescope.store.layout import PUBLISHED

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return make_world(tmp_path_factory.mktemp("opening"))


@pytest.fixture
def store(world: World, tmp_path: Path) -> Path:
    """Three slides and their catalog, all in one file."""
    copied = world.copy(tmp_path / "store").store
    with sqlite3.connect(copied / "catalog.sqlite") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return copied


@pytest.fixture(autouse=True)
def _no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that starts all the same ends at once, and the test fails instead of waiting."""
    monkeypatch.setattr("wavescope.main.Server.run", lambda server: None)


def lose(store: Path) -> None:
    for file in store.glob("catalog.sqlite*"):
        file.unlink()


def overwrite(store: Path, start: int) -> None:
    """Noise from a place to the end of the file."""
    file = store / "catalog.sqlite"
    data = file.read_bytes()
    file.write_bytes(data[:start] + bytes(byte ^ 0xA5 for byte in data[start:]))


def statement(store: Path, sql: str) -> None:
    with sqlite3.connect(store / "catalog.sqlite") as connection:
        connection.execute(sql)
    connection.close()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "no database": lambda store: overwrite(store, 0),
    "all but its first page": lambda store: overwrite(store, 4096),
    "cut short": lambda store: (store / "catalog.sqlite").write_bytes((store / "catalog.sqlite").read_bytes()[:9000]),
    "its revision lost": lambda store: statement(store, "DROP TABLE alembic_version"),
    "a table lost": lambda store: statement(store, "DROP TABLE slides"),
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("command", [["list"], ["verify", "visual"], ["serve"], ["user", "list"]])
def test_st72_every_command_says_in_one_line_that_the_catalog_is_damaged(
    store: Path, capsys: Capture, damage: str, command: list[str]
) -> None:
    DAMAGE[damage](store)
    assert main([*command, "--store", str(store)]) == 2
    said = capsys.readouterr().err
    assert "is damaged" in said
    assert "wavescope restore-backup FILE --replace" in said
    assert "wavescope rebuild-catalog --replace" in said
    assert "internal error" not in said


def test_st70_nothing_begins_with_an_empty_catalog_where_slides_are(store: Path, capsys: Capture) -> None:
    lose(store)
    config = Config(store=store)
    with pytest.raises(CatalogMissing) as caught:
        compose(config)
    assert caught.value.slides == 3
    with pytest.raises(CatalogMissing):
        run_child(store / "any.tif", Config(store=store), {})
    for command in (["list"], ["serve"], ["ingest", "specimen:300x300"], ["collect"]):
        assert main([*command, "--store", str(store)]) == 2
        assert "wavescope rebuild-catalog" in capsys.readouterr().err
    assert not (store / "catalog.sqlite").exists()
    (store / "catalog.sqlite").touch()
    with pytest.raises(CatalogMissing):
        open_catalog(config)


def test_st70_it_begins_with_an_empty_one_if_reported(store: Path) -> None:
    lose(store)
    catalog = open_catalog(Config.from_env({"WAVESCOPE_NEW_CATALOG": "1"}, store=store))
    assert catalog.list().total == 0
    catalog.close()
    open_catalog(Config(store=store)).close()


def test_st70_a_new_store_needs_no_telling(tmp_path: Path) -> None:
    open_catalog(Config(store=tmp_path / "new")).close()
    assert (tmp_path / "new" / "catalog.sqlite").exists()


def test_st71_a_lost_catalog_is_made_anew_of_the_manifests(store: Path, world: World, capsys: Capture) -> None:
    lose(store)
    assert main(["rebuild-catalog", "--store", str(store)]) == 0
    said = capsys.readouterr()
    assert "3 slide(s) added" in said.out
    catalog = Catalog.open(store)
    records = catalog.list().slides
    catalog.close()
    assert {record.digest for record in records} == set(world.digests.values())
    for record in records:
        assert main(["verify", record.id, "--store", str(store)]) == 0
        assert record.title
        assert record.manifest["digest"] == record.digest
    assert main(["rebuild-catalog", "--store", str(store), "--json"]) == 0  # nothing is added twice
    assert '"slides": {}' in capsys.readouterr().out


def test_st71_what_the_catalog_knows_stays_as_it_is(store: Path, world: World) -> None:
    catalog = Catalog.open(store)
    catalog.change("visual", "Kept")
    catalog.close()
    statement(store, "DELETE FROM versions WHERE slide_id = 'planes'")
    statement(store, "DELETE FROM slides WHERE id = 'planes'")
    made = rebuild_catalog(Config(store=store), named, replace=False)
    assert list(made.slides.values()) == [world.digests["planes"]]
    catalog = Catalog.open(store)
    assert catalog.get("visual").title == "Kept"
    assert catalog.list().total == 3
    catalog.close()


@pytest.mark.parametrize("damage", DAMAGE)
def test_st71_a_damaged_catalog_is_set_aside_only_if_reported(store: Path, damage: str) -> None:
    DAMAGE[damage](store)
    before = (store / "catalog.sqlite").read_bytes()
    config = Config(store=store)
    with pytest.raises(CatalogDamaged):
        rebuild_catalog(config, named, replace=False)
    assert (store / "catalog.sqlite").read_bytes() == before
    made = rebuild_catalog(config, named, replace=True)
    assert made.aside == store / "catalog.sqlite.damaged"
    assert made.aside.read_bytes() == before
    assert len(slide_ids(store)) == len(made.slides) == 3


def test_st71_a_damaged_slide_is_reported_and_left_out_and_an_unfinished_ingest_is_left_alone(
    store: Path, world: World, capsys: Capture
) -> None:
    lose(store)
    manifest = store / "slides" / world.digests["visual"] / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b"1", b"2", 1))
    (store / "ingest" / "key").mkdir(parents=True)
    (store / "ingest" / "key" / PUBLISHED).write_text(world.digests["planes"])
    assert main(["rebuild-catalog", "--store", str(store)]) == 1
    assert world.digests["visual"] in capsys.readouterr().err
    catalog = Catalog.open(store)
    assert [record.digest for record in catalog.list().slides] == [world.digests["lossless"]]
    catalog.close()


@pytest.mark.parametrize("damage", DAMAGE)
def test_st72_a_backup_is_restored_over_a_damaged_catalog(store: Path, tmp_path: Path, damage: str) -> None:
    catalog = Catalog.open(store)
    make_backup(catalog, store, tmp_path / "b.zip", pixels=False, replace=False)
    ids = slide_ids(store)
    catalog.close()
    statement(store, "PRAGMA wal_checkpoint(TRUNCATE)")
    DAMAGE[damage](store)
    restored = restore_backup(tmp_path / "b.zip", store, url_of(Config(store=store)), replace=True)
    assert restored.missing == ()
    assert slide_ids(store) == ids
    assert (store / "catalog.sqlite.damaged").exists()


def test_st72_the_doctor_finds_a_damaged_and_a_missing_catalog(store: Path, capsys: Capture, tmp_path: Path) -> None:
    assert main(["doctor", "--store", str(store)]) == 0
    assert "ok    catalog: whole, 3 slides" in capsys.readouterr().out
    overwrite(store, 4096)
    assert main(["doctor", "--store", str(store)]) == 1
    assert "FAULT catalog: CatalogDamaged" in capsys.readouterr().out
    lose(store)
    assert main(["doctor", "--store", str(store)]) == 1
    assert "FAULT catalog: CatalogMissing" in capsys.readouterr().out
    shutil.rmtree(store)
    assert main(["doctor", "--store", str(store)]) == 0


def test_st71_a_manifest_that_is_no_slide_is_no_reason_to_stop(store: Path) -> None:
    lose(store)
    (store / "slides" / "nonsense").mkdir()
    (store / "slides" / "nonsense" / "manifest.json").write_text("[]")
    made = rebuild_catalog(Config(store=store), named, replace=False)
    assert [type(error) for error in made.damaged] == [CorruptStore]
    assert len(made.slides) == 3
