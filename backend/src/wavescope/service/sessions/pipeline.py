"""The state of a live session and the one order of its changes.

An event changes the current state at once; then it is stored, then sent to all, then acknowledged (SE15, SE20).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wavescope.catalog.sessions.records import StoredEvent, StoredMember, VisitChange
from wavescope.errors import LeaseLost
from wavescope.logs.loggers import get_logger
from wavescope.service.sessions.connections import (
    ENDED,
    FAILED,
    LEFT,
    MOVED,
    REMOVED,
    Closing,
    Connection,
    Connections,
    EventText,
)
from wavescope.service.sessions.persistence import LoadedSession, NewEvent, SessionStore, message_of
from wavescope.sessions import limits
from wavescope.sessions.attendance import comings
from wavescope.sessions.ballots import Ballot
from wavescope.sessions.client_messages import GROUPS_SINCE, Hello
from wavescope.sessions.events import GROUP_EVENTS, AnyEvent, HandsLowered, MemberGone, PhaseChanged, QuestionGone, fold
from wavescope.sessions.groups import seen_by
from wavescope.sessions.live import as_current, with_changes, with_cursors, with_views
from wavescope.sessions.model import Changes, Cursor, State, ViewEntry, to_json
from wavescope.sessions.server_messages import EventMessage, Refusal, Tick, Welcome

log = get_logger(__name__)

SAVE_EVERY = 200  # events
CLIENTS = 2000  # whose last operation is remembered


@dataclass(frozen=True)
class Cause:
    """Who caused an event: the member, and the operation of its client. All None: the service."""

    by: str | None = None
    key: str | None = None
    ref: int | None = None


@dataclass
class Acknowledgement:
    """An operation is acknowledged once everything before it is stored."""

    connection: Connection
    ref: int
    error: Refusal | None = None


@dataclass
class WelcomeItem:
    """A connection is welcomed, and receives events from here on."""

    connection: Connection
    hello: Hello
    version: int
    last_ref: int  # of the client, when it connected


@dataclass
class CloseItem:
    """These connections are closed."""

    connections: tuple[Connection, ...]
    closing: Closing


@dataclass
class Barrier:
    """A caller waits until everything before it is stored."""

    reached: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


@dataclass
class PrivateItem:
    """These connections learn what their members alone may know."""

    connections: tuple[Connection, ...]
    text: str


Item = PrivateItem | NewEvent | Acknowledgement | WelcomeItem | CloseItem | Barrier


class OperationRefs:
    """The number of the last operation of each client (SE20): the last one accepted, and the last one acknowledged."""

    def __init__(self, saved: Mapping[str, int], events: Iterable[StoredEvent]) -> None:
        self._accepted = dict(saved)
        for event in events:
            if event.client is not None and event.ref is not None:
                self._accepted[event.client] = max(event.ref, self._accepted.get(event.client, 0))
        self.acknowledged = dict(self._accepted)

    def last(self, key: str) -> int:
        """The last operation that was accepted; 0: none."""
        return self._accepted.get(key, 0)

    def accept(self, key: str, ref: int) -> None:
        """An operation was accepted; it may not be stored yet."""
        _advance(self._accepted, key, ref)

    def acknowledge(self, key: str, ref: int) -> None:
        """What an operation changed is stored."""
        _advance(self.acknowledged, key, ref)


class Pipeline:
    """Two states: ``current`` decides about new operations; ``published`` is stored and known to all clients.

    ``published_event`` is called with each event after it was sent; ``clock``: milliseconds since 1970.
    """

    def __init__(
        self,
        loaded: LoadedSession,
        store: SessionStore,
        connections: Connections,
        published_event: Callable[[EventMessage], None],
        clock: Callable[[], int],
    ) -> None:
        self.current = self.published = loaded.state
        self.refs = OperationRefs(loaded.snapshot.refs, loaded.snapshot.events)
        self.failure: Exception | None = None
        self._store, self._connections, self._clock = store, connections, clock
        self._published_event = published_event
        self._history: deque[tuple[int, EventText]] = deque(maxlen=limits.RETAINED_EVENTS)
        for one in loaded.snapshot.events:
            self._retain(message_of(one))
        self._items: list[Item] = []
        self._more = asyncio.Event()
        self._unsaved = 0

    # -- changes of the state

    def change(
        self,
        event: AnyEvent,
        cause: Cause,
        members: tuple[StoredMember, ...] = (),
        ballots: tuple[Ballot, ...] = (),
    ) -> None:
        """Applies an event to the current state and queues it. ``members``: the member rows that change with it;
        ``ballots``: the answers that are stored with it.
        """
        arrived, left = comings(self.current, event)
        self.current = fold(self.current, event)
        message = EventMessage(sequence=self.current.sequence, time=self._clock(), by=cause.by, event=event)
        visits = [VisitChange(member, message.time, member in arrived) for member in (*arrived, *left)]
        self.put(NewEvent(message, cause.key, cause.ref, members, ballots, tuple(visits)))

    def show_view(self, look: ViewEntry) -> None:
        """Replaces a view of the current state: views and cursors are neither numbered nor queued (SE17)."""
        self.current = with_views(self.current, [look])

    def show_cursor(self, cursor: Cursor) -> None:
        """Replaces a cursor of the current state."""
        self.current = with_cursors(self.current, [cursor])

    def annotate(self, changes: Changes) -> bool:
        """Notes the newest change of a slide's annotations; returns whether it is new to this session."""
        before, self.current = self.current, with_changes(self.current, changes)
        return self.current is not before

    @property
    def visible(self) -> State:
        """The published state with the newest views, cursors and annotations."""
        return as_current(self.published, self.current)

    # -- the queue

    def put(self, item: Item) -> None:
        """Queues an item."""
        if self.failure is not None:
            raise self.failure
        self._items.append(item)
        self._more.set()

    async def settled(self) -> None:
        """Returns when everything queued so far is stored and sent."""
        mark = Barrier()
        self.put(mark)
        await mark.reached

    async def run(self) -> None:
        """Until it is cancelled, or something cannot be stored: then all connections are closed."""
        while True:
            await self._more.wait()
            self._more.clear()
            await self._drain()

    async def _drain(self) -> None:
        """Stores the events that wait now, then handles all items in order."""
        batch, self._items = self._items, []
        try:
            events = [item for item in batch if isinstance(item, NewEvent)]
            if events:
                await self._store.append(self.published, events)
                self._unsaved += len(events)
        except Exception as error:
            self.fail(error, batch)
            raise
        for item in batch:
            self._handle(item)

    async def save(self, *, now: bool = False) -> None:
        """Saves the published state once there are enough new events, or ``now``."""
        if now or self._unsaved >= SAVE_EVERY:
            await self._store.save(self.published, self.refs.acknowledged)
            self._unsaved = 0

    def fail(self, error: Exception, batch: Sequence[Item] = ()) -> None:
        """Closes all connections; no further item is accepted."""
        if isinstance(error, LeaseLost):
            log.warning("live session is on another node now", session=self.published.id)
        else:
            log.error("live session failed", session=self.published.id, exc_info=error)
        self.failure = error
        for item in (*batch, *self._items):
            if isinstance(item, Barrier) and not item.reached.done():
                item.reached.set_exception(error)
        self._connections.close_all(MOVED if isinstance(error, LeaseLost) else FAILED)

    def _handle(self, item: Item) -> None:
        match item:
            case NewEvent(message=message):
                self._publish(message)
            case Acknowledgement():
                if item.error is None:
                    self.refs.acknowledge(item.connection.key, item.ref)
                item.connection.ack(item.ref, self.published.sequence, item.error)
            case WelcomeItem():
                self._welcome(item)
            case PrivateItem():
                for connection in item.connections:
                    connection.tell(item.text)
            case CloseItem():
                for connection in item.connections:
                    connection.close(item.closing)
            case Barrier():
                if not item.reached.done():
                    item.reached.set_result(None)

    def _publish(self, message: EventMessage) -> None:
        self.published = fold(self.published, message.event)
        self._connections.send(self._retain(message))
        self._published_event(message)
        match message.event:
            case MemberGone(member=member, reason=reason):
                leaving = tuple(one for one in self._connections.of(member) if one.welcomed)
                self._close_later(leaving, REMOVED if reason == "removed" else LEFT)
            case PhaseChanged(state="ended"):
                self._close_later(self._connections.welcomed(), ENDED)

    def _retain(self, message: EventMessage) -> EventText:
        """Stores the event for clients that resume; returns its JSON. Clients that know no groups get an event that
        changes nothing in place of one about groups. What tells of a question that is gone now is not sent again: such
        clients get the state (SE58).
        """
        if isinstance(message.event, QuestionGone):
            self._history.clear()
        text = older = to_json(message)
        if isinstance(message.event, GROUP_EVENTS):
            older = to_json(message.model_copy(update={"event": HandsLowered(members=())}))
        event = EventText(text, older)
        self._history.append((message.sequence, event))
        return event

    def _close_later(self, connections: tuple[Connection, ...], closing: Closing) -> None:
        """After the acknowledgement of the operation that caused it, which comes later in the order."""
        self.put(CloseItem(connections, closing))

    def _welcome(self, item: WelcomeItem) -> None:
        connection, since = item.connection, item.hello.sequence
        if connection.closing is not None:
            return
        missed = None if since is None else self._events_after(since, item.version)
        now = self.visible
        welcome = Welcome(
            version=item.version, you=connection.member, resumed=missed is not None,
            state=now if missed is None else None, last_ref=item.last_ref, tick_ms=limits.TICK_MS,
            time=self._clock(),
        )  # fmt: skip
        connection.welcome(to_json(welcome))
        for text in missed or ():
            connection.put(text)
        if missed is not None:
            seen = now if item.version < GROUPS_SINCE else seen_by(now, connection.member)
            tick = Tick(
                time=self._clock(), stage=seen.stage.number, views=seen.views, cursors=now.cursors,
                annotations=now.annotations,
            )  # fmt: skip
            connection.tick(tick)
        if self.published.state == "ended":
            connection.close(ENDED)

    def _events_after(self, since: int, version: int) -> list[str] | None:
        """The events after this number; None: some are not retained any more, or the number is in the future."""
        if since == self.published.sequence:
            return []
        if not self._history or not self._history[0][0] - 1 <= since < self.published.sequence:
            return None
        return [event.for_version(version) for sequence, event in self._history if sequence > since]


def _advance(refs: dict[str, int], key: str, ref: int) -> None:
    """Moves the client to the end of the order; the clients that were silent longest are forgotten."""
    refs[key] = max(ref, refs.pop(key, 0))
    while len(refs) > CLIENTS:
        del refs[next(iter(refs))]
