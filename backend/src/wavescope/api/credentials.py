"""Cookies and tokens: what a request carries, and what an answer stores in the browser (AC30, AC31)."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Literal, NamedTuple

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from wavescope.catalog.access.tokens import SignedIn
from wavescope.service.access.authenticator import NOTHING, Credentials


class Cookie(NamedTuple):
    """One of the service's cookies: where the browser sends it."""

    name: str
    path: str = "/"
    same_site: Literal["lax", "strict"] = "lax"


SIGN_IN = Cookie("wavescope_sign_in")
RENEW = Cookie("wavescope_renew", "/api/v1/sign-in", "strict")
LINKS = Cookie("wavescope_links")
GUEST = Cookie("wavescope_guest")
MAX_LINKS = 12  # opened links that a browser stores


def credentials_of(request: HTTPConnection) -> Credentials:
    """The secrets that a request carries."""
    return credentials_in(request.scope["headers"])


def credentials_in(headers: Iterable[tuple[bytes, bytes]]) -> Credentials:
    """The secrets in the headers of a request."""
    cookies = bearer = ""
    for name, value in headers:
        if name == b"cookie":
            cookies = f"{cookies}; {value.decode('latin-1')}" if cookies else value.decode("latin-1")
        elif name == b"authorization" and value[:7].lower() == b"bearer ":
            bearer = value[7:].strip().decode("latin-1")
    if not cookies and not bearer:
        return NOTHING
    found = dict(part.strip().partition("=")[::2] for part in cookies.split(";"))
    links = tuple(filter(None, found.get(LINKS.name, "").split(".")))[-MAX_LINKS:]
    return Credentials(found.get(SIGN_IN.name, ""), links, found.get(GUEST.name, ""), bearer)


def renewal_of(request: Request) -> str:
    """The secret that renews the sign-in."""
    return request.cookies.get(RENEW.name, "")


def set_sign_in_cookies(request: Request, response: Response, signed_in: SignedIn) -> None:
    """Stores a sign-in in the browser. The cookie outlives its token, so that an expired one is noticed."""
    seconds = round(signed_in.renewable - time.time())
    _set(request, response, SIGN_IN, signed_in.token, seconds)
    _set(request, response, RENEW, signed_in.renew, seconds)


def forget_sign_in(request: Request, response: Response) -> None:
    """Removes the sign-in from the browser."""
    _set(request, response, SIGN_IN, "", 0)
    _set(request, response, RENEW, "", 0)


def set_link_cookie(request: Request, response: Response, token: str, expires: float | None) -> None:
    """Stores an opened link in the browser, beside those it has."""
    known = credentials_of(request).links
    tokens = [*(one for one in known if one != token), token][-MAX_LINKS:]
    seconds = None if expires is None or len(tokens) > 1 else max(1, round(expires - time.time()))
    _set(request, response, LINKS, ".".join(tokens), seconds or 400 * 86400)


def set_guest_cookie(request: Request, response: Response, token: str, seconds: int) -> None:
    """Stores a guest's token for live sessions in the browser."""
    _set(request, response, GUEST, token, seconds)


def _set(request: Request, response: Response, cookie: Cookie, value: str, seconds: int) -> None:
    response.set_cookie(
        cookie.name,
        value,
        max_age=seconds,
        path=cookie.path,
        secure=request.scope["scheme"] == "https",
        httponly=True,
        samesite=cookie.same_site,
    )
