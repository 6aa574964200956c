"""Where regions are: anywhere, or on a walk over the slide. In level-0 pixels."""

from __future__ import annotations

import random

SIDE = 512

Place = tuple[int, int]


def anywhere(chance: random.Random, size: tuple[int, int]) -> Place:
    return chance.randrange(size[0] - SIDE), chance.randrange(size[1] - SIDE)


def walk(chance: random.Random, size: tuple[int, int], steps: int) -> list[Place]:
    """Views from a random place on, in one direction with small turns, back from the slide's edge."""
    (x, y), places = anywhere(chance, size), []
    dx, dy = chance.choice((-1, 1)), chance.choice((-1, 0, 1))
    for _ in range(steps):
        x, y = x + dx * chance.randrange(SIDE // 8, SIDE // 2), y + dy * chance.randrange(0, SIDE // 8)
        dx, dy = (dx if 0 <= x <= size[0] - SIDE else -dx), (dy if 0 <= y <= size[1] - SIDE else -dy)
        x, y = min(max(x, 0), size[0] - SIDE), min(max(y, 0), size[1] - SIDE)
        places.append((x, y))
    return places
