"""Origins that answer what a test wants, byte by byte, and clients that send what a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

Answering = Callable[["Asked", asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Asked:
    """A request as it reached an origin."""

    line: str
    headers: tuple[tuple[str, str], ...]

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]


@dataclass
class RawOrigin:
    """``left`` is set when a client has ended its connection."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    received: int = 0


@asynccontextmanager
async def raw_origin(answering: Answering) -> AsyncIterator[RawOrigin]:
    """An origin that reads one request per connection, its body included if it has a length, and answers it."""
    found = RawOrigin()
    working: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await _one(found, answering, reader, writer)
        finally:
            await end(writer)

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(serve(reader, writer))
        working.add(task)
        task.add_done_callback(working.discard)

    server = await asyncio.start_server(begin, "127.0.0.1", 0)
    found.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield found
    finally:
        server.close()
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)


async def _one(
    found: RawOrigin, answering: Answering, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = [line.partition(":") for line in head[1:] if line]
    asked = Asked(head[0], tuple((name.strip().lower(), value.strip()) for name, _, value in pairs))
    found.asked.append(asked)
    found.begun.set()
    left = sum(map(int, asked.all("content-length")))
    while left > 0:
        body = await reader.read(min(left, 1 << 16))
        if not body:
            found.left.set()
            return
        found.received += len(body)
        left -= len(body)
    answer = asyncio.ensure_future(answering(asked, writer))
    ended = asyncio.ensure_future(reader.read())
    try:
        await asyncio.wait({answer, ended}, return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            found.left.set()
    finally:
        for task in (answer, ended):
            task.cancel()
        await asyncio.gather(answer, ended, return_exceptions=True)


def says(head: str, body: bytes = b"") -> Answering:
    """Answers with exactly these bytes, and ends the connection."""

    async def answer(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 " + head.replace("\n", "\r\n").encode("latin-1") + b"\r\n\r\n" + body)
        await writer.drain()

    return answer


async def silent(_: Asked, __: asyncio.StreamWriter) -> None:
    """Never answers."""
    await asyncio.Event().wait()


async def raw(url: str, request: bytes) -> bytes:
    """Everything that a server answers to these bytes, up to the end of the connection."""
    host, _, port = url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(request)
    await writer.drain()
    answer = b""
    with suppress(ConnectionError):
        answer = await asyncio.wait_for(reader.read(), 10)
    await end(writer)
    return answer


async def end(writer: asyncio.StreamWriter) -> None:
    """Ends a connection."""
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def connect(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to a server."""
    host, _, port = url.removeprefix("http://").partition(":")
    return await asyncio.open_connection(host, int(port))
