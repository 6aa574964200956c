"""Which blocks of the plane that opens first are stored, for the manifest (ST61)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice

from wavescope.geometry import Address
from wavescope.store.manifest import OccupancyMap
from wavescope.store.reader import StoreReader

MAX_RUNS = 8192


def occupancy_map(reader: StoreReader) -> OccupancyMap | None:
    """Runs of stored and empty blocks of the middle plane; None where there are more than MAX_RUNS of them, or several
    channel groups.
    """
    manifest = reader.manifest
    if manifest.channel_groups > 1:
        return None
    z = manifest.planes // 2
    levels: list[tuple[int, ...]] = []
    left = MAX_RUNS
    for level in range(manifest.top):
        runs = tuple(islice(_runs(_stored(reader, z, level)), left + 1))
        if len(runs) > left:
            return None
        left -= len(runs)
        levels.append(runs)
    return OccupancyMap(z, tuple(levels))


def _stored(reader: StoreReader, z: int, level: int) -> Iterator[bool]:
    """For each block of a level, row by row, whether it is stored."""
    columns, rows = reader.manifest.pyramid.tiles(level)
    places = (Address(z, 0, level, x, y) for y in range(rows) for x in range(columns))
    return (any(reader.layer_lengths(place)) for place in places)


def _runs(stored: Iterator[bool]) -> Iterator[int]:
    """Lengths of runs in turn, the first one of stored blocks (perhaps 0)."""
    for number, (is_stored, run) in enumerate(groupby(stored)):
        if number == 0 and not is_stored:
            yield 0
        yield sum(1 for _ in run)
