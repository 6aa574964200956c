"""The scenario with real services, HTTP and the slow links of the tests, all over loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from setting import WAVESCOPE, service

from links.link import Link
from links.shape import Lane, Shape
from replication.scenarios import SLIDES, Outcome, Reading, Scenario, Way, run
from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.blocks.remote.client import Permit, Permits
from wavescope.blocks.remote.source import RemoteSource
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.errors import StaleVersion
from wavescope.geometry import Address
from wavescope.store.reader import StoreReader

BATCH, SECONDS = 24, 15.0  # 24 lossless blocks have as many bytes as a field of view of a real slide
SIDE = 4096


@dataclass(frozen=True)
class Slides:
    """The digests by name, and the blocks of level 0 that are not empty, with all layers."""

    digests: Mapping[str, str]
    blocks: Mapping[str, Sequence[BlockRequest]]


class Holding(SourceWrapper):
    """An origin that has some of the slides; they are asked by name."""

    def __init__(self, inner: BlockSource, digests: Mapping[str, str], slides: set[str]) -> None:
        super().__init__(inner)
        self._digests, self._slides = digests, slides

    def version(self, slide: str) -> Any:
        return self._inner.version(self._held(slide))

    async def get_many(self, slide: str, requests: Any) -> Any:
        try:
            digest = self._held(slide)
        except StaleVersion as error:
            for position in range(len(requests)):
                yield position, error
            return
        async for answer in self._inner.get_many(digest, requests):
            yield answer

    def _held(self, slide: str) -> str:
        if slide not in self._slides:
            raise StaleVersion(slide, slide)
        return self._digests[slide]


async def ingest_slides(store: Path) -> Slides:
    """Three specimens."""
    for number, slide in enumerate(SLIDES):
        source = f"specimen:{SIDE}x{SIDE - 256 * number}"
        command = [WAVESCOPE, "ingest", source, "--id", slide, "--store", store, "--profile", "lossless"]
        process = await asyncio.create_subprocess_exec(*map(str, command), stdout=asyncio.subprocess.DEVNULL)
        if await process.wait():
            raise SystemExit(f"the ingest of {source} failed")
    digests, blocks = {}, {}
    for folder in (store / "slides").iterdir():
        reader = StoreReader.open(store, folder.name)
        slide = SLIDES[(SIDE - reader.manifest.pyramid.height) // 256]
        layers, (columns, rows) = range(reader.manifest.layers), reader.manifest.pyramid.tiles(0)
        addresses = [Address(0, 0, 0, x, y) for y in range(rows) for x in range(columns)]
        digests[slide] = folder.name
        blocks[slide] = [BlockRequest(each, layers) for each in addresses if reader.read(each, layers)]
    return Slides(digests, blocks)


@asynccontextmanager
async def origins(store: Path) -> AsyncIterator[dict[str, tuple[str, int]]]:
    """Three services, by name."""
    with ExitStack() as stack:
        found = {}
        for name in "ACD":
            url = urlsplit(await asyncio.to_thread(stack.enter_context, service(store)))
            found[name] = (str(url.hostname), int(url.port or 80))
        yield found


async def run_real(scenario: Scenario, way: Way, slides: Slides, addresses: Mapping[str, tuple[str, int]]) -> Outcome:
    """One row of the table."""
    permits = Permits()
    for name, digest in slides.digests.items():
        permits.put(digest, Permit(name, {}, monotonic() + 3600))
    async with AsyncExitStack() as stack:
        links, trunks = {}, dict[str, Lane]()
        for edge, wires in scenario.wires.items():
            for origin, wire in wires.items():
                link = Link(addresses[origin], Shape(wire.bytes_per_second, wire.round_trip / 2))
                if wire.trunk:
                    link.down = trunks.setdefault(wire.trunk, link.down)
                await link.listen()
                stack.push_async_callback(link.close)
                links[edge, origin] = link

        def open_origin(edge: str, origin: str, held: set[str]) -> BlockSource:
            url = "http://{}:{}".format(*links[edge, origin].address)
            return Holding(RemoteSource(url, permits), slides.digests, held)

        return await run(scenario, way, Reading(slides.blocks, BATCH, SECONDS), open_origin)
