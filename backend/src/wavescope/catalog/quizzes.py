"""Quizzes, the attempts at them, and the answers (shared/spec/quizzes.md)."""

from __future__ import annotations

import secrets
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import Row, case, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.documents import Documents, document_record
from wavescope.catalog.lti.tables import ScoreRow
from wavescope.catalog.records import DocumentRecord
from wavescope.catalog.tables import AnswerRow, AttemptRow, DocumentRow, QuizRow, UserRow
from wavescope.errors import (
    AnswerGiven,
    AttemptOver,
    InvalidParameter,
    NoAttemptsLeft,
    UnknownAttempt,
    UnknownQuestion,
    UnknownQuiz,
)
from wavescope.quizzes.paper import shows_key

ANSWERS = select(AnswerRow.question_id, AnswerRow.answer, AnswerRow.share, AnswerRow.comment)


class Mark(NamedTuple):
    """What a person gave for an answer: ``share`` 0 to 1."""

    share: float
    comment: str


@dataclass(frozen=True)
class AttemptRecord:
    """One person's attempt; times in seconds since 1970, by the clock of the service. ``ends``: the time limit."""

    id: str
    quiz_id: str
    user_id: str
    number: int
    seed: int
    begun: float
    ends: float | None
    ended: float | None
    answers: Mapping[str, Mapping[str, Any]]
    marks: Mapping[str, Mark]

    def over(self, now: float) -> bool:
        """Whether the person or the clock has ended it."""
        return self.ended is not None or (self.ends is not None and now >= self.ends)


class Quizzes(Documents):
    """The quizzes of a catalog, with their attempts."""

    rows, unknown = QuizRow, UnknownQuiz

    def _deleted(self, session: Session, row: DocumentRow) -> None:
        forget_attempts(session, [row.id])

    def begin(self, quiz_id: str, user_id: str, now: float) -> AttemptRecord:
        """The person's running attempt, or else another one. Raises UnknownQuiz, NoAttemptsLeft."""
        with self._catalog.reading() as session:  # a class that comes back after a failure keeps nobody from writing
            last = _last(session, quiz_id, user_id)
            if last is not None and not (record := attempt_record(session, last)).over(now):
                return record
        try:
            return self._begin(quiz_id, user_id, now)
        except IntegrityError:  # the same attempt was begun elsewhere at this moment: it is the running one now
            return self._begin(quiz_id, user_id, now)

    def _begin(self, quiz_id: str, user_id: str, now: float) -> AttemptRecord:
        with self._catalog.writing(rights=False) as session:
            document = self._existing(session, quiz_id).document
            last = _last(session, quiz_id, user_id)
            if last is not None and not (record := attempt_record(session, last)).over(now):
                return record
            number = 1 if last is None else last.number + 1
            if document["attempts"] is not None and number > document["attempts"]:
                raise NoAttemptsLeft(document["attempts"])
            ends = None if document["seconds"] is None else now + document["seconds"]
            row = AttemptRow(
                id=uuid.uuid4().hex, quiz_id=quiz_id, user_id=user_id, number=number,
                seed=secrets.randbelow(2**31), begun=now, ends=ends, ended=None,
            )  # fmt: skip
            session.add(row)
            return attempt_record(session, row)

    def attempt(self, attempt_id: str, user_id: str) -> AttemptRecord:
        """A person's own. Raises UnknownAttempt."""
        with self._catalog.reading() as session:
            return attempt_record(session, _own(session, attempt_id, user_id))

    def attempts(self, quiz_id: str) -> list[tuple[AttemptRecord, str]]:
        """All attempts at a quiz, each with the name of its person; that of the one user of a machine is empty."""
        named = select(AttemptRow, UserRow.title).outerjoin(UserRow, UserRow.id == AttemptRow.user_id)
        answered = select(AnswerRow).join(AttemptRow, AttemptRow.id == AnswerRow.attempt_id)
        answers: defaultdict[str, list[AnswerRow]] = defaultdict(list)
        with self._catalog.reading() as session:
            for one in session.scalars(answered.where(AttemptRow.quiz_id == quiz_id).order_by(AnswerRow.question_id)):
                answers[one.attempt_id].append(one)
            found = session.execute(named.where(AttemptRow.quiz_id == quiz_id))
            return [(_record(row, answers[row.id]), title or "") for row, title in found]

    def last_attempts(self, user_id: str) -> Mapping[str, tuple[str, int]]:
        """For each quiz that the person has taken, its newest attempt: id and number."""
        with self._catalog.reading() as session:
            rows = session.scalars(select(AttemptRow).where(AttemptRow.user_id == user_id).order_by(AttemptRow.number))
            return {row.quiz_id: (row.id, row.number) for row in rows}

    def quiz_of(self, attempt_id: str, user_id: str) -> DocumentRecord:
        """The quiz of a person's own attempt. Raises UnknownAttempt."""
        taken = select(QuizRow).join(AttemptRow, AttemptRow.quiz_id == QuizRow.id)
        with self._catalog.reading() as session:
            row = session.scalar(taken.where(AttemptRow.id == attempt_id, AttemptRow.user_id == user_id))
            if row is None:
                raise UnknownAttempt(attempt_id)
            return document_record(row)

    def answer(
        self, attempt_id: str, user_id: str, question_id: str, answer: Mapping[str, Any], now: float, once: bool
    ) -> AttemptRecord:
        """Saves an answer; the stored one again changes nothing, at any time. ``once``: it cannot be changed. Others
        who write wait meanwhile: three statements.

        Raises UnknownAttempt, AttemptOver, AnswerGiven.
        """
        with self._catalog.writing(rights=False) as session:
            record = attempt_record(session, _own(session, attempt_id, user_id, locked=True))
            stored = record.answers.get(question_id)
            if stored == answer:
                return record
            if record.over(now):
                raise AttemptOver
            if stored is not None and once:
                raise AnswerGiven(question_id)
            key = {"attempt_id": attempt_id, "question_id": question_id}
            given = {"answer": dict(answer), "saved": now}
            if stored is None:
                session.execute(insert(AnswerRow).values(**key, **given))
            else:
                session.execute(update(AnswerRow).filter_by(**key).values(given))
        return replace(record, answers={**record.answers, question_id: answer})

    def mark(self, quiz_id: str, attempt_id: str, question_id: str, given: Mark, now: float) -> None:
        """Marks an answer of an attempt that is over, again or for the first time. A score that has gone to a learning
        platform goes again (LT28).

        Raises UnknownAttempt, UnknownQuestion (not answered), InvalidParameter (not over).
        """
        with self._catalog.writing(rights=False) as session:
            attempt = session.get(AttemptRow, attempt_id)
            if attempt is None or attempt.quiz_id != quiz_id:
                raise UnknownAttempt(attempt_id)
            if not attempt_record(session, attempt).over(now):
                raise InvalidParameter("attempt_id", attempt_id, "an attempt that is over")
            row = session.get(AnswerRow, (attempt_id, question_id))
            if row is None:
                raise UnknownQuestion(question_id)
            row.share, row.comment = given
            later = case((ScoreRow.created + 1 > now, ScoreRow.created + 1), else_=now)  # platforms count seconds
            again = {"state": "waiting", "tries": 0, "next": now, "created": later}
            session.execute(update(ScoreRow).where(ScoreRow.attempt_id == attempt_id).values(again))

    def end(self, attempt_id: str, user_id: str, now: float) -> AttemptRecord:
        """Ends the attempt; one that is over stays as it is. Raises UnknownAttempt."""
        with self._catalog.writing(rights=False) as session:
            row = _own(session, attempt_id, user_id, locked=True)
            if not attempt_record(session, row).over(now):
                row.ended = now
            return attempt_record(session, row)


