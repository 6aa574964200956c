"""The frames of a batch as they arrive (WI18 to WI20), and as a client that passes blocks on makes them."""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator
from typing import NamedTuple

from wavescope.errors import Unavailable, WavescopeError

HEAD = struct.Struct("<IB3xI")
END = 0xFFFFFFFF
OK, EMPTY, CORRUPT, UNAVAILABLE = range(4)
SHIFT = 1 << 20  # bytes that were read before they are cut off


class Frame(NamedTuple):
    """An answer of a batch: the position of its request, its status, its bytes or the reason why there are none."""

    position: int
    status: int
    payload: bytes

    @property
    def corrupt(self) -> bool:
        return self.status == CORRUPT

    @property
    def unavailable(self) -> bool:
        return self.status == UNAVAILABLE


LAST = HEAD.pack(END, 0, 0)


def frame_of(position: int, result: bytes | WavescopeError) -> bytes:
    """The frame of an answer of a block source."""
    if isinstance(result, bytes):
        return HEAD.pack(position, OK if result else EMPTY, len(result)) + result
    reason = str(result).encode()
    return HEAD.pack(position, UNAVAILABLE if isinstance(result, Unavailable) else CORRUPT, len(reason)) + reason


async def frames_of(stream: AsyncIterator[bytes], longest: int) -> AsyncIterator[Frame]:
    """The frames of a stream up to its end frame. Raises ValueError for one that is cut, or longer than ``longest``."""
    buffer, at = bytearray(), 0
    async for chunk in stream:
        buffer += chunk
        while len(buffer) - at >= HEAD.size:
            index, status, length = HEAD.unpack_from(buffer, at)
            if length > longest or status > UNAVAILABLE or (status == EMPTY and length):
                raise ValueError("a frame is malformed")
            if index == END:
                return
            if len(buffer) - at - HEAD.size < length:
                break
            start = at + HEAD.size
            yield Frame(index, status, bytes(buffer[start : start + length]))
            at = start + length
        if at > SHIFT or at == len(buffer):
            del buffer[:at]
            at = 0
    raise ValueError("the stream was cut")
