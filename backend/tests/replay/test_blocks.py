"""A client of a Wavescope service: it fetches what a field needs, once, singly or in batches."""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator

import pytest

from api.test_server import Served, serving
from service.world import HEIGHT, WIDTH, World
from wavescope_lab.errors import UnexpectedResponse
from wavescope_lab.replay.blocks import BlockViewer, Fetch, Options, frames
from wavescope_lab.replay.exchange import Exchange
from wavescope_lab.workload.pathologist import Field

WHOLE = Field(0, 0, 0, WIDTH, HEIGHT)
END = struct.pack("<IB3xI", 0xFFFFFFFF, 0, 0)


@pytest.fixture
async def served(world: World) -> AsyncIterator[Served]:
    async with serving(world.store) as running:
        yield running


def viewer(served: Served, fetch: Fetch, layers: int | None = None, slide: str = "visual") -> BlockViewer:
    return BlockViewer(Options(f"http://127.0.0.1:{served.port}", slide, fetch, layers), Exchange())


async def test_both_ways_of_fetching_receive_the_same_parts_of_the_same_sizes(served: Served) -> None:
    received = {}
    for fetch in Fetch:
        client = viewer(served, fetch)
        assert await client.open() == (WIDTH, HEIGHT)
        await client.show(WHOLE)
        received[fetch] = client.counts.parts
        await client.close()
    assert received[Fetch.GET] == received[Fetch.BATCH]
    blocks = [name for name in received[Fetch.GET] if name.startswith("block/")]
    assert 15 < len(blocks) <= 6 * 5 + 3 * 3 + 2 * 2


async def test_what_a_client_has_is_not_fetched_again(served: Served) -> None:
    client = viewer(served, Fetch.GET)
    await client.open()
    await client.show(Field(0, 0, 0, 300, 300))
    answers, size = client.counts.answers, client.counts.bytes
    await client.show(Field(0, 10, 10, 300, 300))
    assert (client.counts.answers, client.counts.bytes) == (answers, size)
    await client.show(Field(0, 10, 10, 600, 300))
    assert client.counts.answers > answers
    assert client.counts.bytes == sum(client.counts.parts.values())
    await client.close()


async def test_empty_blocks_are_not_fetched_wi14(served: Served) -> None:
    client = viewer(served, Fetch.GET)
    await client.open()
    await client.show(Field(0, 1030, 520, 200, 200))
    assert "block/0/0/0/4/2" not in client.counts.parts
    assert any(name.startswith("page/0") for name in client.counts.parts)
    await client.close()


async def test_fewer_layers_are_fewer_bytes(served: Served) -> None:
    sizes = []
    for layers in (1, None):
        client = viewer(served, Fetch.BATCH, layers)
        await client.open()
        await client.show(WHOLE)
        sizes.append(client.counts.bytes)
        await client.close()
    assert sizes == sorted(set(sizes))


async def test_a_slide_that_does_not_exist_is_a_named_error(served: Served) -> None:
    client = viewer(served, Fetch.BATCH, slide="none")
    with pytest.raises(UnexpectedResponse, match="status 404"):
        await client.open()
    await client.close()


def frame(index: int, status: int, payload: bytes) -> bytes:
    return struct.pack("<IB3xI", index, status, len(payload)) + payload


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (frame(0, 0, b"abc"), "cut short"),
        (frame(0, 0, b"abc") + END, "1 of 2"),
        (frame(0, 0, b"abc") + frame(1, 2, b"corrupt") + END, "status 2"),
        (frame(0, 0, b"abc") + frame(2, 0, b"d") + END, "frame 2"),
        (frame(0, 0, b"abc") + frame(1, 1, b"") + END + b"x", "2 of 2"),
        (b"", "cut short"),
    ],
)
def test_a_batch_that_lacks_a_block_is_a_named_error_wi19_wi20(body: bytes, reason: str) -> None:
    with pytest.raises(UnexpectedResponse, match=reason):
        list(frames("url", body, 2))


def test_a_complete_batch_gives_the_size_of_each_block() -> None:
    assert list(frames("url", frame(1, 0, b"abc") + frame(0, 1, b"") + END, 2)) == [(1, 3), (0, 0)]
