"""Who may see which slides: grants that an edge gets from its origin on behalf of those who ask (AC43, ED20)."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import quote

import aiohttp

from wavescope.access.grants import SECONDS, GrantVerifier, is_grant
from wavescope.blocks.remote.client import read_up_to
from wavescope.caches import AsyncCache, BoundedCache
from wavescope.edge.liveness import SOON_SECONDS, Liveness
from wavescope.edge.origin import OriginUpstream, unavailable
from wavescope.errors import (
    CredentialsExpired,
    Forbidden,
    InvalidParameter,
    SignInRequired,
    TooManyRequests,
    Unavailable,
    UnknownSlide,
)
from wavescope.service.access.authenticator import Credentials

RENEWED = 20.0  # seconds before its end that a grant in use is renewed
CACHED = 16384  # grants
MAX_RESPONSE_BYTES = 1 << 20
KEYS_SECONDS = 5.0  # for which the keys are not fetched again

OPERATORS = 256  # who may read metrics
LOST_SECONDS = 43200.0  # for which they may read them while the origin does not answer
SERVER_FAULT = 500

GrantKey = tuple[Credentials, str]


@dataclass(frozen=True)
class CachedGrant:
    """The right to view a slide, until ``until`` (monotonic seconds). ``headers`` prove it to an origin."""

    headers: Mapping[str, str]
    public: bool
    until: float

    @property
    def valid(self) -> bool:
        return monotonic() < self.until


class EdgeGrants:
    """Grants by credentials and slide, of at most SECONDS; several requests share one that is being fetched."""

    def __init__(self, origin: OriginUpstream, liveness: Liveness, timeout: float) -> None:
        self._origin, self._liveness = origin, liveness
        self._timeout = aiohttp.ClientTimeout(total=timeout)
        self._cached: BoundedCache[GrantKey, CachedGrant] = BoundedCache(CACHED)
        self._loading: AsyncCache[GrantKey, CachedGrant] = AsyncCache(1, lambda _: 2)  # shares loads and caches nothing
        self._background: set[asyncio.Task[Any]] = set()
        self._renewed: BoundedCache[GrantKey, float] = BoundedCache(CACHED)
        self._verifier: GrantVerifier | None = None
        self._keys_until = 0.0
        self._operators: BoundedCache[Credentials, float] = BoundedCache(OPERATORS)
        self._known: BoundedCache[str, float] = BoundedCache(CACHED)

    def cached(self, grant_key: GrantKey) -> CachedGrant | None:
        """The grant that is at hand, and valid; one that is about to end is renewed meanwhile."""
        grant = self._cached.find(grant_key)
        if grant is None:
            return None
        left = grant.until - monotonic()
        if left <= 0:
            return None
        if left < RENEWED and self._renewed.find(grant_key) != grant.until:
            self._renewed.put(grant_key, grant.until)
            self._begin(self._renew(grant_key))
        return grant

    def last(self, grant_key: GrantKey) -> CachedGrant | None:
        """The grant that was valid last."""
        return self._cached.find(grant_key)

    async def get(self, grant_key: GrantKey) -> CachedGrant:
        """A valid grant. Raises UnknownSlide, CredentialsExpired, TooManyRequests, Unavailable."""
        return self.cached(grant_key) or await self._loading.get(grant_key, lambda: self._load(grant_key))

    async def require_metrics(self, credentials: Credentials) -> None:
        """Returns if the origin lets them read its own metrics; its last answer is used for SECONDS, and while it does
        not answer in SOON_SECONDS for LOST_SECONDS. Raises SignInRequired, Forbidden, Unavailable.
        """
        allowed = self._operators.find(credentials)
        if allowed is not None and monotonic() < allowed + SECONDS:
            return
        known = allowed is not None and monotonic() < allowed + LOST_SECONDS
        check = self._begin(self._ask_for_metrics(credentials))
        done, _ = await asyncio.wait({check}, timeout=SOON_SECONDS if known else None)
        try:
            if done:
                check.result()
        except Unavailable:
            if not known:
                raise

    async def _ask_for_metrics(self, credentials: Credentials) -> None:
        status, _ = await self._ask("GET", "/api/v1/storage", credentials)
        if status == 200:
            self._operators.put(credentials, monotonic())
            return
        if status >= SERVER_FAULT:
            raise unavailable(self._origin)
        self._operators.drop(lambda known: known == credentials)
        if status == 401:
            raise SignInRequired("read metrics")
        raise Forbidden("read metrics")

    @property
    def keys(self) -> frozenset[str]:
        """The public keys of the origin, as they were fetched last."""
        return frozenset() if self._verifier is None else self._verifier.keys

    async def fetch_keys(self) -> None:
        """Fetches the keys. Raises Unavailable."""
        status, keys = await self._ask("GET", "/api/v1/grants/keys", Credentials())
        if status != 200:
            raise unavailable(self._origin)
        try:
            self._verifier = GrantVerifier(keys)
        except InvalidParameter as error:
            raise unavailable(self._origin) from error
        self._keys_until = monotonic() + KEYS_SECONDS

    def has(self, slide_id: str) -> bool:
        """Whether the origin said less than SECONDS ago that it has the slide."""
        return monotonic() < (self._known.find(slide_id) or 0.0)

    async def require_slide(self, grant_key: GrantKey, grant: CachedGrant) -> None:
        """Returns if the origin has the slide: a grant to those who may see everything does not say so.

        Raises UnknownSlide, Unavailable.
        """
        slide_id = grant_key[1]
        if self.has(slide_id):
            return
        bearer = grant.headers["Authorization"].removeprefix("Bearer ")
        status, _ = await self._ask("GET", f"/api/v1/slides/{quote(slide_id, safe='')}", Credentials(bearer=bearer))
        if status >= SERVER_FAULT:
            raise unavailable(self._origin)
        if status != 200:
            self._cached.drop(lambda known: known == grant_key)
            raise UnknownSlide(slide_id)
        self._known.put(slide_id, monotonic() + SECONDS)

    async def current(self, slide_id: str, grant: CachedGrant) -> str:
        """The digest of the slide's current version, from where its paths without one lead (WI10). Raises UnknownSlide,
        Unavailable.
        """
        bearer = Credentials(bearer=grant.headers["Authorization"].removeprefix("Bearer "))
        path = f"/api/v1/slides/{quote(slide_id, safe='')}"
        response = await self._request("GET", f"{path}/manifest", bearer)
        if response.status >= SERVER_FAULT:
            raise unavailable(self._origin)
        _, found, version = response.location.partition("/v/")
        if not found:
            raise UnknownSlide(slide_id)
        return version.partition("/")[0]

    async def close(self) -> None:
        """Ends what is asked in the background."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Work that goes on if nobody waits for it any more."""

        def ended(task: asyncio.Task[Any]) -> None:
            self._background.discard(task)
            if not task.cancelled():
                task.exception()  # marked as seen

        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(ended)
        return task

    async def _renew(self, grant_key: GrantKey) -> CachedGrant | None:
        try:
            return await self._loading.get(grant_key, lambda: self._load(grant_key))
        except (UnknownSlide, CredentialsExpired):
            self._cached.drop(lambda key: key == grant_key)
        except (Unavailable, TooManyRequests):
            pass
        return None

    async def _load(self, grant_key: GrantKey) -> CachedGrant:
        credentials, slide_id = grant_key
        started = monotonic()
        token = credentials.bearer if is_grant(credentials.bearer) else await self._granted(grant_key)
        granted, ends = await self._open(token)
        if slide_id not in granted.slides:
            raise UnknownSlide(slide_id)
        until = started + min(SECONDS, ends - time.time())
        grant = CachedGrant({"Authorization": f"Bearer {token}"}, slide_id in granted.public, until)
        self._cached.put(grant_key, grant)
        return grant

    async def _granted(self, grant_key: GrantKey) -> str:
        """A new grant from the origin."""
        credentials, slide_id = grant_key
        status, body = await self._ask("POST", "/api/v1/grants", credentials, {"slides": [slide_id]})
        if status == 200:
            return str(body.get("grant", ""))
        if status == 401:
            raise CredentialsExpired
        if status == 429:
            seconds = body.get("seconds")
            raise TooManyRequests("grants", min(max(seconds, 1), 3600) if type(seconds) is int else 1)
        if status in (403, 404, 422):
            raise UnknownSlide(slide_id)
        raise unavailable(self._origin)

    async def _open(self, token: str) -> Any:
        """What a grant states; keys that changed are fetched anew."""
        if self._verifier is not None:
            try:
                return self._verifier.open(token)
            except CredentialsExpired:
                if monotonic() < self._keys_until:
                    raise
        await self.fetch_keys()
        assert self._verifier is not None
        return self._verifier.open(token)

    async def _ask(self, method: str, path: str, credentials: Credentials, body: Any = None) -> tuple[int, Any]:
        """Status and JSON of an answer. Raises Unavailable."""
        response = await self._request(method, path, credentials, body)
        try:
            found = json.loads(response.body) if response.body else {}
        except (ValueError, RecursionError) as error:
            raise unavailable(self._origin) from error
        return response.status, found if isinstance(found, dict) else {}

    async def _request(self, method: str, path: str, credentials: Credentials, body: Any = None) -> _Response:
        """Raises Unavailable."""
        headers = self._origin.own_headers(credentials)
        data = None if body is None else json.dumps(body)
        if data is not None:
            headers["Content-Type"] = "application/json"
        url = self._origin.address(path.encode(), b"")
        try:
            self._liveness.require()
            async with self._origin.http.request(
                method, url, data=data, headers=headers, allow_redirects=False, timeout=self._timeout
            ) as response:
                text = await read_up_to(response, MAX_RESPONSE_BYTES)
                return _Response(response.status, response.headers.get("Location", ""), text)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            if isinstance(error, TimeoutError):
                self._liveness.timed_out()
            raise unavailable(self._origin) from error


class _Response(NamedTuple):
    status: int
    location: str
    body: bytes
