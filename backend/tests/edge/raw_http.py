"""Requests as bytes on a socket, and their answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

Headers = Sequence[tuple[str, str]]
SECONDS = 20.0  # for an answer that must come
WITHOUT_BODY = (204, 304)


class RawAnswer(NamedTuple):
    """``headers`` in their order, without those that differ between two answers."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def value(self, name: str) -> str:
        return dict(self.headers).get(name, "")


class RawConnection:
    """One connection of a client of the tests."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer = reader, writer

    async def ask(self, target: str, headers: Headers = (), method: str = "GET") -> RawAnswer:
        self.writer.write(request(target, headers, method))
        return await self.answer(method)

    async def answer(self, method: str = "GET") -> RawAnswer:
        """The next answer, to a request with this method."""
        async with asyncio.timeout(SECONDS):
            status = 100
            while status < 200:  # "100 Continue" precedes the answer
                head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                first, *lines = head.removesuffix("\r\n\r\n").split("\r\n")
                status = int(first.split(" ")[1])
            headers = [(name, value) for name, _, value in (line.partition(": ") for line in lines)]
            named = dict(headers)
            body = b""
            if method != "HEAD" and status not in WITHOUT_BODY:
                if named.get("transfer-encoding") == "chunked":
                    while size := int(await self._reader.readline(), 16):
                        body += (await self._reader.readexactly(size + 2))[:-2]
                    await self._reader.readline()
                else:
                    body = await self._reader.readexactly(int(named["content-length"]))
        return RawAnswer(status, [one for one in headers if one[0] != "date"], body)


def request(target: str, headers: Headers = (), method: str = "GET") -> bytes:
    """With the host of the tests, unless the headers name one."""
    given = headers if any(name.lower() == "host" for name, _ in headers) else [("Host", "127.0.0.1"), *headers]
    lines = "".join(f"{name}: {value}\r\n" for name, value in given)
    return f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode("latin-1")


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[RawConnection]:
    """A connection to the server at ``url``."""
    host, _, port = url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 22)
    try:
        yield RawConnection(reader, writer)
    finally:
        writer.close()
