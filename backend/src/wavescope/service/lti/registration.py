"""Which platforms may launch: an administrator enters them, or invites them to register themselves (LT1 to LT5)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from wavescope.catalog.access.tokens import new_secret
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.lti.platforms import PlatformFacts, PlatformRecord, Platforms
from wavescope.catalog.lti.scores import Scores, UnsentScores
from wavescope.deferred import deferred
from wavescope.errors import InvalidParameter, LaunchRefused
from wavescope.lti.claims import web_address
from wavescope.lti.messages import TOOL, tool_description
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.lti.platform_keys import ANSWER_SECONDS, MALFORMED

if TYPE_CHECKING:
    import httpx2
else:
    httpx2 = deferred("httpx2")

INVITED_SECONDS = 86400.0  # that an invitation is valid
PREFIX = "wsl_"
PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration"


class Frames:
    """The origins whose pages may show ours in a frame, for the headers of pages; read without waiting for SQL."""

    def __init__(self, platforms: Platforms) -> None:
        self._platforms = platforms
        self._origins: tuple[str, ...] = ()

    def listed(self) -> tuple[str, ...]:
        """Those that were read last."""
        return self._origins

    def read(self) -> None:
        """Reads them again, of all platforms; waits for SQL."""
        named = [(one.facts.issuer, one.facts.authorize_url, *one.facts.frames) for one in self._platforms.list()]
        self._origins = tuple(sorted({origin_of(address) for addresses in named for address in addresses}))


class RegistrationRequest(NamedTuple):
    """What a platform brings to its registration: the address of its metadata, its own token, our invitation."""

    metadata_url: str
    token: str
    invitation: str


class ListedPlatform(NamedTuple):
    """A platform with the scores that it did not accept."""

    platform: PlatformRecord
    unsent: UnsentScores


class PlatformService:
    """Only those who manage users may change which platforms launch."""

    def __init__(self, catalog: Catalog, gate: Gate) -> None:
        self._platforms, self._scores, self._gate = Platforms(catalog), Scores(catalog), gate
        self.frames = Frames(self._platforms)

    async def list(self, principal: Principal) -> Sequence[ListedPlatform]:
        """Raises Forbidden, SignInRequired."""
        require(self._gate, principal, "manage users")
        unsent = await asyncio.to_thread(self._scores.unsent)
        found = await asyncio.to_thread(self._platforms.list)
        return [ListedPlatform(one, unsent.get(one.id, UnsentScores())) for one in found]

    async def add(self, principal: Principal, facts: PlatformFacts) -> PlatformRecord:
        """Raises Forbidden, SignInRequired, InvalidParameter, PlatformExists."""
        require(self._gate, principal, "manage users")
        return await self._added(facts)

    async def remove(self, principal: Principal, platform_id: str) -> PlatformRecord:
        """Raises Forbidden, SignInRequired, UnknownPlatform."""
        require(self._gate, principal, "manage users")
        found = await asyncio.to_thread(self._platforms.remove, platform_id)
        await asyncio.to_thread(self.frames.read)
        return found

    async def invite(self, principal: Principal) -> tuple[str, float]:
        """A secret by which one platform may register itself, and when it expires. Raises Forbidden, SignInRequired."""
        require(self._gate, principal, "manage users")
        return await asyncio.to_thread(invited, self._platforms)

    async def register(self, request: RegistrationRequest, base: str) -> PlatformRecord:
        """Registers this service at the platform and the platform here; ``base``: the address of this API. An
        invitation is used up also by a registration that fails.

        Raises LaunchRefused, InvalidParameter, PlatformExists.
        """
        if not await asyncio.to_thread(self._platforms.invited, request.invitation, time.time()):
            raise LaunchRefused("the invitation is unknown, has expired or was used already", "invitation")
        if not web_address(request.metadata_url):
            raise InvalidParameter("openid_configuration", request.metadata_url[:200], "an address with https")
        try:
            return await self._added(await _registered(request, base))
        except (httpx2.HTTPError, *MALFORMED) as cause:
            raise LaunchRefused("the platform does not answer as it should", type(cause).__name__) from cause

    async def _added(self, facts: PlatformFacts) -> PlatformRecord:
        made = await asyncio.to_thread(self._platforms.add, facts)
        await asyncio.to_thread(self.frames.read)
        return made


def invited(platforms: Platforms) -> tuple[str, float]:
    """A new invitation, and when it expires."""
    secret, expires = new_secret(PREFIX), time.time() + INVITED_SECONDS
    platforms.invite(secret, expires)
    return secret, expires


def origin_of(address: str) -> str:
    """Scheme, host and port of an address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


async def _registered(request: RegistrationRequest, base: str) -> PlatformFacts:
    async with httpx2.AsyncClient(timeout=ANSWER_SECONDS) as client:
        metadata = (await client.get(request.metadata_url)).raise_for_status().json()
        issuer, where = str(metadata["issuer"]), str(metadata["registration_endpoint"])
        if origin_of(where) != origin_of(request.metadata_url) or not web_address(where):
            raise LaunchRefused("its registration is at another place", "metadata")
        headers = {"authorization": f"Bearer {request.token}"} if request.token else {}
        description = tool_description(base, urlsplit(base).netloc)
        answer = (await client.post(where, json=description, headers=headers)).raise_for_status().json()
    return _facts(issuer, metadata, answer)


def _facts(issuer: str, metadata: Mapping[str, Any], answer: Mapping[str, Any]) -> PlatformFacts:
    deployment = (answer.get(TOOL) or {}).get("deployment_id")
    product = (metadata.get(PLATFORM) or {}).get("product_family_code") or urlsplit(issuer).hostname or issuer
    return PlatformFacts(
        title=str(product)[:200],
        issuer=issuer,
        client_id=str(answer["client_id"]),
        authorize_url=str(metadata["authorization_endpoint"]),
        token_url=str(metadata["token_endpoint"]),
        keys_url=str(metadata["jwks_uri"]),
        deployments=(str(deployment),) if deployment else (),
    )
