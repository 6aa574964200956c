"""Quizzes for those who write them and those who take them (shared/spec/quizzes.md)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from wavescope.catalog.quizzes import AttemptRecord, Mark, Quizzes
from wavescope.catalog.records import DocumentRecord, DocumentTitle
from wavescope.errors import (
    Forbidden,
    InvalidParameter,
    SignInRequired,
    UnknownCase,
    UnknownQuestion,
    UnknownQuiz,
    UnknownSlide,
)
from wavescope.quizzes.paper import paper, shows_key
from wavescope.service.access.gate import Gate, Principal, require, require_in_thread
from wavescope.service.access.owner_gate import OwnerGate
from wavescope.service.access.sharing_gate import CaseGate
from wavescope.service.slides.quiz_results import Results, result_of, results_of


class Result(NamedTuple):
    """What was right of an answer: ``share`` 0 to 1 (None: no answer or not marked), the key, the feedback, and the
    comment of the person who marked it.
    """

    share: float | None
    key: Any
    feedback: str
    comment: str


@dataclass(frozen=True)
class Attempt:
    """An attempt as its person sees it. ``results``: of the questions whose key may be seen (QZ21); ``points``: of
    the whole attempt, None while it runs or waits for marking; ``waiting``: how many answers do.
    """

    record: AttemptRecord
    quiz: DocumentRecord
    questions: list[dict[str, Any]]
    results: Mapping[str, Result]
    points: float | None
    now: float
    over: bool
    waiting: int


class QuizService:
    """Every change of a quiz names the revision it was made from. A principal sees a quiz if it sees its slide or case
    and all slides of its questions; keys are for those who may edit it, and for others as QZ21 says.
    """

    def __init__(
        self, quizzes: Quizzes, gate: Gate, case_gate: CaseGate, clock: Callable[[], float] = time.time
    ) -> None:
        self._quizzes, self._gate, self._clock = quizzes, gate, clock
        self._owner = OwnerGate(gate, case_gate)

    async def list(
        self, principal: Principal, slide_id: str | None, case_id: str | None
    ) -> Sequence[tuple[DocumentRecord, bool]]:
        """The quizzes that the principal sees, and whether it may edit each."""
        await require_in_thread(self._gate, principal, "view quizzes", slide_id)
        return await asyncio.to_thread(self._listed, principal, slide_id, case_id)

    async def own_titles(self, principal: Principal) -> Sequence[DocumentTitle]:
        """Those whose slide or case lets the principal edit them, by title; ``are_seen`` tells of the slides of their
        questions.
        """
        return await asyncio.to_thread(
            lambda: [one for one in self._quizzes.titles() if self._may_edit(principal, one)]
        )

    async def are_seen(self, principal: Principal, quiz_ids: Sequence[str]) -> Sequence[bool]:
        """Whether the principal sees each quiz (QZ4)."""

        def sees(quiz_id: str) -> bool:
            with suppress(UnknownQuiz):
                return self._sees(principal, self._quizzes.get(quiz_id))
            return False

        return await asyncio.to_thread(lambda: [sees(one) for one in quiz_ids])

    async def summary(self, principal: Principal, quiz_id: str) -> tuple[DocumentRecord, bool]:
        """The quiz for a person who sees it, and whether it may edit it. Raises UnknownQuiz."""
        record = await asyncio.to_thread(self._seen, principal, quiz_id)
        return record, await asyncio.to_thread(self._may_edit, principal, record)

    async def get(self, principal: Principal, quiz_id: str) -> DocumentRecord:
        """The quiz with its keys. Raises Forbidden, SignInRequired, UnknownQuiz."""
        return await asyncio.to_thread(self._editable, principal, quiz_id)

    async def create(
        self, principal: Principal, document: Mapping[str, Any], slide_id: str | None, case_id: str | None
    ) -> DocumentRecord:
        """Raises Forbidden, SignInRequired, UnknownSlide, UnknownCase."""
        await asyncio.to_thread(self._owner.require_edit, principal, "edit quizzes", slide_id, case_id)
        for slide in _slides(document):
            await require_in_thread(self._gate, principal, "view slide", slide)
        return await asyncio.to_thread(self._quizzes.create, document, slide_id, case_id)

    async def save(
        self, principal: Principal, quiz_id: str, document: Mapping[str, Any], revision: int
    ) -> DocumentRecord:
        """Raises Forbidden, SignInRequired, UnknownQuiz, UnknownSlide, Conflict."""
        record = await asyncio.to_thread(self._editable, principal, quiz_id)
        for slide in _slides(document) - _slides(record.document):
            await require_in_thread(self._gate, principal, "view slide", slide)
        return await asyncio.to_thread(partial(self._quizzes.save, quiz_id, document, revision))

    async def delete(self, principal: Principal, quiz_id: str, revision: int) -> None:
        """Raises Forbidden, SignInRequired, UnknownQuiz, Conflict."""
        await asyncio.to_thread(self._editable, principal, quiz_id)
        await asyncio.to_thread(partial(self._quizzes.delete, quiz_id, revision))

    async def begin(self, principal: Principal, quiz_id: str) -> Attempt:
        """The running attempt of the principal, or another one.

        Raises Forbidden, SignInRequired, UnknownQuiz, NoAttemptsLeft.
        """
        return await asyncio.to_thread(self._begun, principal, quiz_id)

    async def attempt(self, principal: Principal, attempt_id: str) -> Attempt:
        """Raises Forbidden, SignInRequired, UnknownAttempt, UnknownQuiz."""
        return await asyncio.to_thread(self._attempt, principal, attempt_id)

    async def answer(
        self, principal: Principal, attempt_id: str, question_id: str, answer: Mapping[str, Any]
    ) -> Attempt:
        """Raises Forbidden, SignInRequired, UnknownAttempt, UnknownQuestion, AttemptOver, AnswerGiven."""
        return await asyncio.to_thread(self._answered, principal, attempt_id, question_id, answer)

    async def end(self, principal: Principal, attempt_id: str) -> Attempt:
        """Raises Forbidden, SignInRequired, UnknownAttempt, UnknownQuiz."""
        return await asyncio.to_thread(self._ended, principal, attempt_id)

    async def results(self, principal: Principal, quiz_id: str) -> Results:
        """All attempts, with names and answers. Raises Forbidden, SignInRequired, UnknownQuiz."""
        return await asyncio.to_thread(self._results, principal, quiz_id)

    async def mark(
        self, principal: Principal, quiz_id: str, attempt_id: str, question_id: str, points: float, comment: str
    ) -> None:
        """What an author gives for the text of a person (QZ25).

        Raises Forbidden, SignInRequired, UnknownQuiz, UnknownAttempt, UnknownQuestion, InvalidParameter.
        """
        await asyncio.to_thread(self._mark, principal, quiz_id, attempt_id, question_id, points, comment)

    def _mark(
        self, principal: Principal, quiz_id: str, attempt_id: str, question_id: str, points: float, comment: str
    ) -> None:
        questions = self._editable(principal, quiz_id).document["questions"]
        most = {one["id"]: one["points"] for one in questions if one["kind"] == "text"}
        if question_id not in most:
            raise UnknownQuestion(question_id)
        if points > most[question_id]:
            raise InvalidParameter("points", str(points), f"at most {most[question_id]}")
        given = Mark(points / most[question_id], comment)
        self._quizzes.mark(quiz_id, attempt_id, question_id, given, self._clock())

    def _results(self, principal: Principal, quiz_id: str) -> Results:
        quiz = self._editable(principal, quiz_id)
        return results_of(quiz, self._quizzes.attempts(quiz_id), self._clock())

    def _listed(
        self, principal: Principal, slide_id: str | None, case_id: str | None
    ) -> Sequence[tuple[DocumentRecord, bool]]:
        found = [one for one in self._quizzes.list(slide_id, case_id) if self._sees(principal, one)]
        return [(one, self._may_edit(principal, one)) for one in found]

    def _begun(self, principal: Principal, quiz_id: str) -> Attempt:
        quiz = self._seen(principal, quiz_id)
        require(self._gate, principal, "take quiz")
        now = self._clock()
        return _view(quiz, self._quizzes.begin(quiz_id, principal.id, now), now)

    def _attempt(self, principal: Principal, attempt_id: str) -> Attempt:
        quiz = self._taken(principal, attempt_id)
        return _view(quiz, self._quizzes.attempt(attempt_id, principal.id), self._clock())

    def _answered(self, principal: Principal, attempt_id: str, question_id: str, answer: Mapping[str, Any]) -> Attempt:
        quiz, now = self._taken(principal, attempt_id), self._clock()
        if all(question["id"] != question_id for question in quiz.document["questions"]):
            raise UnknownQuestion(question_id)
        once = quiz.document["mode"] == "practice"
        record = self._quizzes.answer(attempt_id, principal.id, question_id, answer, now, once)
        return _view(quiz, record, now)

    def _ended(self, principal: Principal, attempt_id: str) -> Attempt:
        quiz, now = self._taken(principal, attempt_id), self._clock()
        return _view(quiz, self._quizzes.end(attempt_id, principal.id, now), now)

    def _taken(self, principal: Principal, attempt_id: str) -> DocumentRecord:
        """The quiz of an attempt of the principal, which still sees it."""
        require(self._gate, principal, "take quiz")
        return self._visible(principal, self._quizzes.quiz_of(attempt_id, principal.id))

    def _seen(self, principal: Principal, quiz_id: str) -> DocumentRecord:
        return self._visible(principal, self._quizzes.get(quiz_id))

    def _visible(self, principal: Principal, record: DocumentRecord) -> DocumentRecord:
        if not self._sees(principal, record):
            raise UnknownQuiz(record.id)
        return record

    def _editable(self, principal: Principal, quiz_id: str) -> DocumentRecord:
        record = self._seen(principal, quiz_id)
        self._owner.require_edit(principal, "edit quizzes", record.slide_id, record.case_id)
        return record

    def _sees(self, principal: Principal, record: DocumentRecord) -> bool:
        return self._owner.may_view(principal, "view quizzes", record.slide_id, record.case_id) and all(
            self._gate(principal, "view slide", slide) for slide in _slides(record.document)
        )

    def _may_edit(self, principal: Principal, record: DocumentRecord | DocumentTitle) -> bool:
        try:
            self._owner.require_edit(principal, "edit quizzes", record.slide_id, record.case_id)
        except (Forbidden, SignInRequired, UnknownSlide, UnknownCase):
            return False
        return True


def _view(quiz: DocumentRecord, record: AttemptRecord, now: float) -> Attempt:
    questions = quiz.document["questions"]
    result = result_of(questions, record, "", now)
    comments = {name: given.comment for name, given in record.marks.items()}
    results = {
        question["id"]: Result(
            result.shares[question["id"]], question["key"], question["feedback"], comments.get(question["id"], "")
        )
        for question in questions
        if shows_key(quiz.document, record.number, result.over, question["id"] in record.answers)
    }
    points = result.points if result.complete else None
    shown = paper(quiz.document, quiz.slide_id, record.seed)
    return Attempt(record, quiz, shown, results, points, now, result.over, result.waiting)


def _slides(document: Mapping[str, Any]) -> set[str]:
    """The slides that a quiz's questions name."""
    return {question["slide"] for question in document["questions"] if question["slide"]}
