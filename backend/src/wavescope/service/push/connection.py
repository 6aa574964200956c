"""One push connection: its view, what is read for it and what is on its way (WI116 to WI119, WI121)."""

from __future__ import annotations

import asyncio
import struct
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import NamedTuple

from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.errors import StaleVersion, Unavailable, WavescopeError
from wavescope.geometry import Address
from wavescope.service.push.empty_blocks import EmptyBlocks
from wavescope.service.push.messages import PushAck, PushView, check_view
from wavescope.service.push.order import Segment, missing_segments
from wavescope.service.push.pacing import Pacer
from wavescope.sessions.client_messages import Malformed
from wavescope.store.version import SlideVersion

HEAD = struct.Struct("<IBB2xIB3xI")
COMPLETE = 0xFFFFFFFF
OK, CORRUPT, UNAVAILABLE = 0, 2, 3
READ_AHEAD = 16  # blocks that are read together

Clock = Callable[[], float]
Recheck = Callable[[], Awaitable["Closing | None"]]


class Closing(NamedTuple):
    """The WebSocket close code and reason (WI113, WI114)."""

    code: int
    reason: str


FAILED = Closing(1011, "the service failed")
MALFORMED = 4400
NOT_AVAILABLE = Closing(4401, "not available to this client")
NO_VERSION = Closing(4406, "no version in common")
SILENT = Closing(4408, "no hello in time")
TOO_MANY = Closing(4409, "too many connections of one client")
STALE = Closing(4410, "the slide does not have this version any more")
FLOODING = Closing(4429, "too many messages")


@dataclass
class PushCounts:
    """What was sent over all connections."""

    connections: int = 0
    blocks: int = 0
    bytes: int = 0
    stale: int = 0  # blocks that a new view made needless before they were sent

    def opened(self) -> None:
        """Counts a connection."""
        self.connections += 1

    def sent(self, size: int, blocks: int) -> None:
        """Counts a message with so many blocks."""
        self.bytes += size
        self.blocks += blocks

    def dropped(self, blocks: int) -> None:
        """Counts blocks that a new view made needless."""
        self.stale += blocks


class _Current(NamedTuple):
    view: PushView
    flying: dict[Address, int]


class PushConnection:
    """Sends the blocks that the newest view lacks. For one event loop.

    ``messages`` yields what is to be sent, until ``closing`` is set (``ending`` signals it). ``recheck_now`` asks for a
    check of the client's rights.
    """

    def __init__(
        self,
        version: SlideVersion,
        source: BlockSource,
        empty: EmptyBlocks,
        pacer: Pacer,
        counts: PushCounts,
        clock: Clock = time.monotonic,
    ) -> None:
        self.pacer, self.ending, self.recheck_now = pacer, asyncio.Event(), asyncio.Event()
        self.closing: Closing | None = None
        self._version, self._source, self._empty, self._counts, self._clock = version, source, empty, counts, clock
        self._current: _Current | None = None
        self._flying: OrderedDict[Address, tuple[int, int]] = OrderedDict()  # layers, and the bytes sent with them
        self._changed = asyncio.Event()

    def set_view(self, view: PushView) -> None:
        """Replaces the view. Raises Malformed, OutOfRange."""
        check_view(view, self._version)
        if self._current is not None and view.number <= self._current.view.number:
            raise Malformed(f"number: {view.number} does not follow {self._current.view.number}")
        self._forget_received(view.bytes)
        self._current = _Current(view, {address: layers for address, (layers, _) in self._flying.items()})
        self._changed.set()

    def acknowledge(self, ack: PushAck) -> None:
        """Raises Malformed."""
        try:
            self.pacer.received(ack.bytes, ack.time / 1000, self._clock())
        except ValueError as cause:
            raise Malformed(str(cause)) from cause
        self._changed.set()

    def close(self, closing: Closing) -> None:
        """Ends the connection; nothing more is sent."""
        if self.closing is None:
            self.closing = closing
            self.ending.set()
            self._changed.set()

    async def messages(self) -> AsyncGenerator[bytes]:
        """Binary messages as the pace permits; each counts as sent when it is yielded."""
        done: _Current | None = None
        while self.closing is None:
            current = self._current
            if current is None or current is done:
                self.pacer.idle()
                await self._change()
                continue
            async with aclosing(self._of(current)) as messages:
                async for message in messages:
                    yield message
            done = current

    def _forget_received(self, size: int) -> None:
        """The client's view accounts for the first ``size`` bytes. Raises Malformed."""
        if size > self.pacer.total:
            raise Malformed(f"bytes: {size} were not sent")
        while self._flying and next(iter(self._flying.values()))[1] <= size:
            self._flying.popitem(last=False)

    async def _of(self, current: _Current) -> AsyncGenerator[bytes]:
        """What one view lacks, until another view replaces it."""
        view, flying = current
        segments = missing_segments(view, self._version.top, self._version.layers, flying)
        for start in range(0, len(segments), READ_AHEAD):
            wanted = [segment for segment in segments[start : start + READ_AHEAD] if not await self._is_empty(segment)]
            async with aclosing(self._read(wanted)) as read:
                sent = 0
                async for segment, data in read:
                    if not await self._permitted(current):
                        self._counts.dropped(len(segments) - start - sent)
                        return
                    sent += 1
                    if data != b"":
                        yield self._packed(view, segment, data)
        if await self._permitted(current):
            message = HEAD.pack(view.number, 0, 0, COMPLETE, OK, 0)
            self.pacer.sent(len(message), self._clock())
            self._counts.sent(len(message), 0)
            yield message

    async def _is_empty(self, segment: Segment) -> bool:
        return await self._empty.contains(self._version, segment.address)

    async def _read(self, segments: Sequence[Segment]) -> AsyncGenerator[tuple[Segment, bytes | WavescopeError]]:
        requests = [BlockRequest(segment.address, range(segment.start, segment.stop)) for segment in segments]
        async with aclosing(self._source.get_many(self._version.digest, requests)) as answers:
            async for position, data in answers:
                if isinstance(data, StaleVersion):
                    self.close(STALE)
                    return
                yield segments[position], data

    async def _permitted(self, current: _Current) -> bool:
        """Waits until the pace permits another message; whether the view is still the newest then."""
        while True:
            if self.closing is not None or self._current is not current:
                return False
            if self.pacer.may_send():
                return True
            await self._change()

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def _packed(self, view: PushView, segment: Segment, data: bytes | WavescopeError) -> bytes:
        if isinstance(data, bytes):
            status, payload = OK, data
        else:
            status, payload = UNAVAILABLE if isinstance(data, Unavailable) else CORRUPT, str(data).encode()
        message = HEAD.pack(view.number, segment.start, segment.stop, segment.position, status, len(payload)) + payload
        end = self.pacer.sent(len(message), self._clock())
        if status == OK:
            self._flying[segment.address] = segment.stop, end
            self._flying.move_to_end(segment.address)
        self._counts.sent(len(message), int(status == OK))
        return message
