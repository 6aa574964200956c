"""The beat of views and cursors: what changed since the last tick goes out together, the first at once (SE15, SE29)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from wavescope.sessions import limits
from wavescope.sessions.messages import Tick
from wavescope.sessions.model import Changes, Cursor, Look, State


class TickBroadcaster:
    """Entries wait here until the next tick; later ones replace earlier ones."""

    def __init__(self, send: Callable[[Tick], None], clock: Callable[[], int], tick_ms: int = limits.TICK_MS) -> None:
        self._send, self._clock, self._pause = send, clock, tick_ms / 1000
        self._looks: dict[int, Look] = {}
        self._cursors: dict[str, Cursor] = {}
        self._changes: dict[str, Changes] = {}
        self._more = asyncio.Event()

    def look(self, look: Look) -> None:
        self._looks.pop(look.pane, None)  # the last of the list is the one moved last
        self._looks[look.pane] = look
        self._more.set()

    def cursor(self, cursor: Cursor) -> None:
        self._cursors[cursor.by] = cursor  # keeps its place: whoever waits longest goes first
        self._more.set()

    def changes(self, changes: Changes) -> None:
        self._changes[changes.slide] = changes
        self._more.set()

    def drop(self) -> None:
        """The stage has changed: what waits belongs to the old one."""
        self._looks.clear()
        self._cursors.clear()

    async def run(self, state: Callable[[], State]) -> None:
        """Until it is cancelled."""
        while True:
            await self._more.wait()
            self._more.clear()
            self.beat(state())
            await asyncio.sleep(self._pause)

    def beat(self, state: State) -> None:
        """Sends what waits now; cursors beyond the 32nd wait for the next."""
        if not (self._looks or self._cursors or self._changes):
            return
        order = sorted(self._cursors, key=lambda by: by != state.presenter)[: limits.TICK_CURSORS]
        cursors = tuple(self._cursors.pop(by) for by in order)
        tick = Tick(
            time=self._clock(),
            stage=state.stage.number,
            views=tuple(self._looks.values()) or None,
            cursors=cursors or None,
            annotations=tuple(self._changes.values()) or None,
        )
        self._looks.clear()
        self._changes.clear()
        if self._cursors:
            self._more.set()
        self._send(tick)
