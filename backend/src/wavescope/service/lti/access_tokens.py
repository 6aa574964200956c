"""Tokens by which this service may use the services of a platform: its own signed assertion for one of them (LT25)."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING

from wavescope.catalog.lti.platforms import PlatformFacts
from wavescope.deferred import deferred
from wavescope.service.lti.keys import ToolKeys

if TYPE_CHECKING:
    import httpx2
else:
    httpx2 = deferred("httpx2")

ASSERTION_SECONDS = 60
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


async def access_token(
    client: httpx2.AsyncClient, platform: PlatformFacts, keys: ToolKeys, scope: str, now: float
) -> str:
    """A token for one scope. Raises httpx2.HTTPError, and MALFORMED for an answer of another shape."""
    claims = {
        "iss": platform.client_id,
        "sub": platform.client_id,
        "aud": platform.token_url,
        "iat": int(now),
        "exp": int(now) + ASSERTION_SECONDS,
        "jti": uuid.uuid4().hex,
    }
    form = {
        "grant_type": "client_credentials",
        "client_assertion_type": ASSERTION,
        "client_assertion": await asyncio.to_thread(keys.sign, claims),
        "scope": scope,
    }
    answer = (await client.post(platform.token_url, data=form)).raise_for_status().json()
    return str(answer["access_token"])
