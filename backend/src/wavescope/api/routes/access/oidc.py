"""To the OpenID Connect provider and back (AC38)."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Query
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from wavescope.access.principal import ANONYMOUS, user_principal
from wavescope.api.credentials import keep_sign_in
from wavescope.api.routing import API, new_router
from wavescope.api.state import ServiceParameter
from wavescope.errors import ProviderRefused, WrongCredentials
from wavescope.service.access.oidc import Attempt, OidcProvider
from wavescope.service.service import Service

router = new_router("account", default_response_class=Response)

ATTEMPT = "wavescope_oidc"
PATH = f"{API}/oidc"
SECONDS = 600  # for signing in at the provider
OWN_PAGE = re.compile(r"/(?![/\\])[^\x00-\x1f\ud800-\udfff]*")
NO_STORE = {"cache-control": "no-store"}


@router.get("/oidc/sign-in", status_code=307)
async def begin_oidc(
    request: Request, service: ServiceParameter, next: Annotated[str, Query(max_length=2000)] = "/"
) -> Response:
    """Leads to the provider."""
    try:
        url, attempt = await _provider(service).begin(_callback(request), _own_page(next))
    except ProviderRefused:
        return _failed()
    response = RedirectResponse(url, 307, NO_STORE)
    secure = request.scope["scheme"] == "https"
    response.set_cookie(ATTEMPT, attempt.to_text(), SECONDS, path=PATH, secure=secure, httponly=True, samesite="lax")
    return response


@router.get("/oidc/callback", status_code=303)
async def finish_oidc(
    request: Request,
    service: ServiceParameter,
    code: Annotated[str, Query(max_length=4000)] = "",
    state: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Where the provider leads back to. Both outcomes lead on, so they are recorded here, not by their status."""
    provider = _provider(service)
    via = {"provider": service.config.oidc_issuer}
    try:
        attempt = Attempt.from_text(request.cookies.get(ATTEMPT, ""))
        user = await provider.finish(_callback(request), code, state, attempt)
    except (ProviderRefused, WrongCredentials):
        service.audit.record(ANONYMOUS, "sign-in failed", **via)
        return _failed()
    service.audit.record(user_principal(user.id, user.title, user.role), "signed in", **via)
    response = RedirectResponse(_own_page(attempt.next), 303, NO_STORE)
    keep_sign_in(request, response, await service.accounts.let_in(user.id))
    response.delete_cookie(ATTEMPT, path=PATH)
    return response


def _provider(service: Service) -> OidcProvider:
    if service.provider is None:
        raise HTTPException(404)
    return service.provider


def _own_page(path: str) -> str:
    """The path, if it leads to a page of this service; else the first page."""
    return path if OWN_PAGE.fullmatch(path) else "/"


def _callback(request: Request) -> str:
    return f"{str(request.base_url).rstrip('/')}{PATH}/callback"


def _failed() -> Response:
    return RedirectResponse("/sign-in?failed=1", 303, NO_STORE)
