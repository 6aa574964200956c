"""Views over a slide: a fixed look at three magnifications, and the pathologist's walk of the 1998 workload model.

The walk reads the matrix of the Virtual Microscope papers with level 0 as 400X, the finest: rows are the present level,
columns the next. Every view is 1920 x 1080 pixels of its level.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

WIDTH, HEIGHT = 1920, 1080
NEXT_LEVEL = (
    (0.65, 0.35, 0.00, 0.00),
    (0.02, 0.68, 0.18, 0.12),
    (0.00, 0.05, 0.50, 0.45),
    (0.15, 0.04, 0.08, 0.73),
)


class View(NamedTuple):
    """A rectangle in the pixels of its level."""

    level: int
    ln_x: int
    ln_y: int
    ln_width: int
    ln_height: int

    def tiles(self, side: int) -> Iterator[tuple[int, int]]:
        """Columns and rows of the tiles of ``side`` pixels that the view touches."""
        for y in range(self.ln_y // side, -(-(self.ln_y + self.ln_height) // side)):
            for x in range(self.ln_x // side, -(-(self.ln_x + self.ln_width) // side)):
                yield x, y


def view_at(l0_size: tuple[int, int], level: int, u: float, v: float) -> View:
    """The view of a level around the place (u, v) in 0..1 of the slide, kept inside it."""
    ln_width, ln_height = (-(-side // (1 << level)) for side in l0_size)
    width, height = min(WIDTH, ln_width), min(HEIGHT, ln_height)
    x = min(max(0, round(u * ln_width - width / 2)), ln_width - width)
    y = min(max(0, round(v * ln_height - height / 2)), ln_height - height)
    return View(level, x, y, width, height)


def three_magnifications(l0_size: tuple[int, int], top: int) -> list[View]:
    """The whole slide as far as it fits, a middle level, full resolution: one place."""
    levels = [max(0, top - 1), max(0, top // 2 - (top > 2)), 0]
    return [view_at(l0_size, level, 0.45, 0.55) for level in levels]


def pathologist_walk(l0_size: tuple[int, int], top: int, count: int, seed: int = 1998) -> list[View]:
    """``count`` views: levels by the matrix, places by sweeping with noise around points of interest."""
    dice = random.Random(seed)
    level, u, v, direction = min(3, top), 0.5, 0.5, 1
    views = []
    for _ in range(count):
        views.append(view_at(l0_size, min(level, top), u, v))
        step = WIDTH * (1 << level) / l0_size[0]
        u += direction * step + dice.gauss(0, step / 8)
        if not 0.1 < u < 0.9:
            direction, v = -direction, v + HEIGHT * (1 << level) / l0_size[1]
        u, v = min(0.9, max(0.1, u)), v if 0.1 < v < 0.9 else dice.uniform(0.3, 0.7)
        level = dice.choices(range(4), NEXT_LEVEL[level])[0]
    return views
