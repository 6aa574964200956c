"""Quizzes, the attempts at them, and the answers (shared/spec/quizzes.md)."""

from __future__ import annotations

import secrets
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.slide_rows import existing
from wavescope.catalog.tables import AnswerRow, AttemptRow, CaseRow, QuizRow
from wavescope.errors import (
    AnswerGiven,
    AttemptOver,
    Conflict,
    NoAttemptsLeft,
    UnknownAttempt,
    UnknownCase,
    UnknownQuiz,
)


@dataclass(frozen=True)
class QuizRecord:
    """A quiz. ``document`` is what quizzes.md calls the quiz, with its keys."""

    id: str
    slide_id: str | None
    case_id: str | None
    title: str
    revision: int
    document: Mapping[str, Any]
    created: float
    updated: float


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

    def over(self, now: float) -> bool:
        """Whether the person or the clock has ended it."""
        return self.ended is not None or (self.ends is not None and now >= self.ends)


class Quizzes:
    """The quizzes of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def list(self, slide_id: str | None = None, case_id: str | None = None) -> tuple[QuizRecord, ...]:
        """The quizzes of a slide or of a case, or all, by title."""
        wanted = [QuizRow.slide_id == slide_id] if slide_id is not None else []
        wanted += [QuizRow.case_id == case_id] if case_id is not None else []
        with self._catalog.reading() as session:
            rows = session.scalars(select(QuizRow).where(*wanted).order_by(QuizRow.title, QuizRow.id))
            return tuple(_record(row) for row in rows)

    def get(self, quiz_id: str) -> QuizRecord:
        """Raises UnknownQuiz."""
        with self._catalog.reading() as session:
            return _record(_existing(session, quiz_id))

    def create(self, document: Mapping[str, Any], slide_id: str | None, case_id: str | None) -> QuizRecord:
        """Raises UnknownSlide, UnknownCase."""
        now = time.time()
        with self._catalog.writing() as session:
            if slide_id is not None:
                existing(session, slide_id)
            if case_id is not None and session.get(CaseRow, case_id) is None:
                raise UnknownCase(case_id)
            row = QuizRow(
                id=uuid.uuid4().hex, slide_id=slide_id, case_id=case_id, title=document["title"], revision=1,
                document=dict(document), created=now, updated=now,
            )  # fmt: skip
            session.add(row)
            return _record(row)

    def save(self, quiz_id: str, document: Mapping[str, Any], revision: int) -> QuizRecord:
        """Replaces the document if ``revision`` is still the newest. Raises UnknownQuiz, Conflict."""
        with self._catalog.writing() as session:
            row = _at(session, quiz_id, revision)
            row.title, row.document = document["title"], dict(document)
            row.revision, row.updated = row.revision + 1, time.time()
            return _record(row)

    def delete(self, quiz_id: str, revision: int) -> None:
        """With its attempts. Raises UnknownQuiz, Conflict."""
        with self._catalog.writing() as session:
            row = _at(session, quiz_id, revision)
            forget_attempts(session, [row.id])
            session.delete(row)

    def begin(self, quiz_id: str, user_id: str, now: float) -> tuple[AttemptRecord, bool]:
        """The person's running attempt, or else another one, and whether it is new. Raises UnknownQuiz,
        NoAttemptsLeft.
        """
        with self._catalog.writing(rights=False) as session:
            document = _existing(session, quiz_id).document
            own = select(AttemptRow).where(AttemptRow.quiz_id == quiz_id, AttemptRow.user_id == user_id)
            last = session.scalar(own.order_by(AttemptRow.number.desc()).limit(1))
            if last is not None and not (record := _attempt(session, last)).over(now):
                return record, False
            number = 1 if last is None else last.number + 1
            if document["attempts"] is not None and number > document["attempts"]:
                raise NoAttemptsLeft(document["attempts"])
            ends = None if document["seconds"] is None else now + document["seconds"]
            row = AttemptRow(
                id=uuid.uuid4().hex, quiz_id=quiz_id, user_id=user_id, number=number,
                seed=secrets.randbelow(2**31), begun=now, ends=ends, ended=None,
            )  # fmt: skip
            session.add(row)
            return _attempt(session, row), True

    def attempt(self, attempt_id: str, user_id: str) -> AttemptRecord:
        """A person's own. Raises UnknownAttempt."""
        with self._catalog.reading() as session:
            return _attempt(session, _own(session, attempt_id, user_id))

    def last_attempts(self, user_id: str) -> Mapping[str, tuple[str, int]]:
        """For each quiz that the person has taken, its newest attempt: id and number."""
        with self._catalog.reading() as session:
            rows = session.scalars(select(AttemptRow).where(AttemptRow.user_id == user_id).order_by(AttemptRow.number))
            return {row.quiz_id: (row.id, row.number) for row in rows}

    def answer(
        self, attempt_id: str, user_id: str, question_id: str, answer: Mapping[str, Any], now: float, once: bool
    ) -> AttemptRecord:
        """Saves an answer; the stored one again changes nothing, at any time. ``once``: it cannot be changed.

        Raises UnknownAttempt, AttemptOver, AnswerGiven.
        """
        with self._catalog.writing(rights=False) as session:
            attempt = _own(session, attempt_id, user_id)
            row = session.get(AnswerRow, (attempt_id, question_id))
            if row is None or row.answer != answer:
                if _attempt(session, attempt).over(now):
                    raise AttemptOver
                if row is not None and once:
                    raise AnswerGiven(question_id)
                session.merge(AnswerRow(attempt_id=attempt_id, question_id=question_id, answer=dict(answer), saved=now))
                session.flush()
            return _attempt(session, attempt)

    def end(self, attempt_id: str, user_id: str, now: float) -> AttemptRecord:
        """Ends the attempt; one that is over stays as it is. Raises UnknownAttempt."""
        with self._catalog.writing(rights=False) as session:
            row = _own(session, attempt_id, user_id)
            if not _attempt(session, row).over(now):
                row.ended = now
            return _attempt(session, row)


