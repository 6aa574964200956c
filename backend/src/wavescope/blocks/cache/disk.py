"""Cached parts on disk, within a budget of bytes: one SQLite file that survives a restart and a killed process.

Every entry has a checksum over its key and value. An entry that does not fit its checksum is forgotten; a file that
SQLite cannot read is started anew: nothing in it is missed, as every part can be fetched again.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TypeVar

from wavescope.blocks.cache.disk_table import DiskTable
from wavescope.errors import InvalidParameter
from wavescope.logs.loggers import get_logger

QUEUED = 32 << 20  # bytes that wait to be written; what comes on top is not stored on disk
NAME = "parts.sqlite"

log = get_logger(__name__)

Result = TypeVar("Result")


class DiskCache:
    """Values by key, for one event loop. ``budget``: bytes of the file; ``policy``: a name of POLICIES.

    ``damaged`` counts entries that failed their checksum, ``dropped`` those that the disk was too slow or too full for.
    Raises InvalidParameter if the folder cannot be used.
    """

    def __init__(self, folder: Path, budget: int, policy: str) -> None:
        self.budget, self.bytes, self.damaged, self.dropped, self.evicted = budget, 0, 0, 0, 0
        self._path, self._policy = folder / NAME, policy
        self._reading = Lock()  # held by a read, and while the file is started anew
        self._reader = ThreadPoolExecutor(1, "wavescope-disk-read")
        self._writer = ThreadPoolExecutor(1, "wavescope-disk-write")
        self._waiting: dict[bytes, bytes] = {}
        self._used: set[bytes] = set()
        self._waiting_bytes = 0
        self._dropped: list[bytes] = []
        self._writing: asyncio.Task[None] | None = None
        self._failing = False  # the last write failed, which is logged once
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._open()
        except (OSError, sqlite3.Error) as cause:
            raise InvalidParameter("the cache folder", str(folder), "a folder that can be written to") from cause

    async def which(self, keys: Collection[bytes]) -> set[bytes]:
        """Those of these keys that have a value."""
        found = {key for key in keys if key in self._waiting}
        wanted = [key for key in keys if key not in found and not key.startswith(tuple(self._dropped))]
        if wanted and self._written.rows:
            found |= await asyncio.get_running_loop().run_in_executor(self._reader, self._look, wanted)
        return found

    async def find_many(self, keys: Collection[bytes]) -> Mapping[bytes, bytes]:
        """The values that are stored of these."""
        found = {key: self._waiting[key] for key in keys if key in self._waiting}
        wanted = [key for key in keys if key not in found and not key.startswith(tuple(self._dropped))]
        if wanted and self._written.rows:
            stored, damaged = await asyncio.get_running_loop().run_in_executor(self._reader, self._read, wanted)
            found |= stored
            if damaged:
                log.warning("damaged cache entries", count=len(damaged))
                self.damaged += len(damaged)
                await self._in_writer(lambda: self._written.remove(damaged))
        self._used.update(found)
        return found

    def put(self, key: bytes, value: bytes, replace: bool = False) -> None:
        """Stores a value soon; drops it if too many wait. ``replace``: also if another one waits."""
        waiting = self._waiting.get(key)
        if self.budget <= 0 or (waiting is not None and not replace):
            return
        if self._waiting_bytes + len(value) > QUEUED:
            self.dropped += 1
            return
        self._waiting_bytes -= len(waiting or b"")
        self._waiting[key] = value
        self._waiting_bytes += len(value)
        self._begin()

    async def flush(self) -> None:
        """Returns when everything that waits is stored."""
        while self._writing is not None:
            await asyncio.shield(self._writing)

    def drop(self, prefix: bytes) -> None:
        """Forgets every value whose key begins so: none of them is found from now on."""
        for key in [key for key in self._waiting if key.startswith(prefix)]:
            self._waiting_bytes -= len(self._waiting.pop(key))
        self._dropped.append(prefix)
        self._begin()

    async def close(self) -> None:
        """Stores what waits, and closes the file."""
        await self.flush()
        for threads in (self._reader, self._writer):
            await asyncio.to_thread(threads.shutdown)
        self._read_from.close()
        self._written.close()

    # --- in the event loop -----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        if self._writing is None:
            self._writing = asyncio.get_running_loop().create_task(self._write_all())

    async def _write_all(self) -> None:
        try:
            while self._waiting or self._dropped:
                for prefix in list(self._dropped):
                    await self._in_writer(partial(self._written.remove_prefix, prefix))
                    self._dropped.remove(prefix)
                entries, used = list(self._waiting.items()), list(self._used)
                self._used.clear()
                evicted = await self._in_writer(partial(self._written.write, entries, used, self.budget))
                if evicted is None:
                    self.dropped += len(entries)
                else:
                    self.evicted += evicted
                for key, value in entries:
                    if self._waiting.get(key) is value:  # else another one has replaced it
                        del self._waiting[key]
                        self._waiting_bytes -= len(value)
        finally:
            self._writing = None

    async def _in_writer(self, work: Callable[[], Result]) -> Result | None:
        """What ``work`` returns; None if the file failed."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work)

    # --- in threads ------------------------------------------------------------------------------------------------

    def _look(self, keys: Sequence[bytes]) -> set[bytes]:
        try:
            with self._reading:
                return self._read_from.which(keys)
        except sqlite3.Error as error:
            self._read_failed(error)
            return set()

    def _read(self, keys: Sequence[bytes]) -> tuple[dict[bytes, bytes], list[bytes]]:
        try:
            with self._reading:
                return self._read_from.read(keys)
        except sqlite3.Error as error:
            self._read_failed(error)
            return {}, []

    def _read_failed(self, error: sqlite3.Error) -> None:
        if _is_damaged(error):
            self._writer.submit(self._failed, error)

    def _write(self, work: Callable[[], Result]) -> Result | None:
        try:
            result = work()
            self.bytes = self._written.size()
        except sqlite3.Error as error:
            self._failed(error)
            return None
        if self._failing:
            self._failing = False
            log.info("cache file works again")
        return result

    def _failed(self, error: sqlite3.Error) -> None:
        """A full disk or a busy file passes, and is logged once; a damaged file is started anew."""
        damaged = _is_damaged(error)
        if damaged or not self._failing:
            log.warning("cache file failed", code=getattr(error, "sqlite_errorname", ""), started_anew=damaged)
        self._failing = not damaged
        if damaged:
            with self._reading:
                self._read_from.close()
                self._written.close()
                self._open(anew=True)

    def _open(self, anew: bool = False) -> None:
        if anew:
            for end in ("", "-wal", "-shm"):
                self._path.with_name(NAME + end).unlink(missing_ok=True)
        try:
            self._written = DiskTable(self._path, self._policy)
            self._read_from = DiskTable(self._path, self._policy)
        except sqlite3.DatabaseError as error:
            if anew or not _is_damaged(error):
                raise
            self._open(anew=True)
        self.bytes = self._written.size()


def _is_damaged(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
