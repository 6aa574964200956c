"""What the viewer of a widget asks and is answered: requests of the wire, as messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, NamedTuple

from wavescope import errors
from wavescope.client.problems import Refused, name_of
from wavescope.errors import InvalidParameter, WavescopeError

MAX_BODY = 64 << 20  # bytes of a request
_STATUSES: Mapping[type[WavescopeError], int] = {
    errors.InvalidParameter: 400,
    errors.OutOfRange: 404,
    errors.UnknownSlide: 404,
    errors.UnknownAnnotation: 404,
    errors.NoProfile: 404,
    errors.StaleVersion: 410,
    errors.TooLarge: 413,
    errors.Forbidden: 403,
    errors.SignInRequired: 401,
    errors.Unavailable: 503,
}


class Asked(NamedTuple):
    """A request. ``path`` begins with a slash and has the query."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class Reply:
    """An answer."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def asked(content: Mapping[str, Any], buffers: Sequence[Any]) -> Asked:
    """The request in a message. Raises InvalidParameter, TooLarge."""
    method, path, headers = content.get("method"), content.get("path"), content.get("headers", {})
    fits = isinstance(method, str) and isinstance(path, str) and path.startswith("/") and isinstance(headers, dict)
    if not fits or len(buffers) > 1:
        raise InvalidParameter("message", str(content)[:200], "method, path and headers")
    size = sum(memoryview(each).nbytes for each in buffers)
    if size > MAX_BODY:
        raise errors.TooLarge("the body of a request", size, MAX_BODY)
    body = b"".join(bytes(each) for each in buffers)
    return Asked(str(method), str(path), {str(name).lower(): str(value) for name, value in headers.items()}, body)


def json_reply(value: object) -> Reply:
    """A document."""
    return Reply(json.dumps(value).encode(), headers={"content-type": "application/json"})


def problem(error: BaseException) -> Reply:
    """What an error is on the wire. One that is none of Wavescope's says nothing of what is inside."""
    if isinstance(error, WavescopeError):
        name, detail = name_of(error), str(error)
    else:
        name, detail = "internal", type(error).__name__
    status = error.status if isinstance(error, Refused) else _status(error)
    document = {"type": f"/problems/{name}", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return Reply(json.dumps(document).encode(), status, {"content-type": "application/problem+json"})


def _status(error: BaseException) -> int:
    return next((_STATUSES[one] for one in type(error).__mro__ if one in _STATUSES), 500)
