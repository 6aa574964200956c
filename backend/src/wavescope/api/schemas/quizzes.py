"""Quizzes, attempts and results as bodies of requests and answers (shared/spec/quizzes.md)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from wavescope.api.schemas.documents import Level0, Text, check_view
from wavescope.api.schemas.numbers import Count, Revision

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Ids = Annotated[list[Id], Field(max_length=20)]
Outline = Annotated[
    list[Annotated[list[Level0], Field(min_length=2, max_length=2)]], Field(min_length=3, max_length=1000)
]
Finite = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
Mode = Literal["practice", "exam"]
Kind = Literal["choice", "point", "region", "number", "order", "text"]


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


class AreaKey(Strict):
    """Right inside the outline."""

    outline: Outline


class PointQuestion(Question):
    """A click on the slide (QZ11)."""

    kind: Literal["point"]
    key: PointKey | AreaKey


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


class TextQuestion(Question):
    """A text, marked by a person; the key is a model answer (QZ25)."""

    kind: Literal["text"]
    key: Text = ""


AnyQuestion = ChoiceQuestion | PointQuestion | RegionQuestion | NumberQuestion | OrderQuestion | TextQuestion


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


class TextAnswer(Strict):
    """A text (QZ25)."""

    kind: Literal["text"]
    text: str = Field(min_length=1, max_length=20_000)


AnyAnswer = ChoiceAnswer | PointAnswer | RegionAnswer | NumberAnswer | OrderAnswer | TextAnswer


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
    kind: Kind
    text: str
    slide: str | None
    view: dict[str, Any]
    points: float
    hint: str
    options: list[Option]
    multiple: bool = False
    unit: str = ""


class AnswerResult(BaseModel):
    """What was right (QZ21). ``share``: 0 to 1, null without an answer, or while a text waits for marking."""

    share: float | None
    key: Ids | PointKey | AreaKey | RegionKey | NumberKey | str
    feedback: str
    comment: str = ""


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
    waiting: Count
    of_points: float


class QuestionResult(BaseModel):
    """A question over all attempts that are finished and marked (QZ23). ``difficulty``: mean share; ``discrimination``:
    correlation with the points of the other questions, null where one of both does not vary.
    """

    id: str
    kind: Kind
    text: str
    slide: str | None
    points: float
    answered: Count
    difficulty: float | None
    discrimination: float | None


class AttemptResult(BaseModel):
    """One attempt as the authors see it (QZ22). ``shares``: 0 to 1, null without an answer, or while it waits for
    marking; ``waiting``: how many do; ``comments``: of those who marked texts.
    """

    attempt_id: str
    name: str
    number: int = Field(ge=1)
    begun: datetime
    over: bool
    points: float
    waiting: Count
    answers: dict[str, AnyAnswer]
    comments: dict[str, str]
    shares: dict[str, float | None]


class QuizResults(BaseModel):
    """The results of all who took a quiz, for its authors (QZ22)."""

    title: str
    of_points: float
    finished: Count
    questions: list[QuestionResult]
    attempts: list[AttemptResult]


class MarkRequest(Strict):
    """What a person gives for a text (QZ25)."""

    points: float = Field(ge=0, le=1000)
    comment: Text = ""
