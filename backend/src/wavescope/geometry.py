"""Levels, tiles and addresses: pure values, no pixels.

Planes of coordinates are carried in names: ``l0_`` level-0 pixels, ``ln_`` level-n pixels. Level 0 is full resolution;
each level up halves both sides, rounding up. The top level L is the first that fits one tile.
"""

from __future__ import annotations

from typing import NamedTuple

TILE = 256
"""Side of a tile in samples; the page and the kernel have the same constant."""
HALF = TILE // 2
MAX_SIDE = 1 << 24
"""Level-0 pixels of a side of a slide, at most."""
MAX_PLANES = 1 << 12
"""Focal planes of a slide, at most."""


class Address(NamedTuple):
    """The place of one block: focal plane, channel group, level and the tile's column and row on that level."""

    z: int
    c: int
    level: int
    x: int
    y: int

    def parent(self) -> Address:
        """The tile one level up whose quadrant this tile is."""
        return Address(self.z, self.c, self.level + 1, self.x // 2, self.y // 2)

    def quadrant(self) -> tuple[int, int]:
        """Column and row (0 or 1) of this tile within its parent."""
        return self.x % 2, self.y % 2


def ceil_div(value: int, divisor: int) -> int:
    """The quotient rounded up."""
    return -(-value // divisor)


class Pyramid(NamedTuple):
    """The levels of a slide of ``width`` x ``height`` level-0 pixels."""

    width: int
    height: int

    @property
    def top(self) -> int:
        """L, the first level that fits one tile; it is stored complete."""
        return max(0, (ceil_div(max(self.width, self.height), TILE) - 1).bit_length())

    def level_size(self, level: int) -> tuple[int, int]:
        """Width and height of a level in its own pixels."""
        scale = 1 << level
        return ceil_div(self.width, scale), ceil_div(self.height, scale)

    def tiles(self, level: int) -> tuple[int, int]:
        """Columns and rows of tiles on a level."""
        ln_width, ln_height = self.level_size(level)
        return ceil_div(ln_width, TILE), ceil_div(ln_height, TILE)

    def tile_size(self, level: int, x: int, y: int) -> tuple[int, int]:
        """Width and height of the part of a tile that lies inside the slide (at most TILE)."""
        ln_width, ln_height = self.level_size(level)
        return min(TILE, ln_width - TILE * x), min(TILE, ln_height - TILE * y)
