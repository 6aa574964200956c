"""Clients that are slow, large or many, on a real socket (PR15, PR16)."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from api.asking import API
from api.test_server import Served, serving
from service.world import World
from wavescope.api.servers.open_files import max_connections
from wavescope.config import Limits

PATIENCE = 20.0  # seconds, for what must come
SOON = {"header_seconds": 0.2, "body_seconds": 0.2}
HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = f"POST {API}/cases HTTP/1.1\r\nHost: 127.0.0.1\r\n".encode()


@asynccontextmanager
async def bounded(world: World, tmp_path: Path, **limits: float) -> AsyncIterator[Served]:
    async with serving(world.copy(tmp_path / "store").store, limits=Limits(**limits)) as served:  # type: ignore[arg-type]
        yield served


@asynccontextmanager
async def connected(served: Served) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def end_of(reader: asyncio.StreamReader) -> bytes:
    """What comes until the service closes; fails if it does not."""
    answer = b""
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(PATIENCE):
            while piece := await reader.read(65536):
                answer += piece
    return answer


async def drip(writer: asyncio.StreamWriter, piece: bytes) -> None:
    """The same byte again and again, until the service has had enough."""
    with contextlib.suppress(ConnectionError):
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.02)


async def dripped(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, piece: bytes) -> bytes:
    """The answer to a client that never comes to an end."""
    dripping = asyncio.create_task(drip(writer, piece))
    try:
        return await end_of(reader)
    finally:
        dripping.cancel()
        await asyncio.gather(dripping, return_exceptions=True)


async def answers(served: Served) -> bool:
    """Whether the service still answers, on a connection of its own."""
    async with httpx.AsyncClient() as client:
        return (await client.get(f"http://127.0.0.1:{served.port}/healthz")).status_code == 200


async def test_a_silent_client_is_closed_pr15(world: World, tmp_path: Path) -> None:
    async with bounded(world, tmp_path, **SOON) as served, connected(served) as (reader, _):
        assert await end_of(reader) == b""


@pytest.mark.parametrize("begun", [b"", HEAD, HEAD + b"X: "])
async def test_a_head_that_comes_byte_by_byte_is_closed_pr15(world: World, tmp_path: Path, begun: bytes) -> None:
    async with bounded(world, tmp_path, **SOON) as served, connected(served) as (reader, writer):
        writer.write(begun)
        answer = await dripped(reader, writer, b"x" if begun.endswith(b": ") else b"\r\n" if not begun else b"A: b\r\n")
        assert answer == b"" or answer.startswith(b"HTTP/1.1 408 ")
        assert await answers(served)


@pytest.mark.parametrize("piece", [b"\r\n", b"A: b\r\n"])
async def test_the_head_of_a_further_request_is_bounded_too_pr15(world: World, tmp_path: Path, piece: bytes) -> None:
    async with bounded(world, tmp_path, **SOON) as served, connected(served) as (reader, writer):
        writer.write(HEAD + b"\r\n")
        assert (await reader.readuntil(b"ok\n")).startswith(b"HTTP/1.1 200 ")
        writer.write(HEAD if piece.strip() else b"")
        answer = await dripped(reader, writer, piece)
        assert answer == b"" or answer.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (POST + b"Content-Length: 60000\r\n\r\n", b"x"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (POST.replace(b"/cases", b"/uploads?filename=a.svs") + b"Content-Length: 60000\r\n\r\n", b"x"),
    ],
)
async def test_a_body_that_comes_byte_by_byte_is_closed_pr15(
    world: World, tmp_path: Path, head: bytes, piece: bytes
) -> None:
    async with bounded(world, tmp_path, **SOON) as served, connected(served) as (reader, writer):
        writer.write(head)
        assert b" 20" not in (await dripped(reader, writer, piece))[:13]
        async with asyncio.timeout(10):  # the service learns of the end after the client does
            while served.uploads():
                await asyncio.sleep(0.01)
        assert await answers(served)


async def test_a_body_that_goes_on_is_let_in_however_long_it_takes_pr15(world: World, tmp_path: Path) -> None:
    limits = {"header_seconds": 5, "body_seconds": 0.2, "body_progress": 1}

    async def slowly() -> AsyncIterator[bytes]:
        for _ in range(8):
            yield b"good"
            await asyncio.sleep(0.08)

    async with bounded(world, tmp_path, **limits) as served:
        answer = await served.client.post(f"{API}/uploads?filename=a.svs", content=slowly())
        assert answer.status_code == 202


@pytest.mark.parametrize(
    "head",
    [
        HEAD + b"X: " + b"x" * 70_000 + b"\r\n\r\n",
        HEAD + b"X: " + b"x" * 600_000,
        HEAD + b"X: y\r\n" * 20_000 + b"\r\n",
        b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ],
)
async def test_a_head_that_is_too_large_is_refused_pr15(world: World, tmp_path: Path, head: bytes) -> None:
    async with bounded(world, tmp_path) as served, connected(served) as (reader, writer):
        writer.write(head)
        answer = await end_of(reader)
        assert answer == b"" or answer.startswith(b"HTTP/1.1 431 ")
        assert await answers(served)


async def test_a_large_head_within_the_bounds_is_let_in_pr15(served_once: Served) -> None:
    answer = await served_once.client.get("/healthz", headers={"x": "y" * 30_000})
    assert answer.status_code == 200


async def test_an_answer_that_nobody_reads_is_given_up_pr15(world: World, tmp_path: Path) -> None:
    async with bounded(world, tmp_path, stalled_seconds=0.2) as served:
        url = f"{API}/slides/visual/v/{world.digests['visual']}/blocks:batch"
        body = b'{"blocks": [' + b",".join([b"[0,0,0,1,1,0,2]"] * 4096) + b"]}"
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.setblocking(False)
        await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", served.port))
        head = f"POST {url} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        with plain:
            for _ in range(40):  # more than the kernel buffers for a client that does not read
                await asyncio.get_running_loop().sock_sendall(plain, head + body)
            state = served.server.server_state
            async with asyncio.timeout(PATIENCE):
                while state.connections:
                    await asyncio.sleep(0.02)


REGION = f"{API}/slides/visual/v/{{digest}}/region?x={{x}}&y=0&width=2000&height=2000&format=npy&fill=background"
SIZE = 12_000_000  # bytes of its answer


@asynccontextmanager
async def deaf(served: Served, *targets: str, buffer: int = 4096) -> AsyncIterator[socket.socket]:
    """A client that sends requests and reads nothing."""
    loop = asyncio.get_running_loop()
    with socket.socket() as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        plain.setblocking(False)
        await loop.sock_connect(plain, ("127.0.0.1", served.port))
        requests = (f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" for target in targets)
        await loop.sock_sendall(plain, "".join(requests).encode())
        yield plain


def unread_bytes(served: Served) -> int:
    """Of all answers in memory."""
    return sum(one.transport.get_write_buffer_size() for one in served.server.server_state.connections)


@pytest.mark.slow
async def test_clients_that_never_read_do_not_fill_the_memory_pr67(world: World, tmp_path: Path) -> None:
    budget, most = 3 * SIZE, 0
    async with (
        bounded(world, tmp_path, unread_client_bytes=budget, unread_bytes=2 * budget, stalled_seconds=2) as served,
        contextlib.AsyncExitStack() as stack,
    ):
        for number in range(16):  # 190 MB
            target = REGION.format(digest=world.digests["visual"], x=number)
            await stack.enter_async_context(deaf(served, target))
            assert await answers(served)
            most = max(most, unread_bytes(served))
        async with asyncio.timeout(PATIENCE):
            while served.server.server_state.connections:  # those within the budget: after the time
                most = max(most, unread_bytes(served))
                await asyncio.sleep(0.01)
        faults = (await served.client.get("/metrics")).text
    assert SIZE < most <= budget + SIZE  # the one that is ended next is there, too
    for cause in ("answers-not-read", "answer-not-read"):
        assert f'wavescope_faults_total{{cause="{cause}",kind="connection"}}' in faults


async def test_a_connection_that_is_not_read_has_one_answer_in_memory_pr67(world: World, tmp_path: Path) -> None:
    targets = [REGION.format(digest=world.digests["visual"], x=x) for x in range(4)]
    async with bounded(world, tmp_path, stalled_seconds=5) as served, deaf(served, *targets, buffer=1 << 16) as plain:
        async with asyncio.timeout(PATIENCE):
            while unread_bytes(served) < SIZE // 2:
                await asyncio.sleep(0.01)
        assert await answers(served)
        assert served.service.pixels.threads.requests == 0
        assert served.service.pixels.images.misses == 1
        assert unread_bytes(served) < SIZE
        read = 0
        async with asyncio.timeout(PATIENCE):
            while read < 4 * SIZE:  # the others are answered when it reads
                read += len(await asyncio.get_running_loop().sock_recv(plain, 1 << 20))


@pytest.mark.slow
async def test_a_client_that_reads_slowly_gets_all_of_a_long_answer_pr15(world: World, tmp_path: Path) -> None:
    target = REGION.format(digest=world.digests["visual"], x=0)
    async with bounded(world, tmp_path, stalled_seconds=0.4) as served, deaf(served, target, buffer=1 << 18) as plain:
        read = 0
        while read < SIZE:
            piece = await asyncio.get_running_loop().sock_recv(plain, 1 << 18)
            assert piece, f"closed after {read} bytes"
            read += len(piece)
            await asyncio.sleep(0.03)


async def test_idle_connections_are_closed_for_new_ones_pr16(world: World, tmp_path: Path) -> None:
    async with bounded(world, tmp_path, connections=8) as served, contextlib.AsyncExitStack() as stack:
        idle = [await stack.enter_async_context(connected(served)) for _ in range(30)]
        assert await answers(served)
        assert await end_of(idle[0][0]) == b""
        assert len(served.server.server_state.connections) <= 8


async def test_who_is_being_answered_is_not_put_out_for_others_pr16(world: World, tmp_path: Path) -> None:
    async with bounded(world, tmp_path, connections=3) as served, contextlib.AsyncExitStack() as stack:
        busy = [await stack.enter_async_context(connected(served)) for _ in range(3)]
        for _, writer in busy:
            writer.write(POST + b"Content-Length: 15\r\n\r\n")
            await writer.drain()
        state = served.server.server_state
        async with asyncio.timeout(PATIENCE):
            while len(state.tasks) < 3:
                await asyncio.sleep(0)
        async with connected(served) as (reader, _):
            assert (await end_of(reader)).startswith(b"HTTP/1.1 503 ")
        for reader, writer in busy:
            writer.write(b'{"title": "abc"}'[:15])
            assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 4")  # it is no JSON


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
def test_at_most_the_connections_that_the_system_allows_pr16(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (1024, 4096))
    assert (max_connections(5), max_connections(4096)) == (5, 1024 - 256)


@pytest.fixture
async def served_once(world: World, tmp_path: Path) -> AsyncIterator[Served]:
    async with bounded(world, tmp_path) as served:
        yield served
