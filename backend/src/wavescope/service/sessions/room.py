"""A room: one live session in memory. Messages change its state at once; events are stored, then told to all."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Literal

from wavescope.catalog.sessions.records import SessionSnapshot, StoredMember
from wavescope.errors import SessionFull, SessionLocked, UnknownSession
from wavescope.service.sessions.connection import (
    ENDED,
    FLOODING,
    LEFT,
    MALFORMED,
    NO_VERSION,
    NOT_A_MEMBER,
    Closing,
    Connection,
    Person,
)
from wavescope.service.sessions.connections import Connections
from wavescope.service.sessions.facts import facts_of, learned, record, stored_state
from wavescope.service.sessions.members import MemberRecords
from wavescope.service.sessions.persistence import ActivityWriter
from wavescope.service.sessions.pipeline import CLIENTS, Acked, Closed, Happened, Marked, Pipeline, Welcomed
from wavescope.service.sessions.ports import SessionPorts
from wavescope.service.sessions.recording import RoomRecorder
from wavescope.service.sessions.tick_broadcaster import TickBroadcaster
from wavescope.sessions import limits
from wavescope.sessions.decision import Decision
from wavescope.sessions.events import (
    AnyEvent,
    MemberChanged,
    RecordingChanged,
    StageChanged,
    TitleChanged,
    fold,
)
from wavescope.sessions.live import as_now, cursor_of, look_of, with_changes, with_cursors, with_looks
from wavescope.sessions.messages import (
    VERSIONS,
    AnyOperation,
    EventMessage,
    Hello,
    Leave,
    Looking,
    Malformed,
    Ping,
    Pointing,
    Pong,
    Refusal,
    SetStage,
    read_message,
    written,
)
from wavescope.sessions.model import Changes, State
from wavescope.sessions.operations import apply, ended, steer
from wavescope.sessions.presence import arrive, depart, join, restart, wait_over

RECHECK_MS = 15_000


class Room:
    """Use ``open``. All but ``receive`` and the keeping return at once; what they did is told soon after."""

    def __init__(self, snapshot: SessionSnapshot, state: State, ports: SessionPorts) -> None:
        self.id = state.id
        self.state = state
        self._ports = ports
        self._roster = MemberRecords(snapshot.members)
        self._refs = dict(snapshot.refs)
        for event in snapshot.events:
            if event.client is not None and event.ref is not None:
                self._refs[event.client] = max(event.ref, self._refs.get(event.client, 0))
        self._pipeline = Pipeline(state, snapshot.events, ports, self._live, self._heard, self._refs)
        self._pulse = TickBroadcaster(self._ticked, ports.clock)
        self._recorder = RoomRecorder(ports)
        self._traces = ActivityWriter(state, ports)
        self._here = Connections()
        self._moved = self._checked = 0
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, session_id: str, ports: SessionPorts) -> Room:
        """The session as it was left, with nobody there. Raises UnknownSession."""
        snapshot = await ports.elsewhere(ports.sessions.load, session_id)
        state = await stored_state(snapshot, ports)
        room = cls(snapshot, state, ports)
        await room._start()
        return room

    async def _start(self) -> None:
        await self._recorder.resume(self.state)
        self._decided(restart(self.state, self._now()))
        self._tasks = [asyncio.create_task(self._pipeline.run()), asyncio.create_task(self._pulse.run(self._shown))]

    async def stop(self) -> None:
        """Keeps all; connections are left to whoever holds them."""
        with contextlib.suppress(Exception):  # what cannot be kept now was told to nobody
            await self.settled()
            await self.keep(last=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def fail(self, cause: Exception) -> None:
        """Gives the room up: all connections are closed and come back to the state as it is stored."""
        self._pipeline.fail(cause)

    @property
    def failed(self) -> bool:
        """Something could not be stored; the room is to be opened anew."""
        return self._pipeline.failed is not None

    @property
    def told(self) -> State:
        """The state that is stored."""
        return self._pipeline.told

    @property
    def occupied(self) -> bool:
        return bool(self._here)

    # -- members

    def member_of(self, identity: str) -> str | None:
        """The member that somebody is."""
        return self._roster.member_of(identity)

    def removed(self, identity: str) -> bool:
        """Whether somebody was put out."""
        return self._roster.removed(identity)

    async def admit(self, person: Person, name: str) -> str:
        """The member that ``person`` is or becomes. Raises UnknownSession, SessionLocked, SessionFull."""
        if self.state.state == "ended" or self.removed(person.identity):
            raise UnknownSession
        known = self.member_of(person.identity)
        if known is not None:
            member = self.state.member(known)
            if member is not None and member.name != name:
                self._put(MemberChanged(member=member.model_copy(update={"name": name})), known)
                await self.settled()
            return known
        if self.state.settings.locked:
            raise SessionLocked
        if len(self.state.members) >= limits.MEMBERS:
            raise SessionFull(limits.MEMBERS)
        stored = self._roster.newcomer(person.identity, name)
        for event in join(self.state, stored.member, name, person.kind, self._now()).events:
            self._put(event, stored.member, joined=stored)
        await self.settled()
        return stored.member

    async def settled(self) -> None:
        """Returns when all that happened is stored."""
        mark = Marked()
        self._pipeline.put(mark)
        await mark.reached

    # -- connections

    def connect(self, connection: Connection, hello: Hello) -> None:
        """Lets somebody in who said hello, or closes the connection."""
        member = self.member_of(connection.person.identity)
        version = max((one for one in hello.versions if one in VERSIONS), default=None)
        if member is None:
            connection.close(NOT_A_MEMBER)
            return
        if self.state.state == "ended":
            connection.close(ENDED)
            return
        if version is None:
            connection.close(NO_VERSION)
            return
        self._here.come(connection, member)
        self._decided(arrive(self.state, member), member)
        self._pipeline.put(Welcomed(connection, hello, version, self._refs.get(connection.key, 0)))

    def disconnect(self, connection: Connection) -> None:
        """A connection has ended, whoever ended it."""
        self._pipeline.connections.discard(connection)
        if self._here.go(connection) and not self.failed:
            self._decided(depart(self.state, [connection.member], self._now()))

    async def receive(self, connection: Connection, text: str) -> None:
        """A message after ``hello``."""
        if not connection.messages.take(self._now()):
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
                connection.put(written(Pong(t=message.t, time=self._now())))
            case Looking():
                self._look(connection.member, message)
            case Pointing():
                cursor = cursor_of(self.state, connection.member, message)
                if cursor is not None and self.state.member(connection.member) is not None:
                    self.state = with_cursors(self.state, [cursor])
                    self._pulse.cursor(cursor)
            case _:
                await self._operate(connection, message)

    def _look(self, who: str, message: Looking) -> None:
        if who != self.state.presenter and self.state.settings.everyone_steers and self.state.member(who):
            if message.stage != self.state.stage.number:
                return
            self._decided(steer(self.state, who, facts_of(self._ports, self._moved)), who)
        look = look_of(self.state, who, message)
        if look is not None:
            self._moved = self._now()
            self.state = with_looks(self.state, [look])
            self._pulse.look(look)

    async def _operate(self, connection: Connection, operation: AnyOperation) -> None:
        who, ref = connection.member, operation.ref
        if not connection.operations.take(self._now()):
            self._pipeline.put(Acked(connection, ref, Refusal(code="too-fast", detail="too many operations")))
            return
        if ref <= self._refs.get(connection.key, 0):
            self._pipeline.put(Acked(connection, ref))
            return
        facts = await learned(self._ports, self.state, lambda: self._moved, connection.person, operation)
        decision = apply(self.state, operation, who, facts)
        if decision.refusal is None:
            self._refs[connection.key] = ref
            while len(self._refs) > CLIENTS:
                del self._refs[next(iter(self._refs))]
        if isinstance(operation, SetStage) and decision.events:
            self._moved = facts.now
        record(self._ports, self.state, connection.person, decision)
        self._decided(decision, who, connection.key, ref)
        self._pipeline.put(Acked(connection, ref, decision.refusal))
        if isinstance(operation, Leave) and decision.refusal is None:
            self._pipeline.put(Closed(self._here.all_of(who), LEFT))

    # -- what happens

    def change_title(self, title: str, code: str) -> None:
        """By the owner's other way in."""
        if (title, code) != (self.state.title, self.state.code):
            self._put(TitleChanged(title=title, code=code), self.state.owner)

    def end(self, reason: Literal["asked", "idle"]) -> None:
        self._decided(ended(self.state, reason))

    def annotated(self, slide_id: str, sequence: int) -> None:
        """A slide's annotations have changed (SE35)."""
        changes = Changes(slide=slide_id, sequence=sequence)
        state = with_changes(self.state, changes)
        if state is not self.state:
            self.state = state
            self._pulse.changes(changes)

    def _decided(
        self, decision: Decision, by: str | None = None, key: str | None = None, ref: int | None = None
    ) -> None:
        for event in decision.events:
            self._put(event, by, key, ref)

    def _put(
        self,
        event: AnyEvent,
        by: str | None,
        key: str | None = None,
        ref: int | None = None,
        joined: StoredMember | None = None,
    ) -> None:
        self.state = fold(self.state, event)
        if isinstance(event, StageChanged):
            self._pulse.drop()
        members = self._roster.heed(event, joined)
        message = EventMessage(sequence=self.state.sequence, time=self._now(), by=by, event=event)
        self._pipeline.put(Happened(message, key, ref, members))

    def _heard(self, message: EventMessage) -> None:
        """Told to all: the recording hears it too."""
        self._recorder.heard(self._live(self._pipeline.told), message)

    def _ticked(self, tick: Any) -> None:
        self._pipeline.to_all(tick)
        self._recorder.ticked(tick, self._now())

    def _live(self, told: State) -> State:
        return as_now(told, self.state)

    def _shown(self) -> State:
        return self.state

    def _now(self) -> int:
        return self._ports.clock()

    # -- keeping

    async def keep(self, *, last: bool = False) -> None:
        """Once a second: who waits long enough succeeds, what is new is kept, who may not be here goes."""
        now = self._now()
        self._decided(wait_over(self.state, now))
        if self._recorder.full:
            self._put(RecordingChanged(recording=None), None)
        if self._pipeline.to_be_saved or last:
            await self._pipeline.save()
        await self._traces.keep(self.state, occupied=self.occupied)
        await self._recorder.keep(self._live(self._pipeline.told))
        if now - self._checked >= RECHECK_MS and not last:
            self._checked = now
            await self.recheck()

    async def poll(self) -> None:
        """Annotations that other processes changed."""
        slides = [slide.id for slide in self.state.slides]
        for slide, sequence in (await self._ports.elsewhere(self._ports.sessions.annotated, slides)).items():
            self.annotated(slide, sequence)

    async def recheck(self) -> None:
        """Closes whoever may not be in any more (SE30)."""
        await self._here.recheck()
