"""Cookies and tokens: what a request carries, and what an answer lets the browser keep (AC30, AC31)."""

from __future__ import annotations

import time

from starlette.requests import Request
from starlette.responses import Response

from wavescope.catalog.access.tokens import SignedIn
from wavescope.service.access.authenticator import NOTHING, Credentials

SIGN_IN = "wavescope_session"
RENEW = "wavescope_renew"
LINKS = "wavescope_links"
GUEST = "wavescope_guest"
RENEW_PATH = "/api/v1/sign-in"
MOST_LINKS = 12  # opened links that a browser keeps


def credentials_of(request: Request) -> Credentials:
    """The secrets that a request carries."""
    cookies = bearer = ""
    for name, value in request.scope["headers"]:
        if name == b"cookie":
            cookies = f"{cookies}; {value.decode('latin-1')}" if cookies else value.decode("latin-1")
        elif name == b"authorization" and value[:7].lower() == b"bearer ":
            bearer = value[7:].strip().decode("latin-1")
    if not cookies and not bearer:
        return NOTHING
    found = dict(part.strip().partition("=")[::2] for part in cookies.split(";"))
    links = tuple(filter(None, found.get(LINKS, "").split(".")))[-MOST_LINKS:]
    return Credentials(found.get(SIGN_IN, ""), links, found.get(GUEST, ""), bearer)


def renewal_of(request: Request) -> str:
    """The secret that renews the sign-in."""
    return request.cookies.get(RENEW, "")


def keep_sign_in(request: Request, response: Response, made: SignedIn) -> None:
    """Lets the browser keep a sign-in. The cookie outlives its token, so that one that has expired is noticed."""
    seconds = round(made.renewable - time.time())
    _set(request, response, SIGN_IN, made.token, seconds, "/", "lax")
    _set(request, response, RENEW, made.renew, seconds, RENEW_PATH, "strict")


def forget_sign_in(request: Request, response: Response) -> None:
    """Takes the sign-in from the browser."""
    _set(request, response, SIGN_IN, "", 0, "/", "lax")
    _set(request, response, RENEW, "", 0, RENEW_PATH, "strict")


def keep_link(request: Request, response: Response, token: str, expires: float | None) -> None:
    """Lets the browser keep an opened link, beside those it has."""
    known = credentials_of(request).links
    tokens = [*(one for one in known if one != token), token][-MOST_LINKS:]
    seconds = None if expires is None or len(tokens) > 1 else max(1, round(expires - time.time()))
    _set(request, response, LINKS, ".".join(tokens), seconds or 400 * 86400, "/", "lax")


def keep_guest(request: Request, response: Response, token: str, seconds: int) -> None:
    """Lets the browser keep a guest's place in a live session."""
    _set(request, response, GUEST, token, seconds, "/", "lax")


def _set(request: Request, response: Response, name: str, value: str, seconds: int, path: str, site: str) -> None:
    same_site = "strict" if site == "strict" else "lax"
    secure = request.scope["scheme"] == "https"
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path=path,
        secure=secure,
        httponly=True,
        samesite=same_site,  # type: ignore[arg-type]
    )
