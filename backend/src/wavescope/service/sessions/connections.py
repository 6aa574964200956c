"""Who is connected to a live session: its connections, what waits to be sent to each, and why one is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from wavescope.service.sessions.members import Person
from wavescope.sessions import limits
from wavescope.sessions.buckets import Bucket
from wavescope.sessions.client_messages import GROUPS_SINCE, VERSIONS
from wavescope.sessions.groups import Audience
from wavescope.sessions.model import to_json
from wavescope.sessions.outbox import Outbox
from wavescope.sessions.server_messages import Ack, Refusal, Tick

MESSAGES = (120, 240)  # a second, at once (SE28)
OPERATIONS = (10, 40)

Recheck = Callable[[], Awaitable[Person | None]]


class Closing(NamedTuple):
    """The WebSocket close code and reason (SE24)."""

    code: int
    reason: str


LEFT = Closing(1000, "left")
FAILED = Closing(1011, "the service failed")
MOVED = Closing(1012, "the session is on another node now")
MALFORMED = 4400
NOT_A_MEMBER = Closing(4401, "not a member of such a session")
REMOVED = Closing(4403, "")  # the reason is what the owner wrote (SE51)
NO_VERSION = Closing(4406, "no version in common")
SILENT = Closing(4408, "no hello in time")
REPLACED = Closing(4409, "too many connections of one member")
ENDED = Closing(4410, "the session has ended")
FLOODING = Closing(4429, "too many messages")
TOO_SLOW = Closing(4430, "too slow")


class EventText(NamedTuple):
    """An event as it is sent; ``older``: to clients that know no groups."""

    text: str
    older: str

    def for_version(self, version: int) -> str:
        return self.text if version >= GROUPS_SINCE else self.older


class Connection:
    """One window of one member: its rate limits and its outgoing messages.

    ``next_text`` returns the messages to send, until ``closing`` is set (``ending`` signals it) and none waits any
    more.
    """

    def __init__(
        self, person: Person, member: str, client: str, now: int, recheck: Recheck, version: int = VERSIONS[-1]
    ) -> None:
        self.person, self.member, self.client, self.since, self._recheck = person, member, client, now, recheck
        self.version = version
        self.welcomed = False
        self.closing: Closing | None = None
        self.messages, self.operations = Bucket(*MESSAGES, now), Bucket(*OPERATIONS, now)
        self._outbox = Outbox()
        self._wake = asyncio.Event()
        self.ending = asyncio.Event()

    async def check_access(self) -> None:
        """Closes the connection if its user or guest has no access any more (SE30)."""
        person = await self._recheck()
        if person is None or person.identity != self.person.identity:
            self.close(NOT_A_MEMBER)
        else:
            self.person = person

    def is_in(self, audience: Audience) -> bool:
        """Whether it shows what those in the audience look at. One that knows no groups stays with all (SE67)."""
        return audience.has(self.member) if self.version >= GROUPS_SINCE else audience.group is None

    @property
    def key(self) -> str:
        """The member's client; operations are numbered per client (SE20)."""
        return f"{self.member}/{self.client}"

    def put(self, text: str) -> None:
        """Adds a message that is sent in order. Too many waiting messages close the connection."""
        if self.closing is None:
            self._outbox.put(text)
            if self._outbox.overrun:
                self.close(TOO_SLOW)
            self._wake.set()

    def welcome(self, text: str) -> None:
        """Adds the first message; from now on the connection receives what is sent to all."""
        self.welcomed = True
        self.put(text)

    def ack(self, ref: int, sequence: int, error: Refusal | None = None) -> None:
        self.put(to_json(Ack(ref=ref, sequence=sequence, error=error)))

    def tick(self, tick: Tick, text: str | None = None) -> None:
        """Adds views and cursors, or merges them into those that still wait. ``text``: the tick as JSON."""
        if self.closing is None:
            self._outbox.tick(tick, text)
            self._wake.set()

    def tell(self, text: str) -> None:
        """Adds what the member alone may know, or replaces it while it still waits."""
        if self.closing is None:
            self._outbox.tell(text)
            self._wake.set()

    def close(self, closing: Closing) -> None:
        """Closes after the waiting messages are sent; later messages are ignored."""
        if self.closing is None:
            self.closing = closing
            self.ending.set()
            self._wake.set()

    async def next_text(self) -> str | None:
        """The next message to send; None: the connection is to be closed."""
        while True:
            text = None if self.closing is TOO_SLOW else self._outbox.next_text()
            if text is not None or self.closing is not None:
                return text
            self._wake.clear()
            await self._wake.wait()


class Connections:
    """All connections of one live session."""

    def __init__(self) -> None:
        self._all: set[Connection] = set()

    def __bool__(self) -> bool:
        return bool(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @property
    def members(self) -> int:
        """How many members are connected."""
        return len({one.member for one in self._all})

    def of(self, member: str) -> tuple[Connection, ...]:
        """The member's connections, also those that are being closed."""
        return tuple(one for one in self._all if one.member == member)

    def welcomed(self) -> tuple[Connection, ...]:
        """Those that receive what is sent to all."""
        return tuple(one for one in self._all if one.welcomed)

    def add(self, connection: Connection) -> None:
        """A new connection; a member that has too many loses its oldest one."""
        mine = [one for one in self.of(connection.member) if one.closing is None]
        if len(mine) >= limits.CONNECTIONS:
            min(mine, key=lambda one: one.since).close(REPLACED)
        self._all.add(connection)

    def remove(self, connection: Connection) -> bool:
        """A connection has ended, for whatever reason; returns whether it was the last one of its member."""
        connection.close(LEFT)
        self._all.discard(connection)
        return all(one.member != connection.member or one.closing is not None for one in self._all)

    def send(self, event: EventText) -> None:
        """Sends an event to all."""
        for connection in self.welcomed():
            connection.put(event.for_version(connection.version))

    def send_tick(self, tick: Tick, audience: Audience) -> None:
        """Sends views and cursors to an audience; the JSON is made once."""
        text = to_json(tick)
        for connection in self.welcomed():
            if connection.is_in(audience):
                connection.tick(tick, text)

    def close_all(self, closing: Closing) -> None:
        for connection in self._all:
            connection.close(closing)

    async def recheck(self) -> None:
        """Closes each connection whose user or guest has no access any more (SE30)."""
        for connection in list(self._all):
            await connection.check_access()
