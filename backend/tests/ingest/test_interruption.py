"""Ingests that are killed, crash or run out of disk, and what the next one makes of it (ST50 to ST58)."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.worlds import ingested, slide_ids, tissue, twins, write_tiff
from wavescope.errors import StoreFull
from wavescope.ingest import work
from wavescope.store import durable
from wavescope.store.verify import verify

pytestmark = pytest.mark.slow

Footprint = dict[str, tuple[int, int]]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """5300 x 2600: two shards on level 0, tissue in both."""
    return write_tiff(tmp_path_factory.mktemp("source") / "s.tif", tissue(5300, 2600))


@pytest.fixture(scope="module")
def undisturbed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return ingested(source, tmp_path_factory.mktemp("undisturbed")).digest


def footprint(store: Path) -> Footprint:
    """Inode and time of every finished shard, by its place in the version."""
    shards = [path for path in store.rglob("c.*") if path.suffix not in (".tmp", ".new")]
    return {str(Path(*path.parts[-2:])): (path.stat().st_ino, path.stat().st_mtime_ns) for path in shards}


def killed_at(source: Path, store: Path, share: float) -> None:
    """Run the command and kill -9 it as soon as it reports this share of the tiles."""
    command = [sys.executable, "-m", "wavescope.cli", "ingest", str(source), "--id", "s", "--json", "--workers", "1"]
    child = subprocess.Popen([*command, "--store", str(store)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stderr is not None
    for line in child.stderr:
        progress = json.loads(line)
        if progress["done"] >= share * progress["total"]:
            break
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert child.returncode == -signal.SIGKILL


def test_st53_killed_at_10_50_and_90_percent_it_goes_on_without_redoing_a_shard(
    source: Path, undisturbed: str, tmp_path: Path
) -> None:
    finished: Footprint = {}
    for share in (0.1, 0.5, 0.9):
        killed_at(source, tmp_path, share)
        assert slide_ids(tmp_path) == []
        assert not (tmp_path / "slides").exists()
        found = footprint(tmp_path)
        assert found.items() >= finished.items()
        finished = found
    assert len(finished) >= 2
    made = ingested(source, tmp_path)
    assert made.digest == undisturbed
    assert 0 < made.encoded_tiles < made.tiles
    assert footprint(tmp_path).items() >= finished.items()
    assert slide_ids(tmp_path) == ["s"]


def test_st97_a_killed_import_leaves_nothing_to_the_import_of_a_file_that_differs_in_some_pixels(
    tmp_path: Path,
) -> None:
    first, second = twins(tmp_path)
    store, other = tmp_path / "store", tmp_path / "other"
    killed_at(first, store, 0.9)
    made = ingested(second, store)
    assert made.encoded_tiles == made.tiles
    assert made.digest == ingested(second, other).digest
    assert made.manifest.source.fingerprint != ingested(first, store, "first").manifest.source.fingerprint


class Crash(BaseException):
    """The process ends here."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiff(tmp_path_factory.mktemp("small") / "s.tif", tissue(1300, 700))


