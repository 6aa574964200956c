"""Results of quizzes, for their authors (shared/spec/quizzes.md)."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.body import json_body, read_model
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import QuizzesParameter
from wavescope.api.routing import new_router
from wavescope.api.schemas.quizzes import AttemptResult, MarkRequest, QuestionResult, QuizResults
from wavescope.api.schemas.slides import time_of
from wavescope.api.state import PrincipalParameter
from wavescope.service.slides.quiz_results import Results, results_csv

router = new_router("quizzes", "reads")
CSV = {"content": {"text/csv": {"schema": {"type": "string"}}}}


@router.get("/quizzes/{quiz_id}/results", response_model=QuizResults)
async def get_quiz_results(quiz_id: str, quizzes: QuizzesParameter, principal: PrincipalParameter) -> Response:
    """The results per person and per question, for the authors of the quiz (QZ22)."""
    body = _body(await quizzes.results(principal, quiz_id))
    return Response(body.model_dump_json(), 200, {"cache-control": "no-store"}, "application/json")


@router.get("/quizzes/{quiz_id}/results/file", responses={200: CSV}, response_class=Response)
async def get_quiz_results_file(
    quiz_id: str, request: Request, quizzes: QuizzesParameter, principal: PrincipalParameter
) -> Response:
    """The results as CSV (QZ24)."""
    results = await quizzes.results(principal, quiz_id)
    name = f"quiz-{quiz_id}-results.csv"
    audit_detail(request, file=name)
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(results_csv(results), 200, headers, "text/csv; charset=utf-8")


@router.put(
    "/quizzes/{quiz_id}/attempts/{attempt_id}/marks/{question_id}",
    status_code=204,
    openapi_extra=json_body(MarkRequest),
)
async def mark_answer(
    quiz_id: str,
    attempt_id: str,
    question_id: str,
    request: Request,
    quizzes: QuizzesParameter,
    principal: PrincipalParameter,
) -> None:
    """Points and a comment for the answer to a text question (QZ25)."""
    given = await read_model(request, MarkRequest)
    await quizzes.mark(principal, quiz_id, attempt_id, question_id, given.points, given.comment)


def _body(results: Results) -> QuizResults:
    attempts = [
        AttemptResult.model_validate(
            {
                "attempt_id": one.record.id,
                "name": one.name,
                "number": one.record.number,
                "begun": time_of(one.record.begun),
                "over": one.over,
                "points": one.points,
                "waiting": one.waiting,
                "answers": one.record.answers,
                "comments": {name: mark.comment for name, mark in one.record.marks.items()},
                "shares": one.shares,
            }
        )
        for one in results.attempts
    ]
    finished = [one for one in results.attempts if one.complete]
    questions = [
        QuestionResult(
            **{name: question[name] for name in ("id", "kind", "text", "points")},
            slide=question["slide"] or results.quiz.slide_id,
            answered=sum(one.shares[question["id"]] is not None for one in finished),
            **item._asdict(),
        )
        for question, item in zip(results.questions, results.items, strict=True)
    ]
    return QuizResults(
        title=results.quiz.title,
        of_points=sum(question.points for question in questions),
        finished=len(finished),
        questions=questions,
        attempts=attempts,
    )
