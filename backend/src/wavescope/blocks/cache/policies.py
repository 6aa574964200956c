"""Which entry a full cache gives up: plain state, no clock, no input or output (Beynon 1998; SIEVE: Zhang 2024).

The caches of the edge, the simulator and the tests run the same code.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Generic, Protocol, TypeVar

Key = TypeVar("Key", bound=Hashable)
KeyIn = TypeVar("KeyIn", bound=Hashable, contravariant=True)


class Policy(Protocol[Key]):
    """The keys of a cache in an order of its own. A key is added once before it is used or removed."""

    def add(self, key: Key) -> None:
        """A new entry."""
        ...

    def use(self, key: Key) -> None:
        """An entry was read."""
        ...

    def remove(self, key: Key) -> None:
        """An entry is gone for another reason."""
        ...

    def evict(self) -> Key:
        """Removes and returns the entry to give up. Raises KeyError if there is none."""
        ...


class Fifo(Generic[Key]):
    """Gives up what was added first."""

    def __init__(self) -> None:
        self._keys: OrderedDict[Key, None] = OrderedDict()

    def add(self, key: Key) -> None:
        self._keys[key] = None

    def use(self, key: Key) -> None:
        """Changes nothing."""

    def remove(self, key: Key) -> None:
        del self._keys[key]

    def evict(self) -> Key:
        return self._keys.popitem(last=False)[0]


class Lru(Fifo[Key]):
    """Gives up what was used least recently."""

    def use(self, key: Key) -> None:
        self._keys.move_to_end(key)


class Random(Generic[Key]):
    """Gives up any entry, each as likely; ``seed`` makes it repeatable."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        self._keys: list[Key] = []
        self._at: dict[Key, int] = {}

    def add(self, key: Key) -> None:
        self._at[key] = len(self._keys)
        self._keys.append(key)

    def use(self, key: Key) -> None:
        """Changes nothing."""

    def remove(self, key: Key) -> None:
        at, last = self._at.pop(key), self._keys.pop()
        if last != key:
            self._keys[at] = last
            self._at[last] = at

    def evict(self) -> Key:
        if not self._keys:
            raise KeyError("the cache is empty")
        key = self._keys[self._random.randrange(len(self._keys))]
        self.remove(key)
        return key


class Sieve(Generic[Key]):
    """A hand goes from the oldest entry to the newest and gives up the first that was not used since it last passed.

    Entries do not move, so that one pass over a slide does not drive out what several users look at.
    """

    def __init__(self) -> None:
        self._used: dict[Key, bool] = {}
        self._newer: dict[Key, Key | None] = {}
        self._older: dict[Key, Key | None] = {}
        self._newest: Key | None = None
        self._oldest: Key | None = None
        self._hand: Key | None = None

    def add(self, key: Key) -> None:
        self._used[key], self._older[key], self._newer[key] = False, self._newest, None
        if self._newest is None:
            self._oldest = key
        else:
            self._newer[self._newest] = key
        self._newest = key

    def use(self, key: Key) -> None:
        self._used[key] = True

    def remove(self, key: Key) -> None:
        del self._used[key]
        older, newer = self._older.pop(key), self._newer.pop(key)
        if self._hand == key:
            self._hand = newer
        if older is None:
            self._oldest = newer
        else:
            self._newer[older] = newer
        if newer is None:
            self._newest = older
        else:
            self._older[newer] = older

    def evict(self) -> Key:
        if self._oldest is None:
            raise KeyError("the cache is empty")
        hand = self._oldest if self._hand is None else self._hand
        while self._used[hand]:
            self._used[hand] = False
            newer = self._newer[hand]
            hand = self._oldest if newer is None else newer
        self._hand = self._newer[hand]
        self.remove(hand)
        return hand


POLICIES: Mapping[str, Callable[[], Policy[bytes]]] = {"lru": Lru, "fifo": Fifo, "random": Random, "sieve": Sieve}
"""The policies by the names of their setting."""
