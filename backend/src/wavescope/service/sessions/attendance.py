"""Who was present in a live session and how long, for its host (SE60)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from wavescope.annotations.table import harmless
from wavescope.catalog.sessions.records import SessionRecord, StoredVisit
from wavescope.service.sessions.descriptions import Attendee, Visit
from wavescope.service.sessions.members import GUEST

SURE_MS = 60_000  # since a session was in use: its members are still present


def attendance(record: SessionRecord, stored: Iterable[StoredVisit], now: int) -> list[Attendee]:
    """In the order of the first arrival. ``now``: milliseconds since 1970."""
    touched = int(record.touched * 1000)
    over = record.ended is not None or now - touched > SURE_MS  # what is open was left open by a lost service
    people: dict[str, list[StoredVisit]] = {}
    for one in stored:
        ended = max(one.began, touched) if over and one.ended is None else one.ended
        people.setdefault(one.member, []).append(one._replace(ended=ended))
    return [_attendee(visits, now) for visits in people.values()]


def _attendee(stored: Sequence[StoredVisit], now: int) -> Attendee:
    first = stored[0]
    visits = [Visit(one.began, one.ended) for one in stored]
    total = sum(max(0, (now if one.ended is None else one.ended) - one.began) for one in visits)
    return Attendee(first.member, first.name, first.identity.startswith(GUEST), visits, total / 1000)


def attendance_csv(people: Iterable[Attendee]) -> str:
    """One row a person, times in UTC; no spreadsheet interprets a cell as a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["name", "guest", "first arrival", "last departure", "visits", "minutes"])
    for one in people:
        last = one.visits[-1].ended
        writer.writerow(
            [
                harmless(one.name), "yes" if one.guest else "no", _time(one.visits[0].began),
                "" if last is None else _time(last), len(one.visits), f"{one.seconds / 60:.1f}",
            ]
        )  # fmt: skip
    return "\ufeff" + out.getvalue()


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")
