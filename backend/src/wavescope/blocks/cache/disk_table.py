"""The table of a disk cache: entries in the order in which a policy gives them up."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import google_crc32c

PAGE = 16384
MAX_KEYS = 256  # keys in one query
STEP = 8  # entries that one eviction looks at
PORTIONS = 8  # the part of the budget that is added at a time
_SCHEMA = """
CREATE TABLE IF NOT EXISTS parts (
    key BLOB PRIMARY KEY, place INTEGER NOT NULL, used INTEGER NOT NULL, crc INTEGER NOT NULL, value BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS by_place ON parts (place);
"""


class DiskTable:
    """For one thread at a time. The entry with the lowest ``place`` is given up first: ``fifo`` places by arrival,
    ``lru`` by last use, ``random`` anywhere; ``sieve`` goes through the places with a hand that passes over what was
    used.

    Every method raises sqlite3.Error.
    """

    def __init__(self, path: Path, policy: str) -> None:
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._policy, self._hand = policy, 0
        try:
            self._begin()
        except sqlite3.Error:
            self._database.close()
            raise

    def _begin(self) -> None:
        run = self._database.execute
        run(f"PRAGMA page_size = {PAGE}")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")
        run(f"PRAGMA journal_size_limit = {16 << 20}")
        self._database.executescript(_SCHEMA)
        self._next: int = (run("SELECT max(place) FROM parts").fetchone()[0] or 0) + 1
        self.rows: bool = run("SELECT EXISTS (SELECT 1 FROM parts)").fetchone()[0] == 1  # whether there ever was one

    def close(self) -> None:
        self._database.close()

    def count(self) -> int:
        return self._number("SELECT count(*) FROM parts")

    def size(self) -> int:
        """Bytes of the file that are in use."""
        pages, free = (self._number(f"PRAGMA {name}") for name in ("page_count", "freelist_count"))
        return (pages - free) * PAGE

    def which(self, keys: Sequence[bytes]) -> set[bytes]:
        """Those of these keys that have an entry."""
        found: set[bytes] = set()
        for start in range(0, len(keys), MAX_KEYS):
            some = keys[start : start + MAX_KEYS]
            marks = ",".join("?" * len(some))
            found.update(
                row[0] for row in self._database.execute(f"SELECT key FROM parts WHERE key IN ({marks})", some)
            )
        return found

    def read(self, keys: Sequence[bytes]) -> tuple[dict[bytes, bytes], list[bytes]]:
        """The values of these keys, and the keys of values that do not fit their checksum."""
        found: dict[bytes, bytes] = {}
        damaged = []
        for start in range(0, len(keys), MAX_KEYS):
            some = keys[start : start + MAX_KEYS]
            marks = ",".join("?" * len(some))
            rows = self._database.execute(f"SELECT key, crc, value FROM parts WHERE key IN ({marks})", some)
            for key, crc, value in rows:
                if _checksum(key, value) == crc:
                    found[key] = value
                else:
                    damaged.append(key)
        return found, damaged

    def remove(self, keys: Iterable[bytes]) -> None:
        self._database.executemany("DELETE FROM parts WHERE key = ?", [(key,) for key in keys])

    def remove_prefix(self, prefix: bytes) -> None:
        """Every entry whose key begins so."""
        self._database.execute("DELETE FROM parts WHERE key >= ? AND key < ?", (prefix, prefix + b"\xff" * 32))

    def write(self, entries: Sequence[tuple[bytes, bytes]], used: Sequence[bytes], budget: int) -> int:
        """Notes what was used, adds entries, and gives up as many as ``budget`` requires; returns their number.

        It gives up before it adds, a few entries at a time: a file of SQLite does not become smaller again.
        """
        run = self._database.execute
        run("BEGIN IMMEDIATE")
        try:
            self._note(used)
            evicted = 0
            for some, size in _portions(entries, budget // PORTIONS):
                evicted += self._evict_to(budget - size)
                self._add(some)
            self.rows = self.rows or bool(entries)
            evicted += self._evict_to(budget)
            run("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                run("ROLLBACK")
            raise
        return evicted

    def _number(self, query: str) -> int:
        return int(self._database.execute(query).fetchone()[0])

    def _place(self) -> int:
        if self._policy == "random":
            return random.getrandbits(62)
        self._next += 1
        return self._next

    def _add(self, entries: Sequence[tuple[bytes, bytes]]) -> None:
        self._database.executemany(
            "INSERT OR REPLACE INTO parts (key, place, used, crc, value) VALUES (?, ?, 0, ?, ?)",
            [(key, self._place(), _checksum(key, value), value) for key, value in entries],
        )

    def _evict_to(self, budget: int) -> int:
        """Gives up entries until ``budget`` bytes are in use, or none is left; returns how many."""
        evicted = 0
        while self.size() > budget and (some := self._evict()):
            evicted += some
        return evicted

    def _note(self, used: Sequence[bytes]) -> None:
        if self._policy == "lru":
            rows = [(self._place(), key) for key in used]
            self._database.executemany("UPDATE parts SET place = ? WHERE key = ?", rows)
        elif self._policy == "sieve":
            self._database.executemany("UPDATE parts SET used = 1 WHERE key = ?", [(key,) for key in used])

    def _evict(self) -> int:
        """Gives up a few entries; returns how many."""
        if self._policy != "sieve":
            return self._database.execute(
                "DELETE FROM parts WHERE key IN (SELECT key FROM parts ORDER BY place LIMIT ?)", (STEP,)
            ).rowcount
        evicted = 0
        while not evicted:
            query = "SELECT key, place, used FROM parts WHERE place > ? ORDER BY place LIMIT ?"
            rows = self._database.execute(query, (self._hand, STEP)).fetchall()
            if not rows:
                if self._hand == 0:
                    return 0
                self._hand = 0
                continue
            self._hand = rows[-1][1]
            unused = [key for key, _, was_used in rows if not was_used]
            self._database.executemany("UPDATE parts SET used = 0 WHERE key = ?", [(row[0],) for row in rows if row[2]])
            self.remove(unused)
            evicted = len(unused)
        return evicted


def _portions(entries: Sequence[tuple[bytes, bytes]], limit: int) -> Iterator[tuple[list[tuple[bytes, bytes]], int]]:
    """The entries in portions of about ``limit`` bytes, of at least one entry, with the bytes that each takes."""
    some: list[tuple[bytes, bytes]] = []
    size = PAGE
    for key, value in entries:
        bytes_of_entry = len(value) + 3 * len(key)  # the key is in an index, too
        if some and size + bytes_of_entry > limit:
            yield some, size
            some, size = [], PAGE
        some.append((key, value))
        size += bytes_of_entry
    if some:
        yield some, size


def _checksum(key: bytes, value: bytes) -> int:
    return int(google_crc32c.extend(google_crc32c.value(key), value))
