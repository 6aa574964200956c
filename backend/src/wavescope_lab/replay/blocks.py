"""A Wavescope service or edge: index pages, then the missing blocks, singly or in a batch, as the page does it."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from wavescope.geometry import Address, Pyramid
from wavescope_lab.errors import UnexpectedResponse
from wavescope_lab.replay.exchange import Counts, Exchange
from wavescope_lab.workload.blocks import PAGE, blocks_of, page_of
from wavescope_lab.workload.pathologist import Field

FRAME = struct.Struct("<IB3xI")
LAST_FRAME = 0xFFFFFFFF
MAX_ENTRIES = 4096


class Fetch(StrEnum):
    """How blocks are requested."""

    GET = "get"
    BATCH = "batch"


@dataclass(frozen=True)
class Options:
    """``url``: of the server, without a path; ``layers``: the first ones that are fetched (None: all)."""

    url: str
    slide: str
    fetch: Fetch = Fetch.BATCH
    layers: int | None = None


class BlockViewer:
    """One page: it has every index page and block that it received."""

    def __init__(self, options: Options, exchange: Exchange) -> None:
        self._options, self._exchange = options, exchange
        self._pages: dict[tuple[int, int], list[int]] = {}
        self._has: set[Address] = set()
        self._pyramid, self._layers, self._from, self.base, self._z = Pyramid(1, 1), 1, 0, "", 0

    @property
    def counts(self) -> Counts:
        """What was received so far."""
        return self._exchange.counts

    async def open(self) -> tuple[int, int]:
        """Manifest and approximation."""
        root = self._options.url.rstrip("/")
        manifest = await self._json(f"{root}/api/v1/slides/{self._options.slide}")
        try:
            self._pyramid = Pyramid(int(manifest["width"]), int(manifest["height"]))
            self._from = int(manifest["layers"])
            self._z = int(manifest.get("planes", 1)) // 2
            self.base = f"{root}/api/v1/slides/{self._options.slide}/v/{manifest['digest']}"
        except (KeyError, TypeError, ValueError) as error:
            raise UnexpectedResponse(root, f"the manifest cannot be read: {error!r}") from error
        self._layers = min(self._options.layers or self._from, self._from)
        url = f"{self.base}/approximation/{self._z}/0?from=0&to={self._layers}"
        await self._exchange.get(url, f"approximation/{self._z}")
        return self._pyramid.width, self._pyramid.height

    async def show(self, field: Field) -> None:
        """Missing index pages first, then all missing blocks of the field and their ancestors, coarse before fine."""
        wanted = [address for address in self._closure(field) if address not in self._has]
        pages = {page_of(address, self._pyramid) for address in wanted} - self._pages.keys()
        await asyncio.gather(*(self._fetch_page(*page) for page in pages))
        missing = [address for address in wanted if self._length(address)]
        self._has.update(wanted)
        if self._options.fetch is Fetch.GET:
            await asyncio.gather(*(self._fetch_block(address) for address in missing))
            return
        for start in range(0, len(missing), MAX_ENTRIES):
            await self._fetch_batch(missing[start : start + MAX_ENTRIES])

    async def close(self) -> None:
        """Close all connections."""
        await self._exchange.close()

    def _closure(self, field: Field) -> list[Address]:
        """The blocks of a field and their ancestors below the top level, coarse before fine."""
        try:
            return blocks_of(field, self._pyramid, self._z)
        except ValueError as error:
            raise UnexpectedResponse(self.base, str(error)) from error

    async def _fetch_page(self, level: int, page: int) -> None:
        url = f"{self.base}/layer-index/{self._z}/0/{level}/{page}"
        body = await self._exchange.get(url, f"page/{level}/{page}")
        if len(body) < 12 or body[:4] != b"WSLI":
            raise UnexpectedResponse(url, "not an index page")
        self._pages[level, page] = [body[6], *leb128(body[8:-4])]

    def _length(self, address: Address) -> int:
        """Bytes of the layers that are fetched; 0 of an empty block."""
        columns, *lengths = self._pages[page_of(address, self._pyramid)]
        first = (address.y % PAGE * columns + address.x % PAGE) * self._from
        return sum(lengths[first : first + self._layers])

    async def _fetch_block(self, address: Address) -> None:
        z, c, level, x, y = address
        url = f"{self.base}/blocks/{z}/{c}/{level}/{x}/{y}?from=0&to={self._layers}"
        await self._exchange.get(url, name_of(address))

    async def _fetch_batch(self, addresses: list[Address]) -> None:
        if not addresses:
            return
        url = f"{self.base}/blocks:batch"
        entries = [[*address, 0, self._layers] for address in addresses]
        for index, size in frames(url, await self._exchange.post(url, {"blocks": entries}), len(entries)):
            self.counts.parts.setdefault(name_of(addresses[index]), size)

    async def _json(self, url: str) -> dict[str, Any]:
        body = await self._exchange.get(url, "manifest")
        try:
            value = json.loads(body)
        except ValueError as error:
            raise UnexpectedResponse(url, "not JSON") from error
        if not isinstance(value, dict):
            raise UnexpectedResponse(url, "not a manifest")
        return value


def name_of(address: Address) -> str:
    """The name of a block in the counts."""
    return "block/" + "/".join(map(str, address))


def frames(url: str, body: bytes, entries: int) -> Iterable[tuple[int, int]]:
    """Index and length of each frame of a batch (WI18 to WI20); UnexpectedResponse if one is missing or is no block."""
    at, seen = 0, 0
    while at + FRAME.size <= len(body):
        index, status, length = FRAME.unpack_from(body, at)
        at += FRAME.size + length
        if index == LAST_FRAME:
            if seen != entries or at != len(body):
                raise UnexpectedResponse(url, f"a batch with {seen} of {entries} blocks")
            return
        if status > 1 or index >= entries:
            raise UnexpectedResponse(url, f"frame {index} of a batch has status {status}")
        seen += 1
        yield index, length
    raise UnexpectedResponse(url, "a batch was cut short")


def leb128(data: bytes) -> list[int]:
    """All unsigned LEB128 numbers of a byte string."""
    numbers, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value)
            value = shift = 0
    return numbers
