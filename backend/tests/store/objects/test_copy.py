"""Copies between a folder and a real object store: complete or invisible, resumed, every byte verified."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from object_stores import Server
from wavescope.errors import CorruptStore, StaleVersion, StoreBusy, Unavailable
from wavescope.store.objects import lease
from wavescope.store.objects.backend import FolderBackend, ObjectBackend, ObjectFiles, folder_of
from wavescope.store.objects.client import Objects
from wavescope.store.objects.copy import copy, verify_objects
from wavescope.store.objects.lease import leased
from wavescope.store.verify import verify

Store = tuple[Path, str]


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_st83_a_version_there_and_back_is_the_same(place: ObjectBackend, store: Store, tmp_path: Path) -> None:
    folder, digest = store
    there = copy(FolderBackend(folder), place, digest)
    assert place.digests() == [digest]
    assert list(verify_objects(place, digest)) == []
    back = copy(place, FolderBackend(tmp_path / "back"), digest)
    assert list(verify(tmp_path / "back", digest)) == []
    original = files_of(folder / "slides" / digest)
    assert files_of(tmp_path / "back" / "slides" / digest) == original
    assert there.files == back.files == len(original)
    assert there.sent == back.sent == len(original) - 1
    assert not list((tmp_path / "back" / "ingest").iterdir())


def test_st45_metadata_of_another_level_is_named_in_an_object_store(place: ObjectBackend, store: Store) -> None:
    copy(FolderBackend(store[0]), place, store[1])
    files = place.files(store[1])
    names = ("levels/0/zarr.json", "levels/1/zarr.json")
    contents = [files.whole(name, 1 << 20) for name in names]
    for name, content in zip(names, reversed(contents), strict=True):
        files.put(name, [content])
    assert {found.part for found in verify_objects(place, store[1])} == set(names)


def test_st83_what_is_there_is_not_sent_again(place: ObjectBackend, store: Store, tmp_path: Path) -> None:
    for target in (place, FolderBackend(tmp_path / "other")):
        assert copy(FolderBackend(store[0]), target, store[1]).sent > 0
        assert copy(FolderBackend(store[0]), target, store[1]).sent == 0


def test_st83_a_copy_that_was_interrupted_goes_on_and_was_invisible(
    place: ObjectBackend, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, count = ObjectFiles.put, 0

    def interrupted(self: ObjectFiles, path: str, parts: Iterable[bytes]) -> None:
        nonlocal count
        count += 1
        if count > 5:
            raise Unavailable("the object store", "planted")
        put(self, path, parts)

    with monkeypatch.context() as patched:
        patched.setattr(ObjectFiles, "put", interrupted)
        with pytest.raises(Unavailable):
            copy(FolderBackend(store[0]), place, store[1])
    assert place.digests() == []
    with pytest.raises(StaleVersion):
        copy(place, FolderBackend(store[0] / "none"), store[1])
    resumed = copy(FolderBackend(store[0]), place, store[1])
    assert resumed.sent == resumed.files - 1 - 5
    assert list(verify_objects(place, store[1])) == []


def test_st83_damage_at_the_target_is_found_and_repaired(server: Server, place: ObjectBackend, store: Store) -> None:
    copy(FolderBackend(store[0]), place, store[1])
    folder = server.folder / "hospital" / "a" / folder_of(store[1])
    shard = folder / "levels" / "0" / "c.0.0.0.0.0"
    good = shard.read_bytes()
    shard.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    (folder / "levels" / "0" / "c.0.0.0.9.9").write_bytes(b"x")
    assert {damage.part for damage in verify_objects(place, store[1])} == {
        "levels/0/c.0.0.0.0.0",
        "levels/0/c.0.0.0.9.9",
    }
    assert copy(FolderBackend(store[0]), place, store[1]).sent == 1
    assert shard.read_bytes() == good


@pytest.mark.parametrize("change", [lambda data: data[:-1] + b"?", lambda data: data[:-1], lambda data: data + b"?"])
def test_st83_a_damaged_source_publishes_nothing(
    place: ObjectBackend, store: Store, tmp_path: Path, change: object
) -> None:
    copy(FolderBackend(store[0]), FolderBackend(tmp_path / "source"), store[1])
    shard = tmp_path / "source" / "slides" / store[1] / "levels" / "0" / "c.0.0.0.0.0"
    shard.write_bytes(change(shard.read_bytes()))  # type: ignore[operator]
    for target in (place, FolderBackend(tmp_path / "target")):
        with pytest.raises(CorruptStore, match="source"):
            copy(FolderBackend(tmp_path / "source"), target, store[1])
        assert target.digests() == []


def test_st85_a_removed_version_loses_its_manifest_first(
    place: ObjectBackend, objects: Objects, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy(FolderBackend(store[0]), place, store[1])
    deleted: list[str] = []
    delete = Objects.delete

    def noted(self: Objects, paths: Iterable[str]) -> None:
        deleted.extend(paths)
        delete(self, list(paths))

    monkeypatch.setattr(Objects, "delete", noted)
    place.remove(store[1])
    assert deleted[0].endswith("manifest.json")
    assert list(objects.under("")) == []
    place.remove(store[1])  # again, after a crash


def test_st84_one_process_at_a_time_writes_or_removes_a_version(
    place: ObjectBackend, objects: Objects, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = "0" * 32
    with leased(objects, digest) as held:
        with pytest.raises(StoreBusy):
            place.remove(digest)
        held.renew()
        held.check()
        monkeypatch.setattr(lease, "LEASE_SECONDS", -10.0)  # as if its holder were gone for long
        with leased(objects, digest):
            held.renew()
            with pytest.raises(StoreBusy):
                held.check()
    monkeypatch.undo()
    with leased(objects, digest):
        pass
    assert list(objects.under("")) == []


def test_st84_a_lease_is_known_again_if_the_answer_was_lost(objects: Objects, monkeypatch: pytest.MonkeyPatch) -> None:
    create = Objects.create
    monkeypatch.setattr(Objects, "create", lambda *given: create(*given) and False)
    with leased(objects, "1" * 32):
        pass
