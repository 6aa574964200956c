"""Caches in memory, as far as a model needs them: which keys they have, within a budget of bytes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from wavescope.blocks.cache.policies import POLICIES, Policy

Key = TypeVar("Key", bound=Hashable)


def policy_of(name: str) -> Policy[Key]:
    """A policy of the edge's cache by its name, for keys of any type."""
    return POLICIES[name]()  # type: ignore[return-value]  # a policy takes keys of any type


class CacheModel(Generic[Key]):
    """Keys up to a sum of bytes; one that is larger than all is not stored. ``overhead``: bytes of each entry."""

    def __init__(self, capacity: int, policy: Policy[Key], overhead: int = 0) -> None:
        self.capacity, self.policy, self.overhead = capacity, policy, overhead
        self.used = 0
        self._sizes: dict[Key, int] = {}

    def has(self, key: Key) -> bool:
        """Whether the key is here; it counts as used."""
        if key in self._sizes:
            self.policy.use(key)
            return True
        return False

    def add(self, key: Key, size: int) -> None:
        """Store a key, unless it is here."""
        size += self.overhead
        if key in self._sizes or size > self.capacity:
            return
        while self.used + size > self.capacity:
            self.used -= self._sizes.pop(self.policy.evict())
        self.policy.add(key)
        self._sizes[key] = size
        self.used += size
