"""The whole of a cluster is backed up, and restored into an empty database and an empty bucket (CL19)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalog.databases import Server, new_database
from nodes.cluster import add_people, catalog_of
from object_stores import BUCKET, served
from object_stores import Server as Bucket
from service.world import World
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.cluster.keys import ClusterKeys
from wavescope.catalog.dump import snapshot
from wavescope.cli.app import main
from wavescope.errors import StoreBusy
from wavescope.service.backup import make_backup, restore_backup
from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import FolderBackend, ObjectBackend
from wavescope.store.objects.client import Objects
from wavescope.store.objects.copy import copy, verify_objects
from wavescope.store.objects.phi import phi_of
from wavescope.store.verify import verify

pytestmark = pytest.mark.slow

SHA256 = "ab" * 32


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bucket]:
    with served(tmp_path_factory.mktemp("s3")) as running:
        yield running


def place_of(name: str) -> ObjectBackend:
    return ObjectBackend(Objects.at(f"s3://{BUCKET}/{name}"))


def rows_of(url: str) -> dict[str, list[dict[str, Any]]]:
    catalog = Catalog.open(url)
    with snapshot(catalog.engine) as moment:
        found = {name: [dict(row) for row in moment.rows(name)] for name in moment.tables}
    catalog.close()
    return found


def objects_of(place: ObjectBackend) -> dict[str, bytes]:
    """Everything but leases."""
    found = {}
    for folder in ("slides", "identity", "originals"):
        for path, _ in place.objects.under(folder):
            found[path] = b"".join(place.objects.chunks(path))
    return found


@pytest.fixture
def full(world: World, server: Server, bucket: Bucket, tmp_path: Path) -> tuple[str, ObjectBackend]:
    """A database and a bucket with slides, accounts, keys, identifying data."""
    url, place = catalog_of(world, server.url), place_of(f"{tmp_path.name}/first")
    add_people(url)
    for digest in world.digests.values():
        copy(FolderBackend(world.store), place, digest)
    phi_of(StorePaths(tmp_path), place).write(world.digests["visual"], {"patient": "Jürgen"}, {"label": b"a label"})
    catalog = Catalog.open(url)
    ClusterKeys(catalog).hop()
    catalog.close()
    return url, place


def test_a_cluster_comes_back_into_an_empty_database_and_bucket_cl19(
    world: World, server: Server, full: tuple[str, ObjectBackend], tmp_path: Path
) -> None:
    url, place = full
    catalog = Catalog.open(url)
    contents = make_backup(catalog, tmp_path, tmp_path / "b.zip", pixels=True, replace=False, backend=place)
    catalog.close()
    assert contents.pixels
    assert (tmp_path / "b.zip").stat().st_mode & 0o077 == 0
    empty, new = new_database(server.url, f"restored{tmp_path.name[-6:]}"), place_of(f"{tmp_path.name}/second")
    restored = restore_backup(tmp_path / "b.zip", tmp_path / "node", empty, replace=False, backend=new)
    assert restored.missing == ()
    assert rows_of(empty) == rows_of(url)
    assert objects_of(new) == objects_of(place)
    for digest in world.digests.values():
        assert list(verify_objects(new, digest)) == []
    phi = phi_of(StorePaths(tmp_path), new)
    assert phi.texts(world.digests["visual"]) == {"patient": "Jürgen"}
    assert phi.image(world.digests["visual"], "label") == b"a label"


def test_a_backup_of_a_cluster_restores_one_machine_and_the_other_way_round_cl19(
    world: World, server: Server, full: tuple[str, ObjectBackend], tmp_path: Path
) -> None:
    url, place = full
    catalog = Catalog.open(url)
    make_backup(catalog, tmp_path, tmp_path / "b.zip", pixels=True, replace=False, backend=place)
    catalog.close()
    machine = tmp_path / "machine"
    sqlite = f"sqlite:///{machine / 'catalog.sqlite'}"
    assert restore_backup(tmp_path / "b.zip", machine, sqlite, replace=False).missing == ()
    for digest in world.digests.values():
        assert list(verify(machine, digest)) == []
    assert phi_of(StorePaths(machine), None).image(world.digests["visual"], "label") == b"a label"
    alone = Catalog.open(machine)
    make_backup(alone, machine, tmp_path / "back.zip", pixels=True, replace=False)
    alone.close()
    again = new_database(server.url, f"again{tmp_path.name[-6:]}")
    third = place_of(f"{tmp_path.name}/third")
    assert restore_backup(tmp_path / "back.zip", tmp_path / "node", again, replace=False, backend=third).missing == ()
    assert objects_of(third) == objects_of(place)


def test_what_is_there_stays_and_a_lost_version_is_named_cl19(
    world: World, server: Server, full: tuple[str, ObjectBackend], tmp_path: Path
) -> None:
    url, place = full
    lost = world.digests["planes"]
    place.remove(lost)
    catalog = Catalog.open(url)
    make_backup(catalog, tmp_path, tmp_path / "b.zip", pixels=True, replace=False, backend=place)
    catalog.close()
    before = objects_of(place)
    empty = new_database(server.url, f"lost{tmp_path.name[-6:]}")
    restored = restore_backup(tmp_path / "b.zip", tmp_path / "node", empty, replace=False, backend=place)
    assert restored.missing == ("planes",)
    assert objects_of(place) == before


def test_nothing_is_restored_while_a_node_runs_cl19(
    server: Server, full: tuple[str, ObjectBackend], tmp_path: Path
) -> None:
    url, place = full
    catalog = Catalog.open(url)
    make_backup(catalog, tmp_path, tmp_path / "b.zip", pixels=False, replace=False, backend=place)
    with catalog.engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO nodes (name, url, instance, started, seen, backend) "
            "VALUES ('node1', '', 'x', 0, extract(epoch FROM clock_timestamp()), 0)"
        )
    catalog.close()
    with pytest.raises(StoreBusy, match="node1"):
        restore_backup(tmp_path / "b.zip", tmp_path / "node", url, replace=True, backend=place)


def test_the_commands_do_it_cl19(
    server: Server, full: tuple[str, ObjectBackend], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, place = full
    file = str(tmp_path / "b.zip")
    monkeypatch.setenv("WAVESCOPE_STORE", str(tmp_path / "scratch"))
    monkeypatch.setenv("WAVESCOPE_CATALOG", url)
    monkeypatch.setenv("WAVESCOPE_SLIDE_STORE", f"s3://{BUCKET}/{tmp_path.name}/first")
    assert main(["backup", file, "--pixels"]) == 0
    monkeypatch.setenv("WAVESCOPE_CATALOG", new_database(server.url, f"commands{tmp_path.name[-6:]}"))
    monkeypatch.setenv("WAVESCOPE_SLIDE_STORE", f"s3://{BUCKET}/{tmp_path.name}/fourth")
    assert main(["restore-backup", file]) == 0
    assert objects_of(place_of(f"{tmp_path.name}/fourth")) == objects_of(place)