def export_attempts(catalog: Catalog, user_id: str | None, now: float) -> list[dict[str, Any]]:
    """All attempts of a user with answers, and the authors' marks and comments that the user may see (QZ21) at ``now``;
    None: of everybody, for the one user of a machine.
    """
    query = select(AttemptRow, QuizRow.document).join(QuizRow, QuizRow.id == AttemptRow.quiz_id)
    if user_id is not None:
        query = query.where(AttemptRow.user_id == user_id)
    with catalog.reading() as session:
        found = session.execute(query.order_by(AttemptRow.begun))
        attempts = [(attempt_record(session, row), quiz) for row, quiz in found.all()]
    own = [(one, quiz, shows_key(quiz, one.number, one.over(now), answered=True)) for one, quiz in attempts]
    return [_exported(one, quiz, shown or user_id is None) for one, quiz, shown in own]


def _exported(one: AttemptRecord, quiz: Mapping[str, Any], shown: bool) -> dict[str, Any]:
    points = {question["id"]: question["points"] for question in quiz["questions"]}
    given = {name: mark for name, mark in one.marks.items() if shown and name in points}
    marks = {name: {"points": mark.share * points[name], "comment": mark.comment} for name, mark in given.items()}
    return {
        "quiz": one.quiz_id, "attempt": one.number, "begun": one.begun, "ended": one.ended, "answers": one.answers,
        "marks": marks,
    }  # fmt: skip


def forget_attempts(session: Session, quiz_ids: list[str]) -> None:
    """Deletes the attempts at these quizzes with their answers."""
    attempts = select(AttemptRow.id).where(AttemptRow.quiz_id.in_(quiz_ids))
    session.execute(delete(AnswerRow).where(AnswerRow.attempt_id.in_(attempts)))
    session.execute(delete(AttemptRow).where(AttemptRow.quiz_id.in_(quiz_ids)))


def forget_quizzes(session: Session, slide_id: str) -> None:
    """Deletes the quizzes of a slide with their attempts."""
    ids = list(session.scalars(select(QuizRow.id).where(QuizRow.slide_id == slide_id)))
    forget_attempts(session, ids)
    session.execute(delete(QuizRow).where(QuizRow.id.in_(ids)))


def _last(session: Session, quiz_id: str, user_id: str) -> AttemptRow | None:
    """The newest attempt of a person at a quiz."""
    own = select(AttemptRow).where(AttemptRow.quiz_id == quiz_id, AttemptRow.user_id == user_id)
    return session.scalar(own.order_by(AttemptRow.number.desc()).limit(1))


def _own(session: Session, attempt_id: str, user_id: str, locked: bool = False) -> AttemptRow:
    """A person's own. ``locked``: what else changes the attempt waits for this transaction."""
    row = session.get(AttemptRow, attempt_id, with_for_update=locked)
    if row is None or row.user_id != user_id:
        raise UnknownAttempt(attempt_id)
    return row


def attempt_record(session: Session, row: AttemptRow) -> AttemptRecord:
    """An attempt with its answers and marks."""
    answers = session.execute(ANSWERS.where(AnswerRow.attempt_id == row.id).order_by(AnswerRow.question_id))
    return _record(row, answers.all())


def _record(row: AttemptRow, answers: Sequence[AnswerRow | Row[Any]]) -> AttemptRecord:
    return AttemptRecord(
        row.id, row.quiz_id, row.user_id, row.number, row.seed, row.begun, row.ends, row.ended,
        {one.question_id: one.answer for one in answers},
        {one.question_id: Mark(one.share, one.comment or "") for one in answers if one.share is not None},
    )  # fmt: skip
