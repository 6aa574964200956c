"""Quizzes, and the attempts of those who take them (shared/spec/quizzes.md)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.body import json_body, read_model
from wavescope.api.http.revisions import required_revision, revision_tag
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import QuizzesParameter
from wavescope.api.routing import API, new_router
from wavescope.api.schemas.documents import Level0, Text, check_place, check_view, facts_of, file_body
from wavescope.api.schemas.numbers import Count, Revision
from wavescope.api.schemas.slides import time_of
from wavescope.api.state import PrincipalParameter, limits_of
from wavescope.catalog.records import DocumentRecord
from wavescope.catalog.slide_rows import check_title
from wavescope.service.slides.quizzes import Attempt

router = new_router("quizzes", "reads")

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Ids = Annotated[list[Id], Field(max_length=20)]
Outline = Annotated[
    list[Annotated[list[Level0], Field(min_length=2, max_length=2)]], Field(min_length=3, max_length=1000)
]
Finite = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
Mode = Literal["practice", "exam"]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Option(Strict):
    """One of several to choose from or to bring into an order."""

    id: Id
    text: str = Field(max_length=1000)


class Question(Strict):
    """What all questions have (QZ3)."""

    id: Id
    text: Text
    slide: str | None = Field(default=None, max_length=128)
    view: dict[str, Any]
    points: float = Field(default=1, gt=0, le=1000)
    hint: Text = ""
    feedback: Text = ""

    _small = field_validator("view")(check_view)


class Optional(Question):
    """A question with options (QZ10, QZ14)."""

    options: list[Option] = Field(min_length=2, max_length=20)
    key: Ids = Field(min_length=1)

    @model_validator(mode="after")
    def _check_ids(self) -> Optional:
        ids = [option.id for option in self.options]
        if len(set(ids)) < len(ids):
            raise ValueError("two options have the same id")
        if len(set(self.key)) < len(self.key) or not set(self.key) <= set(ids):
            raise ValueError("the key names each of its options once")
        return self


class ChoiceQuestion(Optional):
    """Single or multiple choice (QZ10)."""

    kind: Literal["choice"]
    multiple: bool = False

    @model_validator(mode="after")
    def _check_key(self) -> ChoiceQuestion:
        if not self.multiple and len(self.key) > 1:
            raise ValueError("a single choice has one right option")
        return self


class OrderQuestion(Optional):
    """Options to bring into an order (QZ14)."""

    kind: Literal["order"]

    @model_validator(mode="after")
    def _check_key(self) -> OrderQuestion:
        if len(self.key) < len(self.options):
            raise ValueError("the key of an order names all options")
        return self


class PointKey(Strict):
    """Right within the radius."""

    l0_x: Level0
    l0_y: Level0
    l0_radius: float = Field(gt=0, le=1e9)


class PointQuestion(Question):
    """A click on the slide (QZ11)."""

    kind: Literal["point"]
    key: PointKey


class RegionKey(Strict):
    """Right from this intersection over union on."""

    outline: Outline
    overlap: float = Field(default=0.5, gt=0, le=1)


class RegionQuestion(Question):
    """An outline on the slide (QZ12)."""

    kind: Literal["region"]
    key: RegionKey


class NumberKey(Strict):
    """Right within the tolerance."""

    value: Finite
    tolerance: float = Field(default=0, ge=0, le=1e12)


class NumberQuestion(Question):
    """A count or a measurement (QZ13)."""

    kind: Literal["number"]
    unit: str = Field(default="", max_length=32)
    key: NumberKey


AnyQuestion = ChoiceQuestion | PointQuestion | RegionQuestion | NumberQuestion | OrderQuestion


class Quiz(Strict):
    """Questions on slides in an order (QZ1, QZ2)."""

    format: Literal["wavescope-quiz"] = "wavescope-quiz"
    version: Literal[1] = 1
    title: str = Field(min_length=1, max_length=200)
    text: Text = ""
    mode: Mode = "practice"
    shuffled: bool = False
    seconds: int | None = Field(default=None, ge=10, le=86_400)
    attempts: int | None = Field(default=None, ge=1, le=100)
    questions: list[AnyQuestion] = Field(default=[], max_length=200)

    @field_validator("questions")
    @classmethod
    def _check_ids_differ(cls, questions: list[AnyQuestion]) -> list[AnyQuestion]:
        if len({question.id for question in questions}) < len(questions):
            raise ValueError("two questions have the same id")
        return questions


class ChoiceAnswer(Strict):
    """The ids of the chosen options."""

    kind: Literal["choice"]
    chosen: Ids


class PointAnswer(Strict):
    """Where on the slide."""

    kind: Literal["point"]
    l0_x: Level0
    l0_y: Level0


class RegionAnswer(Strict):
    """The outline on the slide."""

    kind: Literal["region"]
    outline: Outline


class NumberAnswer(Strict):
    """In the unit of the question."""

    kind: Literal["number"]
    value: Finite


class OrderAnswer(Strict):
    """The ids of the options in their order."""

    kind: Literal["order"]
    order: Ids


AnyAnswer = ChoiceAnswer | PointAnswer | RegionAnswer | NumberAnswer | OrderAnswer


class AnswerRequest(Strict):
    """The answer to a question (QZ17)."""

    answer: AnyAnswer


class QuizSummary(BaseModel):
    """A quiz in a listing (QZ5)."""

    id: str
    slide_id: str | None
    case_id: str | None
    title: str
    revision: Revision
    questions: Count
    mode: Mode
    seconds: int | None
    attempts: int | None
    may_edit: bool
    created: datetime
    updated: datetime


class QuizList(BaseModel):
    """Quizzes by title."""

    quizzes: list[QuizSummary]


class QuizBody(BaseModel):
    """A stored quiz with its keys (QZ5)."""

    id: str
    slide_id: str | None
    case_id: str | None
    revision: Revision
    created: datetime
    updated: datetime
    quiz: Quiz


class PaperQuestion(BaseModel):
    """A question as the person who takes the quiz sees it (QZ20)."""

    id: str
    kind: Literal["choice", "point", "region", "number", "order"]
    text: str
    slide: str | None
    view: dict[str, Any]
    points: float
    hint: str
    options: list[Option]
    multiple: bool = False
    unit: str = ""


class AnswerResult(BaseModel):
    """What was right (QZ21). ``share``: 0 to 1, null without an answer."""

    share: float | None
    key: Ids | PointKey | RegionKey | NumberKey
    feedback: str


class AttemptBody(BaseModel):
    """An attempt at a quiz; all times by the clock of the service (QZ15 to QZ21)."""

    id: str
    quiz_id: str
    title: str
    text: str
    mode: Mode
    number: int = Field(ge=1)
    begun: datetime
    now: datetime
    ends: datetime | None
    over: bool
    questions: list[PaperQuestion]
    answers: dict[str, AnyAnswer]
    results: dict[str, AnswerResult]
    points: float | None
    of_points: float


@router.get("/quizzes")
async def list_quizzes(
    quizzes: QuizzesParameter,
    principal: PrincipalParameter,
    slide: Annotated[str | None, Query(max_length=128)] = None,
    case: Annotated[str | None, Query(max_length=32)] = None,
) -> QuizList:
    """The quizzes of a slide or a case, or all (QZ5)."""
    return QuizList(quizzes=[_summary(*found) for found in await quizzes.list(principal, slide, case)])


@router.post("/quizzes", status_code=201, openapi_extra=json_body(Quiz), response_model=QuizBody)
async def create_quiz(
    request: Request,
    quizzes: QuizzesParameter,
    principal: PrincipalParameter,
    slide: Annotated[str | None, Query(max_length=128)] = None,
    case: Annotated[str | None, Query(max_length=32)] = None,
) -> Response:
    """A new quiz of a slide or of a case (QZ5)."""
    check_place(slide, case)
    record = await quizzes.create(principal, await _document(request), slide, case)
    return _quiz_response(record, 201, {"location": f"{API}/quizzes/{record.id}"})


@router.get("/quizzes/{quiz_id}", response_model=QuizBody)
async def get_quiz(quiz_id: str, quizzes: QuizzesParameter, principal: PrincipalParameter) -> Response:
    """A quiz with its keys, for its authors (QZ5)."""
    return _quiz_response(await quizzes.get(principal, quiz_id))


@router.get("/quizzes/{quiz_id}/file", response_model=Quiz)
async def get_quiz_file(
    quiz_id: str, request: Request, quizzes: QuizzesParameter, principal: PrincipalParameter
) -> Response:
    """The quiz with its keys as a file to download (QZ7)."""
    record = await quizzes.get(principal, quiz_id)
    name = f"quiz-{record.id}.json"
    audit_detail(request, file=name)
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(file_body(record), 200, headers, "application/json")


@router.put("/quizzes/{quiz_id}", openapi_extra=json_body(Quiz), response_model=QuizBody)
async def save_quiz(
    quiz_id: str, request: Request, quizzes: QuizzesParameter, principal: PrincipalParameter
) -> Response:
    """Replaces the quiz, unless it was changed since (QZ6)."""
    revision = required_revision(request)
    return _quiz_response(await quizzes.save(principal, quiz_id, await _document(request), revision))


@router.delete("/quizzes/{quiz_id}", status_code=204)
async def delete_quiz(quiz_id: str, request: Request, quizzes: QuizzesParameter, principal: PrincipalParameter) -> None:
    """Deletes the quiz with its attempts, unless it was changed since (QZ6)."""
    await quizzes.delete(principal, quiz_id, required_revision(request))


@router.post("/quizzes/{quiz_id}/attempts", response_model=AttemptBody)
async def begin_attempt(quiz_id: str, quizzes: QuizzesParameter, principal: PrincipalParameter) -> Response:
    """The running attempt of the user, or another one (QZ15)."""
    return _attempt_response(await quizzes.begin(principal, quiz_id))


@router.get("/attempts/{attempt_id}", response_model=AttemptBody)
async def get_attempt(attempt_id: str, quizzes: QuizzesParameter, principal: PrincipalParameter) -> Response:
    """An attempt of the user (QZ15)."""
    return _attempt_response(await quizzes.attempt(principal, attempt_id))


@router.put(
    "/attempts/{attempt_id}/answers/{question_id}", openapi_extra=json_body(AnswerRequest), response_model=AttemptBody
)
async def save_answer(
    attempt_id: str, question_id: str, request: Request, quizzes: QuizzesParameter, principal: PrincipalParameter
) -> Response:
    """Saves the answer to a question; the same again changes nothing (QZ17)."""
    given = await read_model(request, AnswerRequest)
    return _attempt_response(await quizzes.answer(principal, attempt_id, question_id, given.answer.model_dump()))


@router.post("/attempts/{attempt_id}/end", response_model=AttemptBody)
async def end_attempt(attempt_id: str, quizzes: QuizzesParameter, principal: PrincipalParameter) -> Response:
    """Ends the attempt (QZ18)."""
    return _attempt_response(await quizzes.end(principal, attempt_id))


async def _document(request: Request) -> dict[str, Any]:
    quiz = await read_model(request, Quiz, limits_of(request).tour_bytes)
    return {**quiz.model_dump(), "title": check_title(quiz.title)}


def _summary(record: DocumentRecord, may_edit: bool) -> QuizSummary:
    document = record.document
    return QuizSummary(
        **facts_of(record),
        title=record.title,
        questions=len(document["questions"]),
        mode=document["mode"],
        seconds=document["seconds"],
        attempts=document["attempts"],
        may_edit=may_edit,
    )


def _quiz_response(record: DocumentRecord, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = QuizBody(
        **facts_of(record),
        quiz=Quiz.model_validate(record.document),
    )
    tags = {"etag": revision_tag(record.revision), "cache-control": "no-store", **(headers or {})}
    return Response(body.model_dump_json(), status, tags, "application/json")


def _attempt_response(attempt: Attempt) -> Response:
    record, document = attempt.record, attempt.quiz.document
    body = AttemptBody.model_validate(
        {
            "id": record.id,
            "quiz_id": record.quiz_id,
            **{name: document[name] for name in ("title", "text", "mode")},
            "number": record.number,
            "begun": time_of(record.begun),
            "now": time_of(attempt.now),
            "ends": None if record.ends is None else time_of(record.ends),
            "over": attempt.over,
            "questions": attempt.questions,
            "answers": record.answers,
            "results": {question: result._asdict() for question, result in attempt.results.items()},
            "points": attempt.points,
            "of_points": sum(question["points"] for question in document["questions"]),
        }
    )
    return Response(body.model_dump_json(), 200, {"cache-control": "no-store"}, "application/json")
