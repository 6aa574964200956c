"""Servers of ready tiles: Deep Zoom (DZI) and IIIF Image API 2 or 3. A client requests each tile of a field once."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from typing import Protocol
from xml.etree import ElementTree

from wavescope.geometry import ceil_div
from wavescope_lab.errors import UnexpectedResponse
from wavescope_lab.replay.exchange import Counts, Exchange
from wavescope_lab.workload.pathologist import Field

DTD = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)


class Layout(Protocol):
    """Where the tiles of a slide are. ``size``: width and height of level 0; ``tile``: pixels along a tile."""

    @property
    def size(self) -> tuple[int, int]: ...

    @property
    def tile(self) -> tuple[int, int]: ...

    def url(self, level: int, x: int, y: int) -> str:
        """The address of a tile by its level (0 is the finest), column and row."""
        ...


@dataclass(frozen=True)
class DeepZoom:
    """A DZI: ``files`` is the address of its folder of levels, the coarsest of which is one pixel."""

    files: str
    size: tuple[int, int]
    tile: tuple[int, int]
    suffix: str

    def url(self, level: int, x: int, y: int) -> str:
        """The address of a tile."""
        return f"{self.files}/{(max(self.size) - 1).bit_length() - level}/{x}_{y}.{self.suffix}"


@dataclass(frozen=True)
class Iiif:
    """A IIIF image: ``version`` 2 or 3."""

    base: str
    size: tuple[int, int]
    tile: tuple[int, int]
    version: int

    def url(self, level: int, x: int, y: int) -> str:
        """The address of a tile, in the canonical form of its version."""
        scale = 1 << level
        left, top = x * self.tile[0] * scale, y * self.tile[1] * scale
        width, height = min(self.tile[0] * scale, self.size[0] - left), min(self.tile[1] * scale, self.size[1] - top)
        columns, rows = ceil_div(width, scale), ceil_div(height, scale)
        size = f"{columns},{rows}" if self.version == 3 else f"{columns},"
        return f"{self.base}/{left},{top},{width},{height}/{size}/0/default.jpg"


def read_dzi(url: str, body: bytes) -> DeepZoom:
    """The layout in a .dzi file at this address."""
    if DTD.search(body):
        raise UnexpectedResponse(url, "a DZI with a document type")
    try:
        image = ElementTree.fromstring(body)
        size = next(child for child in image if child.tag.endswith("Size"))
        side, suffix = int(image.attrib["TileSize"]), image.attrib["Format"]
        width, height = int(size.attrib["Width"]), int(size.attrib["Height"])
    except (ElementTree.ParseError, KeyError, StopIteration, ValueError) as error:
        raise UnexpectedResponse(url, f"not a DZI: {error!r}") from error
    return DeepZoom(re.sub(r"\.(dzi|xml)$", "", url) + "_files", (width, height), (side, side), suffix)


def read_iiif(url: str, body: bytes) -> Iiif:
    """The layout in an info.json at this address."""
    try:
        info = json.loads(body)
        tile = info["tiles"][0]
        context = json.dumps(info.get("@context", ""))
        side = int(tile["width"])
        size, tiles = (int(info["width"]), int(info["height"])), (side, int(tile.get("height", side)))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise UnexpectedResponse(url, f"not an info.json with tiles: {error!r}") from error
    return Iiif(url.removesuffix("/info.json"), size, tiles, 3 if "/image/3/" in context else 2)


class TileViewer:
    """One client of a server of tiles."""

    def __init__(self, url: str, exchange: Exchange) -> None:
        self._url, self._exchange = url, exchange
        self._layout: Layout | None = None
        self._has: set[tuple[int, int, int]] = set()

    @property
    def counts(self) -> Counts:
        """What was received so far."""
        return self._exchange.counts

    async def open(self) -> tuple[int, int]:
        """The description of the slide."""
        body = await self._exchange.get(self._url, "description")
        iiif = body.lstrip().startswith(b"{")
        self._layout = read_iiif(self._url, body) if iiif else read_dzi(self._url, body)
        return self._layout.size

    async def show(self, field: Field) -> None:
        """All tiles of the field that are missing."""
        assert self._layout is not None, "open() comes first"
        tiles = [tile for tile in tiles_of(field, self._layout) if tile not in self._has]
        self._has.update(tiles)
        await asyncio.gather(
            *(self._exchange.get(self._layout.url(*tile), "tile/{}/{}/{}".format(*tile)) for tile in tiles)
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._exchange.close()


def tiles_of(field: Field, layout: Layout) -> list[tuple[int, int, int]]:
    """Level, column and row of the tiles that a field touches."""
    width, height = layout.tile
    columns, rows = (
        ceil_div(ceil_div(side, 1 << field.level), tile) for side, tile in zip(layout.size, layout.tile, strict=True)
    )
    return [
        (field.level, x, y)
        for y in range(field.ln_y // height, min(rows, ceil_div(field.ln_y + field.ln_height, height)))
        for x in range(field.ln_x // width, min(columns, ceil_div(field.ln_x + field.ln_width, width)))
    ]
