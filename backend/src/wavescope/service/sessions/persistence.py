"""What is stored of live sessions: their rows, events and members, in one thread of its own (SE15, SE32)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from pydantic import ConfigDict, TypeAdapter

from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.catalog.sessions.records import (
    SessionRecord,
    SessionSnapshot,
    SessionUpdate,
    StoredBallot,
    StoredEvent,
    StoredMember,
    StoredVisit,
    VisitChange,
)
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.service.outages import CatalogRetry
from wavescope.sessions import limits
from wavescope.sessions.ballots import Ballot
from wavescope.sessions.events import (
    EVENT,
    PhaseChanged,
    SettingsChanged,
    SlidesChanged,
    StageChanged,
    TitleChanged,
    fold,
)
from wavescope.sessions.live import with_changes, with_views
from wavescope.sessions.model import Answer, Changes, Scene, State, ViewEntry, to_json
from wavescope.sessions.ownership import Lease
from wavescope.sessions.server_messages import EventMessage

TOUCH_MS = 15_000

P = ParamSpec("P")
Result = TypeVar("Result")
VIEWS_ADAPTER: TypeAdapter[tuple[ViewEntry, ...]] = TypeAdapter(
    tuple[ViewEntry, ...], config=ConfigDict(defer_build=True)
)
ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer, config=ConfigDict(defer_build=True))


@dataclass
class NewEvent:
    """An event to be stored; ``key`` and ``ref``: the client's operation that caused it; ``members``: changed rows;
    ``ballots``: answers that it does not show; ``visits``: members that come or go with it."""

    message: EventMessage
    key: str | None = None
    ref: int | None = None
    members: tuple[StoredMember, ...] = ()
    ballots: tuple[Ballot, ...] = ()
    visits: tuple[VisitChange, ...] = ()

    def stored(self) -> StoredEvent:
        """The row."""
        message = self.message
        return StoredEvent(message.sequence, message.time, message.by, self.key, self.ref, to_json(message.event))


@dataclass(frozen=True)
class LoadedSession:
    """A session as stored: the snapshot, and the state with all stored events applied."""

    snapshot: SessionSnapshot
    state: State


class SessionStore:
    """Reads and writes the tables of sessions and recordings. Methods wait for SQL in threads, not on the event loop.

    All writes use one thread of their own, so that they do not wait behind other work of the service.
    """

    def __init__(
        self,
        sessions: SessionTable,
        recordings: RecordingTable,
        retry: CatalogRetry,
        writer: ThreadPoolExecutor | None = None,
    ) -> None:
        self._sessions, self.recordings, self._retry = sessions, recordings, retry
        self._writer = writer or ThreadPoolExecutor(1, "sessions")

    def with_lease(self, lease: Lease) -> SessionStore:
        """The same for the owner of one session: its writes raise LeaseLost when another node owns the session."""
        sessions, recordings = self._sessions.with_lease(lease), self.recordings.with_lease(lease)
        return SessionStore(sessions, recordings, self._retry, self._writer)

    async def run(self, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Runs SQL in the thread of sessions."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, lambda: work(*args, **kwargs))

    def close(self) -> None:
        """Waits for writes that have begun."""
        self._writer.shutdown()

    # -- sessions, open or not

    async def create(self, record: SessionRecord, state: State, owner: StoredMember) -> None:
        """A new session, at sequence 0."""
        await self.run(self._sessions.create, record, to_json(state), _views_json(state), owner)

    async def get(self, session_id: str) -> SessionRecord:
        """Raises UnknownSession."""
        return await asyncio.to_thread(self._sessions.get, session_id)

    async def find_by_code(self, code: str) -> SessionRecord | None:
        """The session with this code that has not ended."""
        return await asyncio.to_thread(self._sessions.by_code, code)

    async def listed(self, identities: Sequence[str] | None) -> tuple[SessionRecord, ...]:
        """The sessions that one of these identities owns or is a member of, newest first; None: all."""
        return await asyncio.to_thread(self._sessions.listed, identities)

    async def idle(self, touched_before: float, created_before: float) -> tuple[str, ...]:
        """The ids of sessions that have not ended and are unused or too old. Times in seconds since 1970."""
        return await asyncio.to_thread(self._sessions.idle, touched_before, created_before)

    async def last_state(self, session_id: str) -> State:
        """The last saved state of a session that is not open. Raises UnknownSession."""
        return State.model_validate_json((await asyncio.to_thread(self._sessions.load, session_id)).state)

    async def change(self, session_id: str, fields: Mapping[str, Any]) -> None:
        """Changes fields of the session's row."""
        await self.run(self._sessions.update, session_id, SessionUpdate(fields=fields))

    async def delete(self, session_id: str) -> None:
        """Deletes a session with its events, members and recordings."""
        await self.run(self._sessions.delete, session_id)

    # -- open sessions

    async def load(self, session_id: str) -> LoadedSession:
        """The saved state with the later events, the views and the annotations. Raises UnknownSession."""
        snapshot = await self.run(self._sessions.load, session_id)
        state = State.model_validate_json(snapshot.state)
        for event in snapshot.events:
            if event.sequence > snapshot.sequence:
                state = fold(state, EVENT.validate_json(event.event))
        state = with_views(state.model_copy(update={"cursors": ()}), VIEWS_ADAPTER.validate_json(snapshot.views))
        for changes in await self.annotation_changes(snapshot.record.slides):
            state = with_changes(state, changes)
        return LoadedSession(snapshot, state)

    async def append(self, before: State, events: Sequence[NewEvent]) -> None:
        """Stores events and what changes with them, all or nothing; waits for a catalog that does not answer (OP45).

        ``before``: the state that is stored. Fails if the number of an event is already used. Raises LeaseLost.
        """
        members = [member for one in events for member in one.members]
        ballots = [_stored_ballot(ballot) for one in events for ballot in one.ballots]
        fields = _row_fields(before, (one.message for one in events))
        visits = [visit for one in events for visit in one.visits]
        update = SessionUpdate([one.stored() for one in events], members, fields, ballots, visits)
        await self._retry.run("store session events", lambda: self.run(self._sessions.update, before.id, update))

    async def save(self, state: State, refs: Mapping[str, int]) -> None:
        """Saves the whole state, so that earlier events are not needed to read it; deletes old events."""
        fields = {"sequence": state.sequence, "state": to_json(state), "refs": dict(refs)}
        await self.run(self._sessions.update, state.id, SessionUpdate(fields=fields))
        await self.run(self._sessions.trim, state.id, state.sequence - limits.RETAINED_EVENTS)

    async def visits(self, session_id: str) -> tuple[StoredVisit, ...]:
        """Who was present in a session, and when."""
        return await self.run(self._sessions.visits, session_id)

    async def end_visits(self, session_id: str, time: int) -> None:
        """Ends the visits that a lost service has left open."""
        await self.run(self._sessions.end_visits, session_id, time)

    async def annotation_changes(self, slides: Sequence[str]) -> list[Changes]:
        """The newest change of the annotations of each slide, also by other processes."""
        newest = await self.run(self._sessions.annotated, slides)
        return [Changes(slide=slide, sequence=sequence) for slide, sequence in newest.items()]


