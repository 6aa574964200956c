"""What of a room goes into its recording."""

from __future__ import annotations

import contextlib

from wavescope.catalog.sessions.records import RecordingRecord
from wavescope.errors import UnknownRecording, UnknownSlide
from wavescope.service.sessions.ports import SessionPorts
from wavescope.service.sessions.recorder import Recorder
from wavescope.sessions.events import RecordingChanged
from wavescope.sessions.messages import EventMessage, Tick
from wavescope.sessions.model import State
from wavescope.sessions.recording import AnnotationsEntry, EventEntry

OBJECTS = 5000  # annotations in one entry


class RoomRecorder:
    """Begins and ends with the session's ``recording``; what it hears is kept once a second."""

    def __init__(self, ports: SessionPorts) -> None:
        self._ports = ports
        self._running: Recorder | None = None
        self._begun: list[tuple[Recorder, State]] = []
        self._ended: list[Recorder] = []

    @property
    def full(self) -> bool:
        """The recording has become too long or too large."""
        return self._running is not None and self._running.full

    async def resume(self, state: State) -> None:
        """A recording that ran when the service was lost goes on with the whole state; others are done."""
        recording = state.recording if state.state != "ended" else None
        await self._ports.elsewhere(self._ports.recordings.finish, state.id, recording.id if recording else "")
        if recording is None:
            return
        try:
            known = await self._ports.elsewhere(self._ports.recordings.get, recording.id)
        except UnknownRecording:  # it had just begun
            self._begin(state)
            return
        table = self._ports.recordings
        self._running = Recorder(table, known.id, recording.since, chunks=known.chunks, size=known.bytes)
        self._running.begin(state, self._ports.clock())

    def heard(self, state: State, message: EventMessage) -> None:
        """An event was told; ``state`` is the one after it."""
        running = self._running
        if running is not None:
            time = running.time(message.time)
            running.add(EventEntry(time=time, sequence=message.sequence, by=message.by, event=message.event))
        if isinstance(message.event, RecordingChanged):
            self._running = None
            if running is not None:
                self._ended.append(running)
            if message.event.recording is not None:
                self._begin(state)

    def ticked(self, tick: Tick, now: int) -> None:
        if self._running is not None:
            self._running.ticked(tick, now)

    async def keep(self, state: State) -> None:
        """Writes what is new."""
        begun, self._begun = self._begun, []
        for recorder, first in begun:
            await self._ports.elsewhere(self._ports.recordings.create, await self._record(recorder, first))
        ended, self._ended = self._ended, []
        for recorder in ended:
            await recorder.flush(done=True, elsewhere=self._ports.elsewhere)
        if self._running is not None:
            await self._annotations(self._running, state)
            await self._running.flush(elsewhere=self._ports.elsewhere)

    def _begin(self, state: State) -> None:
        assert state.recording is not None
        recorder = Recorder(self._ports.recordings, state.recording.id, state.recording.since)
        recorder.begin(state, self._ports.clock())
        self._running = recorder
        self._begun.append((recorder, state))

    async def _record(self, recorder: Recorder, state: State) -> RecordingRecord:
        session = await self._ports.elsewhere(self._ports.sessions.get, state.id)
        since = state.recording.since / 1000 if state.recording else 0.0
        slides = [slide.model_dump() for slide in state.slides]
        return RecordingRecord(
            recorder.id, state.id, session.owner, state.title, slides, since, 0, 0, 0, done=False, shared=False
        )

    async def _annotations(self, recorder: Recorder, state: State) -> None:
        """The annotations of the slides that are shown, and their changes."""
        newest = {one.slide: one.sequence for one in state.annotations}
        for slide in state.stage.slides():
            known = recorder.annotated.get(slide)
            if known is not None and known >= newest.get(slide, 0):
                continue
            with contextlib.suppress(UnknownSlide):
                changed, sequence = await self._ports.answers.annotations(slide, known)
                recorder.annotated[slide] = sequence
                time = recorder.time(self._ports.clock())
                for first in range(0, max(1, len(changed)), OBJECTS):
                    part = tuple(dict(one) for one in changed[first : first + OBJECTS])
                    recorder.add(AnnotationsEntry(time=time, slide=slide, changed=part))
