"""What other accounts of this machine may not read, whatever the umask (PR45 to PR47)."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from api.asking import API, running_client
from catalog.databases import new_database, postgresql
from service.world import World, running_service
from wavescope.access.grants import new_key
from wavescope.catalog.access.keys import SigningKeys
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.tables import KeyRow
from wavescope.service.backup import make_backup, restore_backup
from wavescope.service.jobs.uploads import link_files, receive_file
from wavescope.store.layout import StorePaths
from wavescope.store.phi import PhiStore
from wavescope.store.private import OTHERS, SIGNING_KEYS, close_exposed, exposed


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def open_to_others(store: Path) -> list[str]:
    """Everything that others may read or change, but for slides, and what lies in closed staging."""
    found = []
    for folder, folders, files in os.walk(store):
        for name in (*folders, *files):
            path = Path(folder) / name
            if path.lstat().st_mode & OTHERS and name != "slides":
                found.append(path.relative_to(store).as_posix())
        folders[:] = [name for name in folders if name not in ("slides", "ingest")]
    return sorted(found)


async def pieces() -> AsyncIterator[bytes]:
    yield b"bytes"


@pytest.mark.parametrize("mask", [0, 0o022])
async def test_what_is_private_is_closed_whatever_the_umask_pr45(tmp_path: Path, mask: int) -> None:
    store, watched = tmp_path / "store", tmp_path / "watched"
    with umask(mask):
        watched.mkdir()
        (watched / "slide.svs").write_bytes(b"a slide")
        mode = (watched / "slide.svs").stat().st_mode
        async with running_service(store, access="accounts", run_jobs=False) as service:
            await receive_file(pieces(), store / "uploads" / "1" / "a.svs", limit=9, timeout=9)
            link_files(watched / "slide.svs", [watched / "slide.svs"], store / "uploads" / "2" / "slide.svs", watched)
            PhiStore(StorePaths(store)).write("0" * 32, {"patient": "name"}, {"label": b"png"})
            await service.grants.keys()
            names = {path.name for path in store.iterdir()}
            assert {"catalog.sqlite", "catalog.sqlite-wal", "identity", "signing-keys.json", "uploads"} <= names
            assert [path for path in open_to_others(store) if path != "uploads/2/slide.svs"] == []
    assert (watched / "slide.svs").stat().st_mode == mode  # the same file by another name: its folder is closed


async def test_an_export_is_closed_pr45(damaged: World) -> None:
    with umask(0):
        async with running_client(damaged.store) as client:
            url = f"{API}/slides/visual/v/{damaged.digests['visual']}/exports?x=0&y=0&width=8&height=8&format=png"
            made = (await client.post(url)).json()
            await client.get(f"{API}/exports/{made['id']}/events")  # until it has ended
            (file,) = (damaged.store / "exports").rglob(made["id"])
            modes = [path.stat().st_mode & 0o777 for path in (file, file.parent, damaged.store / "exports")]
            assert modes == [0o600, 0o700, 0o700]


async def test_a_store_that_was_open_is_closed_when_the_service_starts_pr47(damaged: World) -> None:
    store = damaged.store
    (store / "uploads" / "1").mkdir(parents=True, exist_ok=True)
    (store / "uploads" / "1" / "a.svs").write_bytes(b"a")
    (store / "exports").mkdir(exist_ok=True)
    (store / "ingest").mkdir(exist_ok=True)
    (store / "watched.json").write_text("{}")
    opened = [store / name for name in ("catalog.sqlite", "watched.json", "uploads", "exports", "ingest")]
    opened += [store / "uploads" / "1", store / "uploads" / "1" / "a.svs"]
    for path in opened:
        path.chmod(0o755)
    slides = (store / "slides").stat().st_mode
    assert set(exposed(store)) == set(opened)
    async with running_service(store, run_jobs=False):
        assert exposed(store) == ()
        assert (store / "ingest").stat().st_mode & OTHERS == 0
    assert (store / "slides").stat().st_mode == slides  # what a web server may serve is as it was


def test_a_link_is_not_followed_when_a_store_is_closed_pr47(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "mine").chmod(0o644)
    store = tmp_path / "store"
    (store / "uploads").mkdir(parents=True)
    (store / "uploads" / "link").symlink_to(tmp_path / "mine")
    (store / "uploads" / "link-to-nothing").symlink_to(tmp_path / "nothing")
    assert close_exposed(store) == ()
    assert (store / "uploads").stat().st_mode & OTHERS == 0
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o644


# -- the keys that sign grants


def with_old_key(catalog: Catalog, kid: str) -> str:
    """A key as older programs kept it; its secret part."""
    private = new_key(kid)
    with catalog.writing() as session:
        session.add(KeyRow(kid=kid, private=private, created=1.0))
    return str(private["d"])


def test_the_signing_key_is_in_a_file_of_its_own_and_not_in_the_catalog_pr46(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    secret = str(SigningKeys(catalog, tmp_path).current()["d"])
    assert (tmp_path / SIGNING_KEYS).stat().st_mode & 0o777 == 0o600
    assert secret in (tmp_path / SIGNING_KEYS).read_text()
    assert secret.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("catalog.sqlite*"))
    catalog.close()


def test_a_key_in_an_older_catalog_moves_and_leaves_nothing_there_pr46(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    secret = with_old_key(catalog, "old")
    assert secret.encode() in b"".join(path.read_bytes() for path in tmp_path.glob("catalog.sqlite*"))
    assert SigningKeys(catalog, tmp_path).current()["d"] == secret
    assert secret.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("catalog.sqlite*"))
    catalog.close()
    connection = sqlite3.connect(tmp_path / "catalog.sqlite")
    assert connection.execute("SELECT COUNT(*) FROM signing_keys").fetchone() == (0,)
    connection.close()


async def test_a_service_moves_the_key_when_it_starts_pr46(damaged: World) -> None:
    catalog = Catalog.open(damaged.store)
    secret = with_old_key(catalog, "old")
    catalog.close()
    async with running_service(damaged.store, run_jobs=False) as service:
        assert secret in (damaged.store / SIGNING_KEYS).read_text()
        assert [key["kid"] for key in (await service.grants.keys())["keys"]] == ["old"]


def test_a_key_in_postgresql_moves_too_pr46(tmp_path: Path) -> None:
    with postgresql() as server:
        catalog = Catalog.open(new_database(server, "keys"))
        secret = with_old_key(catalog, "old")
        keys = SigningKeys(catalog, tmp_path)
        assert keys.current()["d"] == secret
        assert keys.adopt() == 0
        keys.rotate()
        assert [key["kid"] for key in keys.public()["keys"]][1:] == ["old"]
        catalog.close()


def test_processes_that_ask_at_once_agree_on_a_key_and_lose_none_ac44(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        first = set(pool.map(lambda _: SigningKeys(catalog, tmp_path).current()["kid"], range(16)))
        assert len(first) == 1
        rotated = list(pool.map(lambda _: SigningKeys(catalog, tmp_path).rotate()["kid"], range(8)))
    trusted = [key["kid"] for key in SigningKeys(catalog, tmp_path).public()["keys"]]
    assert len(trusted) == 2
    assert set(trusted) < set(rotated)
    assert SigningKeys(catalog, tmp_path).current()["kid"] == trusted[0]
    catalog.close()


@pytest.mark.parametrize("older", [False, True])
def test_a_backup_brings_the_signing_keys_back_pr50(tmp_path: Path, older: bool) -> None:
    store, new = tmp_path / "store", tmp_path / "new"
    catalog = Catalog.open(store)
    if older:
        with_old_key(catalog, "old")
        make_backup(catalog, store, tmp_path / "b.zip", pixels=False, replace=False)
    before = SigningKeys(catalog, store).public()
    if not older:
        make_backup(catalog, store, tmp_path / "b.zip", pixels=False, replace=False)
    catalog.close()
    with umask(0):
        restore_backup(tmp_path / "b.zip", new, f"sqlite:///{new / 'catalog.sqlite'}", replace=False)
    restored = Catalog.open(new)
    assert SigningKeys(restored, new).public() == before
    restored.close()
    assert open_to_others(new) == []
