"""Open shards in bounded memory: one descriptor and one parsed index each, closed when the last user lets go."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from wavescope.store.shard import INDEX_BYTES, decode_index

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

_CACHED_ONLY: int | None = getattr(os, "RWF_NOWAIT", None)


class OpenFile:
    """A file descriptor for positioned reads from many threads."""

    __slots__ = ("fd", "size")

    def __init__(self, path: Path) -> None:
        self.fd = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        self.size = os.fstat(self.fd).st_size

    def __del__(self) -> None:
        if hasattr(self, "fd"):
            os.close(self.fd)

    def read(self, offset: int, length: int) -> bytes:
        """Exactly ``length`` bytes; ValueError when the file ends before."""
        data = os.pread(self.fd, length, offset)
        while len(data) < length:
            more = os.pread(self.fd, length - len(data), offset + len(data))
            if not more:
                raise ValueError(f"the file ends at byte {offset + len(data)}, {offset + length} are promised")
            data += more
        return data

    def read_cached(self, offset: int, length: int) -> bytes | None:
        """The same bytes if the system holds them in memory, else None: never waits for a disk."""
        if _CACHED_ONLY is None:
            return None
        buffer = bytearray(length)
        try:
            count = os.preadv(self.fd, [buffer], offset, _CACHED_ONLY)
        except OSError:
            return None
        return bytes(buffer) if count == length else None


class OpenShard(OpenFile):
    """A shard file and the places of its 64 blocks in row-major order, None for an empty one."""

    __slots__ = ("entries",)

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        if self.size < INDEX_BYTES:
            raise ValueError(f"the shard is cut short to {self.size} bytes")
        index = self.read(self.size - INDEX_BYTES, INDEX_BYTES)
        self.entries = decode_index(index, self.size)


class Bounded(Generic[Key, Value]):
    """The ``limit`` most recently used values, made on demand. Thread-safe; a value may be made twice, never wrong."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def peek(self, key: Key) -> Value | None:
        """The value if it is here."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value, made outside the lock when it is not here."""
        value = self.peek(key)
        if value is None:
            value = make()
            with self._lock:
                self._values[key] = value
                self._values.move_to_end(key)
                while len(self._values) > self._limit:
                    self._values.popitem(last=False)
        return value

    def drop(self, matches: Callable[[Key], bool]) -> None:
        """Forget every value whose key matches."""
        with self._lock:
            for key in [key for key in self._values if matches(key)]:
                del self._values[key]
