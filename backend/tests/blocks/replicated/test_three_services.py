"""Three real services over loopback, each behind a slow link: one is killed, stalls, corrupts or answers 500 in a read.

No read fails, no byte is wrong, the origin is left soon and taken back when it is well.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from time import monotonic

import pytest
import pytest_asyncio

from api.test_server import serving
from links.link import Link, linked
from links.shape import Shape
from service.world import World, make_world
from wavescope.blocks.base import BlockRequest
from wavescope.blocks.remote.client import Permit, Permits
from wavescope.blocks.remote.source import RemoteSource
from wavescope.blocks.replicated.policies import policy
from wavescope.blocks.replicated.source import ReplicatedSource
from wavescope.blocks.replicated.status import OriginStatus
from wavescope.geometry import Address
from wavescope.store.reader import StoreReader

pytestmark = pytest.mark.slow

USUAL = {"a": Shape(2e6, 0.005), "b": Shape(1e6, 0.01), "c": Shape(5e5, 0.002)}  # bytes per second, seconds one way
FAULTS = ("killed", "stalled", "corrupting", "500")


@dataclass
class Origins:
    """The source over three services, their links, and what is stored."""

    source: ReplicatedSource
    links: dict[str, Link]
    broken: tuple[str, int]
    digest: str
    stored: dict[BlockRequest, bytes]

    async def read(self) -> None:
        """Reads every block once; each must be what is stored."""
        requests = list(self.stored)
        found = {position: answer async for position, answer in self.source.get_many(self.digest, requests)}
        assert found == dict(enumerate(self.stored.values()))

    def status(self, name: str) -> OriginStatus:
        return next(origin for origin in self.source.status().origins if origin.name == name)

    async def fault(self, name: str, kind: str) -> None:
        link = self.links[name]
        if kind == "killed":
            link.refuse()
            link.reset()
        elif kind == "500":
            link.target = self.broken
            link.reset()
        else:
            corrupting = 3000 if kind == "corrupting" else 0
            shape = USUAL[name]
            link.reshape(Shape(shape.rate, shape.delay, corrupt_every=corrupting, stalled=kind == "stalled"))

    async def mend(self, name: str, target: tuple[str, int]) -> None:
        link = self.links[name]
        link.target = target
        link.reshape(USUAL[name])
        link.reset()
        link.refuse()
        await link.listen()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return make_world(tmp_path_factory.mktemp("world"))


def stored(world: World) -> dict[BlockRequest, bytes]:
    reader = StoreReader.open(world.store, world.digests["lossless"])
    pyramid, layers = reader.manifest.pyramid, range(reader.manifest.layers)
    addresses = [
        Address(0, 0, level, x, y)
        for level in range(reader.manifest.top + 1)
        for y in range(pyramid.tiles(level)[1])
        for x in range(pyramid.tiles(level)[0])
    ]
    return {BlockRequest(address, layers): reader.read(address, layers) for address in addresses}


async def answer_500(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        while await reader.readuntil(b"\r\n\r\n"):
            writer.write(b"HTTP/1.1 500 -\r\ncontent-length: 0\r\n\r\n")
            await writer.drain()
    writer.close()


def probe_of(link: Link) -> Callable[[], Awaitable[object]]:
    """A GET of one line; an answer other than 200 is not well."""

    async def probe() -> None:
        reader, writer = await asyncio.open_connection(*link.address)
        try:
            writer.write(b"GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
            if b" 200 " not in await reader.readline():
                raise ConnectionError("the origin is not well")
        finally:
            writer.close()

    return probe


@pytest_asyncio.fixture
async def origins(world: World) -> AsyncIterator[Origins]:
    permits, digest = Permits(), world.digests["lossless"]
    permits.put(digest, Permit("lossless", {}, monotonic() + 600))
    async with contextlib.AsyncExitStack() as stack:
        links = {}
        for name, shape in USUAL.items():
            served = await stack.enter_async_context(serving(world.store))
            links[name] = await stack.enter_async_context(linked(("127.0.0.1", served.port), shape))
        broken = await stack.enter_async_context(await asyncio.start_server(answer_500, "127.0.0.1", 0))
        remotes = {name: RemoteSource("http://{}:{}".format(*link.address), permits) for name, link in links.items()}
        probes = {name: probe_of(link) for name, link in links.items()}
        source = ReplicatedSource(remotes, policy("flow"), probes=probes)
        stack.push_async_callback(source.close)
        yield Origins(source, links, broken.sockets[0].getsockname(), digest, stored(world))


async def test_each_of_three_links_gets_what_its_bandwidth_allows(origins: Origins) -> None:
    await origins.source.version(origins.digest)
    for _ in range(3):
        await origins.read()
    statuses = [origins.status(name) for name in "abc"]
    for values in ([status.bandwidth for status in statuses], [status.counts.bytes for status in statuses]):
        assert values[0] > values[2] > 0
    assert all(status.counts.errors == {} for status in statuses)


@pytest.mark.parametrize("kind", FAULTS)
async def test_an_origin_that_fails_in_mid_stream_costs_no_error_and_no_wrong_byte_og4(
    origins: Origins, kind: str
) -> None:
    await origins.source.version(origins.digest)
    await origins.read()
    target, ended = origins.links["a"].target, asyncio.Event()

    async def client() -> None:
        while not ended.is_set():
            await origins.read()

    clients = [asyncio.ensure_future(client()) for _ in range(2)]
    await asyncio.sleep(0.2)
    await origins.fault("a", kind)
    begin = monotonic()
    while origins.status("a").state == "closed" and monotonic() < begin + 3:
        await asyncio.sleep(0.02)
    left = monotonic() - begin
    await asyncio.sleep(0.3)
    ended.set()
    await asyncio.gather(*clients)
    assert left < 2.0  # less than one in virtual time (test_outages); here other work may hold the processors
    assert origins.status("a").counts.opened
    assert await origins.source.get(origins.digest, Address(0, 0, 0, 0, 0), range(1))
    if kind == "corrupting":
        assert origins.status("a").counts.errors["corrupt"] >= 3
        return
    await origins.mend("a", target)
    begin, before = monotonic(), origins.status("a").counts.blocks
    while origins.status("a").counts.blocks < before + 20 and monotonic() < begin + 6:
        await origins.read()
    assert origins.status("a").state == "closed"
    assert origins.status("a").counts.blocks >= before + 20