@pytest.fixture(scope="module")
def small_digest(small: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return ingested(small, tmp_path_factory.mktemp("undisturbed")).digest


def crash_at(monkeypatch: pytest.MonkeyPatch, number: int) -> Iterator[int]:
    """Crash instead of the ``number``-th rename of the process."""
    rename = Path.rename
    count = 0

    def counting(self: Path, target: Any) -> Path:
        nonlocal count
        count += 1
        if count == number:
            raise Crash
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", counting)
    yield number
    monkeypatch.setattr(Path, "rename", rename)


@pytest.mark.parametrize("number", range(1, 40))
def test_st54_a_crash_between_any_two_steps_is_survived(
    small: Path, small_digest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    crash = crash_at(monkeypatch, number)
    next(crash)
    try:
        ingested(small, tmp_path)
        crashed = False
    except Crash:
        crashed = True
    next(crash, None)
    if crashed:
        assert slide_ids(tmp_path) == []
        finished = footprint(tmp_path)
        made = ingested(small, tmp_path)
        assert made.digest == small_digest
        assert footprint(tmp_path).items() >= finished.items()
    else:
        assert number > 20, "so many files are renamed at least"
    assert list(verify(tmp_path, small_digest)) == []


@pytest.mark.parametrize("after", [0, 1, 3, 5])
def test_st55_a_disk_that_fills_up_leaves_nothing_half_published(
    small: Path, small_digest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    synced = os.fsync
    count = 0

    def full(descriptor: int) -> None:
        nonlocal count
        count += 1
        if count > after:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        synced(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreFull, match="no space left"):
        ingested(small, tmp_path)
    monkeypatch.undo()
    assert slide_ids(tmp_path) == []
    assert not list(tmp_path.rglob("*.tmp"))
    assert ingested(small, tmp_path).digest == small_digest


@pytest.mark.parametrize("megabytes", [1, 2, 3])
def test_st55_on_a_really_small_disk_the_error_is_clear_and_nothing_is_published(
    source: Path, tmp_path: Path, megabytes: int
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this user may not mount a small disk; the test with a refusing fsync stands in")
    try:
        with pytest.raises(StoreFull, match="no space left"):
            ingested(source, disk / "store")
        assert not (disk / "store" / "slides").exists()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("damage", ["deleted", "cut", "flipped"])
def test_st52_a_damaged_spill_is_made_again(
    small: Path, small_digest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    finish = work.WorkDirectory.finish

    def first_only(self: work.WorkDirectory, unit: Any, strips: Any) -> None:
        if unit.level > 0:
            raise Crash
        finish(self, unit, strips)

    monkeypatch.setattr(work.WorkDirectory, "finish", first_only)
    with pytest.raises(Crash):
        ingested(small, tmp_path)
    monkeypatch.undo()
    spill = next((tmp_path / "ingest").glob("*/spill/*"))
    data = bytearray(spill.read_bytes())
    data[len(data) // 2] ^= 1
    match damage:
        case "deleted":
            spill.unlink()
        case "cut":
            spill.write_bytes(data[:-1])
        case "flipped":
            spill.write_bytes(data)
    made = ingested(small, tmp_path)
    assert made.digest == small_digest
    assert made.encoded_tiles == made.tiles


def test_st51_work_of_another_codec_is_not_mixed_in(
    small: Path, small_digest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = work.WorkDirectory.finish

    def first_only(self: work.WorkDirectory, unit: Any, strips: Any) -> None:
        if unit.level > 0:
            raise Crash
        finish(self, unit, strips)

    monkeypatch.setattr(work.WorkDirectory, "finish", first_only)
    with pytest.raises(Crash):
        ingested(small, tmp_path)
    monkeypatch.undo()
    plan = next((tmp_path / "ingest").glob("*/plan.json"))
    plan.write_bytes(plan.read_bytes().replace(b'"layout":2', b'"layout":0'))
    made = ingested(small, tmp_path)
    assert made.digest == small_digest
    assert made.encoded_tiles == made.tiles


@pytest.mark.parametrize("killed", ["before", "after"])
def test_st54_an_equal_version_is_replaced_without_a_moment_of_none(
    small: Path, small_digest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed: str
) -> None:
    ingested(small, tmp_path)
    published = tmp_path / "slides" / small_digest
    (published / "layer-index").write_bytes(b"damaged")

    def crash(one: Path, other: Path) -> None:
        assert (published / "manifest.json").exists()
        if killed == "after":
            exchange(one, other)
        raise Crash

    exchange = durable.exchange
    monkeypatch.setattr(durable, "exchange", crash)
    with pytest.raises(Crash):
        ingested(small, tmp_path)
    assert (published / "manifest.json").exists()
    monkeypatch.undo()
    assert ingested(small, tmp_path).digest == small_digest
    assert list(verify(tmp_path, small_digest)) == []


def test_two_directories_swap_names_where_the_system_cannot_swap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    monkeypatch.setattr(ctypes, "CDLL", lambda *_args, **_named: object())
    durable.exchange(tmp_path / "one", tmp_path / "other")
    assert (tmp_path / "one" / "other").exists()
    assert (tmp_path / "other" / "one").exists()
