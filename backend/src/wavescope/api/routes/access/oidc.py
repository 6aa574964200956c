"""To the OpenID Connect provider and back (AC38)."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from wavescope.api.credentials import set_sign_in_cookies
from wavescope.api.parameters import OidcParameter
from wavescope.api.problems import PROBLEM, PROBLEMS
from wavescope.api.routing import API, any_query, counted, new_router
from wavescope.errors import ProviderRefused, WrongCredentials
from wavescope.service.access.oidc import ProviderResponse

router = new_router("account", "reads", default_response_class=Response)

ATTEMPT = "wavescope_oidc"
PATH = f"{API}/oidc"
SECONDS = 600  # for signing in at the provider
OWN_PAGE = re.compile(r"/(?![/\\])[^\x00-\x1f\ud800-\udfff]*")
NO_STORE = {"cache-control": "no-store"}


@router.get("/oidc/sign-in", status_code=307)
@counted("sign_in")
async def begin_oidc(
    request: Request, oidc: OidcParameter, next: Annotated[str, Query(max_length=2000)] = "/"
) -> Response:
    """Redirects to the provider."""
    try:
        url, attempt = await oidc.begin(_callback(request), _own_page(next))
    except ProviderRefused:
        return _failed(request)
    response = RedirectResponse(url, 307, NO_STORE)
    secure = request.scope["scheme"] == "https"
    response.set_cookie(ATTEMPT, attempt.to_text(), SECONDS, path=PATH, secure=secure, httponly=True, samesite="lax")
    return response


@router.get("/oidc/callback", status_code=303)
@counted("sign_in")
@any_query
async def finish_oidc(
    request: Request,
    oidc: OidcParameter,
    code: Annotated[str, Query(max_length=4000)] = "",
    state: Annotated[str, Query(max_length=200)] = "",
    error: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """The redirect from the provider. Both outcomes redirect, so the audit entry is written here, not by status."""
    try:
        signed_in, page = await oidc.finish(
            _callback(request), ProviderResponse(code, state, error), request.cookies.get(ATTEMPT, "")
        )
    except (ProviderRefused, WrongCredentials):
        return _failed(request)
    response = RedirectResponse(_own_page(page), 303, NO_STORE)
    set_sign_in_cookies(request, response, signed_in)
    response.delete_cookie(ATTEMPT, path=PATH)
    return response


def _own_page(path: str) -> str:
    """The path, if it leads to a page of this service; else the first page."""
    return path if OWN_PAGE.fullmatch(path) else "/"


def _callback(request: Request) -> str:
    return f"{str(request.base_url).rstrip('/')}{PATH}/callback"


def _failed(request: Request) -> Response:
    request.scope[PROBLEM] = PROBLEMS[ProviderRefused].name  # counted and logged, though the answer is a page
    return RedirectResponse("/sign-in?failed=1", 303, NO_STORE)
