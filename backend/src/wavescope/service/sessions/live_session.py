"""An open live session in memory: messages change its state at once; events are stored, then sent to all."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from typing import Literal

from wavescope.catalog.sessions.records import StoredMember
from wavescope.errors import SessionFull, SessionLocked, UnknownSession
from wavescope.service.sessions.connections import (
    ENDED,
    FLOODING,
    LEFT,
    MALFORMED,
    NO_VERSION,
    NOT_A_MEMBER,
    REMOVED,
    Closing,
    Connection,
    Connections,
    Recheck,
)
from wavescope.service.sessions.environment import Environment
from wavescope.service.sessions.members import MemberRecords, Person
from wavescope.service.sessions.ownership import Claimed
from wavescope.service.sessions.persistence import ActivityWriter, LoadedSession, SessionStore, ballots_of
from wavescope.service.sessions.pipeline import Acknowledgement, Cause, CloseItem, Pipeline, WelcomeItem
from wavescope.service.sessions.presence import PresenceUpdates
from wavescope.service.sessions.private_messages import PrivateMessages
from wavescope.service.sessions.recorder import SessionRecorder
from wavescope.service.sessions.tick_broadcaster import TickBroadcaster
from wavescope.sessions import limits
from wavescope.sessions.ballots import Ballot
from wavescope.sessions.client_messages import (
    VERSIONS,
    AnyOperation,
    CursorMessage,
    Hello,
    Leave,
    Malformed,
    Ping,
    Remove,
    SetStage,
    ViewMessage,
    read_message,
)
from wavescope.sessions.decision import Decision, DeletedPoll
from wavescope.sessions.events import (
    GROUP_EVENTS,
    UNNAMED,
    AnyEvent,
    MemberChanged,
    MemberGone,
    PollDeleted,
    RecordingChanged,
    StageChanged,
    TitleChanged,
)
from wavescope.sessions.groups import Audience
from wavescope.sessions.model import Changes, Member, State, to_json
from wavescope.sessions.operations import apply, ended
from wavescope.sessions.ownership import Lease
from wavescope.sessions.presence import arrive, depart, join, restart, resume, wait_over
from wavescope.sessions.server_messages import EventMessage, Pong, Refusal, Tick

RECHECK_MS = 15_000
RETURN_MS = 5_000  # that members have to come back after another node has taken the session over
OCCUPIED_SECONDS = 60.0  # since a session that is stored was in use: its members may come back
SERVICE = Cause()


class LiveSession:
    """Use ``open``. Methods that are not async return at once; their effects are stored and sent soon after."""

    def __init__(
        self, loaded: LoadedSession, store: SessionStore, environment: Environment, lease: Lease | None = None
    ) -> None:
        self.id, self.lease = loaded.state.id, lease
        self._environment, self._store = environment, store
        self.connections = Connections()
        self._members = MemberRecords(loaded.snapshot.members)
        self._pipeline = Pipeline(loaded, store, self.connections, self._record_event, environment.now)
        self._ticks = TickBroadcaster(self._send_tick, lambda: self.state, environment.now)
        self._movements = PresenceUpdates(self._pipeline, self._ticks, environment, self._apply)
        self._private = PrivateMessages(self._pipeline, self.connections, ballots_of(loaded.snapshot))
        self._recorder = SessionRecorder(store, environment)
        self._activity = ActivityWriter(loaded.state, store)
        self._removed: dict[str, Member] = {}  # since the session was opened
        self._deleted: dict[str, DeletedPoll] = {}  # likewise, the last ones
        self._stored_events = loaded.snapshot.events
        self._touched = int(loaded.snapshot.record.touched * 1000)  # before it was opened
        self._absent_at: int | None = None  # when members that have not come back are absent
        self._checked = 0  # when access was checked: milliseconds since 1970
        self._storing = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(
        cls, session_id: str, store: SessionStore, environment: Environment, claimed: Claimed | None = None
    ) -> LiveSession:
        """The session as stored, with nobody connected. ``claimed``: on a node of a cluster. Raises UnknownSession."""
        store = store if claimed is None else store.with_lease(claimed.lease)
        loaded = await store.load(session_id)
        session = cls(loaded, store, environment, None if claimed is None else claimed.lease)
        unused = environment.clock() - loaded.snapshot.record.touched
        await session._start(returning=claimed is not None and claimed.handed and unused < OCCUPIED_SECONDS)
        return session

    async def _start(self, *, returning: bool) -> None:
        """``returning``: the members were connected a moment ago, to another node, and come back (CL25)."""
        await self._recorder.resume(self.state, self._stored_events)
        if not returning:
            await self._store.end_visits(self.id, self._touched)
        now = self._environment.now()
        self._apply(resume(self.state, now) if returning else restart(self.state, now))
        self._absent_at = now + RETURN_MS if returning else None
        self._tasks = [asyncio.create_task(self._pipeline.run()), asyncio.create_task(self._ticks.run())]
        for task in self._tasks:
            task.add_done_callback(self._note_end)

    async def stop(self) -> None:
        """Stores everything. The connections are not closed here."""
        with contextlib.suppress(Exception):  # what cannot be stored now was sent to nobody
            await self.settled()
            await self._store_changes(last=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _note_end(self, task: asyncio.Task[None]) -> None:
        """A task that ends by itself ends the session: its clients come back to a new one."""
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception) and not self.failed:
            self.fail(error)

    def fail(self, error: Exception) -> None:
        """Aborts: all connections are closed, and clients that come back get the state as stored."""
        self._pipeline.fail(error)

    @property
    def failed(self) -> bool:
        """Something could not be stored; the session must be opened again."""
        return self._pipeline.failure is not None

    @property
    def state(self) -> State:
        """The current state, which may not be stored yet."""
        return self._pipeline.current

    @property
    def published(self) -> State:
        """The state that is stored and known to all clients."""
        return self._pipeline.published

    @property
    def occupied(self) -> bool:
        """Whether anyone is connected."""
        return bool(self.connections)

    async def settled(self) -> None:
        """Returns when everything that happened is stored and sent."""
        await self._pipeline.settled()

    # -- members

    def member_of(self, identity: str) -> str | None:
        """The member id of this identity; None if it is not a member."""
        return self._members.member_of(identity)

    async def admit(self, person: Person, name: str) -> str:
        """Makes the person a member, if it is none; returns the member id.

        Raises UnknownSession, SessionLocked, SessionFull.
        """
        if self.state.state == "ended" or self._members.is_removed(person.identity):
            raise UnknownSession
        known = self.member_of(person.identity)
        if known is not None:
            member = self.state.member(known)
            if member is not None and member.name != name:
                self._change(MemberChanged(member=member.model_copy(update={"name": name})), Cause(known))
                await self.settled()
            return known
        if self.state.settings.locked:
            raise SessionLocked
        if len(self.state.members) >= limits.MEMBERS:
            raise SessionFull(limits.MEMBERS)
        record = self._members.newcomer(person.identity, name)
        for event in join(self.state, record.member, name, person.kind, self._environment.now()).events:
            self._change(event, Cause(record.member), record)
        await self.settled()
        return record.member

    # -- connections

    def rejection_of(self, identity: str) -> Closing | None:
        """Why this identity may not connect; None: it is a member."""
        if self.member_of(identity) is not None:
            return None
        return REMOVED if self._members.is_removed(identity) else NOT_A_MEMBER

    def connect(self, person: Person, hello: Hello, recheck: Recheck) -> Connection | Closing:
        """A new connection that has said hello, or why it is refused. ``recheck`` identifies the client again."""
        refusal = self.rejection_of(person.identity)
        member = self.member_of(person.identity)
        version = max((one for one in hello.versions if one in VERSIONS), default=None)
        if refusal is not None or member is None:
            return refusal or NOT_A_MEMBER
        if self.state.state == "ended":
            return ENDED
        if version is None:
            return NO_VERSION
        connection = Connection(person, member, hello.client, self._environment.now(), recheck, version)
        self.connections.add(connection)
        self._apply(arrive(self.state, member), Cause(member))
        self._pipeline.put(WelcomeItem(connection, hello, version, self._pipeline.refs.last(connection.key)))
        self._private.welcome(connection)
        return connection

    def disconnect(self, connection: Connection) -> None:
        """A connection has ended, for whatever reason."""
        if self.connections.remove(connection) and not self.failed:
            self._apply(depart(self.state, [connection.member], self._environment.now()))

    async def receive(self, connection: Connection, text: str) -> None:
        """Handles a message after ``hello``."""
        if not connection.messages.consume(self._environment.now()):
            connection.close(FLOODING)
            return
        try:
            message = read_message(text)
        except Malformed as cause:
            connection.close(Closing(MALFORMED, str(cause)))
            return
        match message:
            case Hello():
                connection.close(Closing(MALFORMED, "hello is said once"))
            case Ping():
                connection.put(to_json(Pong(t=message.t, time=self._environment.now())))
            case ViewMessage():
                self._movements.look(connection.member, message)
            case CursorMessage():
                self._movements.point(connection.member, message)
            case _:
                await self._operate(connection, message)

    async def _operate(self, connection: Connection, operation: AnyOperation) -> None:
        member_id, ref, refs = connection.member, operation.ref, self._pipeline.refs
        if not connection.operations.consume(self._environment.now()):
            refusal = Refusal(code="too-fast", detail="too many operations")
            self._pipeline.put(Acknowledgement(connection, ref, refusal))
            return
        if ref <= refs.last(connection.key):
            self._pipeline.put(Acknowledgement(connection, ref))
            return
        movements, person = self._movements, connection.person
        facts = await self._environment.facts_for(operation, self.state, person, lambda: movements.moved(member_id))
        facts = replace(facts, removed=self._removed, ballots=self._private.ballots, deleted=self._deleted)
        decision = apply(self.state, operation, member_id, facts)
        if decision.refusal is None:
            refs.accept(connection.key, ref)
        if isinstance(operation, SetStage) and decision.events:
            movements.note(member_id, facts.now)
        self._environment.audit(self.state, connection.person, decision)
        self._apply(decision, Cause(member_id, connection.key, ref))
        self._private.note(decision, member_id)
        self._pipeline.put(Acknowledgement(connection, ref, decision.refusal))
        if isinstance(operation, Leave) and decision.refusal is None:
            self._pipeline.put(CloseItem(self.connections.of(member_id), LEFT))
        if isinstance(operation, Remove) and decision.refusal is None:
            closing = Closing(REMOVED.code, operation.text)
            self._pipeline.put(CloseItem(self.connections.of(operation.member), closing))

    # -- changes

    def change_title(self, title: str, code: str) -> None:
        """Changes the title or the code, through the HTTP API of the owner."""
        if (title, code) != (self.state.title, self.state.code):
            self._change(TitleChanged(title=title, code=code), Cause(self.state.owner))

    def end(self, reason: Literal["asked", "idle"]) -> None:
        """Ends the session for all."""
        self._apply(ended(self.state, reason))

    def annotated(self, changes: Changes) -> None:
        """The annotations of a slide have changed (SE35)."""
        if self._pipeline.annotate(changes):
            self._ticks.add_changes(changes)

    def _apply(self, decision: Decision, cause: Cause = SERVICE) -> None:
        ballots = decision.ballots
        for event in decision.events:
            unnamed = replace(cause, by=None) if isinstance(event, UNNAMED) else cause
            self._change(event, unnamed, ballots=ballots)
            ballots = ()

    def _change(
        self, event: AnyEvent, cause: Cause, joined: StoredMember | None = None, ballots: tuple[Ballot, ...] = ()
    ) -> None:
        if isinstance(event, MemberGone) and event.reason == "removed":
            self._removed |= {one.id: one for one in self.state.members if one.id == event.member}
        if isinstance(event, PollDeleted) and (poll := self.state.poll(event.poll)) is not None:
            deleted = {**self._deleted, poll.id: DeletedPoll(poll, dict(self._private.ballots.of(poll.id)))}
            self._deleted = dict(list(deleted.items())[-limits.POLLS :])
        self._pipeline.change(event, cause, self._members.update(event, joined), ballots)
        if isinstance(event, (StageChanged, *GROUP_EVENTS)):
            self._ticks.clear()
        if isinstance(event, GROUP_EVENTS):  # who comes back from a group has not received what all looked at meanwhile
            for look in self.state.views:
                self._ticks.add_view(look)

    def _record_event(self, message: EventMessage) -> None:
        self._recorder.add_event(self._pipeline.visible, message)

    def _send_tick(self, tick: Tick, audience: Audience) -> None:
        self.connections.send_tick(tick, audience)
        if audience.group is None:  # a recording shows what all look at
            self._recorder.add_tick(tick)

    # -- once a second

    async def update(self) -> None:
        """Hands over from an absent presenter, stores what is new, and checks access every 15 s."""
        await self._store_changes()
        self._private.send_results()
        now = self._environment.now()
        if now - self._checked >= RECHECK_MS:
            self._checked = now
            await self.recheck()

    async def _store_changes(self, *, last: bool = False) -> None:
        async with self._storing:  # one after the other: a recording's chunks are written in order
            now = self._environment.now()
            if self._absent_at is not None and now >= self._absent_at:
                self._absent_at = None
                away = [one.id for one in self.state.members if not self.connections.of(one.id)]
                self._apply(depart(self.state, away, now))
            self._apply(wait_over(self.state, now))
            if self._recorder.full:
                self._change(RecordingChanged(recording=None), SERVICE)
            await self._pipeline.save(now=last)
            await self._activity.write(self.state, now, occupied=self.occupied)
            await self._recorder.write(self._pipeline.visible)

    async def recheck(self) -> None:
        """Closes the connections of users and guests that have no access any more (SE30)."""
        await self.connections.recheck()
