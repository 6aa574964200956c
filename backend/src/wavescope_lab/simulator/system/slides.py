"""Slides as clients read them: which blocks a view needs, and how many bytes each has."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from wavescope.errors.simulation import InvalidExperiment
from wavescope.geometry import Address, Pyramid, ceil_div
from wavescope_lab.simulator.tables import Table
from wavescope_lab.workload.blocks import PAGE, blocks_of, page_of
from wavescope_lab.workload.pathologist import Field

Part = tuple[int | str, ...]
"""The key of what is requested: the slide, and a block, an index page, ..."""
PAGE_BYTES_PER_LAYER = 2.2
"""Of each block in an index page."""
SPREAD = 0.5
"""Of the logarithm of the sizes of blocks around their mean."""
UNITS = ("blocks", "pixels")
MAX_SIDE = 1 << 20


@dataclass
class Slides:
    """``count`` slides of one shape.

    ``unit``: clients read `blocks` of the wavelet with their ancestors and store what they have; or they read `pixels`,
    as the Virtual Microscope of 1998 did: squares of ``block_bytes`` raw bytes at the level of the view, none stored.
    ``sizes``: bytes of each block by level, row by row; without them, sizes are drawn around ``block_bytes``, and a
    block is empty with probability ``empty``.
    """

    count: int
    skew: float
    pyramid: Pyramid
    layers: int
    unit: str
    block_bytes: float
    empty: float
    sizes: tuple[tuple[int, ...], ...] = ()
    _drawn: dict[Part, int] = field(default_factory=dict)

    def weights(self) -> list[float]:
        """How often each slide is opened."""
        return [1 / (1 + place) ** self.skew for place in range(self.count)]

    def bytes_of(self, slide: int, address: Address) -> int:
        """Of all layers of a block; 0 of one that is empty."""
        if self.sizes:
            return self.sizes[address.level][address.y * self.pyramid.tiles(address.level)[0] + address.x]
        key = (slide, *address)
        if key not in self._drawn:
            rng = random.Random(f"block {key}")
            size = rng.lognormvariate(math.log(self.block_bytes / (1 - self.empty)) - SPREAD**2 / 2, SPREAD)
            self._drawn[key] = 0 if rng.random() < self.empty else max(1, round(size))
        return self._drawn[key]

    def blocks(self, slide: int, view: Field) -> dict[Part, int]:
        """The blocks of a view with their bytes, coarse before fine."""
        if self.unit == "pixels":
            return self._squares(slide, view)
        found: dict[Part, int] = {}
        for address in blocks_of(view, self.pyramid):
            size = self.bytes_of(slide, address)
            if size:
                found[slide, "block", address.level, address.x, address.y] = size
        return found

    def pages(self, slide: int, view: Field) -> dict[Part, int]:
        """The index pages of a view with their bytes."""
        if self.unit == "pixels":
            return {}
        pages = dict.fromkeys(page_of(address, self.pyramid) for address in blocks_of(view, self.pyramid))
        return {(slide, "page", *page): self._page_bytes(*page) for page in pages}

    def raw_bytes(self, view: Field) -> int:
        """That a server of 1998 reads for a view: pixels of the finest level, whatever the level of the view."""
        return 3 * view.ln_width * view.ln_height << 2 * view.level

    def _page_bytes(self, level: int, page: int) -> int:
        columns, rows = self.pyramid.tiles(level)
        across = ceil_div(columns, PAGE)
        x, y = page % across * PAGE, page // across * PAGE
        return 12 + round(min(PAGE, columns - x) * min(PAGE, rows - y) * self.layers * PAGE_BYTES_PER_LAYER)

    def _squares(self, slide: int, view: Field) -> dict[Part, int]:
        side = max(1, math.isqrt(round(self.block_bytes / 3)))
        width, height = self.pyramid.level_size(view.level)
        found: dict[Part, int] = {}
        for y in range(view.ln_y // side, ceil_div(view.ln_y + view.ln_height, side)):
            for x in range(view.ln_x // side, ceil_div(view.ln_x + view.ln_width, side)):
                size = 3 * min(side, width - x * side) * min(side, height - y * side)
                found[slide, "block", view.level, x, y] = size
        return found


def read_slides(table: Table) -> Slides:
    """The slides of a table of parameters. Raises InvalidExperiment."""
    pyramid = Pyramid(table.integer("slide_width", 1, MAX_SIDE), table.integer("slide_height", 1, MAX_SIDE))
    return Slides(
        count=table.integer("slides", 1, 100_000, 1),
        skew=table.number("skew", 0, 10, 0.0),
        pyramid=pyramid,
        layers=table.integer("layers", 1, 16, 2),
        unit=table.choice("unit", UNITS, "blocks"),
        block_bytes=table.number("block_bytes", 3, 1e8),
        empty=table.number("empty", 0, 0.99, 0.0),
        sizes=_sizes(table, pyramid) if table.has("block_sizes") else (),
    )


def _sizes(table: Table, pyramid: Pyramid) -> tuple[tuple[int, ...], ...]:
    """All blocks of all levels below the top one."""
    found = tuple(tuple(level) for level in table.lists("block_sizes"))
    wanted = [math.prod(pyramid.tiles(level)) for level in range(pyramid.top)]
    if [len(level) for level in found] != wanted:
        raise InvalidExperiment(f"{table.place}.block_sizes", f"expected lists of {wanted} sizes, for each level one")
    return found
