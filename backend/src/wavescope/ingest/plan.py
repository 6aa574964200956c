"""The units of an ingest, and their order; pure.

A *unit* is made in one step: a shard of 16 x 16 blocks, or (at level L) the approximation of a plane. A unit above
level 0 is made of the LLs that its up to four children have left. A *strip* is the part of a unit that one task
encodes: four rows of tiles, which make two rows of the parent's tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import product

from wavescope.geometry import Pyramid, ceil_div
from wavescope.store.layer_index import ShardKey
from wavescope.store.layout import SHARD, shard_grid

Unit = ShardKey
"""(z, c, level, sx, sy); at level L the approximation, with sx = sy = 0."""
STRIP_ROWS = 4
LL_ROWS_PER_STRIP = STRIP_ROWS // 2
"""Rows of parent tiles that a full strip makes."""
LL_ROWS_PER_UNIT = SHARD // 2
"""Rows and columns of parent tiles that a full unit makes."""


@dataclass(frozen=True)
class Plan:
    """The units of a slide."""

    pyramid: Pyramid
    planes: int
    groups: int = 1
    """Channel groups."""

    @property
    def top(self) -> int:
        return self.pyramid.top

    def units(self) -> Iterator[Unit]:
        """All units, children before parents, level-0 shards in Z order, one plane and channel group after another."""
        for z, c in product(range(self.planes), range(self.groups)):
            yield from self._below(Unit(z, c, self.top, 0, 0))

    def _below(self, unit: Unit) -> Iterator[Unit]:
        for child in self.children(unit):
            yield from self._below(child)
        yield unit

    def children(self, unit: Unit) -> list[Unit]:
        """The units whose LLs make this one, in Z order."""
        if unit.level == 0:
            return []
        columns, rows = shard_grid(self.pyramid, unit.level - 1)
        places = ((2 * unit.sx + dx, 2 * unit.sy + dy) for dy in (0, 1) for dx in (0, 1))
        return [Unit(unit.z, unit.c, unit.level - 1, sx, sy) for sx, sy in places if sx < columns and sy < rows]

    def parent(self, unit: Unit) -> Unit | None:
        """The unit that needs this one's LLs; None for an approximation."""
        if unit.level == self.top:
            return None
        return Unit(unit.z, unit.c, unit.level + 1, unit.sx // 2, unit.sy // 2)

    def tiles(self, unit: Unit) -> tuple[range, range]:
        """Columns and rows of the tiles of a unit."""
        columns, rows = self.pyramid.tiles(unit.level)
        x, y = SHARD * unit.sx, SHARD * unit.sy
        return range(x, min(x + SHARD, columns)), range(y, min(y + SHARD, rows))

    def tile_count(self, unit: Unit) -> int:
        columns, rows = self.tiles(unit)
        return len(columns) * len(rows)

    def strips(self, unit: Unit) -> int:
        """Number of strips of a unit."""
        return ceil_div(len(self.tiles(unit)[1]), STRIP_ROWS)

    @property
    def total_tiles(self) -> int:
        """Tiles of all planes, channel groups and levels, approximations included."""
        grids = (self.pyramid.tiles(level) for level in range(self.top + 1))
        return self.planes * self.groups * sum(columns * rows for columns, rows in grids)


def missing(plan: Plan, is_stored: Callable[[Unit], bool], has_spill: Callable[[Unit], bool]) -> set[Unit]:
    """The units still to be made: not stored, or stored but without the LLs that a missing parent needs."""
    found: set[Unit] = set()
    # Parents come after children in units(), so the reversed order knows the parent first.
    for unit in reversed(list(plan.units())):
        parent = plan.parent(unit)
        if not is_stored(unit) or (parent in found and not has_spill(unit)):
            found.add(unit)
    return found


def ready(plan: Plan, unit: Unit, unmade: Collection[Unit]) -> bool:
    """Whether all inputs of this unit exist."""
    return all(child not in unmade for child in plan.children(unit))
