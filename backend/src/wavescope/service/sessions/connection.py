"""One window of one member, as a room knows it: what it may still send, and what waits to be sent to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from wavescope.access.principal import Principal
from wavescope.sessions.buckets import Bucket
from wavescope.sessions.messages import Ack, Refusal, Tick, written
from wavescope.sessions.outbox import Outbox

MESSAGES = (120, 240)  # a second, at once (SE28)
OPERATIONS = (10, 40)


class Closing(NamedTuple):
    """Why a connection ends (SE24)."""

    code: int
    reason: str


LEFT = Closing(1000, "left")
FAILED = Closing(1011, "the service failed")
MALFORMED = 4400
NOT_A_MEMBER = Closing(4401, "not a member of such a session")
REMOVED = Closing(4403, "removed by the owner")
NO_VERSION = Closing(4406, "no version in common")
SILENT = Closing(4408, "no hello in time")
REPLACED = Closing(4409, "too many connections of one member")
ENDED = Closing(4410, "the session has ended")
FLOODING = Closing(4429, "too many messages")
TOO_SLOW = Closing(4430, "too slow")


@dataclass(frozen=True)
class Person:
    """Who stands behind a member: an account or a browser's cookie."""

    identity: str  # user:ID or guest:ID
    kind: Literal["user", "guest"]
    principal: Principal


class Connection:
    """``take`` gives what is to be sent, until ``closing`` is set (``ending`` tells) and nothing waits any more."""

    def __init__(self, person: Person, client: str, now: int, recheck: Callable[[], Awaitable[Person | None]]) -> None:
        self.person, self.client, self.recheck, self.since = person, client, recheck, now
        self.member = ""
        self.closing: Closing | None = None
        self.messages, self.operations = Bucket(*MESSAGES, now), Bucket(*OPERATIONS, now)
        self._outbox = Outbox()
        self._wake = asyncio.Event()
        self.ending = asyncio.Event()

    @property
    def key(self) -> str:
        """Whose operations are counted together (SE20)."""
        return f"{self.member}/{self.client}"

    def put(self, text: str) -> None:
        """To be sent in order."""
        if self.closing is None:
            self._outbox.put(text)
            if self._outbox.overrun:
                self.close(TOO_SLOW)
            self._wake.set()

    def ack(self, ref: int, sequence: int, error: Refusal | None = None) -> None:
        self.put(written(Ack(ref=ref, sequence=sequence, error=error)))

    def tick(self, tick: Tick, text: str | None = None) -> None:
        """To be sent, or merged into what still waits."""
        if self.closing is None:
            self._outbox.tick(tick, text)
            self._wake.set()

    def close(self, closing: Closing) -> None:
        """What waits is sent first; nothing more is taken up."""
        if self.closing is None:
            self.closing = closing
            self.ending.set()
            self._wake.set()

    async def take(self) -> str | None:
        """The next text to send; None: the connection is to be closed."""
        while True:
            text = None if self.closing is TOO_SLOW else self._outbox.take()
            if text is not None or self.closing is not None:
                return text
            self._wake.clear()
            await self._wake.wait()
