"""A client of a push connection: what the page does, in a few words."""

from __future__ import annotations

import asyncio
import json
import struct
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from api.live_client import PATIENCE

HELLO: dict[str, Any] = {"type": "hello", "versions": [1]}
HEAD = struct.Struct("<IBB2xIB3xI")
COMPLETE = 0xFFFFFFFF


def now() -> float:
    """The client's clock; milliseconds."""
    return time.monotonic() * 1000


class Block(NamedTuple):
    """A binary message (WI119)."""

    view: int
    start: int
    stop: int
    index: int  # type: ignore[assignment]  # hides that of a tuple
    status: int
    payload: bytes


class PushClient:
    """``received``: bytes of all blocks; acknowledged one by one unless ``acks`` is False."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.received, self.acks, self._number = socket, 0, True, 0

    async def send(self, message: Mapping[str, Any] | str | bytes) -> None:
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def hello(self, **members: Any) -> dict[str, Any]:
        await self.send({**HELLO, **members})
        return dict(json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE)))

    async def view(self, **members: Any) -> int:
        """Sends a view of the whole level 0 of the slide ``visual``; its number."""
        self._number += 1
        view = {
            "type": "view", "number": self._number, "z": 0, "level": 0, "region": [0, 0, 6, 5], "field": [0, 0, 6, 5],
            "held": "0" * (30 + 9 + 4), "layers": 3, "centre": [3.0, 2.5], "velocity": [0, 0],
            "bytes": self.received,
        }  # fmt: skip
        await self.send({**view, **members})
        return self._number

    async def ack(self) -> None:
        await self.send({"type": "ack", "bytes": self.received, "time": now()})

    async def block(self) -> Block:
        """The next block, or the end of a view."""
        data = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(data, bytes)
        self.received += len(data)
        if self.acks:
            await self.ack()
        *head, length = HEAD.unpack_from(data)
        assert len(data) == HEAD.size + length
        return Block._make([*head, data[HEAD.size :]])

    async def blocks(self) -> list[Block]:
        """All blocks until a view is complete."""
        found = []
        while (block := await self.block()).index != COMPLETE:
            found.append(block)
        return found

    async def closed(self) -> int:
        """The code with which the service ends the connection."""
        with pytest.raises(ConnectionClosed) as end:
            await self._to_the_end()
        assert end.value.rcvd is not None, "the connection was cut"
        return end.value.rcvd.code

    async def _to_the_end(self) -> None:
        while True:
            await asyncio.wait_for(self.socket.recv(), PATIENCE)


@asynccontextmanager
async def push_client(
    port: int, slide: str, digest: str, headers: Mapping[str, str] | None = None, **options: Any
) -> AsyncIterator[PushClient]:
    """A connected client that has not said hello."""
    url = f"ws://127.0.0.1:{port}/api/v1/slides/{slide}/v/{digest}/push"
    async with connect(url, additional_headers=headers, close_timeout=1, **options) as socket:
        yield PushClient(socket)
