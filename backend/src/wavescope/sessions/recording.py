"""The entries of a recording (SE37), and its replay: entries are applied to the first state (SE38)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from wavescope.sessions.events import Event, fold
from wavescope.sessions.live import with_cursors, with_views
from wavescope.sessions.model import Count, Cursor, MemberId, SlideId, State, Value, ViewEntry


class Entry(Value):
    """``time``: milliseconds since the recording began."""

    time: Count


class StateEntry(Entry):
    """The state at the start of the recording, without the session's code."""

    kind: Literal["state"] = "state"
    state: State


class EventEntry(Entry):
    """A change of the state."""

    kind: Literal["event"] = "event"
    sequence: Count
    by: MemberId | None
    event: Event


class ViewsEntry(Entry):
    """The views that changed, as in the tick."""

    kind: Literal["views"] = "views"
    views: tuple[ViewEntry, ...]


class CursorsEntry(Entry):
    """The cursors that changed, as in the tick."""

    kind: Literal["cursors"] = "cursors"
    cursors: tuple[Cursor, ...]


class AnnotationsEntry(Entry):
    """Annotations of a slide that changed (objects as in AN2); the first entry of a slide contains all its objects."""

    kind: Literal["annotations"] = "annotations"
    slide: SlideId
    changed: tuple[dict[str, Any], ...]


AnyEntry = StateEntry | EventEntry | ViewsEntry | CursorsEntry | AnnotationsEntry
RecordingEntry = Annotated[AnyEntry, Field(discriminator="kind")]
ENTRY: TypeAdapter[AnyEntry] = TypeAdapter(RecordingEntry, config=ConfigDict(defer_build=True))


def replayed(state: State | None, entries: Iterable[AnyEntry]) -> State | None:
    """The state after these entries; None: there is no first state yet."""
    for entry in entries:
        match entry:
            case StateEntry():
                state = entry.state
            case EventEntry() if state is not None:
                state = fold(state, entry.event)
            case ViewsEntry() if state is not None:
                state = with_views(state, entry.views)
            case CursorsEntry() if state is not None:
                state = with_cursors(state, entry.cursors)
    return state
