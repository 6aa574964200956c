"""Signing in, staying signed in, signing out; who one is (AC30 to AC34)."""

from __future__ import annotations

import contextlib
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wavescope.access.principal import Principal, Role, user_principal
from wavescope.api.credentials import credentials_of, forget_sign_in, renewal_of, set_sign_in_cookies
from wavescope.api.http.body import json_body, read_model
from wavescope.api.middleware.audit_trail import audit_also
from wavescope.api.parameters import AccountsParameter, ConfigParameter
from wavescope.api.routing import counted, new_router
from wavescope.api.state import PRINCIPAL, PrincipalParameter, principal_of
from wavescope.catalog.records import UserRecord
from wavescope.errors import CredentialsExpired
from wavescope.service.access.credentials import SignInAttempt

router = new_router("account", "reads")


class AccountUser(BaseModel):
    """An account as its owner sees it; ``password``: whether it has one here."""

    id: str
    name: str
    title: str
    role: Role
    password: bool


class HeldCapability(BaseModel):
    """Something that a link or session lets the holder see."""

    kind: Literal["link", "session", "grant"]
    right: Literal["view", "annotate"]
    slides: list[str]
    case: str | None
    expires: float | None = Field(description="seconds since 1970")


class AccountView(BaseModel):
    """The requesting principal, and how users sign in to this service."""

    mode: Literal["local", "accounts"]
    user: AccountUser | None
    held: list[HeldCapability]
    renew_after: float | None = Field(description="seconds after which the sign-in should be renewed")
    provider: str | None = Field(description="the name of the OIDC provider; null: there is none")


class SignedInUser(AccountUser):
    """The account that has signed in."""

    recovery_codes: list[str] | None = Field(
        description="of the second factor, if this request has turned it on; answered only here"
    )


class SignIn(BaseModel):
    """A name and a password, and what a sign-in needs beyond them."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)
    password: str = Field(min_length=1, max_length=1000)
    new_password: str | None = Field(
        default=None, max_length=1000, description="replaces a password given for the first sign-in (AC51)"
    )
    code: str | None = Field(default=None, max_length=100, description="of the second factor (AC54)")


@router.get("/account")
async def get_account(
    accounts: AccountsParameter, config: ConfigParameter, principal: PrincipalParameter
) -> AccountView:
    """The requesting principal (AC34)."""
    user = await accounts.own(principal) if principal.user else None
    return AccountView(
        mode="local" if principal.local else "accounts",
        user=None if user is None else _user(user),
        held=_held(principal),
        renew_after=0.75 * config.sign_in_seconds if principal.user else None,
        provider=config.oidc_title if config.oidc_issuer else None,
    )


@router.post("/sign-in", openapi_extra=json_body(SignIn), response_model=SignedInUser)
@counted("sign_in")
async def sign_in(request: Request, accounts: AccountsParameter) -> Response:
    """Signs in by name and password, and a code where there is a second factor (AC31, AC54)."""
    payload = await read_model(request, SignIn)
    request.scope[PRINCIPAL] = Principal(payload.name)  # until it is proved
    claim = SignInAttempt(payload.name, payload.password, payload.code)
    user, signed_in, codes = await accounts.sign_in(claim, payload.new_password)
    request.scope[PRINCIPAL] = user_principal(user.id, user.title, user.role)
    if codes:
        audit_also(request, "second factor turned on")
    content = _user(user).model_dump() | {"recovery_codes": codes or None}
    response = JSONResponse(content, headers={"cache-control": "no-store"})
    set_sign_in_cookies(request, response, signed_in)
    return response


@router.post("/sign-in/renew", status_code=204)
async def renew_sign_in(request: Request, accounts: AccountsParameter) -> Response:
    """Renews the cookies of the sign-in (AC32)."""
    signed_in = await accounts.renew(renewal_of(request))
    response = Response(status_code=204)
    set_sign_in_cookies(request, response, signed_in)
    return response


@router.post("/sign-out", status_code=204)
async def sign_out(request: Request, accounts: AccountsParameter) -> Response:
    """Ends the sign-in in every browser that has its cookies (AC33)."""
    secret = credentials_of(request).sign_in
    if secret:
        with contextlib.suppress(CredentialsExpired):
            principal_of(request)
        await accounts.sign_out(secret)
    response = Response(status_code=204)
    forget_sign_in(request, response)
    return response


def _user(user: UserRecord) -> AccountUser:
    return AccountUser(id=user.id, name=user.name, title=user.title, role=user.role, password=user.password is not None)


def _held(principal: Principal) -> list[HeldCapability]:
    return [
        HeldCapability(kind=one.kind, right=one.right, slides=sorted(one.slides), case=one.case, expires=one.expires)
        for one in principal.capabilities
    ]
