"""A link: everything that connects to it reaches one server, over one shared bandwidth each way."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from links.shape import SEGMENT, Flow, Lane, Shape, corrupted

CHUNK = 4096
"""Bytes that a connection reserves at a time: connections take turns."""
AHEAD = 0.02
"""Seconds that a connection reserves in advance, so that a late timer leaves no gap."""
MAX_LATE = 0.25
"""Seconds by which a late timer is made up for."""
AT_ONCE = 0.002
SOCKET_BUFFER = 1 << 16
GONE = (OSError, asyncio.CancelledError)


class Link:
    """Listens, and passes bytes on to ``target`` as its shape says. Change ``shape`` by :meth:`reshape` at any time."""

    def __init__(self, target: tuple[str, int], shape: Shape | None = None, seed: int = 1) -> None:
        self.target, self.shape = target, shape or Shape()
        self.up, self.down = Lane(), Lane()
        self.connections = self.most_stored = 0
        self.address = ("", 0)
        self._rng, self._moving = random.Random(seed), asyncio.Event()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._open: set[asyncio.StreamWriter] = set()
        self._moving.set()

    async def listen(self, address: tuple[str, int] = ("127.0.0.1", 0)) -> None:
        """Accept connections; after :meth:`refuse`, at the same address again."""
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SOCKET_BUFFER)
        listening.bind(self.address if self.address[1] else address)
        self.address = listening.getsockname()[:2]
        self._server = await asyncio.start_server(self._connection, sock=listening, limit=SOCKET_BUFFER)

    def refuse(self) -> None:
        """Accept no more connections; those that exist go on."""
        if self._server:
            self._server.close()
            self._server = None

    def reset(self) -> None:
        """End all connections at once, without a goodbye (RST on both sides)."""
        for writer in list(self._open):
            if connected := writer.get_extra_info("socket"):
                connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        for task in list(self._tasks):
            task.cancel()

    def reshape(self, shape: Shape) -> None:
        """Bytes that are on the way keep their times."""
        self.shape = shape
        if shape.stalled:
            self._moving.clear()
        else:
            self._moving.set()

    async def close(self) -> None:
        """End everything."""
        self.refuse()
        self.reset()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self.connections += 1
        ready = asyncio.get_running_loop().time() + self.shape.round_trip  # the handshake
        writers = [writer]
        self._open.add(writer)
        try:
            far_reader, far_writer = await self._connect()
            writers.append(far_writer)
            self._open.add(far_writer)
            async with asyncio.TaskGroup() as group:
                group.create_task(_Pump(self, self.up, ready, corrupting=False).run(reader, far_writer))
                group.create_task(_Pump(self, self.down, ready, corrupting=True).run(far_reader, writer))
        except (OSError, ExceptionGroup):
            for one in writers:  # one side is gone: the other one notices
                one.transport.abort()
        except asyncio.CancelledError:
            pass  # reset()
        finally:
            self._open.difference_update(writers)
            for one in writers:
                one.close()
                with suppress(*GONE):
                    await one.wait_closed()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        connecting = socket.socket()
        connecting.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SOCKET_BUFFER)
        connecting.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(connecting, self.target)
        except OSError:
            connecting.close()
            raise
        return await asyncio.open_connection(sock=connecting, limit=SOCKET_BUFFER)

    async def moving(self) -> None:
        """Returns while the link is not stalled."""
        await self._moving.wait()

    def flow(self) -> Flow:
        """A direction of a new connection."""
        return Flow(random.Random(self._rng.random()))


class _Pump:
    """One direction of one connection: a sender that waits for bandwidth, a receiver that waits for arrival."""

    def __init__(self, link: Link, lane: Lane, ready: float, corrupting: bool) -> None:
        self._link, self._lane, self._ready, self._corrupting = link, lane, ready, corrupting
        self._flow, self._passed = link.flow(), 0
        self._sent: deque[tuple[float, bytes]] = deque()
        self._arriving, self._acknowledged = asyncio.Event(), asyncio.Event()
        self._loop = asyncio.get_running_loop()

    async def run(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Until the sender ends its side; this end is passed on (half-close)."""
        writer.transport.set_write_buffer_limits(high=SOCKET_BUFFER)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._send(reader))
            group.create_task(self._receive(writer))

    async def _send(self, reader: asyncio.StreamReader) -> None:
        late = 0.0
        while True:
            await self._link.moving()
            size = await self._sendable()
            asked = self._loop.time()
            data = await reader.read(min(CHUNK, size))
            await self._link.moving()
            shape, now = self._link.shape, self._loop.time()
            waited = now - asked > AT_ONCE  # for bytes: then the link was idle, whatever the timer did
            departure = self._lane.reserve(max(now - (0.0 if waited else late), self._ready), len(data), shape.rate)
            if self._corrupting:
                data = corrupted(data, self._passed, shape.corrupt_every)
            self._passed += len(data)
            self._sent.append((self._flow.due(departure, len(data), shape), data))
            self._link.most_stored = max(self._link.most_stored, self._flow.unacknowledged)
            self._arriving.set()
            if not data:
                return
            wake = departure - AHEAD
            await asyncio.sleep(max(0.0, wake - self._loop.time()))
            late = min(max(0.0, self._loop.time() - wake - AHEAD), MAX_LATE)

    async def _sendable(self) -> int:
        """Waits until TCP may send at least a segment; the bytes it may send."""
        while (size := self._flow.sendable(self._link.shape)) < SEGMENT:
            self._acknowledged.clear()
            await self._acknowledged.wait()
        return size

    async def _receive(self, writer: asyncio.StreamWriter) -> None:
        while True:
            await self._arriving.wait()
            due, data = self._sent.popleft()
            if not self._sent:
                self._arriving.clear()
            await asyncio.sleep(max(0.0, due - self._loop.time()))
            await self._link.moving()
            if not data:
                with suppress(OSError):
                    writer.write_eof()
                return
            writer.write(data)
            await writer.drain()
            self._loop.call_later(self._link.shape.delay, self._acknowledge, len(data))

    def _acknowledge(self, size: int) -> None:
        self._flow.acknowledge(size)
        self._acknowledged.set()


@asynccontextmanager
async def linked(target: tuple[str, int], shape: Shape | None = None) -> AsyncIterator[Link]:
    """A link on a free port of loopback."""
    link = Link(target, shape)
    await link.listen()
    try:
        yield link
    finally:
        await link.close()
