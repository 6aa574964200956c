"""Which blocks and index pages a view needs: what every client of blocks requests."""

from __future__ import annotations

from wavescope.geometry import TILE, Address, Pyramid, ceil_div
from wavescope_lab.workload.pathologist import Field

PAGE = 32
"""Blocks along a side of an index page (WI13)."""


def blocks_of(field: Field, pyramid: Pyramid, z: int = 0) -> list[Address]:
    """The blocks of a field and their ancestors below the top level, coarse before fine. ValueError for a field of a
    level that the slide does not have."""
    if field.level > pyramid.top:
        raise ValueError(f"the trace has level {field.level}, the slide {pyramid.top}")
    addresses: dict[Address, None] = {}
    columns, rows = pyramid.tiles(field.level)
    for y in range(field.ln_y // TILE, min(rows, ceil_div(field.ln_y + field.ln_height, TILE))):
        for x in range(field.ln_x // TILE, min(columns, ceil_div(field.ln_x + field.ln_width, TILE))):
            address = Address(z, 0, field.level, x, y)
            while address.level < pyramid.top:
                addresses.setdefault(address)
                address = address.parent()
    return sorted(addresses, key=lambda address: -address.level)


def page_of(address: Address, pyramid: Pyramid) -> tuple[int, int]:
    """Level and number of the index page of a block."""
    columns = ceil_div(pyramid.tiles(address.level)[0], PAGE)
    return address.level, address.y // PAGE * columns + address.x // PAGE
