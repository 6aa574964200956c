"""Makes a guided tour from a recording (SE40): the views that did not move, with notes and annotations made there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from wavescope.sessions.events import NoteMade
from wavescope.sessions.model import State, View
from wavescope.sessions.recording import AnnotationsEntry, AnyEntry, EventEntry, replayed

MIN_STOP_MS = 2000
STOPS = 100
SHORT_TITLE = 60
POINTED_OUT = 1000  # annotations of a waypoint (TO6)
TEXT = 20_000


@dataclass
class Stop:
    """A view that was shown for a while. ``began``, ``ended``: milliseconds since the recording began."""

    slide: str
    view: View
    began: int
    step: bool  # of a tour
    ended: int = 0
    notes: list[str] = field(default_factory=list)
    annotations: dict[str, None] = field(default_factory=dict)

    @property
    def notable(self) -> bool:
        """Whether it becomes a waypoint even if it was short."""
        return self.step or bool(self.notes)

    @property
    def duration(self) -> int:
        """Milliseconds."""
        return self.ended - self.began


def stops_of(entries: Iterable[AnyEntry]) -> tuple[Stop, ...]:
    """The views that become waypoints, in order, at most 100."""
    found: list[Stop] = []
    state: State | None = None
    current: Stop | None = None
    shown: set[str] = set()
    last = 0
    for entry in entries:
        state, last = replayed(state, [entry]), entry.time
        if state is None:
            continue
        stop = _stop_at(state, entry.time)
        if current is None or stop is None or (stop.slide, stop.view, stop.step) != _key(current):
            _close(found, current, entry.time)
            current = stop
        if current is not None and isinstance(entry, EventEntry) and isinstance(entry.event, NoteMade):
            current.notes.append(entry.event.note.text)
        if isinstance(entry, AnnotationsEntry):
            _point_out(current, entry, first=entry.slide not in shown)
            shown.add(entry.slide)
    _close(found, current, last)
    return _select(found)


def tour_of(entries: Iterable[AnyEntry], title: str) -> tuple[str, dict[str, Any]] | None:
    """The slide that the tour belongs to, and the tour (TO1); None: nothing was shown."""
    stops = stops_of(entries)
    if not stops:
        return None
    home = stops[0].slide
    waypoints = [_waypoint(number, stop, home) for number, stop in enumerate(stops, 1)]
    return home, {"format": "wavescope-tour", "version": 1, "title": title, "text": "", "waypoints": waypoints}


def _stop_at(state: State, now: int) -> Stop | None:
    look = next((one for one in state.views if one.pane == 0), None)
    return None if look is None else Stop(state.stage.slide, look.view, now, state.stage.tour is not None)


def _key(stop: Stop) -> tuple[str, View, bool]:
    return stop.slide, stop.view, stop.step


def _close(found: list[Stop], stop: Stop | None, now: int) -> None:
    if stop is not None:
        stop.ended = now
        if stop.notable or stop.duration >= MIN_STOP_MS:
            found.append(stop)


def _point_out(stop: Stop | None, entry: AnnotationsEntry, *, first: bool) -> None:
    """The first entry of a slide contains annotations that existed before: they are not pointed out."""
    if stop is None or first or entry.slide != stop.slide:
        return
    for one in entry.changed:
        if one.get("deleted"):
            stop.annotations.pop(one["id"], None)
        else:
            stop.annotations[one["id"]] = None


def _select(stops: Sequence[Stop]) -> tuple[Stop, ...]:
    selected = sorted(stops, key=lambda stop: (not stop.notable, -stop.duration))[:STOPS]
    return tuple(sorted(selected, key=lambda stop: stop.began))


def _waypoint(number: int, stop: Stop, home: str) -> dict[str, Any]:
    text = "\n\n".join(stop.notes)[:TEXT]
    first = text.partition("\n")[0].strip()
    seconds = stop.began // 1000
    short = 0 < len(first) <= SHORT_TITLE and first.isprintable()
    return {
        "id": f"w{number}",
        "title": first if short else f"{seconds // 60}:{seconds % 60:02}",
        "text": "" if short and first == text else text,
        "slide": None if stop.slide == home else stop.slide,
        "view": stop.view.model_dump(mode="json"),
        "annotations": list(stop.annotations)[:POINTED_OUT],
        "marks": [],
    }
