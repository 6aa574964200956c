"""The exchange of the workload driver over plain sockets: the driver must not need more of a core than the nodes."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

from wavescope_lab.errors import ServerUnreachable, UnexpectedResponse
from wavescope_lab.replay.exchange import CONNECTIONS, Counts, Exchange

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class LeanExchange(Exchange):
    """As ``Exchange``, for HTTP/1.1 servers on loopback. ``client``: its number, of which its address is made, by which
    a balancer knows it; ``total``: what all clients received."""

    def __init__(self, client: int, total: Counts) -> None:
        self.counts, self._total = Counts(), total
        self._address, self._free = f"127.1.{client // 250}.{client % 250 + 1}", list[Connection]()
        self._slots = asyncio.Semaphore(CONNECTIONS)

    async def _send(self, method: str, url: str, content: Any, statuses: tuple[int, ...]) -> tuple[bytes, int]:
        target = urlsplit(url)
        body = b"" if content is None else json.dumps(content).encode()
        path = f"{target.path}?{target.query}" if target.query else target.path
        head = f"{method} {path} HTTP/1.1\r\nhost: {target.netloc}\r\n"
        if body:
            head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
        async with self._slots:
            connection = self._free.pop() if self._free else await self._open(target.hostname, target.port)
            try:
                status, headers, data = await _exchange(connection, head.encode() + b"\r\n" + body)
            except (OSError, EOFError, asyncio.IncompleteReadError) as error:
                connection[1].close()
                raise ServerUnreachable(url, str(error) or type(error).__name__) from error
            except BaseException:
                connection[1].close()
                raise
            self._free.append(connection)
        if status not in statuses:
            raise UnexpectedResponse(url, f"status {status}: {data[:200]!r}")
        self.counts.add(len(data), headers)
        self._total.add(len(data), headers)
        return data, status

    async def _open(self, host: str | None, port: int | None) -> Connection:
        return await asyncio.open_connection(host, port, local_addr=(self._address, 0))

    async def close(self) -> None:
        """Close all connections."""
        for _, writer in self._free:
            writer.close()
        self._free.clear()


async def _exchange(connection: Connection, data: bytes) -> tuple[int, dict[str, str], bytes]:
    reader, writer = connection
    writer.write(data)
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head[:-4].split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    if "content-length" in headers:
        body = await reader.readexactly(int(headers["content-length"]))
    elif headers.get("transfer-encoding") == "chunked":
        parts = []
        while size := int(await reader.readline(), 16):
            parts.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        body = b"".join(parts)
    else:
        raise EOFError("an answer without a length")
    return int(first.split()[1]), headers, body
