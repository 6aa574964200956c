"""Streaming many blocks: entries in (WI17), frames out (WI18 to WI21)."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from wavescope.api.http.disconnect import disconnected
from wavescope.blocks.base import Answer, BlockRequest
from wavescope.errors import InvalidParameter, TooLarge, Unavailable, WavescopeError
from wavescope.store.version import SlideVersion

MEDIA_TYPE = "application/vnd.wavescope.blocks"
FRAME = struct.Struct("<IB3xI")
END = FRAME.pack(0xFFFFFFFF, 0, 0)
OK, EMPTY, CORRUPT, UNAVAILABLE = range(4)
FLUSH_BYTES = 64 * 1024  # then the writer gets its turn
PIECE_BYTES = 256 * 1024  # of frames that are all there
INTEGERS = {int}  # the types of the numbers of an entry; bool is another one
FIELDS = ("z", "c", "level", "x", "y", "from", "to")

Results = AsyncGenerator[Answer, None]
Count = Callable[[bytes | WavescopeError], None]
"""Called with each result as it comes."""


def parse_batch(body: bytes, version: SlideVersion, limit: int) -> list[BlockRequest]:
    """The entries of a batch, each inside the slide. Raises InvalidParameter, TooLarge, OutOfRange."""
    try:
        parsed: Any = json.loads(body)
    except (ValueError, RecursionError) as cause:
        raise InvalidParameter("body", body[:80].decode("latin-1"), "a JSON object") from cause
    entries = parsed.get("blocks") if isinstance(parsed, dict) else None
    if not isinstance(entries, list) or not entries:
        raise InvalidParameter("blocks", entries, f"a list of 1 to {limit} entries")
    if len(entries) > limit:
        raise TooLarge("the number of entries in blocks", len(entries), limit)
    return [_entry(index, entry, version) for index, entry in enumerate(entries)]


def _entry(index: int, entry: Any, version: SlideVersion) -> BlockRequest:
    if not isinstance(entry, list) or len(entry) != len(FIELDS) or set(map(type, entry)) != INTEGERS:
        raise InvalidParameter(f"blocks[{index}]", str(entry)[:80], f"seven integers [{', '.join(FIELDS)}]")
    z, c, level, x, y, start, stop = entry
    return BlockRequest(version.block(z, c, level, x, y), version.layer_range(start, stop))


def frame(index: int, result: bytes | WavescopeError) -> tuple[bytes, bytes]:
    """A frame's head and payload."""
    if isinstance(result, WavescopeError):
        status = UNAVAILABLE if isinstance(result, Unavailable) else CORRUPT
        payload = str(result).encode()
    else:
        status, payload = OK if result else EMPTY, result
    return FRAME.pack(index, status, len(payload)), payload


class ReadyFrames(Response):
    """Sends frames of blocks that are all there: as FrameStream would, without waiting for results."""

    def __init__(self, blocks: Sequence[bytes]) -> None:
        super().__init__(None, media_type=MEDIA_TYPE, headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._blocks = blocks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        for piece in _pieces(self._blocks):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": END})


def _pieces(blocks: Sequence[bytes]) -> Iterator[bytes]:
    """Frames of blocks, at least PIECE_BYTES at a time."""
    parts: list[bytes] = []
    waiting = 0
    for index, data in enumerate(blocks):
        size = len(data)
        parts += (FRAME.pack(index, OK if size else EMPTY, size), data)
        waiting += size
        if waiting >= PIECE_BYTES:
            yield b"".join(parts)
            parts, waiting = [], 0
    if parts:
        yield b"".join(parts)


class FrameStream(Response):
    """Sends frames as results come; stops requesting results when the client has disconnected."""

    def __init__(self, results: Results, count: Count = lambda _: None) -> None:
        super().__init__(None, media_type=MEDIA_TYPE, headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._results, self._count = results, count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        gone = asyncio.ensure_future(disconnected(receive))
        stream = asyncio.ensure_future(self._stream(send))
        try:
            await asyncio.wait({gone, stream}, return_when=asyncio.FIRST_COMPLETED)
            if stream.done():
                stream.result()
        finally:
            for task in (gone, stream):
                task.cancel()
            await asyncio.gather(gone, stream, return_exceptions=True)

    async def _stream(self, send: Send) -> None:
        """Reader and writer side by side: frames that wait are sent together, and none waits for the next."""
        buffer = _Buffer()
        reader = asyncio.ensure_future(_fill(buffer, self._results, self._count))
        try:
            while (piece := await buffer.next_piece()) is not None:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await reader
            await send({"type": "http.response.body", "body": END})
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)


class _Buffer:
    """Frames that were read and not yet sent; the reader waits when it is far ahead."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._bytes = 0
        self._ended = False
        self._filled, self._drained = asyncio.Event(), asyncio.Event()

    async def add(self, parts: Sequence[bytes]) -> None:
        self._parts += parts
        self._bytes += sum(map(len, parts))
        self._filled.set()
        if self._bytes >= FLUSH_BYTES:
            self._drained.clear()
            await self._drained.wait()

    def end(self) -> None:
        self._ended = True
        self._filled.set()

    async def next_piece(self) -> bytes | None:
        """The buffered bytes, as soon as there are any; None at the end."""
        await self._filled.wait()
        if not self._parts:
            return None
        piece = b"".join(self._parts)
        self._parts, self._bytes = [], 0
        if not self._ended:
            self._filled.clear()
        self._drained.set()
        return piece


async def _fill(buffer: _Buffer, results: Results, count: Count) -> None:
    try:
        async with aclosing(results):
            async for index, result in results:
                count(result)
                await buffer.add(frame(index, result))
    finally:
        buffer.end()
