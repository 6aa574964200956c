"""Sends views and cursors: changes since the last tick go out together, the first one at once (SE15, SE29)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from wavescope.sessions import limits
from wavescope.sessions.groups import Audience, audiences
from wavescope.sessions.model import Changes, Cursor, State, ViewEntry
from wavescope.sessions.server_messages import Tick


class TickBroadcaster:
    """Collects entries until the next tick; a later entry replaces an earlier one. Each group gets ticks of its own,
    and so do those who are in none (SE63).

    ``state`` returns the current state; ``clock`` the time in milliseconds since 1970.
    """

    def __init__(
        self, send: Callable[[Tick, Audience], None], state: Callable[[], State], clock: Callable[[], int]
    ) -> None:
        self._send, self._state, self._clock = send, state, clock
        self._views: dict[tuple[int, int], ViewEntry] = {}  # by stage and pane
        self._cursors: dict[str, Cursor] = {}
        self._changes: dict[str, Changes] = {}
        self._more = asyncio.Event()

    def add_view(self, look: ViewEntry) -> None:
        """A view has changed."""
        key = look.stage, look.pane
        self._views.pop(key, None)  # the last of the list is the one that moved last
        self._views[key] = look
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
        """A stage has changed: waiting cursors may belong to the old one. Views say of which they are."""
        self._cursors.clear()

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await self._more.wait()
            self._more.clear()
            self._tick()
            await asyncio.sleep(limits.TICK_MS / 1000)

    def _tick(self) -> None:
        """Sends what waits."""
        changes = tuple(self._changes.values()) or None
        for audience in audiences(self._state()):
            seen = audience.seen
            views = tuple(one for one in self._views.values() if one.stage == seen.stage.number) or None
            cursors = self._next_cursors([by for by in self._cursors if audience.has(by)], seen.presenter)
            if views or cursors or changes:
                tick = Tick(
                    time=self._clock(), stage=seen.stage.number, views=views, cursors=cursors, annotations=changes
                )
                self._send(tick, audience)
        self._views.clear()
        self._changes.clear()
        if self._cursors:
            self._more.set()

    def _next_cursors(self, waiting: list[str], presenter: str | None) -> tuple[Cursor, ...] | None:
        """The presenter's first; those beyond the 32nd wait for the next tick."""
        order = sorted(waiting, key=lambda by: by != presenter)[: limits.TICK_CURSORS]
        return tuple(self._cursors.pop(by) for by in order) or None
