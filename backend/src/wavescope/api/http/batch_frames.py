"""Streaming many blocks: entries in (WI17), frames out (WI18 to WI21)."""

from __future__ import annotations

import json
import struct
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from wavescope.api.http.begun import Waiting
from wavescope.api.http.disconnect import quick_while_connected
from wavescope.blocks.base import Answer, BlockRequest
from wavescope.errors import InvalidParameter, TooLarge, Unavailable, WavescopeError
from wavescope.store.version import SlideVersion

MEDIA_TYPE = "application/vnd.wavescope.blocks"
FRAME = struct.Struct("<IB3xI")
END = FRAME.pack(0xFFFFFFFF, 0, 0)
OK, EMPTY, CORRUPT, UNAVAILABLE = range(4)
CHUNK_BYTES = 128 * 1024  # of frames that are sent together
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


async def after_head(results: Results, limit: int) -> Results:
    """The results until they have so many bytes together, their positions counted from 1."""
    size = 0
    async with aclosing(results):
        async for index, result in results:
            yield index + 1, result
            size += len(result) if isinstance(result, bytes) else 0
            if size >= limit:
                return


class FrameStream(Response):
    """Sends frames as results come: those that need not be waited for together, and none waits for the next. Stops
    requesting results when the client has disconnected.
    """

    def __init__(
        self, results: Results, count: Count = lambda _: None, head: bytes = b"", media_type: str = MEDIA_TYPE
    ) -> None:
        """``head``: of frame 0, if there is one (WI138)."""
        super().__init__(None, media_type=media_type, headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._results, self._count, self._head = results, count, head

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with suppress(ClientDisconnect):
            await quick_while_connected(Request(scope, receive), self._stream(send))

    async def _stream(self, send: Send) -> None:
        chunks = [FRAME.pack(0, OK, len(self._head)), self._head] if self._head else []
        size = 0
        async with aclosing(self._results) as results:
            try:
                while True:
                    step = results.__anext__()
                    try:
                        first = step.send(None)  # as ``begin``
                    except StopIteration as end:
                        index, result = end.value
                    else:
                        waiting: Waiting[Answer] = Waiting(step, first)
                        await _send_meanwhile(send, chunks, waiting)
                        chunks, size = [], 0
                        index, result = await waiting
                    self._count(result)
                    if isinstance(result, bytes):
                        length = len(result)
                        chunks += (FRAME.pack(index, OK if length else EMPTY, length), result)
                        size += length
                    else:
                        chunks += frame(index, result)
                    if size >= CHUNK_BYTES:
                        await _send(send, chunks)
                        chunks, size = [], 0
            except StopAsyncIteration:
                pass
            except Exception:
                await _send(send, chunks)
                raise
        await _send(send, chunks)
        await send({"type": "http.response.body", "body": END})


async def _send(send: Send, chunks: Sequence[bytes]) -> None:
    if chunks:
        await send({"type": "http.response.body", "body": b"".join(chunks), "more_body": True})


async def _send_meanwhile(send: Send, chunks: Sequence[bytes], result: Waiting[Answer]) -> None:
    """While a result is waited for, which ends if the client does."""
    try:
        await _send(send, chunks)
    except BaseException:
        await result.cancel()
        raise
