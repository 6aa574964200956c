"""What an edge stores beside blocks: facts about versions, and whole responses. In the same budgets."""

from __future__ import annotations

from wavescope.blocks.cache.disk import DiskCache
from wavescope.blocks.cache.memory import MemoryCache


class EntryCache:
    """Values by key in memory and on disk. A value that changes is put again."""

    def __init__(self, memory: MemoryCache, disk: DiskCache | None) -> None:
        self._memory, self._disk = memory, disk

    async def find(self, *keys: bytes) -> bytes | None:
        """The value that was put last for the first of these keys that has one."""
        known = [self._memory.find(key) for key in keys]
        if not any(known) and self._disk is not None:
            stored = await self._disk.find_many(keys)
            known = [stored.get(key) for key in keys]
            for key, value in stored.items():
                self._memory.put(key, value)
        return next(filter(None, known), None)

    def put(self, key: bytes, value: bytes) -> None:
        """Stores a value in place of the one that is stored."""
        if self._memory.find(key) == value:
            return
        self._memory.remove(key)
        self._memory.put(key, value)
        if self._disk is not None:
            self._disk.put(key, value, replace=True)

    def forget(self, key: bytes) -> None:
        """Drops the value."""
        self._memory.remove(key)
        if self._disk is not None:
            self._disk.put(key, b"", replace=True)
