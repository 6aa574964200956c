"""What the authors of a quiz see of all attempts at it, and the same as CSV (QZ22 to QZ24)."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from wavescope.annotations.table import harmless
from wavescope.catalog.quizzes import AttemptRecord
from wavescope.catalog.records import DocumentRecord
from wavescope.quizzes.marking import share_of, waits
from wavescope.quizzes.statistics import ItemStatistics, item_statistics


class AttemptResult(NamedTuple):
    """``shares``: of each question, 0 to 1, None without an answer or mark; ``points``: their sum;
    ``waiting``: how many answers have no mark yet.
    """

    record: AttemptRecord
    name: str
    over: bool
    shares: Mapping[str, float | None]
    points: float
    waiting: int

    @property
    def complete(self) -> bool:
        """Over and marked."""
        return self.over and self.waiting == 0


@dataclass(frozen=True)
class Results:
    """All attempts at a quiz, by name and number; ``items``: of the complete ones, for each question in its order."""

    quiz: DocumentRecord
    attempts: Sequence[AttemptResult]
    items: Sequence[ItemStatistics]

    @property
    def questions(self) -> Sequence[Mapping[str, Any]]:
        """As they are written."""
        found: Sequence[Mapping[str, Any]] = self.quiz.document["questions"]
        return found


def results_of(quiz: DocumentRecord, records: Sequence[tuple[AttemptRecord, str]], now: float) -> Results:
    """``records``: attempts with the names of their persons; ``now``: seconds since 1970."""
    questions = quiz.document["questions"]
    attempts = [result_of(questions, record, name, now) for record, name in records]
    attempts.sort(key=lambda one: (one.name.casefold(), one.record.user_id, one.record.number))
    shares = [[one.shares[question["id"]] or 0.0 for question in questions] for one in attempts if one.complete]
    return Results(quiz, attempts, item_statistics(shares, [question["points"] for question in questions]))


def result_of(questions: Sequence[Mapping[str, Any]], record: AttemptRecord, name: str, now: float) -> AttemptResult:
    """How right one attempt is."""
    given = {name: mark.share for name, mark in record.marks.items()}
    each = [(one, record.answers.get(one["id"]), given.get(one["id"])) for one in questions]
    shares = {one["id"]: share_of(one, answer, mark) for one, answer, mark in each}
    points = sum(one["points"] * (shares[one["id"]] or 0) for one in questions)
    return AttemptResult(record, name, record.over(now), shares, points, sum(waits(*one) for one in each))


def results_csv(results: Results) -> str:
    """One row an attempt, then the statistics; no spreadsheet interprets a cell as a formula (QZ24)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    questions = results.questions
    heads = [harmless(one["text"]) or one["id"] for one in questions]
    writer.writerow(["name", "attempt", "begun", "finished", "points", *heads])
    for one in results.attempts:
        earned = [_points(question, one.shares[question["id"]]) for question in questions]
        begun = datetime.fromtimestamp(one.record.begun, UTC).isoformat(timespec="seconds")
        finished = "no" if not one.over else "waiting for marking" if one.waiting else "yes"
        writer.writerow([harmless(one.name), one.record.number, begun, finished, _number(one.points), *earned])
    none = [""] * 4
    writer.writerow(["difficulty", *none, *(_number(item.difficulty) for item in results.items)])
    writer.writerow(["discrimination", *none, *(_number(item.discrimination) for item in results.items)])
    return "\ufeff" + out.getvalue()


def _points(question: Mapping[str, Any], share: float | None) -> str:
    return "" if share is None else _number(question["points"] * share)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")
