"""Asks other nodes whether they are ready: whether the database is away for all, or for this node alone (CL29)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from wavescope.deferred import deferred

if TYPE_CHECKING:
    import aiohttp
else:
    aiohttp = deferred("aiohttp")


READY = "/readyz"
MAX_BYTES = 4096  # of its answer
SECONDS = 1.0  # in which a node must answer


async def any_ready(urls: Iterable[str]) -> bool:
    """Whether one of these nodes can use the database."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=SECONDS)) as client:
        return any(await asyncio.gather(*(_is_ready(client, url) for url in urls)))


async def _is_ready(client: aiohttp.ClientSession, url: str) -> bool:
    try:
        async with client.get(url.rstrip("/") + READY, allow_redirects=False) as answer:
            if answer.status != 200 or not 0 < (answer.content_length or 0) <= MAX_BYTES:
                return False
            return bool((await answer.json())["catalog"] == "ok")  # a node may be ready without the database (CL18)
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError, KeyError, TypeError):
        return False
