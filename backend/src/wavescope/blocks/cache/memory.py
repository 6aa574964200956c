"""Cached parts in memory, within a budget of bytes."""

from __future__ import annotations

from wavescope.blocks.cache.policies import Policy

OVERHEAD = 160  # bytes that an entry takes beside its value: key, object headers, the policy's state


class MemoryCache:
    """Values by key, for one event loop. ``budget`` in bytes covers values and OVERHEAD; 0 caches nothing."""

    def __init__(self, budget: int, policy: Policy[bytes]) -> None:
        self.budget, self.bytes, self.evicted = budget, 0, 0
        self._policy = policy
        self._values: dict[bytes, bytes] = {}

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def find(self, key: bytes) -> bytes | None:
        """The value, which thereby is used."""
        value = self._values.get(key)
        if value is not None:
            self._policy.use(key)
        return value

    def put(self, key: bytes, value: bytes) -> None:
        """Adds a value, unless it is there (a value never changes) or larger than the whole budget."""
        size = len(value) + OVERHEAD
        if key in self._values or size > self.budget:
            return
        while self.bytes + size > self.budget:
            self._forget(self._policy.evict())
            self.evicted += 1
        self._values[key] = value
        self._policy.add(key)
        self.bytes += size

    def remove(self, key: bytes) -> None:
        """Forgets a value, if it is there."""
        if key in self._values:
            self._policy.remove(key)
            self._forget(key)

    def drop(self, prefix: bytes) -> None:
        """Forgets every value whose key begins so."""
        for key in [key for key in self._values if key.startswith(prefix)]:
            self.remove(key)

    def clear(self) -> None:
        """Forgets everything."""
        self.drop(b"")

    def _forget(self, key: bytes) -> None:
        self.bytes -= len(self._values.pop(key)) + OVERHEAD
