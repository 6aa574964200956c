"""The push connections of a service: who may have one, and until when (WI113, WI114)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from wavescope.blocks.base import BlockSource
from wavescope.config import Limits
from wavescope.errors import StaleVersion, Unavailable, WavescopeError
from wavescope.service.access.authenticator import Credentials
from wavescope.service.push.connection import (
    FAILED,
    NOT_AVAILABLE,
    STALE,
    TOO_MANY,
    Closing,
    PushConnection,
    PushCounts,
)
from wavescope.service.push.empty_blocks import EmptyBlocks
from wavescope.service.push.messages import PushHello
from wavescope.service.push.pacing import Pacer
from wavescope.service.version_opener import Opened
from wavescope.store.version import SlideVersion

OpenVersion = Callable[[Credentials, str, str], Coroutine[Any, Any, Opened]]
"""See VersionOpener.open."""


class PushService:
    """``open_version`` is the gate; blocks come from ``source``."""

    def __init__(self, open_version: OpenVersion, source: BlockSource, limits: Limits) -> None:
        self._open_version, self._source, self._limits = open_version, source, limits
        self._empty = EmptyBlocks(source)
        self._open: dict[PushConnection, str] = {}
        self._clients: Counter[str] = Counter()
        self.counts = PushCounts()

    @property
    def connections(self) -> int:
        """Open now."""
        return len(self._open)

    @property
    def window(self) -> int:
        """Bytes: the windows of all open connections together."""
        return sum(one.pacer.window for one in self._open)

    async def check(self, credentials: Credentials, slide_id: str, digest: str) -> Opened | Closing:
        """The version, or why those with these credentials get nothing of it."""
        try:
            return await self._open_version(credentials, slide_id, digest)
        except StaleVersion:
            return STALE
        except Unavailable:  # what the client may do cannot be known now
            return FAILED
        except WavescopeError:
            return NOT_AVAILABLE

    def connect(self, client: str, version: SlideVersion, hello: PushHello) -> PushConnection | Closing:
        """A new connection; ``disconnect`` ends it. ``client``: whose connections are counted together."""
        if self._clients[client] >= self._limits.push_connections:
            return TOO_MANY
        round_trip = None if hello.round_trip is None else hello.round_trip / 1000
        pacer = Pacer(self._limits.push_window_min, self._limits.push_window_max, hello.rate, round_trip)
        connection = PushConnection(version, self._source, self._empty, pacer, self.counts)
        self._open[connection] = client
        self._clients[client] += 1
        self.counts.opened()
        return connection

    def disconnect(self, connection: PushConnection) -> None:
        """The connection has ended, for whatever reason."""
        client = self._open.pop(connection, None)
        if client is not None:
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]

    def revoked(self) -> None:
        """Rights were revoked: each connection checks its own at once (WI113)."""
        for connection in self._open:
            connection.recheck_now.set()

    def forget(self, slide: str) -> None:
        """A version was replaced, repaired or removed. From any thread."""
        self._empty.forget(slide)
