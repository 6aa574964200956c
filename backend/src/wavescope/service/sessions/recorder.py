"""Writing a recording: entries gather in memory and are appended every second (SE37)."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from typing import Any

from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.sessions.messages import Tick
from wavescope.sessions.model import State
from wavescope.sessions.recording import AnyEntry, CursorsEntry, StateEntry, ViewsEntry

CHUNK = 128 * 1024  # characters of JSON, after which another chunk begins
LONGEST_MS = 4 * 3600 * 1000
LARGEST = 64 << 20  # bytes of JSON


class Recorder:
    """The recording of one session that runs."""

    def __init__(self, table: RecordingTable, recording_id: str, since: int, *, chunks: int = 0, size: int = 0) -> None:
        self._table, self.id, self._since = table, recording_id, since
        self._number, self._size = chunks, size
        self._chunk: list[str] = []
        self._length = self._last = 0
        self._fresh = False
        self.annotated: dict[str, int] = {}  # the newest change recorded of each slide

    def time(self, now: int) -> int:
        """Milliseconds since it began."""
        return max(self._last, now - self._since)

    @property
    def full(self) -> bool:
        return self._size + self._length >= LARGEST or self._last >= LONGEST_MS

    def begin(self, state: State, now: int) -> None:
        """The state to which all later entries are folded."""
        self.add(StateEntry(time=self.time(now), state=state.model_copy(update={"code": ""})))

    def add(self, entry: AnyEntry) -> None:
        """One more entry."""
        text = entry.model_dump_json()
        self._chunk.append(text)
        self._length += len(text)
        self._last, self._fresh = entry.time, True

    def ticked(self, tick: Tick, now: int) -> None:
        """What all were sent."""
        if tick.views:
            self.add(ViewsEntry(time=self.time(now), views=tick.views))
        if tick.cursors:
            self.add(CursorsEntry(time=self.time(now), cursors=tick.cursors))

    async def flush(self, *, done: bool = False, elsewhere: Callable[..., Any] = asyncio.to_thread) -> None:
        """Writes what is new; the last chunk is written again until it is large enough."""
        if not self._fresh and not done:
            return
        lines, length, number = list(self._chunk), self._length, self._number
        self._fresh = False
        fields = {"duration": self._last, "bytes": self._size + length, "chunks": number + bool(lines), "done": done}
        try:
            await elsewhere(self._write, number, lines, fields)
        except Exception:
            self._fresh = True
            raise
        if length >= CHUNK:
            del self._chunk[: len(lines)]
            self._length -= length
            self._size += length
            self._number = number + 1

    def _write(self, number: int, lines: list[str], fields: dict[str, Any]) -> None:
        if lines:
            self._table.append(self.id, number, zlib.compress("\n".join(lines).encode(), 6), fields)
        else:
            self._table.change(self.id, fields)
