"""What waits to be sent to one connection: events and acks queue, ticks are merged (SE27)."""

from __future__ import annotations

from collections import deque

from wavescope.sessions import limits
from wavescope.sessions.model import Changes, Cursor, ViewEntry, to_json
from wavescope.sessions.server_messages import Tick


class Outbox:
    """``put`` and ``tick`` never wait; ``next_text`` returns the next text: events first, then the private message,
    then the tick.
    """

    def __init__(self, limit: int = limits.QUEUED) -> None:
        self._limit = limit
        self._queue: deque[str] = deque()
        self._tick: tuple[Tick, str | None] | None = None
        self._private: str | None = None
        self.overrun = False

    def put(self, text: str) -> None:
        """Adds an event or an ack. If too many wait, sets ``overrun``: the connection must be closed."""
        if len(self._queue) >= self._limit:
            self.overrun = True
            return
        self._queue.append(text)

    def tick(self, tick: Tick, text: str | None = None) -> None:
        """Adds a tick, or merges it into one that still waits. ``text``: the tick as JSON."""
        waiting = self._tick
        self._tick = (tick, text) if waiting is None else (merged(waiting[0], tick), None)

    def tell(self, private: str) -> None:
        """Adds what the member alone may know, in place of what still waits of it."""
        self._private = private

    def next_text(self) -> str | None:
        """The next text to send; None: there is none."""
        if self._queue:
            return self._queue.popleft()
        if self._private is not None:
            private, self._private = self._private, None
            return private
        if self._tick is None:
            return None
        tick, text = self._tick
        self._tick = None
        return to_json(tick) if text is None else text

    def __len__(self) -> int:
        return len(self._queue) + (self._private is not None) + (self._tick is not None)


def merged(older: Tick, newer: Tick) -> Tick:
    """Both ticks in one: the later entry of each pane, member and slide; of an older stage only the annotations."""
    same = older.stage == newer.stage
    looks: dict[int, ViewEntry] = {}
    cursors: dict[str, Cursor] = {}
    for one in (older, newer) if same else (newer,):
        for look in one.views or ():
            looks.pop(look.pane, None)
            looks[look.pane] = look
        cursors |= {cursor.by: cursor for cursor in one.cursors or ()}
    changes: dict[str, Changes] = {one.slide: one for one in (*(older.annotations or ()), *(newer.annotations or ()))}
    return Tick(
        time=newer.time,
        stage=newer.stage,
        views=tuple(looks.values()) or None,
        cursors=tuple(cursors.values()) or None,
        annotations=tuple(changes.values()) or None,
    )
