"""What is recorded of a live session: entries are collected in memory and written once a second (SE37)."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Sequence
from typing import Any

from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.catalog.sessions.records import RecordingRecord, StoredEvent
from wavescope.errors import UnknownRecording, UnknownSlide
from wavescope.service.sessions.environment import Environment
from wavescope.service.sessions.persistence import SessionStore, message_of
from wavescope.sessions.events import QUESTION_EVENTS, RecordingChanged
from wavescope.sessions.model import State
from wavescope.sessions.recording import (
    ENTRY,
    AnnotationsEntry,
    AnyEntry,
    CursorsEntry,
    EventEntry,
    StateEntry,
    ViewsEntry,
)
from wavescope.sessions.server_messages import EventMessage, Tick

CHUNK = 128 * 1024  # characters of JSON, after which another chunk begins
LONGEST_MS = 4 * 3600 * 1000
LARGEST = 64 << 20  # bytes of JSON
OBJECTS = 5000  # annotations in one entry


class RunningRecording:
    """One recording while it runs. ``since``: milliseconds since 1970; ``chunks``, ``size``: stored already."""

    def __init__(self, store: SessionStore, recording_id: str, since: int, *, chunks: int = 0, size: int = 0) -> None:
        self._store, self.id, self._since = store, recording_id, since
        self._number, self._size = chunks, size
        self._chunk: list[str] = []
        self._length = self._last = 0
        self._dirty = False
        self.annotations: dict[str, int] = {}  # the last recorded change of each slide

    def time(self, now: int) -> int:
        """Milliseconds since the recording began; never decreases."""
        return max(self._last, now - self._since)

    @property
    def full(self) -> bool:
        """Too large or too long to continue."""
        return self._size + self._length >= LARGEST or self._last >= LONGEST_MS

    def begin(self, state: State, now: int) -> None:
        """Adds the state to which all later entries are applied; without the session's code and the questions."""
        bare = state.model_copy(update={"code": "", "questions": ()})
        self.add(StateEntry(time=self.time(now), state=bare))

    def add(self, entry: AnyEntry) -> None:
        text = entry.model_dump_json()
        self._chunk.append(text)
        self._length += len(text)
        self._last, self._dirty = entry.time, True

    def add_event(self, message: EventMessage) -> None:
        """Questions are not recorded (SE58)."""
        if isinstance(message.event, QUESTION_EVENTS):
            return
        time = self.time(message.time)
        self.add(EventEntry(time=time, sequence=message.sequence, by=message.by, event=message.event))

    def add_tick(self, tick: Tick, now: int) -> None:
        if tick.views:
            self.add(ViewsEntry(time=self.time(now), views=tick.views))
        if tick.cursors:
            self.add(CursorsEntry(time=self.time(now), cursors=tick.cursors))

    async def write(self, *, done: bool = False) -> None:
        """Writes new entries; the last chunk is rewritten until it is large enough."""
        if not self._dirty and not done:
            return
        lines, length, number = list(self._chunk), self._length, self._number
        self._dirty = False
        fields = {"duration": self._last, "bytes": self._size + length, "chunks": number + bool(lines), "done": done}
        try:
            await self._store.run(self._write, number, lines, fields)
        except Exception:
            self._dirty = True
            raise
        if length >= CHUNK:
            del self._chunk[: len(lines)]
            self._length -= length
            self._size += length
            self._number = number + 1

    def _write(self, number: int, lines: list[str], fields: dict[str, Any]) -> None:
        table = self._store.recordings
        if lines:
            table.append(self.id, number, zlib.compress("\n".join(lines).encode(), 6), fields)
        else:
            table.change(self.id, fields)


