"""An open slide version: what may be asked of it. Checks every number a client can send."""

from __future__ import annotations

from dataclasses import dataclass

from wavescope.errors import OutOfRange
from wavescope.geometry import Address, Pyramid
from wavescope.store.layout import page_grid
from wavescope.store.manifest import Manifest


@dataclass(frozen=True)
class Version:
    """A slide version whose manifest has been verified."""

    digest: str
    manifest: Manifest
    pyramid: Pyramid
    planes: int
    layers: int
    top: int
    grids: tuple[tuple[int, int], ...]  # tile columns and rows per level, 0 .. L
    tag: bytes  # names this version in entity tags

    @classmethod
    def of(cls, digest: str, manifest: Manifest) -> Version:
        pyramid = manifest.pyramid
        grids = tuple(pyramid.tiles(level) for level in range(pyramid.top + 1))
        counts = (manifest.planes, manifest.layers, pyramid.top)
        return cls(digest, manifest, pyramid, *counts, grids, digest.encode())

    def plane(self, z: int) -> int:
        return _within("z", z, self.planes)

    def group(self, c: int) -> int:
        return _within("c", c, 1)

    def level(self, level: int) -> int:
        return _within("level", level, self.top + 1)

    def block(self, z: int, c: int, level: int, x: int, y: int) -> Address:
        """The address, if a block can be there: levels 0 .. L-1. Raises OutOfRange."""
        _within("z", z, self.planes)
        _within("c", c, 1)
        _within("level", level, self.top)
        columns, rows = self.grids[level]
        _within("x", x, columns)
        _within("y", y, rows)
        return Address(z, c, level, x, y)

    def tile(self, z: int, level: int, x: int, y: int) -> Address:
        """The address of a tile of pixels: levels 0 .. L. Raises OutOfRange."""
        _within("z", z, self.planes)
        columns, rows = self.grids[self.level(level)]
        return Address(z, 0, level, _within("x", x, columns), _within("y", y, rows))

    def index_page(self, z: int, c: int, level: int, page: int) -> int:
        """The page number, if the level has it. Raises OutOfRange."""
        self.plane(z)
        self.group(c)
        columns, rows = page_grid(self.pyramid, _within("level", level, self.top))
        return _within("page", page, columns * rows)

    def layer_range(self, start: int | None, stop: int | None) -> range:
        """The layers [start, stop), by default all. Raises OutOfRange."""
        first = 0 if start is None else start
        last = self.layers if stop is None else stop
        if not 0 <= first < last <= self.layers:
            raise OutOfRange("from, to", f"[{first}, {last})", f"0 <= from < to <= {self.layers}")
        return range(first, last)

    def layer_count(self, count: int | None) -> int:
        """How many layers pixels are made of, by default all. Raises OutOfRange."""
        if count is None:
            return self.layers
        if not 1 <= count <= self.layers:
            raise OutOfRange("layers", count, f"1 to {self.layers}")
        return count


def _within(name: str, value: int, end: int) -> int:
    if 0 <= value < end:
        return value
    raise OutOfRange(name, value, f"0 to {end - 1}" if end else "this slide has none")
