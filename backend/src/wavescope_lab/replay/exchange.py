"""HTTP as a client under measurement sees it: every answer is read to its last byte and counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from wavescope_lab.errors import ServerUnreachable, UnexpectedResponse

CONNECTIONS = 6
"""Of one client, as a browser has for one server with HTTP/1.1."""
SECONDS = 120.0
"""Without a byte, after which a server counts as unreachable."""
HITS = ("hit", "stale", "revalidated", "updating")


@dataclass
class Counts:
    """What one client received. ``hits`` and ``misses``: of the answers whose headers say which they are."""

    answers: int = 0
    bytes: int = 0
    hits: int = 0
    misses: int = 0
    parts: dict[str, int] = field(default_factory=dict)
    """Bytes by the name of what was fetched: a block, a tile, an index page."""

    def add(self, size: int, headers: Mapping[str, str]) -> None:
        """Count an answer of ``size`` bytes of content."""
        self.answers += 1
        self.bytes += size
        hit = cache_hit(headers)
        self.hits += hit is True
        self.misses += hit is False


def cache_hit(headers: Mapping[str, str]) -> bool | None:
    """Whether an answer came from a cache on the way; None if its headers do not say."""
    if status := headers.get("cache-status", "").lower():  # RFC 9211: of each cache on the way
        stated = {part.strip() for cache in status.split(",") for part in cache.split(";")[1:]}
        return not stated.isdisjoint(("hit", "fwd=stale"))
    for name in ("x-cache", "x-cache-status", "cf-cache-status"):
        if value := headers.get(name, "").lower():
            return any(value.startswith(hit) for hit in HITS)
    timing = headers.get("server-timing", "").lower().replace(" ", "").replace('"', "")
    if "cache;desc=" in timing:
        return "cache;desc=hit" in timing
    age = headers.get("age", "")
    return int(age) > 0 if age.isdigit() else None


class Exchange:
    """The connections of one client, and what went over them."""

    def __init__(self, headers: Mapping[str, str] | None = None) -> None:
        limits = httpx2.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
        timeout = httpx2.Timeout(SECONDS, pool=None)
        self._client = httpx2.AsyncClient(limits=limits, timeout=timeout, headers=dict(headers or {}), trust_env=False)
        self.counts = Counts()

    async def get(self, url: str, part: str, statuses: tuple[int, ...] = (200,)) -> bytes:
        """The content of an answer. ``part``: its name in the counts."""
        body, _ = await self._send("GET", url, None, statuses)
        self.counts.parts.setdefault(part, len(body))
        return body

    async def post(self, url: str, content: Any) -> bytes:
        """The content of the answer to JSON; its parts are counted by the caller."""
        body, _ = await self._send("POST", url, content, (200,))
        return body

    async def _send(self, method: str, url: str, content: Any, statuses: tuple[int, ...]) -> tuple[bytes, int]:
        try:
            response = await self._client.request(method, url, json=content)
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
            raise UnexpectedResponse(url, f"not an address: {error}") from error
        except httpx2.TransportError as error:
            raise ServerUnreachable(url, str(error) or type(error).__name__) from error
        if response.status_code not in statuses:
            raise UnexpectedResponse(url, f"status {response.status_code} instead of {' or '.join(map(str, statuses))}")
        self.counts.add(len(response.content), response.headers)
        return response.content, response.status_code

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()
