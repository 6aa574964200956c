"""Quizzes, and the attempts of those who take them (shared/spec/quizzes.md)."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.body import json_body, read_model
from wavescope.api.http.revisions import required_revision, revision_tag
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import QuizzesParameter
from wavescope.api.routing import API, Bound, new_router
from wavescope.api.schemas.documents import check_place, facts_of, file_body
from wavescope.api.schemas.quizzes import AnswerRequest, AttemptBody, Quiz, QuizBody, QuizList, QuizSummary
from wavescope.api.schemas.slides import time_of
from wavescope.api.state import PrincipalParameter, limits_of
from wavescope.catalog.records import DocumentRecord
from wavescope.catalog.slide_rows import check_title
from wavescope.service.slides.quizzes import Attempt

router = new_router("quizzes", "reads")
taking = Bound("taking quizzes", 6)  # requests of those who take a quiz, of some milliseconds each (QZ31)


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


@router.get("/quizzes/{quiz_id}/summary")
async def get_quiz_summary(quiz_id: str, quizzes: QuizzesParameter, principal: PrincipalParameter) -> QuizSummary:
    """A quiz without its questions, for all who see it (QZ5)."""
    return _summary(*await quizzes.summary(principal, quiz_id))


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
@taking
async def begin_attempt(quiz_id: str, quizzes: QuizzesParameter, principal: PrincipalParameter) -> Response:
    """The running attempt of the user, or another one (QZ15)."""
    return _attempt_response(await quizzes.begin(principal, quiz_id))


@router.get("/attempts/{attempt_id}", response_model=AttemptBody)
@taking
async def get_attempt(attempt_id: str, quizzes: QuizzesParameter, principal: PrincipalParameter) -> Response:
    """An attempt of the user (QZ15)."""
    return _attempt_response(await quizzes.attempt(principal, attempt_id))


@router.put(
    "/attempts/{attempt_id}/answers/{question_id}", openapi_extra=json_body(AnswerRequest), response_model=AttemptBody
)
@taking
async def save_answer(
    attempt_id: str, question_id: str, request: Request, quizzes: QuizzesParameter, principal: PrincipalParameter
) -> Response:
    """Saves the answer to a question; the same again changes nothing (QZ17)."""
    given = await read_model(request, AnswerRequest)
    return _attempt_response(await quizzes.answer(principal, attempt_id, question_id, given.answer.model_dump()))


@router.post("/attempts/{attempt_id}/end", response_model=AttemptBody)
@taking
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
            "waiting": attempt.waiting,
            "of_points": sum(question["points"] for question in document["questions"]),
        }
    )
    return Response(body.model_dump_json(), 200, {"cache-control": "no-store"}, "application/json")
