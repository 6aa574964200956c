"""One's own account: password and personal tokens (AC34, AC35)."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wavescope.access.principal import DEFAULT_SCOPES, SCOPES, TokenScope
from wavescope.api.credentials import set_sign_in_cookies
from wavescope.api.http.body import json_body, read_model
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import AccountsParameter
from wavescope.api.routing import counted, new_router
from wavescope.api.schemas.slides import time_of
from wavescope.api.state import PrincipalParameter
from wavescope.catalog.records import TokenRecord

router = new_router("account", "reads")


class PasswordChange(BaseModel):
    """The present and the new password."""

    model_config = ConfigDict(extra="forbid")
    old: str = Field(max_length=1000)
    new: str = Field(max_length=1000)
    code: str | None = Field(default=None, max_length=100, description="of the second factor, if there is one (AC58)")
    keep_tokens: bool = Field(default=False, description="whether personal tokens stay valid")


class EndedView(BaseModel):
    """The sign-ins and tokens that a new password has ended (AC49)."""

    sign_ins: int = Field(description="other sign-ins")
    tokens: int = Field(description="personal tokens")


class TokenView(BaseModel):
    """A personal token without its secret."""

    id: str
    title: str
    created: datetime
    expires: datetime | None
    used: datetime | None
    scopes: list[TokenScope] = Field(description="what it may be used for (AC65)")


class TokenList(BaseModel):
    """Personal tokens, the newest first."""

    tokens: list[TokenView]


class NewToken(BaseModel):
    """The title of a token, its validity in days, and what it may be used for."""

    model_config = ConfigDict(extra="forbid")
    title: str = Field(min_length=1, max_length=200)
    days: int | None = Field(default=90, ge=1, le=3660)
    scopes: list[TokenScope] = Field(default=list(DEFAULT_SCOPES), min_length=1, max_length=len(SCOPES))


class CreatedToken(TokenView):
    """A new token with its secret, which is returned only here."""

    token: str


@router.put("/account/password", openapi_extra=json_body(PasswordChange), response_model=EndedView)
@counted("sign_in")
async def change_password(request: Request, accounts: AccountsParameter, principal: PrincipalParameter) -> Response:
    """Changes the password; ends every other sign-in, and the tokens unless ``keep_tokens`` (AC34, AC49)."""
    payload = await read_model(request, PasswordChange)
    old, new, code = payload.old, payload.new, payload.code
    change = accounts.change_password(principal, old, new, code, keep_tokens=payload.keep_tokens)
    signed_in, ended = await change
    audit_detail(request, sign_ins=ended.sign_ins, tokens=ended.tokens)
    response = JSONResponse(ended._asdict(), headers={"cache-control": "no-store"})
    set_sign_in_cookies(request, response, signed_in)
    return response


@router.get("/account/tokens")
async def list_tokens(accounts: AccountsParameter, principal: PrincipalParameter) -> TokenList:
    """Personal tokens (AC35)."""
    return TokenList(tokens=[_token(record) for record in await accounts.tokens(principal)])


@router.post("/account/tokens", status_code=201, openapi_extra=json_body(NewToken))
async def create_token(request: Request, accounts: AccountsParameter, principal: PrincipalParameter) -> CreatedToken:
    """A new personal token (AC35)."""
    payload = await read_model(request, NewToken)
    audit_detail(request, scopes=", ".join(payload.scopes))
    secret, record = await accounts.new_token(principal, payload.title, payload.days, payload.scopes)
    return CreatedToken(**_token(record).model_dump(), token=secret)


@router.delete("/account/tokens/{token_id}", status_code=204)
async def revoke_token(token_id: str, accounts: AccountsParameter, principal: PrincipalParameter) -> None:
    """Revokes a personal token (AC35)."""
    await accounts.revoke_token(principal, token_id)


def _token(record: TokenRecord) -> TokenView:
    return TokenView(
        id=record.id,
        title=record.title,
        created=time_of(record.created),
        expires=None if record.expires is None else time_of(record.expires),
        used=None if record.used is None else time_of(record.used),
        scopes=[one for one in SCOPES if one in record.scopes],
    )
