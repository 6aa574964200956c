"""The cache on disk: budget, damage, a killed process, a full disk."""

from __future__ import annotations

import asyncio
import logging
import random
import sqlite3
import sys
from pathlib import Path

import pytest

from interrupts import receive_interrupts
from small_disk import small_disk
from wavescope.blocks.cache.disk import NAME, DiskCache
from wavescope.blocks.cache.disk_table import PAGE, DiskTable
from wavescope.blocks.cache.policies import POLICIES
from wavescope.errors import InvalidParameter

MIB = 1 << 20


def value_of(key: bytes) -> bytes:
    """The one value that a key of these tests has."""
    return random.Random(key).randbytes(2000 + key[-1] * 20)


async def test_what_was_put_is_found_after_a_restart_ed6(tmp_path: Path) -> None:
    keys = [b"k%03d" % number for number in range(200)]
    first = DiskCache(tmp_path, 8 * MIB, "lru")
    for key in keys:
        first.put(key, value_of(key))
    assert await first.find_many(keys) == {key: value_of(key) for key in keys}  # some of them still wait
    await first.close()
    again = DiskCache(tmp_path, 8 * MIB, "lru")
    assert await again.find_many([*keys, b"other"]) == {key: value_of(key) for key in keys}
    assert await again.which([keys[0], b"other"]) == {keys[0]}
    await again.close()


@pytest.mark.parametrize("policy", POLICIES)
async def test_the_budget_holds_under_ten_times_as_much_ed6(tmp_path: Path, policy: str) -> None:
    cache = DiskCache(tmp_path, MIB, policy)
    for number in range(2400):
        key = b"%06d" % number
        cache.put(key, value_of(key))
        if number % 600 == 0:  # more than the budget at a time
            await cache.flush()
    await cache.flush()
    assert cache.evicted > 1000
    assert cache.bytes <= MIB
    await cache.close()
    assert (tmp_path / NAME).stat().st_size <= 1.1 * MIB


def test_the_table_gives_up_what_the_policy_says_ed10(tmp_path: Path) -> None:
    keys = [b"%02d" % number for number in range(60)]
    for policy, first in (("fifo", keys[0]), ("lru", keys[1]), ("sieve", keys[1])):
        table = DiskTable(tmp_path / policy, policy)
        table.write([(key, bytes(4000)) for key in keys], [], MIB)
        table.write([], [keys[0]], MIB)
        table.write([], [], table.size() - PAGE)  # one step of evictions
        assert first not in table.which(keys)
        assert (keys[0] in table.which(keys)) == (policy != "fifo")
        table.close()


async def test_a_damaged_entry_is_dropped_ed7(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, MIB, "lru")
    for key in (b"one", b"two"):
        cache.put(key, value_of(key))
    await cache.flush()
    with sqlite3.connect(tmp_path / NAME) as database:
        database.execute("UPDATE parts SET value = zeroblob(length(value)) WHERE key = ?", (b"one",))
    assert await cache.find_many([b"one", b"two"]) == {b"two": value_of(b"two")}
    assert cache.damaged == 1
    cache.put(b"one", value_of(b"one"))
    await cache.flush()
    assert b"one" in await cache.find_many([b"one"])
    await cache.close()


async def test_a_damaged_file_is_started_anew_ed7(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"no database at all" * 1000)
    cache = DiskCache(tmp_path, MIB, "lru")
    cache.put(b"one", value_of(b"one"))
    await cache.flush()
    assert b"one" in await cache.find_many([b"one"])
    await cache.close()
    data = bytearray((tmp_path / NAME).read_bytes())
    data[100:] = bytes(len(data) - 100)
    (tmp_path / NAME).write_bytes(data)
    again = DiskCache(tmp_path, MIB, "lru")
    for key in (b"two", b"three"):
        again.put(key, value_of(key))
        await again.flush()
    assert await again.find_many([b"one", b"three"]) == {b"three": value_of(b"three")}
    await again.close()


async def test_a_forgotten_prefix_is_not_found_any_more(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, MIB, "lru")
    for key in (b"a1", b"a2", b"b1"):
        cache.put(key, value_of(key))
    await cache.flush()
    cache.drop(b"a")
    assert set(await cache.find_many([b"a1", b"a2", b"b1"])) == {b"b1"}
    await cache.flush()
    assert set(await cache.find_many([b"a1", b"a2", b"b1"])) == {b"b1"}
    await cache.close()


@pytest.mark.parametrize("folder", ["file", "file/cache"])
async def test_a_folder_that_cannot_be_used_is_refused(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InvalidParameter):
        DiskCache(tmp_path / folder, MIB, "lru")


@pytest.mark.parametrize("why", ["permissions", "a folder has the name of the file"])
async def test_a_file_that_cannot_be_opened_on_a_disk_with_space_is_refused_ed7(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    if why == "permissions":

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")  # root, who may run the tests, is never refused

        monkeypatch.setattr(Path, "mkdir", refuse)
    else:
        (tmp_path / NAME).mkdir()
    with pytest.raises(InvalidParameter):
        DiskCache(tmp_path, MIB, "lru")


@pytest.mark.parametrize("left", [0, 20_000, 60_000])
async def test_a_cache_on_a_full_disk_starts_without_its_file_and_opens_it_later_ed7(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, left: int
) -> None:
    caplog.set_level(logging.INFO)
    with small_disk(tmp_path / "disk", 2) as disk:
        disk.fill(left)
        cache = DiskCache(disk.path / "cache", MIB, "lru")
        cache.put(b"one", random.Random(1).randbytes(1 << 16))
        await cache.flush()
        assert cache.dropped == 1
        assert await cache.find_many([b"one"]) == {}
        assert await cache.which([b"one"]) == set()
        cache.drop(b"one")
        await cache.flush()
        assert caplog.messages == ["cache file failed"]

        disk.free()
        cache.put(b"two", value_of(b"two"))
        await cache.flush()
        assert await cache.find_many([b"one", b"two"]) == {b"two": value_of(b"two")}
        assert caplog.messages == ["cache file failed", "cache file works again"]
        await cache.close()

        again = DiskCache(disk.path / "cache", MIB, "lru")
        assert await again.find_many([b"two"]) == {b"two": value_of(b"two")}
        await again.close()


WRITER = """
import asyncio, random, sys
from pathlib import Path
from wavescope.blocks.cache.disk import DiskCache

async def main():
    cache = DiskCache(Path(sys.argv[1]), 1 << 20, "sieve")
    number = 0
    while True:
        key = b"%06d" % (number % 900)
        cache.put(key, random.Random(key).randbytes(2000 + key[-1] * 20))
        number += 1
        if number % 20 == 0:
            await cache.flush()
            print(number, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("moments", [5, pytest.param(50, marks=pytest.mark.long)])
async def test_a_killed_process_loses_no_correctness_ed6_ed7(tmp_path: Path, moments: int) -> None:
    random_moment = random.Random(3)
    keys = [b"%06d" % number for number in range(900)]
    for _ in range(moments):
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", WRITER, str(tmp_path), stdout=asyncio.subprocess.PIPE, preexec_fn=receive_interrupts
        )
        assert child.stdout is not None
        for _ in range(random_moment.randint(1, 60)):
            await child.stdout.readline()
        child.kill()
        await child.wait()
        cache = DiskCache(tmp_path, MIB, "sieve")
        found = await cache.find_many(keys)
        assert found == {key: value_of(key) for key in found}
        assert found
        assert (cache.damaged, cache.bytes <= MIB) == (0, True)
        await cache.close()
