"""The one table from exception to problem (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from http import HTTPStatus
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route

from wavescope import errors
from wavescope.logs.safe import without_paths
from wavescope.logs.tracing import ID_HEADER, current_id

MEDIA_TYPE = "application/problem+json"
PROBLEM = "wavescope.problem"  # the key of the name of the problem that is answered, in a request's scope
FAILURE = "wavescope.failure"  # the key of the exception that a problem was made of, in a request's scope
SERVER_FAULT = 500
AWAY_SECONDS = "2"  # after which a client may ask again when the catalog does not answer
Fields = Callable[[Any], Mapping[str, Any]]


class RangeNotSatisfiable(errors.WavescopeError):
    """A byte range that is outside the content."""

    def __init__(self, size: int) -> None:
        super().__init__(f"the range lies outside of {size} bytes")
        self.size = size


class NotModifiable(errors.WavescopeError):
    """A request that another site may have forged, or made under a name that is not the service's."""


class RevisionRequired(errors.WavescopeError):
    """A change that does not name the revision it was made from."""

    def __init__(self) -> None:
        super().__init__('this change needs If-Match: "rN", N the revision it was made from')


class NotAcceptable(errors.WavescopeError):
    """An Accept header that names no format of this resource."""

    def __init__(self, accept: str) -> None:
        super().__init__(f"nothing here is {accept[:200]}")


