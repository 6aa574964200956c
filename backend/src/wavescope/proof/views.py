"""Which views are looked at: chosen by chance, the same from the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class View:
    """The pixel (``x``, ``y``) of a ``level`` in the upper left corner of the screen, one to one; a focal ``plane``."""

    level: int
    x: int
    y: int
    plane: int = 0

    def size(self, level: tuple[int, int], screen: tuple[int, int]) -> tuple[int, int]:
        """Width and height of what a ``screen`` shows of a ``level``."""
        return min(screen[0], level[0] - self.x), min(screen[1], level[1] - self.y)


def chosen(
    levels: Sequence[tuple[int, int]], screen: tuple[int, int], planes: int, count: int, seed: int
) -> Iterator[View]:
    """``count`` views, each level as often as another. ``levels``: their widths and heights, the finest first.

    The slide fills the screen wherever it is large enough.
    """
    chance = random.Random(seed)
    for _ in range(count):
        level = chance.randrange(len(levels))
        (width, height), plane = levels[level], chance.randrange(planes)
        x, y = (chance.randint(0, max(0, side - shown)) for side, shown in ((width, screen[0]), (height, screen[1])))
        yield View(level, x, y, plane)
