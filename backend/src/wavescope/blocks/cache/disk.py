"""Cached parts on disk, within a budget of bytes: one SQLite file that survives a restart and a killed process.

Every entry has a checksum over its key and value. An entry that does not fit its checksum is forgotten; a file that
SQLite cannot read is started anew: nothing in it is missed, as every part can be fetched again.
"""

from __future__ import annotations

import asyncio
import errno
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import TypeVar

from wavescope.blocks.cache.disk_table import DiskTable
from wavescope.errors import InvalidParameter
from wavescope.logs.loggers import get_logger

QUEUED = 32 << 20  # bytes that wait to be written; what comes on top is not stored on disk
NAME = "parts.sqlite"
PROBE = 65536  # bytes that fit on a disk with space: twice what SQLite needs to share a file between connections

log = get_logger(__name__)

Result = TypeVar("Result")


class DiskCache:
    """Values by key, for one event loop. ``budget``: bytes of the file; ``policy``: a name of POLICIES.

    ``damaged`` counts entries that failed their checksum, ``dropped`` those that the disk was too slow or too full for.
    If the disk is full at the start, the file is opened by the first write that succeeds (ED7). Raises InvalidParameter
    if the folder cannot be used for another reason.
    """

    def __init__(self, folder: Path, budget: int, policy: str) -> None:
        self.budget, self.bytes, self.damaged, self.dropped, self.evicted = budget, 0, 0, 0, 0
        self._path, self._policy = folder / NAME, policy
        self._written: DiskTable | None = None  # None: the file is not open, as the disk is full
        self._read_from: DiskTable | None = None
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
            self._open()
        except (OSError, sqlite3.Error) as cause:
            if not _is_full(cause, folder):
                raise InvalidParameter("the cache folder", str(folder), "a folder that can be written to") from cause
            self._failed(cause)

    async def which(self, keys: Collection[bytes]) -> set[bytes]:
        """Those of these keys that have a value."""
        found = {key for key in keys if key in self._waiting}
        wanted = [key for key in keys if key not in found and not key.startswith(tuple(self._dropped))]
        if wanted and self._has_rows:
            found |= await asyncio.get_running_loop().run_in_executor(self._reader, self._look, wanted)
        return found

    async def find_many(self, keys: Collection[bytes]) -> Mapping[bytes, bytes]:
        """The values that are stored of these."""
        found = {key: self._waiting[key] for key in keys if key in self._waiting}
        wanted = [key for key in keys if key not in found and not key.startswith(tuple(self._dropped))]
        if wanted and self._has_rows:
            stored, damaged = await asyncio.get_running_loop().run_in_executor(self._reader, self._read, wanted)
            found |= stored
            if damaged:
                log.warning("damaged cache entries", count=len(damaged))
                self.damaged += len(damaged)
                await self._in_writer(lambda table: table.remove(damaged))
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
        self._close_file()

    # --- in the event loop -----------------------------------------------------------------------------------------

    @property
    def _has_rows(self) -> bool:
        return self._written is not None and self._written.rows

    def _begin(self) -> None:
        if self._writing is None:
            self._writing = asyncio.get_running_loop().create_task(self._write_all())

    async def _write_all(self) -> None:
        try:
            while self._waiting or self._dropped:
                for prefix in list(self._dropped):
                    await self._in_writer(partial(DiskTable.remove_prefix, prefix=prefix))
                    self._dropped.remove(prefix)
                entries, used = list(self._waiting.items()), list(self._used)
                self._used.clear()
                write = partial(DiskTable.write, entries=entries, used=used, budget=self.budget)
                evicted = await self._in_writer(write)
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

    async def _in_writer(self, work: Callable[[DiskTable], Result]) -> Result | None:
        """What ``work`` returns; None if the file failed."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work)

    # --- in threads ------------------------------------------------------------------------------------------------

    def _look(self, keys: Sequence[bytes]) -> set[bytes]:
        try:
            with self._reading:
                return self._read_from.which(keys) if self._read_from else set()
        except sqlite3.Error as error:
            self._read_failed(error)
            return set()

    def _read(self, keys: Sequence[bytes]) -> tuple[dict[bytes, bytes], list[bytes]]:
        try:
            with self._reading:
                return self._read_from.read(keys) if self._read_from else ({}, [])
        except sqlite3.Error as error:
            self._read_failed(error)
            return {}, []

    def _read_failed(self, error: sqlite3.Error) -> None:
        if _is_damaged(error):
            self._writer.submit(self._failed, error)

    def _write(self, work: Callable[[DiskTable], Result]) -> Result | None:
        try:
            table = self._written or self._open()
            result = work(table)
            self.bytes = table.size()
        except (OSError, sqlite3.Error) as error:
            self._failed(error)
            return None
        if self._failing:
            self._failing = False
            log.info("cache file works again")
        return result

    def _failed(self, error: OSError | sqlite3.Error) -> None:
        """A full disk or a busy file passes, and is logged once; a damaged file is started anew."""
        damaged = _is_damaged(error)
        if damaged or not self._failing:
            log.warning("cache file failed", code=_code(error), started_anew=damaged)
        self._failing = not damaged
        if damaged:
            with self._reading:
                self._close_file()
                self._remove_file()

    def _open(self) -> DiskTable:
        """Opens the file, anew if it is damaged. Raises OSError, sqlite3.Error."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            written = self._open_tables()
        except sqlite3.DatabaseError as error:
            if not _is_damaged(error):
                raise
            self._remove_file()
            written = self._open_tables()
        self.bytes = written.size()
        return written

    def _open_tables(self) -> DiskTable:
        written = DiskTable(self._path, self._policy)
        try:
            self._read_from = DiskTable(self._path, self._policy)
        except sqlite3.Error:
            written.close()
            raise
        self._written = written
        return written

    def _close_file(self) -> None:
        for table in (self._read_from, self._written):
            if table:
                table.close()
        self._read_from = self._written = None

    def _remove_file(self) -> None:
        for end in ("", "-wal", "-shm"):
            self._path.with_name(NAME + end).unlink(missing_ok=True)


def _code(error: OSError | sqlite3.Error) -> str:
    if isinstance(error, OSError):
        return errno.errorcode.get(error.errno or 0, "")
    return getattr(error, "sqlite_errorname", "")


def _is_full(error: OSError | sqlite3.Error, folder: Path) -> bool:
    """Whether the disk of the folder has no space, which SQLite also reports as another error of the disk."""
    if isinstance(error, sqlite3.Error):
        try:
            with TemporaryFile(dir=folder) as file:
                file.write(bytes(PROBE))
                file.flush()
        except OSError as cause:
            error = cause
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def _is_damaged(error: OSError | sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
