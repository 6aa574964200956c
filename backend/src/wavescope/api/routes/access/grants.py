"""Grants for nodes and edges (AC43 to AC46)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from wavescope.access.grants import SECONDS
from wavescope.api.http.body import json_body, read_model
from wavescope.api.parameters import GrantsParameter
from wavescope.api.routing import new_router
from wavescope.api.state import PrincipalParameter

router = new_router("grants", "reads")


class GrantRequest(BaseModel):
    """The slides that the grant is for."""

    model_config = ConfigDict(extra="forbid")
    slides: list[Annotated[str, Field(min_length=1, max_length=128)]] = Field(min_length=1, max_length=200)


class GrantView(BaseModel):
    """A signed grant for ``Authorization: Bearer`` at a node, until ``expires`` (seconds since 1970)."""

    grant: str
    expires: float
    seconds: int = Field(description="the longest validity of a grant")


class KeySetView(BaseModel):
    """The public keys for verifying grants (RFC 7517)."""

    keys: list[dict[str, Any]]


@router.post("/grants", openapi_extra=json_body(GrantRequest))
async def give_grant(request: Request, grants: GrantsParameter, principal: PrincipalParameter) -> GrantView:
    """Issues a grant to slides that the principal can view (AC43)."""
    payload = await read_model(request, GrantRequest)
    grant = await grants.issue(principal, payload.slides)
    return GrantView(grant=grant.token, expires=grant.expires, seconds=SECONDS)


@router.get("/grants/keys")
async def get_grant_keys(grants: GrantsParameter) -> KeySetView:
    """The keys with which nodes verify grants (AC44)."""
    return KeySetView(keys=(await grants.keys())["keys"])