class ActivityWriter:
    """Stores the views of one session when they have changed, and every 15 s that members are connected."""

    def __init__(self, state: State, store: SessionStore) -> None:
        self._store = store
        self._views = state.views
        self._touched = 0

    async def write(self, state: State, now: int, *, occupied: bool) -> None:
        """``now``: milliseconds since 1970."""
        views = state.views
        fields: dict[str, Any] = {"touched": now / 1000} if occupied else {}
        if views != self._views:
            fields["views"] = _views_json(state)
        if len(fields) > 1 or (fields and now - self._touched >= TOUCH_MS):
            self._touched = now
            await self._store.change(state.id, fields)
            self._views = views


def message_of(one: StoredEvent) -> EventMessage:
    """A stored event as it was sent."""
    return EventMessage(sequence=one.sequence, time=one.time, by=one.by, event=EVENT.validate_json(one.event))


def ballots_of(snapshot: SessionSnapshot) -> list[Ballot]:
    """The answers as stored."""
    return [
        Ballot(one.item, one.member, None if one.answer is None else ANSWER.validate_json(one.answer))
        for one in snapshot.ballots
    ]


def _stored_ballot(ballot: Ballot) -> StoredBallot:
    return StoredBallot(ballot.item, ballot.member, None if ballot.answer is None else to_json(ballot.answer))


def _views_json(state: State) -> str:
    return "[" + ",".join(to_json(one) for one in state.views) + "]"


def _row_fields(before: State, messages: Iterable[EventMessage]) -> dict[str, Any]:
    """The columns of the session's row that repeat parts of the state, so that queries need not read the state. The
    tour is one of them only where another one is shown: its steps change no rights.
    """
    fields: dict[str, Any] = {}
    for message in messages:
        match message.event:
            case SettingsChanged(settings=settings):
                fields["annotating"] = settings.guests_annotate
            case SlidesChanged(slides=slides):
                fields["slides"] = [slide.id for slide in slides]
            case StageChanged(stage=stage):
                fields["tour"] = tour_id(stage)
            case TitleChanged(title=title, code=code):
                fields |= {"title": title, "code": code}
            case PhaseChanged(state="ended"):
                fields |= {"code": None, "ended": message.time / 1000}
    if fields.get("tour", ...) == tour_id(before.stage):
        del fields["tour"]
    return fields


def tour_id(scene: Scene) -> str | None:
    """The tour that is shown; None: none."""
    return None if scene.tour is None else scene.tour.id
