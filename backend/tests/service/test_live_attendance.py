"""Attendance of live sessions: visits as stored, and as the host sees them (SE59, SE60)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.sessions.export import export_ballots, export_visits
from wavescope.catalog.sessions.records import (
    SessionRecord,
    SessionUpdate,
    StoredBallot,
    StoredMember,
    StoredVisit,
    VisitChange,
)
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.service.sessions.attendance import attendance, attendance_csv

BEGUN = 1_790_000_000_000
MINUTE = 60_000


def record(*, touched: int = BEGUN, ended: float | None = None) -> SessionRecord:
    return SessionRecord(
        "5f" * 16, "7KQM2XWD", "user:ada", "T", None, True, False, ("visual",), BEGUN / 1000, touched / 1000, ended
    )  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SessionTable]:
    catalog = Catalog.open(tmp_path)
    made = SessionTable(catalog)
    made.create(record(), "{}", "[]", StoredMember("m1", "user:ada", "Ada"))
    yield made
    catalog.close()


def visits(table: SessionTable) -> list[tuple[str, int, int | None]]:
    return [(one.member, one.began - BEGUN, one.ended and one.ended - BEGUN) for one in table.visits("5f" * 16)]


def change(table: SessionTable, minutes: float, *, arrived: bool) -> None:
    visit = VisitChange("m1", BEGUN + int(minutes * MINUTE), arrived)
    table.update("5f" * 16, SessionUpdate(visits=[visit]))


def test_a_short_absence_does_not_end_a_visit_and_a_long_one_does_se59(table: SessionTable) -> None:
    change(table, 0, arrived=True)
    change(table, 0, arrived=True)
    change(table, 5, arrived=False)
    change(table, 5.5, arrived=True)
    assert visits(table) == [("m1", 0, None)]
    change(table, 10, arrived=False)
    change(table, 12, arrived=True)
    change(table, 11, arrived=False)  # the clock was set back: no visit ends before it began
    assert visits(table) == [("m1", 0, 10 * MINUTE), ("m1", 12 * MINUTE, 12 * MINUTE)]


def test_what_a_lost_service_has_left_open_ends_when_the_session_was_used_last_se59(table: SessionTable) -> None:
    change(table, 2, arrived=True)
    table.end_visits("5f" * 16, BEGUN + 7 * MINUTE)
    table.end_visits("5f" * 16, BEGUN + 9 * MINUTE)
    assert visits(table) == [("m1", 2 * MINUTE, 7 * MINUTE)]
    table.delete("5f" * 16)
    assert visits(table) == []


@pytest.mark.parametrize(
    ("touched", "ended", "now", "minutes", "present"),
    [(20, None, 20, 20, True), (20, None, 90, 20, False), (20, 1.0, 20, 20, False), (-1, None, 90, 0, False)],
)
def test_an_open_visit_lasts_until_now_only_while_the_session_is_in_use_se60(
    touched: int, ended: float | None, now: int, minutes: int, present: bool
) -> None:
    stored = [StoredVisit("m2", "guest:b", "Ben", BEGUN, None)]
    (ben,) = attendance(record(touched=BEGUN + touched * MINUTE, ended=ended), stored, BEGUN + now * MINUTE)
    assert (ben.seconds, ben.visits[-1].ended is None, ben.guest) == (minutes * 60, present, True)


def test_a_name_is_no_formula_in_the_file_se60() -> None:
    stored = [
        StoredVisit("m2", "guest:b", '=HYPERLINK("x")', BEGUN, BEGUN + MINUTE),
        StoredVisit("m1", "user:ada", "Ada, host", BEGUN, BEGUN + 2 * MINUTE),
        StoredVisit("m2", "guest:b", '=HYPERLINK("x")', BEGUN + 5 * MINUTE, BEGUN + 6 * MINUTE),
    ]
    text = attendance_csv(attendance(record(ended=1.0), stored, BEGUN))
    _, first, second = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert not first[0].startswith("=")
    assert (first[1], first[4:], second[0], second[5]) == ("yes", ["2", "2.0"], "Ada, host", "2.0")


def test_an_account_gets_its_own_visits_and_answers_and_nobody_elses_se61(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    table, poll = SessionTable(catalog), {"kind": "single", "question": "q", "options": ["a", "b"], "slide": None}
    state = json.dumps({"polls": [{**poll, "id": "d0" * 16, "answered": 2}]})
    table.create(record(), state, "[]", StoredMember("m1", "user:ada", "Ada"))
    ballots = [StoredBallot("d0" * 16, member, json.dumps({"choices": [1]})) for member in ("m1", "m2")]
    visits_ = [VisitChange(member, BEGUN, arrived=True) for member in ("m1", "m2")]
    members = [StoredMember("m2", "user:ben", "Ben")]
    table.update("5f" * 16, SessionUpdate(members=members, ballots=ballots, visits=visits_))
    (answer,) = export_ballots(catalog, "ben")
    assert (answer["poll"], answer["answer"]) == (poll, {"choices": [1]})
    (visit,) = export_visits(catalog, "ben")
    assert (visit["name"], visit["began"], visit["ended"]) == ("Ben", BEGUN, None)
    assert export_ballots(catalog, "eve") == export_visits(catalog, "eve") == []
    assert {"name", "member"}.isdisjoint(export_ballots(catalog, None)[0])
    catalog.close()
