"""Sends views and cursors: changes since the last tick go out together, the first one at once (SE15, SE29)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from wavescope.sessions import limits
from wavescope.sessions.model import Changes, Cursor, State, ViewEntry
from wavescope.sessions.server_messages import Tick


class TickBroadcaster:
    """Collects entries until the next tick; a later entry replaces an earlier one.

    ``state`` returns the current state; ``clock`` the time in milliseconds since 1970.
    """

    def __init__(self, send: Callable[[Tick], None], state: Callable[[], State], clock: Callable[[], int]) -> None:
        self._send, self._state, self._clock = send, state, clock
        self._views: dict[int, ViewEntry] = {}
        self._cursors: dict[str, Cursor] = {}
        self._changes: dict[str, Changes] = {}
        self._more = asyncio.Event()

    def add_view(self, look: ViewEntry) -> None:
        """A view has changed."""
        self._views.pop(look.pane, None)  # the last of the list is the one that moved last
        self._views[look.pane] = look
        self._more.set()

    def add_cursor(self, cursor: Cursor) -> None:
        """A cursor has moved; the member that waits longest is sent first."""
        self._cursors[cursor.by] = cursor
        self._more.set()

    def add_changes(self, changes: Changes) -> None:
        """The annotations of a slide have changed."""
        self._changes[changes.slide] = changes
        self._more.set()

    def clear(self) -> None:
        """The stage has changed: waiting views and cursors belong to the old one."""
        self._views.clear()
        self._cursors.clear()

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await self._more.wait()
            self._more.clear()
            self._tick()
            await asyncio.sleep(limits.TICK_MS / 1000)

    def _tick(self) -> None:
        """Sends what waits; the presenter's cursor first, cursors beyond the 32nd with the next tick."""
        if not (self._views or self._cursors or self._changes):
            return
        state = self._state()
        order = sorted(self._cursors, key=lambda by: by != state.presenter)[: limits.TICK_CURSORS]
        cursors = tuple(self._cursors.pop(by) for by in order)
        tick = Tick(
            time=self._clock(),
            stage=state.stage.number,
            views=tuple(self._views.values()) or None,
            cursors=cursors or None,
            annotations=tuple(self._changes.values()) or None,
        )
        self._views.clear()
        self._changes.clear()
        if self._cursors:
            self._more.set()
        self._send(tick)
