"""The batch's stream: frames as they come, back pressure, and an end when the client goes."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncGenerator

import pytest
from starlette.types import Message

from wavescope.api.http.batch_frames import FrameStream, frame
from wavescope.errors import CorruptBlock, Unavailable, WavescopeError
from wavescope.geometry import Address

Item = tuple[int, bytes | WavescopeError]
DAMAGE = CorruptBlock(Address(0, 0, 0, 1, 2), "ü")


def parse_frames(data: bytes) -> tuple[list[tuple[int, int, bytes]], bool]:
    """Frames as (index, status, payload), and whether the stream ended as it should (WI18, WI20)."""
    frames: list[tuple[int, int, bytes]] = []
    at = 0
    while at < len(data):
        index, status, length = struct.unpack_from("<IB3xI", data, at)
        payload = data[at + 12 : at + 12 + length]
        assert data[at + 5 : at + 8] == bytes(3)
        assert len(payload) == length
        at += 12 + length
        if index == 0xFFFFFFFF:
            assert (status, length, at) == (0, 0, len(data))
            return frames, True
        frames.append((index, status, payload))
    return frames, False


@pytest.mark.parametrize(
    ("result", "status", "payload"),
    [
        (b"abc", 0, b"abc"),
        (b"", 1, b""),
        (DAMAGE, 2, "block (0, 0, 0, 1, 2) is corrupt: ü".encode()),
        (Unavailable("the disk", "slow"), 3, b"the disk is unavailable: slow"),
    ],
)
def test_each_result_has_its_status_wi19(result: bytes | WavescopeError, status: int, payload: bytes) -> None:
    head, body = frame(7, result)
    assert parse_frames(head + body) == ([(7, status, payload)], False)


class Client:
    """Records what is sent; can go away, and can be slow."""

    def __init__(self) -> None:
        self.sent = bytearray()
        self.pieces = 0
        self.gone, self.got = asyncio.Event(), asyncio.Event()

    async def receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        await asyncio.sleep(0)
        if message["type"] == "http.response.body":
            self.sent += message.get("body", b"")
            self.pieces += 1
            self.got.set()


async def run(client: Client, results: AsyncGenerator[Item, None]) -> None:
    await FrameStream(results)({"type": "http"}, client.receive, client.send)


async def test_frames_that_are_there_go_out_together_and_keep_their_order() -> None:
    async def results() -> AsyncGenerator[Item, None]:
        for index in range(1000):
            yield index, b"x" * 100

    client = Client()
    await run(client, results())
    frames, ended = parse_frames(bytes(client.sent))
    assert ended
    assert [index for index, _, _ in frames] == list(range(1000))
    assert client.pieces < 10


async def test_a_frame_does_not_wait_for_the_next_one_wi18() -> None:
    slow = asyncio.Event()

    async def results() -> AsyncGenerator[Item, None]:
        yield 1, b"quick"
        await slow.wait()
        yield 0, b"slow"

    client = Client()
    stream = asyncio.ensure_future(run(client, results()))
    await asyncio.wait_for(client.got.wait(), 1)
    assert parse_frames(bytes(client.sent)) == ([(1, 0, b"quick")], False)
    slow.set()
    await stream
    assert parse_frames(bytes(client.sent)) == ([(1, 0, b"quick"), (0, 0, b"slow")], True)


async def test_reading_waits_for_a_slow_client() -> None:
    read = 0

    async def results() -> AsyncGenerator[Item, None]:
        nonlocal read
        for index in range(100):
            read += 1
            yield index, b"x" * 10_000

    class Stuck(Client):
        async def send(self, message: Message) -> None:
            await super().send(message)
            if message["type"] == "http.response.body":
                await self.gone.wait()

    client = Stuck()
    stream = asyncio.ensure_future(run(client, results()))
    await asyncio.wait_for(client.got.wait(), 1)
    for _ in range(20):
        await asyncio.sleep(0)
    assert read < 20
    client.gone.set()
    await stream


async def test_the_service_stops_reading_when_the_client_goes_away_wi21() -> None:
    stopped = asyncio.Event()

    async def results() -> AsyncGenerator[Item, None]:
        try:
            yield 0, b"x"
            await asyncio.Event().wait()
        finally:
            stopped.set()

    client = Client()
    stream = asyncio.ensure_future(run(client, results()))
    await asyncio.wait_for(client.got.wait(), 1)
    client.gone.set()
    await asyncio.wait_for(stream, 1)
    await asyncio.wait_for(stopped.wait(), 1)
    assert not parse_frames(bytes(client.sent))[1]


async def test_a_stream_that_breaks_has_no_end_wi20() -> None:
    async def results() -> AsyncGenerator[Item, None]:
        yield 0, b"x"
        raise RuntimeError("broken")

    client = Client()
    with pytest.raises(RuntimeError, match="broken"):
        await run(client, results())
    assert parse_frames(bytes(client.sent)) == ([(0, 0, b"x")], False)
