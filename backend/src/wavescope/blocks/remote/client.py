"""Requests to another service for the parts of its slides, by permits; what it answers instead, as typed errors."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from wavescope.caches import BoundedCache
from wavescope.config.values import without_password
from wavescope.deferred import deferred
from wavescope.errors import CorruptStore, OutOfRange, StaleVersion, Unavailable, WavescopeError
from wavescope.logs.tracing import outgoing_headers

if TYPE_CHECKING:
    import aiohttp
else:
    aiohttp = deferred("aiohttp")

MAX_ENTRY_BYTES = 64 << 20  # of one entry of a version
REASON_BYTES = 4096  # of an answer that is a problem
CONNECT_SECONDS = 5.0
KEPT_SECONDS = 60.0  # that an idle connection stays open
DELAYS = 8  # of answers that are remembered
SAMPLE_SECONDS = 0.05  # of streaming, after which a sample of the bandwidth is complete
SMOOTHING = 0.25  # the weight of a new sample of the bandwidth


Chunk = bytes


class Permit(NamedTuple):
    """Where a version is found, and what proves that an asker may see it. ``until``: monotonic seconds. ``own``: it is
    from the service that is asked; another one may not know its signature.
    """

    slide_id: str
    headers: Mapping[str, str]
    until: float
    own: bool = True


class Permits:
    """By digest, the permit that is valid longest; shared by the sources of one edge."""

    def __init__(self, capacity: int = 4096) -> None:
        self._known: BoundedCache[str, Permit] = BoundedCache(capacity)

    def put(self, digest: str, permit: Permit) -> None:
        known = self._known.find(digest)
        if known is None or known.until <= permit.until:
            self._known.put(digest, permit)

    def of(self, digest: str) -> Permit:
        """Raises StaleVersion where nobody has asked for the version yet."""
        permit = self._known.find(digest)
        if permit is None:
            raise StaleVersion(digest, digest)
        return permit


@dataclass
class RemoteCounts:
    """What one origin was asked and answered. ``failures`` by the class of the error; ``open``: requests in flight.

    ``delays``: seconds to the heads of the last answers. ``bandwidth`` in bytes per second while answers arrive, None
    before it was measured.
    """

    requests: int = 0
    bytes: int = 0
    seconds: float = 0.0
    failures: Counter[str] = field(default_factory=Counter)
    open: int = 0
    delays: deque[float] = field(default_factory=lambda: deque(maxlen=DELAYS))
    bandwidth: float | None = None
    _streamed: int = 0
    _busy: float = 0.0
    _last: float = 0.0

    def streamed(self, size: int, since: float) -> None:
        """Bytes of an answer whose previous bytes arrived at ``since``."""
        now = monotonic()
        self._streamed += size
        self._busy += now - max(since, self._last)
        self._last = now
        if self._busy >= SAMPLE_SECONDS:
            rate = self._streamed / self._busy
            known = self.bandwidth
            self.bandwidth = rate if known is None else known + SMOOTHING * (rate - known)
            self._streamed, self._busy = 0, 0.0


async def read_up_to(response: aiohttp.ClientResponse, max_bytes: int) -> bytes:
    """The body of an answer, of which everything after ``max_bytes`` bytes is cut off."""
    found = bytearray()
    while len(found) < max_bytes and (chunk := await response.content.read(max_bytes - len(found))):
        found += chunk
    return bytes(found)


class OriginClient:
    """Asks the service at ``url``. ``timeout``: seconds without a byte after which it does not answer.

    Raises Unavailable if it does not answer, StaleVersion for what it does not have or refuses, CorruptStore for what
    it says is damaged.
    """

    def __init__(self, url: str, permits: Permits, connections: int, timeout: float) -> None:
        self.url, self.counts = url.rstrip("/"), RemoteCounts()
        self._permits, self._connections = permits, connections
        self._timeout = aiohttp.ClientTimeout(total=None, sock_connect=min(CONNECT_SECONDS, timeout), sock_read=timeout)
        self._session: aiohttp.ClientSession | None = None
        self._unused = asyncio.Event()
        self.progressed: Callable[[], None] = lambda: None  # called with each piece of an answer

    async def close(self) -> None:
        """Ends all connections."""
        if self._session is not None:
            await self._session.close()

    async def drained(self) -> None:
        """Returns when no request is in flight."""
        while self.counts.open:
            await self._unused.wait()

    async def bytes(
        self, slide: str, path: str, max_bytes: int = MAX_ENTRY_BYTES, permit: Permit | None = None
    ) -> bytes:
        """The body of an answer, at most ``max_bytes`` bytes."""
        try:
            async with self.request(slide, path, permit=permit) as response:
                chunks: list[bytes] = []
                size = 0
                async for chunk in self.chunks(response):
                    size += len(chunk)
                    if size > max_bytes:
                        raise CorruptStore(
                            slide, path.partition("?")[0], f"the origin sends more than {max_bytes} bytes"
                        )
                    chunks.append(chunk)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self.failed(error) from error
        self.counts.bytes += size
        return b"".join(chunks)

    async def chunks(self, response: aiohttp.ClientResponse) -> AsyncIterator[Chunk]:
        """The body of an answer as it arrives."""
        since = None
        async for chunk in response.content.iter_any():
            self.progressed()
            if since is not None:
                self.counts.streamed(len(chunk), since)
            since = monotonic()
            yield chunk

    @asynccontextmanager
    async def request(
        self, slide: str, path: str, body: str | None = None, permit: Permit | None = None
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """A GET, or a POST of ``body``, that succeeded. Raises the error that a problem stands for."""
        slide_id, headers, _, own = permit or self._permits.of(slide)
        url = f"{self.url}/api/v1/slides/{slide_id}/v/{slide}/{path}"
        sent = {**headers, **outgoing_headers(), "accept-encoding": "identity"}
        if body is not None:
            sent["content-type"] = "application/json"
        started = monotonic()
        self.counts.requests += 1
        self.counts.open += 1
        self._unused.clear()
        method = "GET" if body is None else "POST"
        try:
            asked = self._http().request(method, url, data=body, headers=sent, allow_redirects=False)
            async with await self.answered(asked) as response:
                self.counts.delays.append(monotonic() - started)
                if response.status not in (200, 204):
                    if response.status == 401 and not own:
                        raise StaleVersion(slide_id, slide)
                    raise await self._problem(response, slide_id, slide)
                yield response
            self.counts.seconds += monotonic() - started
        finally:
            self.counts.open -= 1
            if not self.counts.open:
                self._unused.set()

    async def answered(self, asked: Awaitable[aiohttp.ClientResponse]) -> aiohttp.ClientResponse:
        """The head of an answer."""
        return await asked

    async def _problem(self, response: aiohttp.ClientResponse, slide_id: str, slide: str) -> WavescopeError:
        text = await read_up_to(response, REASON_BYTES)
        try:
            problem = str(json.loads(text).get("type", "")).rpartition("/")[2]
        except (ValueError, AttributeError, RecursionError):
            problem = ""
        self.counts.failures[problem or str(response.status)] += 1
        if response.status in (403, 404, 410):
            return StaleVersion(slide_id, slide)
        if problem in ("corrupt-block", "corrupt-store"):
            return CorruptStore(slide, "a part", "the origin's copy is damaged")
        if problem == "out-of-range":
            return OutOfRange("address", "", "what the origin accepts")
        return Unavailable(without_password(self.url), f"it answers {response.status}")

    def failed(self, error: Exception) -> Unavailable:
        """What the failure of a connection, or an answer that cannot be read, means; counted."""
        self.counts.failures[type(error).__name__] += 1
        return Unavailable(without_password(self.url), "it does not answer")

    def _http(self) -> aiohttp.ClientSession:
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._connections, keepalive_timeout=KEPT_SECONDS)
            self._session = aiohttp.ClientSession(
                connector=connector, timeout=self._timeout, auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar()
            )
        return self._session
