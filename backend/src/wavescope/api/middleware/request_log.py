"""The lines of the log for requests: each answered one, slow ones, failures of the service (OP53 to OP55)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from starlette.types import Scope

from wavescope.access.principal import Principal
from wavescope.api.problems import FAILURE, SERVER_FAULT
from wavescope.api.state import PRINCIPAL
from wavescope.errors import InvalidParameter
from wavescope.logs.loggers import get_logger
from wavescope.logs.safe import name_of
from wavescope.service.access.audit import CLIENT, shortened
from wavescope.service.slides.images import IMAGE_FORMATS

ACCESS = ("none", "calls", "all")
SECRET_PARAMETERS = frozenset({"code", "path"})  # of paths: a session's code lets in anyone who knows it
NUMBERS = frozenset({"z", "c", "level", "x", "y", "page"})  # parameters of paths that are numbers
NUMBER = re.compile(r"[0-9]{1,10}")
CHOICES: Mapping[str, frozenset[str]] = {"kind": frozenset(IMAGE_FORMATS)}  # parameters of paths, and their values
BULK = "/slides/{slide_id}/v/"  # tiles, blocks and index pages of a slide
UNMATCHED = "unmatched"  # files of the page
REFUSED = 400
UNAVAILABLE = 503

log = get_logger(__name__)


class Answered(NamedTuple):
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


Listener = Callable[[Scope, Answered], None]


class RequestLog:
    """Writes the lines. ``access``: which requests have one; ``slow``: seconds; ``addresses``: how much of a client's
    address is written (PR34). Raises InvalidParameter.
    """

    def __init__(self, access: str, slow: float, addresses: str) -> None:
        if access not in ACCESS:
            raise InvalidParameter("WAVESCOPE_LOG_ACCESS", access, " or ".join(ACCESS))
        self._access, self._slow, self._addresses = access, slow, addresses

    def __call__(self, scope: Scope, answered: Answered) -> None:
        if answered.status >= SERVER_FAULT:
            self._failed(scope, answered)
        if answered.thinking >= self._slow:
            log.warning("slow request", thinking_seconds=round(answered.thinking, 3), **self._fields(scope, answered))
        if self._access == "all" or (self._access == "calls" and not _is_bulk(answered)):
            log.info("request", **self._fields(scope, answered))

    def _failed(self, scope: Scope, answered: Answered) -> None:
        """Every 5xx, with the error that it was made of."""
        write = log.warning if answered.status == UNAVAILABLE else log.error
        write("request failed", **self._fields(scope, answered), exc_info=scope.get(FAILURE))

    def _fields(self, scope: Scope, answered: Answered) -> Mapping[str, Any]:
        principal = scope.get(PRINCIPAL)
        parameters = {
            name: shown(name, str(value))
            for name, value in scope.get("path_params", {}).items()
            if name not in SECRET_PARAMETERS
        }
        return {
            "method": answered.method,
            "route": answered.route,
            "parameters": parameters,
            "status": answered.status,
            "bytes": answered.bytes,
            "seconds": round(answered.seconds, 4),
            "client": shortened(CLIENT.get(), self._addresses),
            "account": name_of(principal.id) if isinstance(principal, Principal) else "",
        }


def shown(name: str, value: str) -> str:
    """A parameter of a path as it may be logged: numbers and values of a choice as they are, ids by ``name_of``."""
    if (name in NUMBERS and NUMBER.fullmatch(value)) or value in CHOICES.get(name, ()):
        return value
    return name_of(value)


def _is_bulk(answered: Answered) -> bool:
    """Whether it is one of the hundreds that one view requests, and succeeded."""
    bulk = (BULK in answered.route and not answered.route.endswith("/exports")) or answered.route == UNMATCHED
    return answered.status < REFUSED and bulk
