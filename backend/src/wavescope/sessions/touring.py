"""Makes a guided tour from a recording (SE40): the views at which something happened, with notes and annotations."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from wavescope.sessions.events import NoteMade
from wavescope.sessions.model import State, View
from wavescope.sessions.recording import AnnotationsEntry, AnyEntry, CursorsEntry, EventEntry, replayed

LONG_STOP_MS = 10_000  # a view that stayed so long is a waypoint, whatever happened
MIN_STOP_MS = 2000  # the same, if nothing happened in the whole recording
LATE_MS = 1000  # after which a change of an annotation is stored: the view may be another by then
RECENT_MS = 10_000  # after which the entry of a change comes at most
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
    annotations: dict[str, str] = field(default_factory=dict)  # names by ids
    pointed: bool = False  # with the laser

    @property
    def notable(self) -> bool:
        """Whether something happened there."""
        return self.step or self.pointed or bool(self.notes) or bool(self.annotations)

    @property
    def duration(self) -> int:
        """Milliseconds."""
        return self.ended - self.began


class StopFinder:
    """Collects the stops of a recording. Short ones are dropped as soon as nothing can happen at them any more."""

    def __init__(self) -> None:
        self._kept: list[Stop] = []
        self._recent: deque[Stop] = deque()
        self._pointing_out: dict[str, Stop] = {}  # the stop that points out an annotation

    @property
    def current(self) -> Stop | None:
        """The stop that is shown now."""
        return self._recent[-1] if self._recent and not self._recent[-1].ended else None

    def show(self, state: State, now: int) -> None:
        """Begins another stop if the view is another one."""
        look = next((one for one in state.views if one.pane == 0), None)
        step, slide = state.stage.tour is not None, state.stage.slide
        known = self.current
        if known is not None and look is not None and (known.slide, known.view, known.step) == (slide, look.view, step):
            return
        self._end(now, now - RECENT_MS)
        if look is not None:
            self._recent.append(Stop(slide, look.view, now, step))

    def point_out(self, entry: AnnotationsEntry, state: State) -> None:
        """Notes the changed annotations at the stops that were shown when they changed."""
        for one in entry.changed:
            known = self._pointing_out.pop(one["id"], None)
            if known is not None:
                del known.annotations[one["id"]]
            stop = self._at(entry.slide, _time_of(one, entry, state))
            if stop is not None and not one.get("deleted"):
                stop.annotations[one["id"]] = str((one.get("content") or {}).get("name", ""))
                self._pointing_out[one["id"]] = stop

    def finish(self, now: int) -> list[Stop]:
        """All stops, in order."""
        self._end(now, now + 1)
        return self._kept

    def _end(self, now: int, before: int) -> None:
        if self.current is not None:
            self.current.ended = now
        while self._recent and self._recent[0].ended < before:
            stop = self._recent.popleft()
            if stop.notable or stop.duration >= MIN_STOP_MS:
                self._kept.append(stop)

    def _at(self, slide: str, time: int) -> Stop | None:
        """The stop at the slide that was shown longest in the moment before this time."""

        def shown(stop: Stop) -> int:
            return min(time, stop.ended or time) - max(time - LATE_MS, stop.began)

        return max((stop for stop in self._recent if stop.slide == slide and shown(stop) >= 0), key=shown, default=None)


def stops_of(entries: Iterable[AnyEntry]) -> tuple[Stop, ...]:
    """The views that become waypoints, in order, at most 100."""
    found = StopFinder()
    state: State | None = None
    shown: set[str] = set()
    last = 0
    for entry in entries:
        state, last = replayed(state, [entry]), entry.time
        if state is None:
            continue
        found.show(state, entry.time)
        current = found.current
        if current is not None and isinstance(entry, EventEntry) and isinstance(entry.event, NoteMade):
            current.notes.append(entry.event.note.text)
        if current is not None and isinstance(entry, CursorsEntry):
            current.pointed |= any(one.laser and one.pane == 0 and not one.hidden for one in entry.cursors)
        if isinstance(entry, AnnotationsEntry):
            if entry.slide in shown:  # the first entry of a slide contains annotations that existed before
                found.point_out(entry, state)
            shown.add(entry.slide)
    return _select(found.finish(last))


def tour_of(entries: Iterable[AnyEntry], title: str) -> tuple[str, dict[str, Any]] | None:
    """The slide that the tour belongs to, and the tour (TO1); None: nothing was shown."""
    stops = stops_of(entries)
    if not stops:
        return None
    home = stops[0].slide
    waypoints = [_waypoint(number, stop, home) for number, stop in enumerate(stops, 1)]
    return home, {"format": "wavescope-tour", "version": 1, "title": title, "text": "", "waypoints": waypoints}


def _time_of(changed: dict[str, Any], entry: AnnotationsEntry, state: State) -> int:
    """When an annotation changed, in milliseconds since the recording began: before the entry was made."""
    try:
        at = datetime.fromisoformat(changed["updated"]).timestamp() * 1000
    except (KeyError, TypeError, ValueError):
        return entry.time
    return entry.time if state.recording is None else min(entry.time, max(0, int(at) - state.recording.since))


def _select(found: Sequence[Stop]) -> tuple[Stop, ...]:
    stops = [stop for stop in found if stop.notable or stop.duration >= LONG_STOP_MS]
    if not any(stop.notable for stop in stops):
        stops = [stop for stop in found if stop.duration >= MIN_STOP_MS]
    selected = sorted(stops, key=lambda stop: (not stop.notable, -stop.duration))[:STOPS]
    return tuple(sorted(selected, key=lambda stop: stop.began))


def _waypoint(number: int, stop: Stop, home: str) -> dict[str, Any]:
    text = "\n\n".join(stop.notes)[:TEXT]
    first = text.partition("\n")[0].strip()
    seconds = stop.began // 1000
    short = 0 < len(first) <= SHORT_TITLE and first.isprintable()
    named = next((name for name in stop.annotations.values() if name), "")
    return {
        "id": f"w{number}",
        "title": first if short else named[:SHORT_TITLE] or f"{seconds // 60}:{seconds % 60:02}",
        "text": "" if short and first == text else text,
        "slide": None if stop.slide == home else stop.slide,
        "view": stop.view.model_dump(mode="json"),
        "annotations": list(stop.annotations)[:POINTED_OUT],
        "marks": [],
    }
