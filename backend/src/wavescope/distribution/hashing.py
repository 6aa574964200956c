"""Consistent hashes: the same key has the same node while nodes come and go."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

POINTS = 100
"""Of each node on the ring: loads of nodes differ by about a tenth."""


def point(text: str) -> int:
    """A place on the ring, 64 bits."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


@dataclass(frozen=True)
class Ring:
    """Places in order, and the node of each."""

    places: tuple[int, ...]
    nodes: tuple[str, ...]

    @classmethod
    def of(cls, names: Iterable[str], points: int = POINTS) -> Ring:
        """A ring of these nodes. ValueError without a node."""
        pairs = sorted((point(f"{name}#{number}"), name) for name in set(names) for number in range(points))
        if not pairs:
            raise ValueError("there is no node")
        return cls(tuple(place for place, _ in pairs), tuple(name for _, name in pairs))

    def along(self, key: str) -> Iterator[str]:
        """Every node once, in the order in which they follow the key."""
        start, seen = bisect_left(self.places, point(key)), set[str]()
        for step in range(len(self.places)):
            name = self.nodes[(start + step) % len(self.nodes)]
            if name not in seen:
                seen.add(name)
                yield name


def by_file(ring: Ring, slide: str) -> str:
    """The node of a slide, whatever its load."""
    return next(ring.along(slide))


def bounded(ring: Ring, key: str, requests: Mapping[str, int], factor: float) -> str:
    """The first node along the ring that has room for one more request.

    No node gets more than ``factor`` times the average of the requests in work, this one included, rounded up:
    consistent hashing with bounded loads. ``factor`` is at least 1.
    """
    if factor < 1:
        raise ValueError(f"factor is {factor}; expected 1 or more")
    names = set(ring.nodes)
    most = math.ceil(factor * (sum(requests.get(name, 0) for name in names) + 1) / len(names))
    return next(name for name in ring.along(key) if requests.get(name, 0) < most)


def placement(names: Sequence[str], key: str, copies: int = 1) -> list[str]:
    """The nodes that store a part of distributed data, the first one first: those with the highest hashes of node and
    key. A node that goes moves only its own parts. ValueError without a node.
    """
    if not names:
        raise ValueError("there is no node")
    return sorted(set(names), key=lambda name: (-point(f"{name}/{key}"), name))[: max(1, copies)]
