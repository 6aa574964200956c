"""The cookie that identifies a browser without an account in live sessions (SE4)."""

from __future__ import annotations

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from wavescope.api import credentials
from wavescope.api.state import limits_of

MAX_TOKEN = 100  # characters


def guest_token(request: HTTPConnection) -> str | None:
    """The guest token of a request; None: there is none."""
    token = credentials.credentials_of(request).guest
    return token if token and len(token) <= MAX_TOKEN else None


def with_guest_cookie(request: Request, response: Response, token: str | None) -> Response:
    """The response, with the cookie of a new guest; ``token`` None: unchanged."""
    if token is not None:
        credentials.set_guest_cookie(request, response, token, limits_of(request).guest_seconds)
    return response
