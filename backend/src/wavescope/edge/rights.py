"""Who may see a slide, by the grants of several origins: the first of them that grants it decides (OG12)."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from wavescope.api.credentials import credentials_of
from wavescope.edge.grants import CachedGrant, GrantKey
from wavescope.edge.origins import EdgeOrigin, EdgeOrigins
from wavescope.errors import CredentialsExpired, TooManyRequests, Unavailable, UnknownSlide, WavescopeError
from wavescope.service.access.authenticator import Credentials

SLIDE = re.compile(r"/api/v1/slides/([^/:]+)")
REJECTIONS = (UnknownSlide, CredentialsExpired, TooManyRequests, Unavailable)


@dataclass(frozen=True)
class OriginGrant:
    """A grant, and the origin that gave it."""

    origin: EdgeOrigin
    grant: CachedGrant


class Rights:
    """Grants of all origins. Where one origin has granted a slide, the others are asked in the background: each origin
    is asked for blocks with a grant of its own, or with that of the first one if it gives none.
    """

    def __init__(self, origins: EdgeOrigins) -> None:
        self._origins = self.origins = origins
        self._background: set[asyncio.Task[None]] = set()

    def cached(self, grant_key: GrantKey) -> CachedGrant | None:
        """The first valid grant that is at hand."""
        return next((grant for one in self._origins.joined if (grant := self.own(one, grant_key)) is not None), None)

    def own(self, origin: EdgeOrigin, grant_key: GrantKey) -> CachedGrant | None:
        """The valid grant of an origin; of several, of one that has the slide."""
        if len(self._origins.all) > 1 and not origin.grants.has(grant_key[1]):
            return None
        return origin.grants.cached(grant_key)

    def last(self, grant_key: GrantKey) -> CachedGrant | None:
        """The grant that was valid last."""
        return next((grant for one in self._origins.joined if (grant := one.grants.last(grant_key)) is not None), None)

    async def get(self, grant_key: GrantKey) -> OriginGrant:
        """A valid grant. Raises UnknownSlide, CredentialsExpired, TooManyRequests, Unavailable.

        Of several refusals it is that of the first origin, but Unavailable if one does not answer.
        """
        refusals: list[WavescopeError] = []
        for origin in self._origins.by_health:
            try:
                found = OriginGrant(origin, await self._ask(origin, grant_key))
            except REJECTIONS as error:
                refusals.append(error)
                origin.note(not isinstance(error, Unavailable))
                continue
            origin.note(True)
            self._ask_others(origin, grant_key)
            return found
        raise next((error for error in refusals if isinstance(error, Unavailable)), refusals[0])

    async def origin_of(self, request: HTTPConnection) -> EdgeOrigin:
        """The origin that a request is passed on to: for what belongs to a slide the one that grants it to the asker,
        else the first one (OG12).
        """
        found = SLIDE.match(request.scope["path"])
        if found is not None and len(self._origins.joined) > 1:
            with suppress(*REJECTIONS):
                return (await self.get((credentials_of(request), found[1]))).origin
        return self._origins.first

    async def require_metrics(self, credentials: Credentials) -> None:
        """Returns if the first origin lets them read its metrics. Raises SignInRequired, Forbidden, Unavailable."""
        await self._origins.first.grants.require_metrics(credentials)

    async def close(self) -> None:
        """Ends the requests in the background."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)

    def _ask_others(self, origin: EdgeOrigin, grant_key: GrantKey) -> None:
        for other in self._origins.joined:
            if other is not origin and self.own(other, grant_key) is None:
                task = asyncio.ensure_future(self._prefetch_grant(other, grant_key))
                self._background.add(task)
                task.add_done_callback(self._background.discard)

    async def _ask(self, origin: EdgeOrigin, grant_key: GrantKey) -> CachedGrant:
        grant = await origin.grants.get(grant_key)
        if len(self._origins.all) > 1:
            await origin.grants.require_slide(grant_key, grant)
        return grant

    async def _prefetch_grant(self, origin: EdgeOrigin, grant_key: GrantKey) -> None:
        with suppress(*REJECTIONS):
            await self._ask(origin, grant_key)
