"""A slide version: its manifest, and which planes, levels, tiles, index pages and layers it has."""

from __future__ import annotations

from dataclasses import dataclass

from wavescope.channels.mixing import Mix, default_mix
from wavescope.errors import OutOfRange
from wavescope.geometry import Address, Pyramid
from wavescope.kernel.layers import Binding
from wavescope.kernel.parameter_set import ParameterSet, read_parameters
from wavescope.store.layout import page_grid
from wavescope.store.manifest import Manifest

Grid = tuple[int, int]


@dataclass(frozen=True)
class SlideVersion:
    """The handle of a slide version whose manifest has been verified.

    Every address is checked here and nowhere else: what callers of a service send, and what a block source is asked.
    """

    digest: str
    manifest: Manifest
    pyramid: Pyramid
    planes: int
    layers: int
    top: int
    grids: tuple[Grid, ...]  # tile columns and rows per level, 0 .. L
    page_grids: tuple[Grid, ...]  # columns and rows of index pages per level, 0 .. L-1
    tag: bytes  # the digest in ASCII
    parameter_sets: tuple[tuple[bytes, ...], ...]  # [level 0 .. L][channel group]
    bindings: tuple[tuple[Binding, ...], ...]  # [level 0 .. L][channel group]

    @classmethod
    def of(cls, digest: str, manifest: Manifest) -> SlideVersion:
        pyramid = manifest.pyramid
        top = pyramid.top
        grids = tuple(pyramid.tiles(level) for level in range(top + 1))
        page_grids = tuple(page_grid(pyramid, level) for level in range(top))
        sets = tuple(tuple(map(bytes.fromhex, groups)) for groups in manifest.parameters)
        return cls(
            digest=digest,
            manifest=manifest,
            pyramid=pyramid,
            planes=manifest.planes,
            layers=manifest.layers,
            top=top,
            grids=grids,
            page_grids=page_grids,
            tag=digest.encode(),
            parameter_sets=sets,
            bindings=tuple(tuple(map(Binding.of, groups)) for groups in sets),
        )

    def parameters(self, level: int, c: int = 0) -> ParameterSet:
        """How the blocks of a level and channel group, or its approximation, are coded. Raises CodecError."""
        return read_parameters(self.parameter_sets[level][c])

    def binding(self, address: Address) -> Binding:
        """What the layers of a block, or at level L of an approximation, are bound to."""
        return self.bindings[address.level][address.c]

    @property
    def groups(self) -> int:
        """Channel groups."""
        return self.manifest.channel_groups

    @property
    def picture_channels(self) -> int:
        """Components of a picture of the slide: 1 (grey) or 3 (RGB, also as a mix of channels)."""
        return 3 if self.manifest.descriptions else self.manifest.channels

    @property
    def default_view(self) -> Mix | None:
        """The default mix of a slide of channels (CM1); None: its pixels are a picture."""
        return default_mix(self.manifest.descriptions) if self.manifest.descriptions else None

    def plane(self, z: int) -> int:
        return _within("z", z, self.planes)

    @property
    def middle_plane(self) -> int:
        """The plane of pixels for which no other one is chosen."""
        return self.planes // 2

    def group(self, c: int) -> int:
        return _within("c", c, self.groups)

    def level(self, level: int) -> int:
        return _within("level", level, self.top + 1)

    def block(self, z: int, c: int, level: int, x: int, y: int) -> Address:
        """The address of a block: levels 0 .. L-1. Raises OutOfRange."""
        return self._address(Address(z, c, level, x, y), self.top)

    def tile(self, z: int, level: int, x: int, y: int) -> Address:
        """The address of a tile of pixels: levels 0 .. L. Raises OutOfRange."""
        return self._address(Address(z, 0, level, x, y), self.top + 1)

    def check_address(self, address: Address) -> None:
        """Returns if the slide has this tile: levels 0 .. L. Raises OutOfRange."""
        self._address(address, self.top + 1)

    def check_request(self, address: Address, layers: range) -> None:
        """Returns if a block source can be asked for these layers of a block, or (level L) of an approximation.

        Raises OutOfRange. A request for no layer is valid.
        """
        self._address(address, self.top + 1)
        if layers.step != 1 or not 0 <= layers.start <= layers.stop <= self.layers:
            raise OutOfRange("layers", (layers.start, layers.stop), f"within 0 to {self.layers}")

    def index_page(self, z: int, c: int, level: int, page: int) -> int:
        """The page number, if the level has it. Raises OutOfRange."""
        self.plane(z)
        self.group(c)
        columns, rows = self.page_grids[_within("level", level, self.top)]
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

    def _address(self, address: Address, levels: int) -> Address:
        """The address, if it lies on one of the first ``levels`` levels. Raises OutOfRange."""
        z, c, level, x, y = address
        if 0 <= z < self.planes and 0 <= c < self.groups and 0 <= level < levels:
            columns, rows = self.grids[level]
            if 0 <= x < columns and 0 <= y < rows:
                return address
        self.plane(z)
        self.group(c)
        columns, rows = self.grids[_within("level", level, levels)]
        _within("x", x, columns)
        _within("y", y, rows)
        return address


def coded_place(address: Address, binding: Binding) -> Address:
    """The address as the layers of a block state it: a channel group with a codestream of its own is group 0 there
    (ST110).
    """
    return address if binding.groups > 1 else address._replace(c=0)


def _within(name: str, value: int, end: int) -> int:
    if 0 <= value < end:
        return value
    raise OutOfRange(name, value, f"0 to {end - 1}" if end else "this slide has none")
