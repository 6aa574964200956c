"""Which views of a recording become waypoints (SE40)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sessions.worlds import NOW, VIEW, session
from wavescope.sessions.events import NoteMade
from wavescope.sessions.model import Cursor, Note, Recording, ViewEntry
from wavescope.sessions.recording import (
    AnnotationsEntry,
    AnyEntry,
    CursorsEntry,
    EventEntry,
    StateEntry,
    ViewsEntry,
)
from wavescope.sessions.touring import tour_of

SINCE = NOW


def begun() -> StateEntry:
    return StateEntry(time=0, state=session().model_copy(update={"recording": Recording(id="r", since=SINCE)}))


def look(time: int, x: float) -> ViewsEntry:
    view = VIEW.model_copy(update={"l0_x": x})
    return ViewsEntry(time=time, views=(ViewEntry(pane=0, stage=1, by="m1", view=view),))


def changed(time: int, at: int, **members: Any) -> AnnotationsEntry:
    """An entry of ``time`` with an object that changed at ``at``."""
    updated = datetime.fromtimestamp((SINCE + at) / 1000, UTC).isoformat(timespec="milliseconds")
    one = {"id": "a1", "deleted": False, "updated": updated, "content": {"kind": "point", "name": "A duct"}} | members
    return AnnotationsEntry(time=time, slide="a", changed=(one,))


def note(time: int, text: str) -> EventEntry:
    return EventEntry(time=time, sequence=1, by="m1", event=NoteMade(note=Note(time=SINCE + time, by="m1", text=text)))


def stops(*entries: AnyEntry) -> list[tuple[str, float, list[str]]]:
    made = tour_of([begun(), *entries], "T")
    assert made is not None
    return [(one["title"], one["view"]["l0_x"], one["annotations"]) for one in made[1]["waypoints"]]


def test_a_waypoint_is_where_something_happened_not_where_the_picture_stood_a_moment_se40() -> None:
    there = AnnotationsEntry(time=0, slide="a", changed=())
    laser = CursorsEntry(time=12_500, cursors=(Cursor(by="m1", l0_x=1.0, l0_y=1.0, laser=True),))
    pointer = CursorsEntry(time=16_500, cursors=(Cursor(by="m1", l0_x=1.0, l0_y=1.0),))
    found = stops(
        look(100, 1.0), there,
        look(3000, 2.0), note(4000, "Look here"),
        look(8000, 3.0), changed(9000, 8900),
        look(12_000, 4.0), laser,
        look(16_000, 5.0), pointer,
        look(20_000, 6.0), look(31_000, 7.0), note(31_100, "End"),
    )  # fmt: skip
    assert found == [
        ("Look here", 2.0, []),
        ("A duct", 3.0, ["a1"]),
        ("0:12", 4.0, []),
        ("0:20", 6.0, []),  # it stayed for long
        ("End", 7.0, []),
    ]


def test_an_annotation_belongs_to_the_view_at_which_it_was_drawn_se40() -> None:
    there = AnnotationsEntry(time=0, slide="a", changed=())
    flight = [look(5000 + 30 * step, 10.0 + step) for step in range(20)]
    found = stops(look(100, 1.0), there, *flight, look(5700, 2.0), changed(6000, 5400), note(6500, "Next"))
    assert found == [("A duct", 1.0, ["a1"]), ("Next", 2.0, [])]
    gone = changed(9000, 8900, deleted=True, content=None)
    assert stops(look(100, 1.0), there, changed(2000, 1500), look(3000, 2.0), note(3100, "x"), gone)[0][0] == "x"


def test_where_nothing_happened_the_views_that_did_not_move_are_waypoints_se40() -> None:
    assert [x for _, x, _ in stops(look(100, 1.0), look(3000, 2.0), look(3100, 3.0), look(6000, 4.0))] == [1.0, 3.0]
