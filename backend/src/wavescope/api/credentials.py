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
FRAME = Cookie("wavescope_frame")  # this browser shows our pages in a frame of a learning platform
LAUNCH = Cookie("wavescope_launch", "/api/v1/lti")
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


def frame_launch(request: Request) -> bool:
    """Whether the request is made for a frame in a page of another site."""
    return request.headers.get("sec-fetch-dest") in ("iframe", "frame") or FRAME.name in request.cookies


def set_launch_cookie(request: Request, response: Response, secret: str, seconds: int) -> None:
    """Stores, or with 0 seconds removes, what binds a launch to this browser. It comes back with a form that another
    site sends (LT9).
    """
    _add_foreign(response, LAUNCH, secret, seconds, partitioned=frame_launch(request))


def set_frame_cookie(request: Request, response: Response) -> None:
    """Notes that our pages are in a frame, before the cookies that this changes are set."""
    if frame_launch(request):
        _add_foreign(response, FRAME, "1", 400 * 86400, partitioned=True)


def _add_foreign(response: Response, cookie: Cookie, value: str, seconds: int, *, partitioned: bool) -> None:
    """A cookie for a frame in another site; Starlette writes no ``Partitioned`` before Python 3.14."""
    parts = [f"{cookie.name}={value}", f"Max-Age={seconds}", f"Path={cookie.path}", "HttpOnly", "SameSite=None"]
    response.headers.append("set-cookie", "; ".join([*parts, "Secure", *(["Partitioned"] if partitioned else [])]))


def _set(request: Request, response: Response, cookie: Cookie, value: str, seconds: int) -> None:
    if frame_launch(request):
        _add_foreign(response, cookie, value, seconds, partitioned=True)
        return
    response.set_cookie(
        cookie.name,
        value,
        max_age=seconds,
        path=cookie.path,
        secure=request.scope["scheme"] == "https",
        httponly=True,
        samesite=cookie.same_site,
    )