def export_attempts(catalog: Catalog, user_id: str | None) -> list[dict[str, Any]]:
    """All attempts of a user with the answers; None: of everybody, for the one user of a machine."""
    query = select(AttemptRow).order_by(AttemptRow.begun)
    if user_id is not None:
        query = query.where(AttemptRow.user_id == user_id)
    with catalog.reading() as session:
        records = [_attempt(session, row) for row in session.scalars(query)]
    return [
        {"quiz": one.quiz_id, "attempt": one.number, "begun": one.begun, "ended": one.ended, "answers": one.answers}
        for one in records
    ]


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


def _existing(session: Session, quiz_id: str) -> QuizRow:
    row = session.get(QuizRow, quiz_id)
    if row is None:
        raise UnknownQuiz(quiz_id)
    return row


def _at(session: Session, quiz_id: str, revision: int) -> QuizRow:
    row = _existing(session, quiz_id)
    if row.revision != revision:
        raise Conflict(f"quiz {quiz_id}", revision, row.revision)
    return row


def _own(session: Session, attempt_id: str, user_id: str) -> AttemptRow:
    row = session.get(AttemptRow, attempt_id)
    if row is None or row.user_id != user_id:
        raise UnknownAttempt(attempt_id)
    return row


def _record(row: QuizRow) -> QuizRecord:
    return QuizRecord(
        row.id, row.slide_id, row.case_id, row.title, row.revision, row.document, row.created, row.updated
    )


def _attempt(session: Session, row: AttemptRow) -> AttemptRecord:
    answers = session.scalars(select(AnswerRow).where(AnswerRow.attempt_id == row.id).order_by(AnswerRow.question_id))
    return AttemptRecord(
        row.id, row.quiz_id, row.user_id, row.number, row.seed, row.begun, row.ends, row.ended,
        {answer.question_id: answer.answer for answer in answers},
    )  # fmt: skip
