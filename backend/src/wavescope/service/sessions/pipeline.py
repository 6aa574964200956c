"""The one order of a session: what happened is stored first, then told to everybody, then acknowledged (SE15, SE20)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wavescope.catalog.sessions.records import Kept, StoredEvent, StoredMember
from wavescope.service.sessions.connection import ENDED, FAILED, LEFT, REMOVED, Closing, Connection
from wavescope.service.sessions.ports import SessionPorts
from wavescope.sessions import limits
from wavescope.sessions.events import (
    EVENT,
    AnyEvent,
    MemberGone,
    PhaseChanged,
    SettingsChanged,
    SlidesChanged,
    TitleChanged,
    fold,
)
from wavescope.sessions.messages import EventMessage, Hello, Refusal, Tick, Welcome, written
from wavescope.sessions.model import State

SNAPSHOT_EVERY = 200  # events
CLIENTS = 2000  # whose last operation is kept


@dataclass
class Happened:
    """An event; ``key`` and ``ref`` of the operation that made it; ``members``: rows that change with it."""

    message: EventMessage
    key: str | None = None
    ref: int | None = None
    members: tuple[StoredMember, ...] = ()


@dataclass
class Acked:
    """An operation is done once all before it is stored."""

    connection: Connection
    ref: int
    error: Refusal | None = None


@dataclass
class Welcomed:
    """A connection begins to be told, from here on."""

    connection: Connection
    hello: Hello
    version: int
    last_ref: int


@dataclass
class Closed:
    """These connections end."""

    connections: tuple[Connection, ...]
    closing: Closing


@dataclass
class Marked:
    """Somebody waits until all before is stored."""

    reached: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


Item = Happened | Acked | Welcomed | Closed | Marked


class Pipeline:
    """``told`` is the state that everybody has been told; the room's own may be ahead of it."""

    def __init__(
        self,
        told: State,
        history: Iterable[StoredEvent],
        ports: SessionPorts,
        live: Callable[[State], State],
        heard: Callable[[EventMessage], None],
        refs: Mapping[str, int],
    ) -> None:
        self.told = told
        self.connections: set[Connection] = set()
        self.failed: Exception | None = None
        self._ports, self._live, self._heard, self._refs = ports, live, heard, dict(refs)
        self._history: deque[tuple[int, str]] = deque(maxlen=limits.RETAINED_EVENTS)
        self._history.extend((one.sequence, _text(one)) for one in history)
        self._items: list[Item] = []
        self._more = asyncio.Event()
        self._unsaved = 0

    def put(self, item: Item) -> None:
        """Takes its place in the order."""
        if self.failed is not None:
            raise self.failed
        self._items.append(item)
        self._more.set()

    async def run(self) -> None:
        """Until it is cancelled, or something cannot be stored: then all connections are closed."""
        while True:
            await self._more.wait()
            self._more.clear()
            await self.drain()

    async def drain(self) -> None:
        """Stores and tells what waits now."""
        batch, self._items = self._items, []
        try:
            await self._store([item for item in batch if isinstance(item, Happened)])
        except Exception as cause:
            self.fail(cause, batch)
            raise
        for item in batch:
            self._tell(item)

    def to_all(self, tick: Tick) -> None:
        """Views and cursors, written once."""
        text = written(tick)
        for connection in self.connections:
            connection.tick(tick, text)

    async def save(self) -> None:
        """Keeps the whole state, so that the events before it are not needed to read it."""
        state = self.told
        fields = {"sequence": state.sequence, "state": written(state), "refs": dict(self._refs)}
        await self._ports.elsewhere(self._ports.sessions.keep, state.id, Kept(fields=fields))
        await self._ports.elsewhere(self._ports.sessions.trim, state.id, state.sequence - limits.RETAINED_EVENTS)
        self._unsaved = 0

    async def _store(self, happened: list[Happened]) -> None:
        if not happened:
            return
        events = [
            StoredEvent(
                one.message.sequence, one.message.time, one.message.by, one.key, one.ref, written(one.message.event)
            )
            for one in happened
        ]
        members = [member for one in happened for member in one.members]
        kept = Kept(events, members, row_fields([one.message for one in happened]))
        await self._ports.elsewhere(self._ports.sessions.keep, self.told.id, kept)
        self._unsaved += len(events)

    @property
    def to_be_saved(self) -> bool:
        return self._unsaved >= SNAPSHOT_EVERY

    def _tell(self, item: Item) -> None:
        match item:
            case Happened(message=message):
                self._tell_event(message)
            case Acked():
                if item.error is None:
                    self._refs[item.connection.key] = max(item.ref, self._refs.pop(item.connection.key, 0))
                    while len(self._refs) > CLIENTS:
                        del self._refs[next(iter(self._refs))]
                item.connection.ack(item.ref, self.told.sequence, item.error)
            case Welcomed():
                self._welcome(item)
            case Closed():
                for connection in item.connections:
                    connection.close(item.closing)
            case Marked():
                if not item.reached.done():
                    item.reached.set_result(None)

    def _tell_event(self, message: EventMessage) -> None:
        self.told = fold(self.told, message.event)
        text = written(message)
        self._history.append((message.sequence, text))
        for connection in self.connections:
            connection.put(text)
        self._heard(message)
        match message.event:
            case MemberGone(member=member, reason=reason):
                self._close(
                    [one for one in self.connections if one.member == member], REMOVED if reason == "removed" else LEFT
                )
            case PhaseChanged(state="ended"):
                self._close(self.connections, ENDED)

    def _close(self, connections: Iterable[Connection], closing: Closing) -> None:
        """After the ack of whoever asked, which comes later in the order."""
        self.put(Closed(tuple(connections), closing))

    def _welcome(self, item: Welcomed) -> None:
        connection, since = item.connection, item.hello.sequence
        if connection.closing is not None:
            return
        missed = None if since is None else self._after(since)
        now = self._live(self.told)
        welcome = Welcome(
            version=item.version, you=connection.member, resumed=missed is not None,
            state=now if missed is None else None, last_ref=item.last_ref, tick_ms=limits.TICK_MS,
            time=self._ports.clock(),
        )  # fmt: skip
        connection.put(written(welcome))
        for text in missed or ():
            connection.put(text)
        if missed is not None:
            tick = Tick(
                time=self._ports.clock(), stage=now.stage.number, views=now.views, cursors=now.cursors,
                annotations=now.annotations,
            )  # fmt: skip
            connection.tick(tick)
        if self.told.state == "ended":
            connection.close(ENDED)
        self.connections.add(connection)

    def _after(self, since: int) -> list[str] | None:
        """The events after this one; None: not all of them are here any more, or it has not been."""
        if since == self.told.sequence:
            return []
        if not self._history or not self._history[0][0] - 1 <= since < self.told.sequence:
            return None
        return [text for sequence, text in self._history if sequence > since]

    def fail(self, cause: Exception, batch: Sequence[Item] = ()) -> None:
        """Closes all connections; nothing more is taken up."""
        self.failed = cause
        for item in (*batch, *self._items):
            if isinstance(item, Marked) and not item.reached.done():
                item.reached.set_exception(cause)
            if isinstance(item, Welcomed):
                item.connection.close(FAILED)
        for connection in self.connections:
            connection.close(FAILED)


def row_fields(messages: Iterable[EventMessage]) -> dict[str, Any]:
    """What the session's row tells without its state being read."""
    fields: dict[str, Any] = {}
    for message in messages:
        match message.event:
            case SettingsChanged(settings=settings):
                fields["annotating"] = settings.guests_annotate
            case SlidesChanged(slides=slides):
                fields["slides"] = [slide.id for slide in slides]
            case TitleChanged(title=title, code=code):
                fields |= {"title": title, "code": code}
            case PhaseChanged(state="ended"):
                fields |= {"code": None, "ended": message.time / 1000}
    return fields


def _text(one: StoredEvent) -> str:
    event: AnyEvent = EVENT.validate_json(one.event)
    return written(EventMessage(sequence=one.sequence, time=one.time, by=one.by, event=event))
