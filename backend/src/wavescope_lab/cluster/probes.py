"""How it is known that a part can be used: by asking it what its users ask."""

from __future__ import annotations

import asyncio
import json
import ssl
from dataclasses import dataclass

SECONDS = 3.0
HOST = "127.0.0.1"
MAX_RESPONSE = 64 * 1024


@dataclass(frozen=True)
class HttpProbe:
    """Answers ``GET path`` with 200. ``tls``: over TLS, whatever its certificate: the part is on this machine."""

    port: int
    path: str
    tls: bool = False

    async def fault(self) -> str | None:
        """See ``Probe``."""
        request = f"GET {self.path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nConnection: close\r\n\r\n"
        response = await _exchange(self.port, request.encode(), _unverified() if self.tls else None)
        if isinstance(response, str):
            return response
        status = response.split(b"\r\n", 1)[0].split(b" ")
        if status[1:2] == [b"200"]:
            return None
        detail = _detail(response)
        said = f"{status[1].decode('latin-1')}: {detail}" if detail else b" ".join(status[1:]).decode("latin-1")
        return f"{self.path} answers {said}"


@dataclass(frozen=True)
class RedisProbe:
    """Answers PING."""

    port: int
    password: str

    async def fault(self) -> str | None:
        """See ``Probe``."""
        response = await _exchange(self.port, f"AUTH {self.password}\r\nPING\r\nQUIT\r\n".encode(), None)
        if isinstance(response, str):
            return response
        return None if b"+PONG" in response else response[:80].decode("latin-1")


@dataclass(frozen=True)
class PostgresqlProbe:
    """Executes a statement."""

    port: int
    password: str

    async def fault(self) -> str | None:
        """See ``Probe``."""
        return await asyncio.to_thread(self._fault)

    def _fault(self) -> str | None:
        import psycopg

        where = f"host={HOST} port={self.port} dbname=postgres user=wavescope connect_timeout=2"
        try:
            with psycopg.connect(where, password=self.password) as connection:
                connection.execute("SELECT 1")
        except psycopg.Error as error:
            return " ".join(str(error).split())
        return None


def _detail(response: bytes) -> str:
    """What a problem says (WI30); empty for another answer."""
    try:
        return str(json.loads(response.partition(b"\r\n\r\n")[2])["detail"])
    except (ValueError, TypeError, KeyError):
        return ""


async def _exchange(port: int, request: bytes, tls: ssl.SSLContext | None) -> bytes | str:
    """The beginning of the answer, or why there is none."""
    try:
        async with asyncio.timeout(SECONDS):
            reader, writer = await asyncio.open_connection(HOST, port, ssl=tls)
            try:
                writer.write(request)
                return await _beginning(reader)
            finally:
                writer.transport.abort()
    except TimeoutError:
        return f"no answer in {SECONDS:.0f} s"
    except OSError as error:
        return error.strerror or type(error).__name__


async def _beginning(reader: asyncio.StreamReader) -> bytes:
    """All that is sent, at most MAX_RESPONSE bytes and a little."""
    found = b""
    while len(found) < MAX_RESPONSE and (more := await reader.read(MAX_RESPONSE)):
        found += more
    return found


def _unverified() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
