"""What is kept of a room now and then: who looks at what, and that somebody is there."""

from __future__ import annotations

from typing import Any

from wavescope.catalog.session_records import Kept
from wavescope.service.sessions.surroundings import Surroundings
from wavescope.sessions.messages import written
from wavescope.sessions.model import State

TOUCH_MS = 15_000


class Traces:
    """Writes views that have changed, and every TOUCH_MS that the room is occupied."""

    def __init__(self, state: State, around: Surroundings) -> None:
        self._around = around
        self._views = state.views
        self._touched = 0

    async def keep(self, state: State, *, occupied: bool) -> None:
        now, views = self._around.clock(), state.views
        fields: dict[str, Any] = {"touched": now / 1000} if occupied else {}
        if views != self._views:
            fields["views"] = "[" + ",".join(written(one) for one in views) + "]"
        if len(fields) > 1 or (fields and now - self._touched >= TOUCH_MS):
            self._touched = now
            await self._around.elsewhere(self._around.sessions.keep, state.id, Kept(fields=fields))
            self._views = views
