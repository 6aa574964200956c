"""What a platform has signed: its token's claims, checked by its own keys (LT10)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wavescope.catalog.lti.platforms import PlatformRecord
from wavescope.deferred import deferred
from wavescope.errors import LaunchRefused

if TYPE_CHECKING:
    import httpx2
    from joserfc import errors, jwk, jwt
else:
    errors, jwk, jwt = deferred("joserfc.errors"), deferred("joserfc.jwk"), deferred("joserfc.jwt")
    httpx2 = deferred("httpx2")

ALGORITHMS = ["RS256"]
CACHED_SECONDS = 3600.0  # that a platform's keys are cached
AGAIN_SECONDS = 10.0  # at least between two requests for a platform's keys, whatever signatures come
LEEWAY = 30  # seconds that its clock may differ
TOKEN_SECONDS = 3600  # the longest validity of a token
ANSWER_SECONDS = 10.0  # in which a platform must answer
MALFORMED = (ValueError, TypeError, AttributeError, KeyError, RecursionError)  # what reading foreign data may raise


class PlatformKeys:
    """The key sets of platforms, by their addresses."""

    def __init__(self) -> None:
        self._cached: dict[str, tuple[jwk.KeySet, float]] = {}

    async def claims(self, platform: PlatformRecord, token: str, now: float) -> Mapping[str, Any]:
        """The claims of a token for this service, signed by the platform. The nonce is checked by the caller.

        Raises LaunchRefused.
        """
        found = await self._decoded(platform.facts.keys_url, token)
        client = platform.facts.client_id
        rules = jwt.JWTClaimsRegistry(
            now=int(now),
            leeway=LEEWAY,
            iss={"essential": True, "value": platform.facts.issuer},
            aud={"essential": True, "value": client},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True},
        )
        try:
            rules.validate(found)
            long = found["exp"] - found["iat"] > TOKEN_SECONDS
        except (errors.JoseError, *MALFORMED) as cause:
            raise LaunchRefused("its claims are not right", claim_at_fault(cause)) from cause
        if long or found["iat"] < now - TOKEN_SECONDS:
            raise LaunchRefused("it is valid for too long", "expired")
        several = isinstance(found["aud"], list) and len(found["aud"]) > 1
        if found.get("azp", None if several else client) != client:
            raise LaunchRefused("its claims are not right", "audience")
        return found

    async def _decoded(self, address: str, token: str) -> dict[str, Any]:
        for fresh in (False, True):
            keys = await self._keys(address, fresh)
            try:
                return dict(jwt.decode(token, keys, algorithms=ALGORITHMS).claims)
            except (errors.JoseError, *MALFORMED) as cause:  # the platform may have new keys
                if fresh:
                    raise LaunchRefused("its signature is not right", "signature") from cause
        raise AssertionError

    async def _keys(self, address: str, fresh: bool) -> jwk.KeySet:
        cached = self._cached.get(address)
        age = AGAIN_SECONDS if fresh else CACHED_SECONDS
        if cached is not None and time.monotonic() - cached[1] < age:
            return cached[0]
        try:
            async with httpx2.AsyncClient(timeout=ANSWER_SECONDS) as client:
                found = (await client.get(address)).raise_for_status().json()
            keys = jwk.KeySet.import_key_set(found)
        except (httpx2.HTTPError, errors.JoseError, *MALFORMED) as cause:
            raise LaunchRefused("its keys cannot be read", f"keys: {type(cause).__name__}") from cause
        self._cached[address] = keys, time.monotonic()
        return keys


def claim_at_fault(error: BaseException) -> str:
    """What is wrong with a token's claims."""
    if isinstance(error, errors.ExpiredTokenError):
        return "expired"
    named = {"aud": "audience", "iss": "issuer", "exp": "expired", "iat": "clock", "nbf": "clock", "sub": "subject"}
    claim = error.claim if isinstance(error, errors.ClaimError) else "claims"
    return named.get(claim, claim)