class UnknownParameter(errors.WavescopeError):
    """A query parameter that the route does not have; ``known``: those it has."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        nearest = get_close_matches(name, known, 1)
        hint = f"did you mean {nearest[0]}?" if nearest else f"it has {', '.join(known) or 'none'}"
        super().__init__(f"this route has no query parameter {name[:80]!r}; {hint}")
        self.name, self.nearest = name[:80], nearest[0] if nearest else None


class UnsupportedBody(errors.WavescopeError):
    """A body of a kind that this route does not read."""

    def __init__(self, given: str, accepted: str, advice: str = "") -> None:
        super().__init__(f"a body of {given[:80] or 'no stated kind'} is not read here, but {accepted}{advice}")
        self.accepted = accepted


class UnsupportedProtocol(errors.WavescopeError):
    """A request by another version of the protocol of resumable uploads."""

    def __init__(self, given: str) -> None:
        super().__init__(f"Tus-Resumable: {given[:20] or 'nothing'}; this service supports 1.0.0")


class UpgradeRequired(errors.WavescopeError):
    """A request to the address of a WebSocket that asks for none."""

    def __init__(self) -> None:
        super().__init__(
            "this address is a WebSocket, and the request has no Upgrade header; a proxy in front of the service must "
            "pass on the headers Upgrade and Connection, with HTTP/1.1"
        )


class ProblemView(BaseModel):
    """RFC 9457 problem details; more members depend on the type (WI30)."""

    model_config = ConfigDict(extra="allow")
    type: str
    title: str
    status: int
    detail: str
    request_id: str = Field("", description="of this request: in the service's log, and in the header X-Request-Id")


_content = {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{ProblemView.__name__}"}}}
PROBLEM_RESPONSES: Mapping[int | str, dict[str, Any]] = {
    status: {"description": "a problem", "content": _content} for status in ("4XX", "5XX")
}
"""The problem responses of every route, for OpenAPI (WI30)."""


@dataclass(frozen=True)
class Problem:
    """The problem that an exception is translated to."""

    name: str
    status: int
    title: str
    fields: Fields = lambda error: {}


AWAY, ELSEWHERE = (
    Problem("unavailable", 503, "Not available now"),
    (errors.SessionOnOtherNode, errors.IngestClusterAway),
)
UNREADABLE = Problem("unreadable-source", 422, "The slide file cannot be read")
PROBLEMS: dict[type[Exception], Problem] = {
    errors.InvalidParameter: Problem("invalid-parameter", 422, "Invalid parameter", lambda e: {"parameter": e.name}),
    errors.OutOfRange: Problem(
        "out-of-range", 400, "Out of range", lambda e: {"parameter": e.name, "limits": e.limits}
    ),
    errors.InvalidExperiment: Problem("invalid-experiment", 422, "Not simulated", lambda e: {"parameter": e.place}),
    errors.InvalidImageRequest: Problem("invalid-image-request", 400, "Invalid image", lambda e: {"parameter": e.name}),
    UnknownParameter: Problem(
        "unknown-parameter", 400, "Unknown query parameter", lambda e: {"parameter": e.name, "nearest": e.nearest}
    ),
    errors.UnknownSlide: Problem("unknown-slide", 404, "No such slide"),
    errors.UnknownDicomObject: Problem("unknown-dicom-object", 404, "No such study, series or instance"),
    errors.UnknownCase: Problem("unknown-case", 404, "No such case"),
    errors.UnknownTour: Problem("unknown-tour", 404, "No such tour"),
    errors.UnknownQuiz: Problem("unknown-quiz", 404, "No such quiz"),
    errors.UnknownAttempt: Problem("unknown-attempt", 404, "No such attempt"),
    errors.UnknownQuestion: Problem("unknown-question", 404, "No such question"),
    errors.AttemptOver: Problem("attempt-over", 409, "The attempt is over"),
    errors.AnswerGiven: Problem("answer-given", 409, "The question is answered"),
    errors.NoAttemptsLeft: Problem("no-attempts-left", 409, "All attempts are used"),
    errors.UnknownLabel: Problem("unknown-label", 404, "No such picture"),
    errors.UnknownOverlay: Problem("unknown-overlay", 404, "No such overlay"),
    errors.SectionsDiffer: Problem("sections-differ", 409, "The sections do not match", lambda e: {"reason": e.reason}),
    errors.UnknownOriginal: Problem("unknown-original", 404, "The original file is not stored"),
    errors.OriginalDamaged: Problem("original-damaged", 500, "The original file is damaged"),
    errors.UnknownExport: Problem("unknown-export", 404, "No such export"),
    errors.UnknownSession: Problem("unknown-session", 404, "No such session"),
    errors.UnknownRecording: Problem("unknown-recording", 404, "No such recording"),
    errors.WrongPasscode: Problem("wrong-passcode", 403, "The passcode is wrong"),
    errors.SessionLocked: Problem("session-locked", 409, "No new members can join"),
    errors.SessionFull: Problem("session-full", 409, "The session is full"),
    errors.NameTaken: Problem("name-taken", 409, "An account has this name"),
    errors.TooManySessions: Problem("too-many-sessions", 409, "Too many sessions"),
    errors.UnknownJob: Problem("unknown-job", 404, "No such job"),
    errors.UnknownUpload: Problem("unknown-upload", 404, "No such upload"),
    errors.UploadOffset: Problem(
        "wrong-offset", 409, "The bytes do not continue the upload", lambda e: {"offset": e.offset}
    ),
    errors.UploadBusy: Problem("upload-busy", 423, "Another request is sending this upload"),
    UnsupportedBody: Problem("unsupported-body", 415, "Unsupported kind of body", lambda e: {"accepted": e.accepted}),
    UnsupportedProtocol: Problem("unsupported-protocol", 412, "Unsupported version of the upload protocol"),
    errors.UnknownAnnotation: Problem("unknown-annotation", 404, "No such annotation"),
    errors.AnnotationConflict: Problem(
        "annotation-conflict", 412, "Changed by another user", lambda e: {"current": e.current}
    ),
    errors.AnnotationLocked: Problem("annotation-locked", 423, "Locked", lambda e: {"by": e.by}),
    errors.UnknownComment: Problem("unknown-comment", 404, "No such comment"),
    NotAcceptable: Problem("not-acceptable", 406, "Not available in this format"),
    errors.NoProfile: Problem("no-profile", 404, "No such colour profile"),
    errors.NodeNameTaken: Problem("node-name-taken", 409, "A node has this name"),
    errors.AnnouncementTooLarge: Problem("too-large", 413, "Too large", lambda e: {"limit": e.limit}),
    errors.NotAnEdge: Problem("not-an-edge", 404, "This service is not an edge"),
    errors.SlideExists: Problem("slide-exists", 409, "The id is already in use"),
    errors.SlideInTrash: Problem("slide-in-trash", 409, "The id belongs to a slide in the trash"),
    errors.InvalidNesting: Problem("invalid-nesting", 409, "It cannot lie there", lambda e: {"cause": e.cause}),
    errors.ScaleStated: Problem("scale-stated", 409, "The file states its scale"),
    errors.Conflict: Problem(
        "stale-revision", 412, "Changed by another request", lambda e: {"given": e.given, "newest": e.newest}
    ),
    errors.StoreBusy: Problem("busy", 409, "In use by another process"),
    errors.StaleVersion: Problem("stale-version", 410, "This version of the slide is gone"),
    errors.TooLarge: Problem("too-large", 413, "Too large", lambda e: {"size": e.size, "limit": e.limit}),
    errors.UnsupportedSource: Problem("unsupported-source", 415, "Unsupported kind of file"),
    **dict.fromkeys((errors.UnreadableSource, errors.SourceError), UNREADABLE),
    **dict.fromkeys((errors.Forbidden, NotModifiable), Problem("forbidden", 403, "Not allowed")),
    errors.WrongCredentials: Problem("wrong-credentials", 401, "Wrong name or password"),
    errors.PasswordChangeRequired: Problem("password-change-required", 403, "Choose a new password"),
    errors.WrongCode: Problem("wrong-code", 401, "Wrong code"),
    # of a step of signing in, which is not a refusal that counts: no 403
    errors.SecondFactorRequired: Problem("second-factor-required", 422, "Enter a code"),
    errors.SecondFactorSetupRequired: Problem("second-factor-setup-required", 422, "Set up a second factor"),
    errors.NoSecondFactor: Problem("no-second-factor", 409, "No second factor"),
    errors.ProviderRefused: Problem("provider-refused", 401, "The single sign-on failed"),
    errors.LaunchRefused: Problem("launch-refused", 401, "The launch failed"),
    errors.PlatformExists: Problem("platform-exists", 409, "The platform is registered"),
    errors.UnknownPlatform: Problem("unknown-platform", 404, "No such learning platform"),
    errors.UnknownLaunch: Problem("unknown-launch", 404, "No such launch"),
    errors.CredentialsExpired: Problem("credentials-expired", 401, "Signed out"),
    errors.NotByToken: Problem("not-by-token", 403, "Not with a personal token"),
    errors.LinkOver: Problem("link-over", 410, "This link is not valid any more"),
    errors.UnknownUser: Problem("unknown-user", 404, "No such user"),
    errors.UnknownGroup: Problem("unknown-group", 404, "No such group"),
    errors.UnknownToken: Problem("unknown-token", 404, "No such token"),
    errors.UnknownLink: Problem("unknown-link", 404, "No such link"),
    errors.AccountExists: Problem("account-exists", 409, "The name is already in use"),
    errors.LastAdmin: Problem("last-admin", 409, "At least one admin must remain"),
    errors.SignInRequired: Problem("sign-in-required", 401, "Sign in first"),
    errors.CorruptBlock: Problem(
        "corrupt-block", 500, "A stored block is damaged", lambda e: {"address": list(e.address), "reason": e.reason}
    ),
    errors.CorruptStore: Problem(
        "corrupt-store", 500, "The stored slide is damaged", lambda e: {"part": e.part, "reason": e.reason}
    ),
    errors.UnsupportedVersion: Problem(
        "unsupported-version", 501, "This slide needs another version of the software", lambda e: {"reason": e.reason}
    ),
    errors.CorruptOverlay: Problem("corrupt-store", 500, "The stored slide is damaged", lambda e: {"reason": str(e)}),
    errors.CodecError: Problem("corrupt-store", 500, "The stored slide is damaged", lambda e: {"reason": e.code}),
    errors.CatalogDamaged: Problem("catalog-damaged", 503, "The catalog is damaged"),
    errors.CatalogMissing: Problem("catalog-missing", 503, "The catalog is missing"),
    errors.TooManyRequests: Problem("too-many-requests", 429, "Too many requests", lambda e: {"seconds": e.seconds}),
    errors.MemoryLimit: Problem("memory-limit", 413, "The file needs more memory than allowed"),
    errors.NotEnoughSpace: Problem(
        "store-full", 507, "Not enough space", lambda e: {"needed": e.needed, "available": e.available}
    ),
    errors.StoreFull: Problem("store-full", 507, "No space left in the store"),
    **dict.fromkeys([errors.Unavailable, errors.CatalogAway, errors.LeaseLost, *ELSEWHERE], AWAY),
    errors.MissingPackage: Problem("missing-package", 503, "A package is not installed"),
    errors.IngestCancelled: Problem("cancelled", 409, "Cancelled"),
    RevisionRequired: Problem("revision-required", 428, "A revision is required"),
    UpgradeRequired: Problem("upgrade-required", 426, "A WebSocket is required"),
    RangeNotSatisfiable: Problem("range-not-satisfiable", 416, "Range not satisfiable"),
}
INTERNAL = Problem("internal", 500, "Something went wrong in the service")
HTTP_NAMES = {404: "not-found", 405: "method-not-allowed", 413: "too-large", 403: "forbidden"}
BY_NAME = {cause.__name__: problem for cause, problem in PROBLEMS.items()}


def problem_of(error: Exception) -> Problem:
    """The row of the table for an exception; the nearest base class counts."""
    return next((PROBLEMS[cls] for cls in type(error).__mro__ if cls in PROBLEMS), INTERNAL)


def problem_json(problem: Problem, detail: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The problem's members."""
    members = {"type": f"/problems/{problem.name}", "title": problem.title, "status": problem.status, "detail": detail}
    request = current_id()
    return {**members, **({"request_id": request} if request else {}), **fields}


