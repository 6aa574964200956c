"""Hit ratios of an edge and of the nodes behind it, from the sizes of their caches (Che et al. 2002).

All views of a slide are as probable, so that a cache of views holds slides in parts: what counts is how many slides it
has space for. Nodes store what the edges asked for; the balancer sends a slide to one node, so their caches add up.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

SINGLE = 32
"""So many of the most popular slides are taken one by one, the others in groups of similar popularity."""
WIDER = 1.15
STEPS = 60


class Group(NamedTuple):
    """``number`` slides with the same ``share`` of the views each."""

    number: int
    share: float


class Hits(NamedTuple):
    """Hit ratios: of all requests at an edge; of those that an edge passes on, at a node."""

    edge: float
    node: float


@lru_cache(maxsize=64)
def groups(slides: int, popularity: float) -> tuple[Group, ...]:
    """All slides, the most popular first; their shares are ``rank ** -popularity``, made 1 in sum."""
    weights = [(1, float(rank**-popularity)) for rank in range(1, min(slides, SINGLE) + 1)]
    first = SINGLE + 1
    while first <= slides:
        last = min(slides, math.floor(first * WIDER))
        weights.append((last - first + 1, _integral(first - 0.5, last + 0.5, popularity) / (last - first + 1)))
        first = last + 1
    whole = sum(number * weight for number, weight in weights)
    return tuple(Group(number, weight / whole) for number, weight in weights)


def _integral(low: float, high: float, popularity: float) -> float:
    if abs(popularity - 1) < 1e-9:
        return math.log(high / low)
    power = 1 - popularity
    return float((high**power - low**power) / power)


@lru_cache(maxsize=4096)
def hit_ratios(slides: int, popularity: float, first_views: float, edge: float, nodes: float) -> Hits:
    """``edge``, ``nodes``: the slides that an edge, and all nodes together, have space for."""
    viewed = groups(slides, popularity)
    time = characteristic_time(viewed, edge)
    missed = tuple(Group(number, _missed(share, time)) for number, share in viewed)
    asked = sum(number * share for number, share in missed)
    hit_edge = _ratio((1 - first_views) * (1 - asked))
    if asked < 1e-12:
        return Hits(hit_edge, 0.0)
    scaled = tuple(Group(number, share / asked) for number, share in missed)
    time = characteristic_time(scaled, nodes)
    again = 1 - sum(number * _missed(share, time) for number, share in scaled)
    return Hits(hit_edge, _ratio((1 - first_views) * asked * again / (1 - hit_edge)))


def _missed(share: float, time: float) -> float:
    """Views that a cache misses. One with space for everything misses none, also of a share that is 0 by rounding."""
    return 0.0 if math.isinf(time) else share * math.exp(-share * time)


def _ratio(value: float) -> float:
    """Without what rounding puts beside 0 and 1: nobody waits for a negative share of requests."""
    return min(1.0, max(0.0, value))


def characteristic_time(viewed: tuple[Group, ...], size: float) -> float:
    """The number of requests after which an LRU cache with space for ``size`` slides drops what was not viewed."""
    whole = sum(number for number, _ in viewed)
    if size <= 0:
        return 0.0
    if size >= whole * (1 - 1e-9):
        return math.inf
    high = 1.0
    while _stored(viewed, high) < size and high < 1e30:
        high *= 2
    low = 0.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _stored(viewed, middle) < size else (low, middle)
    return low


def _stored(viewed: tuple[Group, ...], time: float) -> float:
    return sum(number * -math.expm1(-share * time) for number, share in viewed)
