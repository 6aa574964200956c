"""The second factor of one's own account, its set-up at the sign-in, its reset by admins (AC53 to AC58)."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wavescope.access.principal import Principal, user_principal
from wavescope.api.credentials import set_sign_in_cookies
from wavescope.api.http.body import json_body, read_model
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import SecondFactorParameter
from wavescope.api.routing import counted, new_router
from wavescope.api.schemas.slides import time_of
from wavescope.api.state import PRINCIPAL, PrincipalParameter

router = new_router("account", "reads")

NO_STORE = {"cache-control": "no-store"}


class SecondFactorView(BaseModel):
    """The second factor of the own account. Its secret is never answered again."""

    active: bool
    since: datetime | None
    recovery_codes: int = Field(description="recovery codes that are not used yet")
    required: bool = Field(description="whether this account cannot sign in by password without one")


class Proof(BaseModel):
    """The password, and a code of the second factor if there is one."""

    model_config = ConfigDict(extra="forbid")
    password: str = Field(max_length=1000)
    code: str | None = Field(default=None, max_length=100, description="of the app, or a recovery code")


class NamedProof(BaseModel):
    """A name and a password."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)
    password: str = Field(min_length=1, max_length=1000)


class SetupView(BaseModel):
    """What an authenticator app needs, answered only here."""

    secret: str = Field(description="in base32")
    uri: str = Field(description="`otpauth://...` with the secret, for a QR code")


class Code(BaseModel):
    """A code of the secret that was answered last."""

    model_config = ConfigDict(extra="forbid")
    code: str = Field(min_length=1, max_length=100)


class RecoveryCodes(BaseModel):
    """Codes that replace a code of the app once each, answered only here."""

    recovery_codes: list[str]


@router.get("/account/second-factor")
async def get_second_factor(factors: SecondFactorParameter, principal: PrincipalParameter) -> SecondFactorView:
    """Whether the own account has a second factor (AC53)."""
    state = await factors.state(principal)
    since = None if state.since is None else time_of(state.since)
    return SecondFactorView(**state._asdict() | {"since": since})


@router.post("/account/second-factor", openapi_extra=json_body(Proof), response_model=SetupView)
@counted("sign_in")
async def begin_second_factor(
    request: Request, factors: SecondFactorParameter, principal: PrincipalParameter
) -> Response:
    """A new secret, in use when it is confirmed (AC53)."""
    proof = await read_model(request, Proof)
    return _response((await factors.begin(principal, proof.password, proof.code))._asdict())


@router.post("/account/second-factor/confirm", openapi_extra=json_body(Code), response_model=RecoveryCodes)
@counted("sign_in")
async def confirm_second_factor(
    request: Request, factors: SecondFactorParameter, principal: PrincipalParameter
) -> Response:
    """Turns the second factor on; ends every other sign-in (AC53)."""
    code = await read_model(request, Code)
    codes, signed_in = await factors.confirm(principal, code.code)
    response = _response({"recovery_codes": codes})
    set_sign_in_cookies(request, response, signed_in)
    return response


@router.post("/account/second-factor/recovery-codes", openapi_extra=json_body(Proof), response_model=RecoveryCodes)
@counted("sign_in")
async def make_recovery_codes(
    request: Request, factors: SecondFactorParameter, principal: PrincipalParameter
) -> Response:
    """New recovery codes; the previous ones are not valid any more (AC58)."""
    proof = await read_model(request, Proof)
    return _response({"recovery_codes": await factors.new_recovery(principal, proof.password, proof.code)})


@router.post("/account/second-factor/turn-off", status_code=204, openapi_extra=json_body(Proof))
@counted("sign_in")
async def turn_off_second_factor(
    request: Request, factors: SecondFactorParameter, principal: PrincipalParameter
) -> None:
    """Turns the second factor off (AC58)."""
    proof = await read_model(request, Proof)
    await factors.turn_off(principal, proof.password, proof.code)


@router.post("/sign-in/second-factor", openapi_extra=json_body(NamedProof), response_model=SetupView)
@counted("sign_in")
async def begin_required_second_factor(request: Request, factors: SecondFactorParameter) -> Response:
    """A new secret for an account that cannot sign in without a second factor and has none (AC56)."""
    proof = await read_model(request, NamedProof)
    request.scope[PRINCIPAL] = Principal(proof.name)  # until it is proved
    user, setup = await factors.begin_at_sign_in(proof.name, proof.password)
    request.scope[PRINCIPAL] = user_principal(user.id, user.title, user.role)
    return _response(setup._asdict())


@router.delete("/users/{user_id}/second-factor", status_code=204)
async def reset_second_factor(
    user_id: str, request: Request, factors: SecondFactorParameter, principal: PrincipalParameter
) -> None:
    """Removes the second factor of a user (AC58)."""
    user = await factors.reset(principal, user_id)
    audit_detail(request, name=user.name)


def _response(content: object) -> JSONResponse:
    return JSONResponse(content, headers=NO_STORE)