class SessionRecorder:
    """Records one session while its state has a ``recording``."""

    def __init__(self, store: SessionStore, environment: Environment) -> None:
        self._store, self._environment = store, environment
        self._running: RunningRecording | None = None
        self._begun: list[tuple[RunningRecording, State]] = []  # without a row yet
        self._ended: list[RunningRecording] = []  # with entries to be written

    @property
    def full(self) -> bool:
        """The recording has become too long or too large."""
        return self._running is not None and self._running.full

    async def resume(self, state: State, events: Sequence[StoredEvent] = ()) -> None:
        """Continues a recording that ran when the service stopped, with the ``events`` of the session that it does not
        have yet and then the whole state; ends all others.
        """
        recording = state.recording if state.state != "ended" else None
        table = self._store.recordings
        await self._store.run(table.finish, state.id, recording.id if recording else "")
        if recording is None:
            return
        try:
            known = await self._store.run(table.get, recording.id)
        except UnknownRecording:  # the service stopped before the first write
            self._begin(state)
            return
        self._running = RunningRecording(self._store, known.id, recording.since, chunks=known.chunks, size=known.bytes)
        recorded = await self._store.run(last_sequence, table, known.id, known.chunks)
        for event in events:
            if recorded is not None and event.sequence > recorded:
                self._running.add_event(message_of(event))
        self._running.begin(state, self._environment.now())

    def add_event(self, state: State, message: EventMessage) -> None:
        """An event was published; ``state`` is the one after it."""
        running = self._running
        if running is not None:
            running.add_event(message)
        if isinstance(message.event, RecordingChanged):
            self._running = None
            if running is not None:
                self._ended.append(running)
            if message.event.recording is not None:
                self._begin(state)

    def add_tick(self, tick: Tick) -> None:
        """Views and cursors were published."""
        if self._running is not None:
            self._running.add_tick(tick, self._environment.now())

    async def write(self, state: State) -> None:
        """Writes what is new."""
        while self._begun:  # each stays until it is written
            recording, first = self._begun[0]
            await self._store.run(self._store.recordings.create, await self._record(recording, first))
            self._begun.pop(0)
        while self._ended:
            await self._ended[0].write(done=True)
            self._ended.pop(0)
        running = self._running
        if running is not None:
            await self._add_annotations(running, state)
            await running.write()

    def _begin(self, state: State) -> None:
        assert state.recording is not None
        self._running = RunningRecording(self._store, state.recording.id, state.recording.since)
        self._running.begin(state, self._environment.now())
        self._begun.append((self._running, state))

    async def _record(self, recording: RunningRecording, state: State) -> RecordingRecord:
        session = await self._store.get(state.id)
        since = state.recording.since / 1000 if state.recording else 0.0
        slides = [slide.model_dump() for slide in state.slides]
        return RecordingRecord(
            recording.id, state.id, session.owner, state.title, slides, since, 0, 0, 0, done=False, shared=False
        )

    async def _add_annotations(self, recording: RunningRecording, state: State) -> None:
        """Adds the annotations of the slides that are shown, later their changes."""
        newest = {one.slide: one.sequence for one in state.annotations}
        for slide in state.stage.slides():
            known = recording.annotations.get(slide)
            if known is not None and known >= newest.get(slide, 0):
                continue
            with contextlib.suppress(UnknownSlide):
                changed, sequence = await self._environment.annotations(slide, known)
                if self._running is not recording:  # it has ended meanwhile
                    return
                recording.annotations[slide] = sequence
                time = recording.time(self._environment.now())
                for first in range(0, max(1, len(changed)), OBJECTS):
                    part = tuple(dict(one) for one in changed[first : first + OBJECTS])
                    recording.add(AnnotationsEntry(time=time, slide=slide, changed=part))


def last_sequence(table: RecordingTable, recording_id: str, chunks: int) -> int | None:
    """The number of the last event that is recorded; None: it is in an earlier chunk. Waits for SQL."""
    body = table.chunk(recording_id, chunks - 1) if chunks else None
    for line in reversed(zlib.decompress(body).decode().split("\n") if body else []):
        entry = ENTRY.validate_json(line)
        if isinstance(entry, EventEntry):
            return entry.sequence
        if isinstance(entry, StateEntry):
            return entry.state.sequence
    return None
