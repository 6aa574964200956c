"""One of each fault of connections and of live sessions, provoked on a running service: name -> what is answered."""

from __future__ import annotations

import asyncio
import contextlib
import socket

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from api.faults.provoked import Provoke, Site
from api.parties import Party, hold
from api.test_http_socket import HEAD, POST, connected, deaf, dripped, end_of
from wavescope.api.servers import http_socket
from wavescope.api.servers.unread import Budget


def sent(*pieces: bytes, drip: bytes = b"") -> Provoke:
    """The status of the answer to these bytes, then to ``drip`` again and again."""

    async def provoke(at: Site) -> str:
        async with connected(at.served) as (reader, writer):
            for piece in pieces:
                writer.write(piece)
            return status(await (dripped(reader, writer, drip) if drip else end_of(reader)))

    return provoke


def status(answer: bytes) -> str:
    return answer[9:12].decode() if answer.startswith(b"HTTP/") else "connection closed"


async def many_connections(at: Site) -> str:
    """More than there may be, each with a request that is being read."""
    async with contextlib.AsyncExitStack() as stack:
        most = at.served.service.config.limits.connections
        busy = [await stack.enter_async_context(connected(at.served)) for _ in range(most)]
        for _, writer in busy:
            writer.write(POST + b"Content-Length: 15\r\n\r\n")
            await writer.drain()
        state = at.served.server.server_state
        async with asyncio.timeout(10):
            while len(state.tasks) < most:
                await asyncio.sleep(0)
        async with connected(at.served) as (reader, _):
            return status(await end_of(reader))


async def unread(at: Site) -> str:
    body = b'{"blocks": [' + b",".join([b"[0,0,0,1,1,0,2]"] * 4096) + b"]}"
    head = f"POST {at.slide}/blocks:batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    loop, plain = asyncio.get_running_loop(), socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.setblocking(False)
    with plain:
        await loop.sock_connect(plain, ("127.0.0.1", at.served.port))
        with contextlib.suppress(ConnectionError):
            for _ in range(40):  # more than the kernel buffers for a client that does not read
                await loop.sock_sendall(plain, head + body)
        async with asyncio.timeout(20):
            while at.served.server.server_state.tasks:
                await asyncio.sleep(0.01)
    return "connection closed"


async def unread_by_many(at: Site) -> str:
    """More than may wait for one client."""
    region = f"{at.slide}/region?y=0&width=1300&height=1000&format=npy&fill=background"
    async with contextlib.AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(http_socket, "Budget", lambda *_: Budget(1 << 20, 1 << 20))
            for x in range(3):
                await stack.enter_async_context(deaf(at.served, f"{region}&x={x}"))
            async with asyncio.timeout(20):
                while len(at.served.server.server_state.connections) > 1:
                    await asyncio.sleep(0.01)
    return "connection closed"


async def _party(at: Site) -> Party:
    made = await hold(at.served.port)
    made.served = at.served
    return made


async def invalid_message(at: Site) -> str:
    party = await _party(at)
    async with party.stranger(party.cookie) as opened:
        await opened.send("{")
        return f"closed {(await opened.closed())[0]}"


async def stranger(at: Site) -> str:
    async with (await _party(at)).stranger("guessed") as opened:
        return f"closed {(await opened.closed())[0]}"


async def flood(at: Site) -> str:
    async with (await _party(at)).window() as rude:
        closed = asyncio.create_task(rude.closed())
        with contextlib.suppress(ConnectionClosed):
            while not closed.done():
                await rude.send({"type": "ping", "t": 1})
        return f"closed {(await closed)[0]}"


async def foreign_page(at: Site) -> str:
    party = await _party(at)
    try:
        async with party.stranger(party.cookie, headers={"Origin": "https://evil.example"}):
            return "let in"
    except InvalidStatus as refused:
        return str(refused.response.status_code)


CONNECTIONS: dict[str, Provoke] = {
    "head too large": sent(HEAD + b"X: " + b"x" * 100_000 + b"\r\n\r\n"),
    "slow head": sent(b"GET /healthz HTTP/1.1\r\n", drip=b"A: b\r\n"),
    "slow body": sent(POST + b"Content-Length: 900\r\n\r\n", drip=b"x"),
    "not HTTP": sent(b"\x16\x03\x01\x02\x00\r\n\r\n"),
    "too many connections": many_connections,
    "answer not read": unread,
    "answers not read beyond the budget": unread_by_many,
    "invalid live message": invalid_message,
    "live connection of a stranger": stranger,
    "too many live messages": flood,
    "live connection of a foreign page": foreign_page,
}
