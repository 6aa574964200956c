"""The cookie by which a browser without an account is known in live sessions (SE4)."""

from __future__ import annotations

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from wavescope.api import credentials
from wavescope.service.sessions.members import GUEST_SECONDS

LONGEST = 100  # characters


def guest_token(request: HTTPConnection) -> str | None:
    """The token that a request carries."""
    token = credentials.credentials_of(request).guest
    return token if token and len(token) <= LONGEST else None


def keep_guest(request: Request, response: Response, token: str | None) -> Response:
    """The answer, which lets the browser keep a new token."""
    if token is not None:
        credentials.keep_guest(request, response, token, int(GUEST_SECONDS))
    return response