def problem_response(
    problem: Problem, detail: str, fields: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """The answer to a failed request."""
    body = json.dumps(problem_json(problem, detail, fields or {})).encode()
    return Response(body, problem.status, {"cache-control": "no-store", **(headers or {})}, MEDIA_TYPE)


def job_problem(error: Mapping[str, str] | None) -> dict[str, str] | None:
    """A job's error as {type, title, detail}; its cause is the name of an exception class."""
    if error is None:
        return None
    problem = BY_NAME.get(error["cause"], INTERNAL)
    return {"type": f"/problems/{problem.name}", "title": problem.title, "detail": error["detail"]}


async def wavescope_error(request: Request, error: Exception) -> Response:
    """Answers one of our own errors."""
    problem = problem_of(error)
    request.scope[PROBLEM] = problem.name
    headers, detail = dict[str, str](), str(error)
    if problem.status >= SERVER_FAULT:
        request.scope[FAILURE] = error
        detail = without_paths(detail)
    if isinstance(error, errors.Unavailable):
        headers["retry-after"] = AWAY_SECONDS if isinstance(error, errors.CatalogAway) else "1"
    if isinstance(error, errors.TooManyRequests):
        headers["retry-after"] = str(error.seconds)
    if isinstance(error, RangeNotSatisfiable):
        headers["content-range"] = f"bytes */{error.size}"
    if isinstance(error, UpgradeRequired):
        headers["upgrade"] = "websocket"
    return problem_response(problem, detail, problem.fields(error), headers)


async def http_error(request: Request, error: Exception) -> Response:
    """Answers what the router refuses: no such route, no such method."""
    assert isinstance(error, HTTPException)
    phrase = HTTPStatus(error.status_code).phrase
    name = HTTP_NAMES.get(error.status_code, phrase.lower().replace(" ", "-"))
    request.scope[PROBLEM] = name
    detail = f"{request.method} {request.scope['path']}: {error.detail}"
    headers = error.headers
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers = {**(headers or {}), "allow": ", ".join(_methods(request))}
    return problem_response(Problem(name, error.status_code, phrase), detail, headers=headers)


def _methods(request: Request) -> list[str]:
    """Of all routes of the path; the router knows those of the first one."""
    routes = (one for one in request.scope["app"].router.routes if isinstance(one, Route))
    matching = (one.methods or () for one in routes if one.matches(request.scope)[0] != Match.NONE)
    methods = {method for each in matching for method in each}
    return sorted(methods | ({"HEAD"} if "GET" in methods else set()))  # HEAD answers as GET does (PR17)


async def validation_error(request: Request, error: Exception) -> Response:
    """Answers parameters or a body that do not fit their declared types."""
    assert isinstance(error, RequestValidationError)
    problem = PROBLEMS[errors.InvalidParameter]
    request.scope[PROBLEM] = problem.name
    faults = [(".".join(str(part) for part in fault["loc"][1:]), fault["msg"]) for fault in error.errors()]
    detail = "; ".join(f"{place or 'the body'}: {message}" for place, message in faults)
    return problem_response(problem, detail, {"parameter": faults[0][0] if faults else ""})


async def client_disconnected(request: Request, error: Exception) -> Response:
    """No client receives this; 499 is in the metrics and the log."""
    assert isinstance(error, ClientDisconnect)
    request.scope[PROBLEM] = "client-disconnected"
    return Response(status_code=499)


async def internal_error(request: Request, error: Exception) -> Response:
    """Answers a programming error without internal details; the server logs the traceback."""
    identified = {ID_HEADER: current_id()}  # answered outside of the middleware that adds it
    return problem_response(INTERNAL, "an unexpected error; see the service's log", headers=identified)
