"""Filling the cache of an edge that runs, over HTTP, as a viewer would (ED31)."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import Any
from urllib.parse import quote

import aiohttp

from wavescope.blocks.base import BlockRequest
from wavescope.blocks.remote.client import Permit, Permits, read_up_to
from wavescope.blocks.remote.source import RemoteSource
from wavescope.edge.origin import checked_url
from wavescope.errors import InvalidParameter, SignInRequired, Unavailable, UnknownSlide, WavescopeError
from wavescope.geometry import Address
from wavescope.store.version import SlideVersion

MAX_BLOCKS = 256  # blocks of one request
MAX_RESPONSE_BYTES = 16 << 20
SECONDS = 60.0  # of a request for a slide, a case or a session


@dataclass(frozen=True)
class WarmOptions:
    """What to fetch: levels from the coarsest to ``level``, ``layers`` of each (None: all), at most ``max_bytes``."""

    level: int = 0
    layers: int | None = None
    max_bytes: float = inf


@dataclass
class Warmed:
    """What was fetched so far. ``complete``: the limit of bytes did not end it."""

    slide: str = ""
    slides: int = 0
    blocks: int = 0
    of: int = 0
    bytes: int = 0
    failed: int = 0
    complete: bool = True
    failures: dict[str, int] = field(default_factory=dict)


async def warm(url: str, token: str, name: str, options: WarmOptions) -> AsyncIterator[Warmed]:
    """Fetches a slide, the slides of a case, or those of a session through the edge at ``url``; the state after each
    request. What is cached costs the link nothing: a run that was ended is continued by another one.

    Raises UnknownSlide, SignInRequired, Unavailable, InvalidParameter.
    """
    base = str(checked_url(url)).rstrip("/")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    state, permits = Warmed(), Permits()
    source = RemoteSource(base, permits, connections=2, timeout=SECONDS)
    try:
        async with aiohttp.ClientSession(headers=headers, timeout=aiohttp.ClientTimeout(total=SECONDS)) as http:
            found = await _slides(http, base, name)
        versions: list[tuple[str, SlideVersion]] = []
        for slide_id, digest in found:
            permits.put(digest, Permit(slide_id, headers, inf))
            await source.confirm(slide_id, digest, headers)
            versions.append((slide_id, await source.version(digest)))
        _check(options, [version for _, version in versions])
        for slide_id, version in versions:
            state.slide = slide_id
            state.slides += 1
            async with aclosing(_slide(source, version, options, state)) as steps:
                async for _ in steps:
                    yield state
            yield state
            if not state.complete:
                return
    finally:
        await source.close()


def _check(options: WarmOptions, versions: Sequence[SlideVersion]) -> None:
    """Raises InvalidParameter for a level or a number of layers that none of these has."""
    top = max((version.top for version in versions), default=0)
    if not 0 <= options.level <= top:
        raise InvalidParameter("--level", options.level, f"0 to {top}, the coarsest level")
    if options.layers is not None and options.layers < 1:
        raise InvalidParameter("--layers", options.layers, "1 or more")


async def _slide(
    source: RemoteSource, version: SlideVersion, options: WarmOptions, state: Warmed
) -> AsyncGenerator[None, None]:
    layers = version.layer_range(0, None if options.layers is None else min(options.layers, version.layers))
    levels = range(version.top - 1, min(options.level, version.top) - 1, -1)
    state.of += version.planes * sum(version.grids[level][0] * version.grids[level][1] for level in levels)
    for z in range(version.planes):
        state.bytes += len(await source.approximation(version.digest, z, 0, layers))
        for level in levels:
            for page in range(version.page_grids[level][0] * version.page_grids[level][1]):
                state.bytes += len(await source.index_page(version.digest, z, 0, level, page))
            wanted = _blocks(version, z, level, layers)
            while some := list(islice(wanted, MAX_BLOCKS)):
                if state.bytes >= options.max_bytes:
                    state.complete = False
                    return
                async for _, data in source.get_many(version.digest, some):
                    _count(state, data)
                yield


def _blocks(version: SlideVersion, z: int, level: int, layers: range) -> Iterator[BlockRequest]:
    columns, rows = version.grids[level]
    for y in range(rows):
        for x in range(columns):
            yield BlockRequest(Address(z, 0, level, x, y), layers)


def _count(state: Warmed, data: bytes | WavescopeError) -> None:
    state.blocks += 1
    if isinstance(data, bytes):
        state.bytes += len(data)
    else:
        state.failed += 1
        reason = str(data)
        if reason in state.failures or len(state.failures) < 5:
            state.failures[reason] = state.failures.get(reason, 0) + 1


async def _slides(http: aiohttp.ClientSession, base: str, name: str) -> list[tuple[str, str]]:
    """Ids and digests of what the name stands for."""
    own = quote(name, safe="")
    slide = await _json(http, f"{base}/api/v1/slides/{own}")
    if slide is not None:
        return [(str(slide["id"]), str(slide["digest"]))]
    for kind in ("cases", "sessions"):
        found = await _json(http, f"{base}/api/v1/{kind}/{own}")
        if found is None or "slides" not in found:
            continue
        addresses = [f"{base}/api/v1/slides/{quote(str(one['id']), safe='')}" for one in found["slides"]]
        slides = [await _json(http, address) for address in addresses]
        return [(str(one["id"]), str(one["digest"])) for one in slides if one is not None]
    raise UnknownSlide(name)


async def _json(http: aiohttp.ClientSession, url: str) -> Mapping[str, Any] | None:
    """The JSON of an answer; None for 404."""
    try:
        async with http.get(url, allow_redirects=False) as response:
            if response.status in (400, 404, 422):
                return None
            if response.status in (401, 403):
                raise SignInRequired("warm this")
            if response.status != 200:
                raise Unavailable("the edge", f"it answers {response.status}")
            found = json.loads(await read_up_to(response, MAX_RESPONSE_BYTES))
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        raise Unavailable("the edge", "it does not answer as an edge does") from error
    return found if isinstance(found, dict) else None
