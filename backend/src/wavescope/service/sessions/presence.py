"""Views and cursors of members: shown to all with the next tick, stored by nobody (SE17)."""

from __future__ import annotations

from collections.abc import Callable

from wavescope.service.sessions.environment import Environment
from wavescope.service.sessions.pipeline import Cause, Pipeline
from wavescope.service.sessions.tick_broadcaster import TickBroadcaster
from wavescope.sessions.client_messages import CursorMessage, ViewMessage
from wavescope.sessions.decision import Decision
from wavescope.sessions.groups import seen_by
from wavescope.sessions.live import cursor_of, view_of
from wavescope.sessions.operations import steer


class PresenceUpdates:
    """Of one session. ``change``: applies what a rule has decided."""

    def __init__(
        self,
        pipeline: Pipeline,
        ticks: TickBroadcaster,
        environment: Environment,
        change: Callable[[Decision, Cause], None],
    ) -> None:
        self._pipeline, self._ticks, self._environment, self._change = pipeline, ticks, environment, change
        self._moved: dict[str | None, int] = {}

    def moved(self, member_id: str) -> int:
        """When the presenter of the member's group, or of all, moved last: milliseconds since 1970 (SE18)."""
        return self._moved.get(self._group(member_id), 0)

    def note(self, member_id: str, now: int) -> None:
        """This member, who presents, has moved."""
        self._moved[self._group(member_id)] = now

    def look(self, member_id: str, message: ViewMessage) -> None:
        """A member has moved its view; while everyone may steer it becomes the presenter."""
        state = seen_by(self._pipeline.current, member_id)
        if member_id != state.presenter and state.settings.everyone_steers and state.member(member_id):
            if message.stage != state.stage.number:
                return
            facts = self._environment.facts(self.moved(member_id))
            self._change(steer(self._pipeline.current, member_id, facts), Cause(member_id))
        look = view_of(self._pipeline.current, member_id, message)
        if look is not None:
            self.note(member_id, self._environment.now())
            self._pipeline.show_view(look)
            self._ticks.add_view(look)

    def point(self, member_id: str, message: CursorMessage) -> None:
        """A member has moved its cursor."""
        cursor = cursor_of(self._pipeline.current, member_id, message)
        if cursor is not None and self._pipeline.current.member(member_id) is not None:
            self._pipeline.show_cursor(cursor)
            self._ticks.add_cursor(cursor)

    def _group(self, member_id: str) -> str | None:
        group = self._pipeline.current.group_of(member_id)
        return None if group is None else group.id
