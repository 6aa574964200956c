"""What is kept of a room now and then: who looks at what, and that somebody is there."""

from __future__ import annotations

from typing import Any

from wavescope.catalog.sessions.records import Kept
from wavescope.service.sessions.ports import SessionPorts
from wavescope.sessions.messages import written
from wavescope.sessions.model import State

TOUCH_MS = 15_000


class ActivityWriter:
    """Writes views that have changed, and every TOUCH_MS that the room is occupied."""

    def __init__(self, state: State, ports: SessionPorts) -> None:
        self._ports = ports
        self._views = state.views
        self._touched = 0

    async def keep(self, state: State, *, occupied: bool) -> None:
        now, views = self._ports.clock(), state.views
        fields: dict[str, Any] = {"touched": now / 1000} if occupied else {}
        if views != self._views:
            fields["views"] = "[" + ",".join(written(one) for one in views) + "]"
        if len(fields) > 1 or (fields and now - self._touched >= TOUCH_MS):
            self._touched = now
            await self._ports.elsewhere(self._ports.sessions.keep, state.id, Kept(fields=fields))
            self._views = views
