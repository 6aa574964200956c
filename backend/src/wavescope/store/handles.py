"""Open files and shards: one descriptor and one parsed index each, closed when the last user releases it."""

from __future__ import annotations

import os
from pathlib import Path

from wavescope.store.shard import INDEX_BYTES, decode_index

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
                raise ValueError(f"the file ends at byte {offset + len(data)}, {offset + length} were expected")
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
    """A shard file with offset and length of its 256 blocks in row-major order, None for an empty one."""

    __slots__ = ("entries",)

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        if self.size < INDEX_BYTES:
            raise ValueError(f"the shard is cut short to {self.size} bytes")
        index = self.read(self.size - INDEX_BYTES, INDEX_BYTES)
        self.entries = decode_index(index, self.size)
