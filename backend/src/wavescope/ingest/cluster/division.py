"""How the work is divided among workers; pure (CL50, CL51).

A *superblock* is a unit with all units below it: one worker makes it from the pixels of the source alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

from wavescope.ingest.plan import Plan, Unit
from wavescope.store.layout import shard_grid

HIGHEST = 1
"""Level of the largest superblocks: 8192 pixels a side, about 5 s of work and 50 MB of results."""
SHARE = 2
"""Superblocks that there are for each thread, at least, where smaller ones allow it."""


def division(waiting: int, threads: int) -> Literal["slides", "superblocks"]:
    """What a worker does at a time: whole slides if there are enough of them, ``waiting``, for all threads, which needs
    the least traffic; else superblocks, so that every thread has work.
    """
    return "slides" if waiting >= threads > 0 else "superblocks"


def superblock_level(plan: Plan, threads: int) -> int:
    """The level of the superblocks of a slide: the highest one that gives each thread SHARE of them."""
    for level in range(min(HIGHEST, plan.top), 0, -1):
        if _count(plan, level) >= SHARE * threads:
            return level
    return 0 if _count(plan, 0) > 1 else plan.top


def superblocks(plan: Plan, missing: Collection[Unit], level: int) -> list[Unit]:
    """The units of this level of which something is missing in them or below, in the order of the plan."""
    roots = {_root(unit, level) for unit in missing if unit.level <= level}
    return [unit for unit in plan.units() if unit in roots]


def units_of(plan: Plan, root: Unit) -> Iterator[Unit]:
    """The units of a superblock, children before parents."""
    for child in plan.children(root):
        yield from units_of(plan, child)
    yield root


def _root(unit: Unit, level: int) -> Unit:
    up = level - unit.level
    return Unit(unit.z, unit.c, level, unit.sx >> up, unit.sy >> up)


def _count(plan: Plan, level: int) -> int:
    if level == plan.top:
        return plan.planes
    columns, rows = shard_grid(plan.pyramid, level)
    return plan.planes * columns * rows
