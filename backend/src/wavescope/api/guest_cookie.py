"""The cookie by which a browser without an account is known in live sessions (SE4)."""

from __future__ import annotations

from typing import TypeVar

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from wavescope.service.sessions.sessions import GUEST_SECONDS

GUEST = "wavescope_guest"
Answer = TypeVar("Answer", bound=Response)


def guest_token(request: Request) -> str | None:
    """The token that the request carries."""
    return token_of(request)


def token_of(connection: HTTPConnection) -> str | None:
    """The token that a request or a WebSocket carries."""
    token = connection.cookies.get(GUEST)
    return token if token and len(token) <= 100 else None


def keep_guest(request: Request, response: Answer, token: str | None) -> Answer:
    """The answer, which lets the browser keep a new token."""
    if token is not None:
        response.set_cookie(
            GUEST,
            token,
            max_age=int(GUEST_SECONDS),
            path="/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )
    return response
