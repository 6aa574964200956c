"""The slides that are viewed, and a small server of files."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

import pytest

from service.world import World, make_world

Answer = tuple[int, dict[str, str], bytes]


class Files:
    """Answers each path by a function, and counts the requests."""

    def __init__(self, answer: Callable[[str], Answer]) -> None:
        self.answer, self.requested, self.url, self.heads = answer, Counter[str](), "", list[bytes]()
        self.writers: list[asyncio.StreamWriter] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ")[1].decode()
                self.requested[path] += 1
                self.heads.append(head)
                status, headers, body = self.answer(path)
                named = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
                writer.write(f"HTTP/1.1 {status} -\r\n{named}content-length: {len(body)}\r\n\r\n".encode() + body)
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    async def close(self) -> None:
        """Returns when all connections are closed."""
        for writer in self.writers:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()


StartFiles = Callable[[Callable[[str], Answer]], AbstractAsyncContextManager[Files]]


@pytest.fixture
def files() -> StartFiles:
    """Starts a server of files on a free port of loopback."""

    @asynccontextmanager
    async def running(answer: Callable[[str], Answer]) -> AsyncIterator[Files]:
        made = Files(answer)
        server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
        made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server:
            yield made
            await made.close()

    return running


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Slides of a real ingest."""
    return make_world(tmp_path_factory.mktemp("world"))
