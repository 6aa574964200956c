"""Views, cursors and annotation changes: the last write wins, without numbers (SE17, SE18)."""

from __future__ import annotations

from collections.abc import Iterable

from wavescope.sessions.client_messages import CursorMessage, ViewMessage
from wavescope.sessions.groups import seen_by
from wavescope.sessions.model import Changes, Cursor, State, ViewEntry


def with_views(state: State, looks: Iterable[ViewEntry]) -> State:
    """The state with these views; the last in the list moved last. Views of another stage are ignored (SE16)."""
    views, groups = state.views, state.groups
    for look in looks:
        if look.stage == state.stage.number:
            views = _moved(views, look)
        elif groups:
            groups = tuple(
                one.model_copy(update={"views": _moved(one.views, look)}) if one.stage.number == look.stage else one
                for one in groups
            )
    return state.model_copy(update={"views": views, "groups": groups})


def _moved(views: tuple[ViewEntry, ...], look: ViewEntry) -> tuple[ViewEntry, ...]:
    return (*(one for one in views if one.pane != look.pane), look)


def with_cursors(state: State, cursors: Iterable[Cursor]) -> State:
    """The state with these cursors; hidden cursors are removed."""
    known = {one.by: one for one in state.cursors}
    for cursor in cursors:
        if cursor.hidden:
            known.pop(cursor.by, None)
        else:
            known[cursor.by] = cursor
    return state.model_copy(update={"cursors": tuple(known.values())})


def with_changes(state: State, changes: Changes) -> State:
    """The state with the newest change of a slide's annotations; the same state if it is not new."""
    known = {one.slide: one for one in state.annotations}
    older = known.get(changes.slide)
    if changes.slide not in {slide.id for slide in state.slides} or (older and older.sequence >= changes.sequence):
        return state
    return state.model_copy(update={"annotations": tuple({**known, changes.slide: changes}.values())})


def as_current(published: State, now: State) -> State:
    """A published state with the views, cursors and annotations of ``now`` that belong to its stage and members."""
    annotations = tuple(one for one in now.annotations if any(one.slide == slide.id for slide in published.slides))
    looks = {one.stage.number: one.views for one in now.groups}
    groups = tuple(one.model_copy(update={"views": looks.get(one.stage.number, one.views)}) for one in published.groups)
    published = published.model_copy(update={"annotations": annotations, "groups": groups})
    if published.stage.number != now.stage.number:
        return published
    here = {member.id for member in published.members}
    cursors = tuple(one for one in now.cursors if one.by in here)
    return published.model_copy(update={"views": now.views, "cursors": cursors})


def view_of(state: State, member_id: str, message: ViewMessage) -> ViewEntry | None:
    """The entry of ``views`` for a presenter's message; None: the message is ignored."""
    state = seen_by(state, member_id)
    fits = message.stage == state.stage.number and message.pane < len(state.stage.slides())
    if state.state != "live" or member_id != state.presenter or not fits:
        return None
    return ViewEntry(
        pane=message.pane,
        stage=message.stage,
        by=member_id,
        view=message.view,
        motion=message.motion,
        swipe=message.swipe,
    )


def cursor_of(state: State, member_id: str, message: CursorMessage) -> Cursor | None:
    """The entry of ``cursors`` for a member's message; None: the message is ignored."""
    state = seen_by(state, member_id)
    if message.stage != state.stage.number or message.pane >= len(state.stage.slides()):
        return None
    return Cursor(by=member_id, pane=message.pane, l0_x=message.l0_x, l0_y=message.l0_y, laser=message.laser)
