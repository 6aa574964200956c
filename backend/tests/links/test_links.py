"""A slow link is what it says: rate, delay, loss, faults; and it changes nothing else."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve

from links.link import linked
from links.shape import FIRST_WINDOW, Flow, Lane, Shape, changed, corrupted, parse_rate, parse_share, parse_time

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
TESTS = Path(__file__).parents[1]


@asynccontextmanager
async def server(handler: Handler) -> AsyncIterator[tuple[str, int]]:
    handlers: set[asyncio.Task[None]] = set()

    async def closing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        handlers.add(task)
        try:
            await handler(reader, writer)
        except OSError:
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    running = await asyncio.start_server(closing, "127.0.0.1", 0)
    try:
        yield running.sockets[0].getsockname()
    finally:
        running.close()
        await asyncio.wait_for(asyncio.gather(*handlers, return_exceptions=True), 10)


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()


def sending(size: int) -> Handler:
    """Answers one line with so many bytes."""

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(bytes(size))
        await writer.drain()

    return send


async def receive(address: tuple[str, int]) -> bytes:
    reader, writer = await asyncio.open_connection(*address)
    writer.write(b"\n")
    data = await reader.read(-1)
    writer.close()
    return data


async def settled(measure: Callable[[], Awaitable[float]], expected: float, tolerance: float) -> bool:
    """Whether the least of up to twelve times is as expected. A busy machine adds time and never takes any away."""
    for _ in range(12):
        seconds = await measure()
        assert seconds > expected - tolerance
        if seconds < expected + tolerance:
            return True
    return False


@pytest.mark.parametrize("connections", [1, 4])
async def test_the_rate_holds_within_5_percent_for_all_connections_together(connections: int) -> None:
    size, rate = 1_000_000 // connections, 1_250_000.0  # 10 Mbit/s
    async with server(sending(size)) as target, linked(target, Shape(rate, 0.002)) as link:

        async def measure() -> float:
            before, begun = link.down.bytes, time.perf_counter()
            received = await asyncio.gather(*(receive(link.address) for _ in range(connections)))
            seconds = time.perf_counter() - begun
            assert [len(data) for data in received] == [size] * connections
            assert link.down.bytes - before == size * connections
            return seconds

        expected = 0.008 + size * connections / rate
        assert await settled(measure, expected, 0.05 * expected)


async def test_the_bandwidth_up_is_shared_too_and_both_directions_are_independent() -> None:
    size, rate = 500_000, 1_250_000.0
    async with server(echo) as target, linked(target, Shape(rate, 0.002)) as link:

        async def measure() -> float:
            reader, writer = await asyncio.open_connection(*link.address)
            begun = time.perf_counter()
            writer.write(bytes(size))
            writer.write_eof()
            assert len(await reader.read(-1)) == size
            writer.close()
            return time.perf_counter() - begun

        expected = size / rate  # both at the same time, not one after the other
        assert await settled(measure, expected, 0.2 * expected)
        assert link.up.bytes == link.down.bytes >= size


async def test_the_delay_holds_within_a_few_milliseconds() -> None:
    async with server(echo) as target, linked(target, Shape(delay=0.05)) as link:
        opened: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

        async def connecting() -> float:
            begun = time.perf_counter()
            streams = await asyncio.open_connection(*link.address)
            opened.append(streams)
            streams[1].write(b"x")
            await streams[0].readexactly(1)
            return time.perf_counter() - begun

        async def there_and_back() -> float:
            begun = time.perf_counter()
            reader, writer = opened[-1]
            writer.write(b"x")
            await reader.readexactly(1)
            return time.perf_counter() - begun

        assert await settled(connecting, 0.2, 0.01)  # with the handshake
        assert await settled(there_and_back, 0.1, 0.006)
        for _, writer in opened:
            writer.close()


async def test_a_short_answer_waits_for_slow_start() -> None:
    async with server(sending(4 * FIRST_WINDOW)) as target, linked(target, Shape(delay=0.03)) as link:

        async def measure() -> float:
            begun = time.perf_counter()
            await receive(link.address)
            return time.perf_counter() - begun

        assert await settled(measure, 4 * 0.06, 0.03)  # handshake, request, two windows more


async def test_a_client_that_does_not_read_fills_a_bounded_store() -> None:
    shape = Shape(10_000_000.0, 0.005)
    blocked = asyncio.Event()

    async def pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                writer.write(bytes(65536))
                async with asyncio.timeout(0.4):
                    await writer.drain()
        except TimeoutError:
            blocked.set()

    async with server(pour) as target, linked(target, shape) as link:
        _, writer = await asyncio.open_connection(*link.address, limit=1024)
        async with asyncio.timeout(20):
            await blocked.wait()
        assert link.most_stored <= shape.window
        writer.transport.abort()


async def test_a_websocket_passes() -> None:
    async def handler(socket: object) -> None:
        async for message in socket:  # type: ignore[attr-defined]
            await socket.send(message)  # type: ignore[attr-defined]

    async with serve(handler, "127.0.0.1", 0) as running:
        target = next(iter(running.sockets)).getsockname()
        async with (
            linked(target, Shape(1_250_000.0, 0.005)) as link,
            connect("ws://{}:{}".format(*link.address)) as socket,
        ):
            for message in ("text", b"x" * 100_000):
                await socket.send(message)
                assert await socket.recv() == message


async def test_a_half_close_passes() -> None:
    async def count(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(str(len(await reader.read(-1))).encode())
        await writer.drain()

    async with server(count) as target, linked(target, Shape(delay=0.005)) as link:
        reader, writer = await asyncio.open_connection(*link.address)
        writer.write(bytes(12345))
        writer.write_eof()
        assert await reader.read(-1) == b"12345"
        writer.close()


async def test_reset_ends_connections_at_once_and_new_ones_work() -> None:
    async with server(echo) as target, linked(target) as link:
        reader, writer = await asyncio.open_connection(*link.address)
        writer.write(b"x")
        await reader.readexactly(1)
        link.reset()
        with pytest.raises(ConnectionResetError):
            await reader.read()
        writer.transport.abort()
        reader, writer = await asyncio.open_connection(*link.address)
        writer.write(b"y")
        assert await reader.readexactly(1) == b"y"
        writer.close()


async def test_a_link_that_refuses_can_be_opened_again_at_its_address() -> None:
    async with server(sending(10)) as target, linked(target) as link:
        link.refuse()
        with pytest.raises(ConnectionRefusedError):
            await receive(link.address)
        await link.listen()
        assert len(await receive(link.address)) == 10


async def test_a_server_that_is_gone_ends_the_connection() -> None:
    async with server(echo) as target:
        pass
    async with linked(target) as link:
        reader, writer = await asyncio.open_connection(*link.address)
        with suppress(ConnectionError):  # either end is an end
            assert await reader.read() == b""
        writer.close()


async def test_a_stalled_link_moves_nothing_until_it_is_resumed() -> None:
    async with server(echo) as target, linked(target) as link:
        reader, writer = await asyncio.open_connection(*link.address)
        link.reshape(Shape(stalled=True))
        writer.write(b"x")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await reader.readexactly(1)
        link.reshape(Shape())
        assert await reader.readexactly(1) == b"x"
        writer.close()


async def test_a_new_rate_holds_at_once() -> None:
    async with server(sending(50_000)) as target, linked(target, Shape(50_000.0)) as link:
        link.reshape(Shape(1_000_000.0))
        begun = time.perf_counter()
        await receive(link.address)
    assert time.perf_counter() - begun < 0.4


async def test_corruption_changes_bytes_to_the_client_only() -> None:
    async with server(echo) as target, linked(target, Shape(corrupt_every=10_000)) as link:
        reader, writer = await asyncio.open_connection(*link.address)
        writer.write(bytes(35_000))
        writer.write_eof()
        data = await reader.read(-1)
        writer.close()
    assert [at for at, byte in enumerate(data) if byte] == [10_000, 20_000, 30_000]


def test_lost_segments_wait_for_their_retransmission_and_hold_up_what_follows() -> None:
    class Losing:
        def random(self) -> float:
            return 0.0

        def uniform(self, low: float, high: float) -> float:
            return low

    shape = Shape(delay=0.05, loss=0.01)
    flow = Flow(Losing())  # type: ignore[arg-type]
    assert flow.due(1.0, 1000, shape) == pytest.approx(1.0 + 0.05 + 0.2)  # the timeout
    flow.due(1.0, 8000, shape)
    assert flow.due(1.2, 1000, shape) == pytest.approx(1.2 + 0.05 + 0.1)  # noticed: a round trip
    assert flow.due(1.2, 1000, Shape(delay=0.05)) == pytest.approx(1.35)
    assert flow.window < FIRST_WINDOW + 10_000


@pytest.mark.slow
async def test_loss_slows_a_transfer_and_loses_nothing() -> None:
    times = []
    for loss in (0.0, 0.05):
        async with server(sending(200_000)) as target, linked(target, Shape(delay=0.005, loss=loss)) as link:
            begun = time.perf_counter()
            assert len(await receive(link.address)) == 200_000
            times.append(time.perf_counter() - begun)
    assert times[1] > 1.5 * times[0]


def test_a_lane_is_shared_in_order() -> None:
    lane = Lane()
    departures = [lane.reserve(1.0, 100, 1000.0), lane.reserve(1.0, 100, 1000.0), lane.reserve(5.0, 0, None)]
    assert departures == pytest.approx([1.1, 1.2, 5.0])


def test_corruption_continues_over_pieces() -> None:
    whole = corrupted(bytes(100), 0, 30)
    assert whole == corrupted(bytes(45), 0, 30) + corrupted(bytes(55), 45, 30)
    assert corrupted(b"abc", 7, 0) == b"abc"


def test_quantities_have_units() -> None:
    assert (parse_rate("10mbit"), parse_rate("none"), parse_time("50ms")) == (1_250_000, None, 0.05)
    assert parse_share("0.5%") == pytest.approx(0.005)
    for parse, text in ((parse_rate, "10"), (parse_time, "50"), (parse_share, "1"), (parse_rate, "-1mbit")):
        with pytest.raises(ValueError, match="is not like"):
            parse(text)
    with pytest.raises(ValueError, match="is not one of"):
        changed(Shape(), {"speed": 1})


async def test_as_a_process_it_is_controlled_over_http() -> None:
    async with server(sending(5000)) as target:
        to = "{}:{}".format(*target)
        command = [sys.executable, "-m", "links.proxy", "--rate", "10mbit", "--delay", "1ms", "--to", to]
        child = await asyncio.create_subprocess_exec(*command, cwd=TESTS, stdout=asyncio.subprocess.PIPE)
        try:
            assert child.stdout
            named = json.loads(await child.stdout.readline())
            listen, control = (tuple_of(named[name]) for name in ("listen", "control"))
            assert len(await receive(listen)) == 5000
            state = await post(control, {"rate": "1mbit", "loss": "1%", "reset": True})
            assert (state["rate"], state["down_bytes"], state["connections"]) == (125_000, 5000, 1)
            assert (await post(control, {"zero": True}))["down_bytes"] == 0
            assert "is not like" in str((await post(control, {"rate": "fast"}))["error"])
            await post(control, {"listening": False})
            with pytest.raises(ConnectionRefusedError):
                await receive(listen)
            await post(control, {"listening": True})
            assert len(await receive(listen)) == 5000
        finally:
            child.terminate()
            await child.wait()


def tuple_of(text: str) -> tuple[str, int]:
    host, port = text.split(":")
    return host, int(port)


async def post(address: tuple[str, int], command: dict[str, object]) -> dict[str, object]:
    reader, writer = await asyncio.open_connection(*address)
    body = json.dumps(command).encode()
    writer.write(f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = await reader.read(-1)
    writer.close()
    value = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert isinstance(value, dict)
    return value
