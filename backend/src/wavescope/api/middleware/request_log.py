"""The lines of the log for requests: each answered one, slow ones, failures of the service (OP53 to OP55)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from starlette.types import Scope

from wavescope.access.principal import Principal
from wavescope.api.problems import FAILURE, PROBLEM, SERVER_FAULT
from wavescope.api.state import PRINCIPAL
from wavescope.errors import InvalidParameter
from wavescope.logs.faults import LINES, LineBound, count, fault
from wavescope.logs.loggers import get_logger
from wavescope.logs.safe import name_of
from wavescope.pixels.images import IMAGE_FORMATS
from wavescope.service.access.audit import CLIENT, shortened

ACCESS = ("none", "calls", "all")
SECRET_PARAMETERS = frozenset({"code", "path"})  # of paths: a session's code lets in anyone who knows it
NUMBERS = frozenset({"z", "c", "level", "x", "y", "page"})  # parameters of paths that are numbers
NUMBER = re.compile(r"[0-9]{1,10}")
CHOICES: Mapping[str, frozenset[str]] = {"kind": frozenset(IMAGE_FORMATS)}  # parameters of paths, and their values
BULK = "/slides/{slide_id}/v/"  # tiles, blocks and index pages of a slide
UNMATCHED = "unmatched"  # files of the page
REJECTED = 400
UNAVAILABLE = 503
THROTTLED = 429
REJECTED_LINES = 600  # lines `request` a minute of requests that are refused
NORMAL_CLOSE = frozenset({1000, 1001, 1005, 1006, 1012, 4403, 4406, 4409, 4410})  # of clients and sessions that work
NOTED: Mapping[str, str] = {
    "wrong-credentials": "warning",
    "wrong-passcode": "warning",
    "provider-refused": "warning",
    "foreign-origin": "warning",
    "too-many-requests": "warning",
    "too-large": "warning",
    "unsupported-source": "warning",
    "unreadable-source": "warning",
    "credentials-expired": "info",  # forged ones, and those of a page that was asleep
    "link-over": "info",
    "client-disconnected": "info",
}
"""Problems of requests whose lines have an event of their own, and its level (OP59)."""

PASSED_ON = "wavescope.passed_on"  # the key of a request that another node answers, counts and records

log = get_logger(__name__)


class CompletedRequest(NamedTuple):
    """A request that is over. ``route``: the template that answered; ``attachment``: whether the answer is a file to be
    saved; ``seconds``: from the request's head to the answer's end; ``thinking``: of these, those between the request's
    last byte and the answer's first.
    """

    route: str
    method: str
    status: int
    attachment: bool
    bytes: int
    seconds: float
    thinking: float


class Closed(NamedTuple):
    """A WebSocket that has ended. ``code``: why (SE24), or the status of an answer that refused it; messages and bytes
    that the client sent (``received``) and that were sent to it.
    """

    code: int
    seconds: float
    received: int
    received_bytes: int
    sent: int
    sent_bytes: int


Listener = Callable[[Scope, CompletedRequest], None]


class RequestLog:
    """Writes the lines. ``access``: which requests have one; ``slow``: seconds; ``addresses``: how much of a client's
    address is written (PR34). Raises InvalidParameter.
    """

    def __init__(self, access: str, slow: float, addresses: str) -> None:
        if access not in ACCESS:
            raise InvalidParameter("WAVESCOPE_LOG_ACCESS", access, " or ".join(ACCESS))
        self._access, self._slow, self._addresses = access, slow, addresses
        self._failures, self._rejections = LineBound(LINES), LineBound(REJECTED_LINES)

    def __call__(self, scope: Scope, completed: CompletedRequest) -> None:
        if PROBLEM in scope or (completed.status >= REJECTED and PASSED_ON not in scope):
            self._count(scope, completed)
        if completed.thinking >= self._slow:
            log.warning("slow request", thinking_seconds=round(completed.thinking, 3), **self._fields(scope, completed))
        if self._access == "all" or (self._access == "calls" and not _is_bulk(completed)):
            self._write(scope, completed)

    def closed(self, scope: Scope, closed: Closed) -> None:
        """A WebSocket has ended (OP53, OP59)."""
        values = closed._asdict() | {"seconds": round(closed.seconds, 3)}
        about = {"route": route_path(scope), **self._who(scope), **values}
        if closed.code not in NORMAL_CLOSE:
            fault(log, "websocket closed", "websocket", scope.get(PROBLEM) or str(closed.code), **about)
        elif self._access != "none":
            log.info("websocket closed", **about)

    def _write(self, scope: Scope, completed: CompletedRequest) -> None:
        left_out: int | None = 0
        if self._access == "calls" and completed.status >= REJECTED:
            left_out = None if completed.status == THROTTLED else self._rejections.left_out("refused")
        if left_out is not None:
            log.info("request", **({"left_out": left_out} if left_out else {}), **self._fields(scope, completed))

    def _count(self, scope: Scope, completed: CompletedRequest) -> None:
        """Counts an answer of 400 or more, or a page in its place (OP59)."""
        cause = scope.get(PROBLEM) or f"status {completed.status}"
        if completed.status >= SERVER_FAULT:
            count("request", cause)
            self._failed(scope, completed, cause)
        elif cause in NOTED:
            fields = self._fields(scope, completed)
            fault(log, "request refused", "request", cause, level=NOTED[cause], **fields)
        else:
            count("request", cause)

    def _failed(self, scope: Scope, completed: CompletedRequest, cause: str) -> None:
        """A 5xx, with the error that it was made of (OP54)."""
        left_out = self._failures.left_out(completed.route, cause)
        if left_out is None:
            return
        more = {"left_out": left_out} if left_out else {}
        write = log.warning if completed.status == UNAVAILABLE else log.error
        write("request failed", cause=cause, **more, **self._fields(scope, completed), exc_info=scope.get(FAILURE))

    def _fields(self, scope: Scope, completed: CompletedRequest) -> Mapping[str, Any]:
        return {
            "method": completed.method,
            "route": completed.route,
            "status": completed.status,
            "bytes": completed.bytes,
            "seconds": round(completed.seconds, 4),
            **self._who(scope),
        }

    def _who(self, scope: Scope) -> Mapping[str, Any]:
        principal = scope.get(PRINCIPAL)
        parameters = {
            name: shown(name, str(value))
            for name, value in scope.get("path_params", {}).items()
            if name not in SECRET_PARAMETERS
        }
        return {
            "parameters": parameters,
            "client": shortened(CLIENT.get(), self._addresses),
            "account": name_of(principal.id) if isinstance(principal, Principal) else "",
        }


def route_path(scope: Scope) -> str:
    """The template of the route that answered, so that labels stay few."""
    return str(getattr(scope.get("route"), "path", UNMATCHED))


def shown(name: str, value: str) -> str:
    """A parameter of a path as it may be logged: numbers and values of a choice as they are, ids by ``name_of``."""
    if (name in NUMBERS and NUMBER.fullmatch(value)) or value in CHOICES.get(name, ()):
        return value
    return name_of(value)


def _is_bulk(completed: CompletedRequest) -> bool:
    """Whether it is one of the hundreds that one view requests, and succeeded."""
    bulk = (BULK in completed.route and not completed.route.endswith("/exports")) or completed.route == UNMATCHED
    return completed.status < REJECTED and bulk
