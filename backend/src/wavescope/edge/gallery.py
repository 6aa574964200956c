"""The slides of several origins as one list (OG14)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from heapq import merge
from typing import Any
from urllib.parse import parse_qsl, urlencode

import aiohttp
from starlette.requests import Request

from wavescope.api.forwarding.headers import passed_on
from wavescope.blocks.remote.client import read_up_to
from wavescope.edge.origins import EdgeOrigin

PATH = "/api/v1/slides"
ORIGIN_PAGE = 200  # slides of one request to an origin, the most that it answers
PER_PAGE, MAX_PER_PAGE = 50, 200  # where a request does not say it; at most (WI6)
MAX_PAGES = 1000
MAX_RESPONSE_BYTES = 16 << 20
TAG = "tag."
DROPPED = ("accept-encoding", "if-none-match", "host")

Slides = tuple[list[Mapping[str, Any]], int]
"""The first slides of an origin, in order, and how many it has."""


async def merged_list(origins: Sequence[EdgeOrigin], request: Request, seconds: float) -> bytes | None:
    """The page of the list that a request asks for, of all origins: each slide once, as the first of them lists it.

    ``seconds``: the time for the answer of an origin; one that does not answer in it is left out. None if the first
    origin has no list for this request: it says itself why.
    """
    query = dict(given := parse_qsl(request.url.query, keep_blank_values=True))
    page, per_page, sort = query.get("page", "1"), query.get("per_page", str(PER_PAGE)), query.get("sort", "newest")
    if not (page.isdecimal() and per_page.isdecimal() and _is_order(sort)):
        return None
    number, size = int(page), int(per_page)
    if not (1 <= number <= MAX_PAGES and 1 <= size <= MAX_PER_PAGE):
        return None
    filters = [(name, value) for name, value in given if name not in ("page", "per_page")]
    headers = [one for one in passed_on(request.scope["headers"], request.url.scheme) if one[0] not in DROPPED]
    asked = (_slides(one, headers, filters, number * size) for one in origins)
    first, *others = await asyncio.gather(*(_in_time(one, seconds) for one in asked))
    if first is None:
        return None
    slides, total = _joined([first, *(one for one in others if one is not None)], sort)
    shown = slides[(number - 1) * size : number * size]
    pages = max(1, -(-total // size))
    response = {"slides": shown, "total": total, "page": number, "pages": pages, "per_page": size}
    return json.dumps(response, ensure_ascii=False).encode()


def _joined(lists: Sequence[Slides], sort: str) -> tuple[list[Mapping[str, Any]], int]:
    """All slides in order, each once, and their number: exact if the lists are whole, else an upper limit."""
    known: set[str] = set()
    rest: list[list[Mapping[str, Any]]] = []
    total = 0
    for slides, number in lists:
        new = [slide for slide in slides if slide["id"] not in known]
        known |= {slide["id"] for slide in new}
        total += number - (len(slides) - len(new))
        rest.append(new)

    down = sort == "newest" or sort.startswith("-")
    name = sort.removeprefix("-")

    def key(slide: Mapping[str, Any]) -> Any:
        if not name.startswith(TAG):
            return slide["title"].casefold() if name == "title" else slide["created"]
        value = slide["tags"].get(name.removeprefix(TAG))
        return ((value is None) != down, (value or "").casefold())  # without the tag: last in both directions

    return list(merge(*rest, key=key, reverse=down)), total


def _is_order(sort: str) -> bool:
    return sort in ("newest", "oldest") or sort.removeprefix("-") == "title" or sort.removeprefix("-").startswith(TAG)


async def _in_time(asked: Any, seconds: float) -> Slides | None:
    try:
        async with asyncio.timeout(seconds):
            found: Slides | None = await asked
            return found
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError, KeyError, TypeError):
        return None


async def _slides(
    origin: EdgeOrigin, headers: Sequence[tuple[str, str]], filters: Sequence[tuple[str, str]], limit: int
) -> Slides | None:
    """The first ``limit`` slides that an origin lists for these credentials. None if it refuses."""
    found: list[Mapping[str, Any]] = []
    total = limit
    with origin.used():
        origin.liveness.require()
        while len(found) < min(limit, total):
            query = urlencode([*filters, ("page", len(found) // ORIGIN_PAGE + 1), ("per_page", ORIGIN_PAGE)])
            url = origin.upstream.address(PATH.encode(), query.encode())
            sent = [*headers, ("accept-encoding", "identity")]
            async with origin.upstream.http.get(url, headers=sent, allow_redirects=False) as response:
                if response.status != 200:
                    return None
                listed = json.loads(await read_up_to(response, MAX_RESPONSE_BYTES))
            slides, total = list(listed["slides"]), int(listed["total"])
            found += slides
            if len(slides) < ORIGIN_PAGE:
                break
    return found, max(total, len(found))
