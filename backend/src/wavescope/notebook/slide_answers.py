"""The routes of an open slide, answered from its block source (NB3): of a service or of a store on this machine."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from wavescope.blocks.base import BlockRequest
from wavescope.blocks.remote.frames import LAST, frame_of
from wavescope.client.async_slide import AsyncSlide
from wavescope.client.http import segment
from wavescope.client.locations import API
from wavescope.errors import InvalidParameter, NoProfile, StaleVersion, TooLarge, UnknownSlide
from wavescope.notebook.exchange import Asked, Reply, json_reply
from wavescope.notebook.local_annotations import LocalAnnotations
from wavescope.pixels.colour import NODES, Colour, colour_of
from wavescope.pixels.images import encode_image
from wavescope.store.version import SlideVersion

MAX_ENTRIES = 4096  # of a batch (WI17)
ENTRY = 7  # z, c, level, x, y, from, to
UNKNOWN_TIME = "1970-01-01T00:00:00Z"
_ROUTE = re.compile(
    r"/(?:(?P<version>v/(?P<digest>[0-9a-f]{32}))/)?"
    r"(?P<kind>layer-index|approximation|blocks:batch|blocks|tiles|colour|annotations)"
    r"(?P<rest>(?:[/:](?!\.{1,2}(?:/|$))[A-Za-z0-9._:-]{1,128}){0,5})"  # no segment leads out of the slide
)


class Route(NamedTuple):
    """A request below the slide's address."""

    kind: str
    rest: str
    query: Mapping[str, str]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The components of the path as numbers. Raises InvalidParameter."""
        return tuple(_number("path", one) for one in self.rest.removesuffix(".png").strip("/").split("/"))

    def number(self, name: str) -> int | None:
        """A parameter; None: it is not given. Raises InvalidParameter."""
        return None if name not in self.query else _number(name, self.query[name])


class SlideAnswers:
    """Answers for one version of a slide. Raises what its block source and its service raise, UnknownSlide for another
    slide and StaleVersion for another version.
    """

    def __init__(self, annotations: LocalAnnotations) -> None:
        """``annotations``: those of a slide without a service."""
        self._annotations = annotations
        self._colour: Colour | None = None

    async def answer(self, slide: AsyncSlide, request: Asked) -> Reply:
        """The answer to a request."""
        parts = urlsplit(request.path)
        own = f"{API}/slides/{segment(slide.location.slide)}"
        if parts.path == own:
            return json_reply(await manifest_of(slide))
        match = _ROUTE.fullmatch(parts.path.removeprefix(own)) if parts.path.startswith(f"{own}/") else None
        if match is None:
            raise UnknownSlide(unquote(parts.path)[:80])
        if match["digest"] not in (None, slide.version.digest):
            raise StaleVersion(str(match["digest"]), slide.version.digest)
        route = Route(match["kind"], match["rest"], dict(parse_qsl(parts.query)))
        if route.kind == "annotations":
            return await self._annotated(slide, request, parts.path)
        if route.kind == "colour":
            return await self._coloured(slide, route)
        return Reply(await _stored(slide, route, request.body))

    async def _annotated(self, slide: AsyncSlide, request: Asked, path: str) -> Reply:
        if slide.connection is None:
            return self._annotations.answer(request)
        names = ("content-type", "if-match", "if-none-match")
        headers = {name: request.headers[name] for name in names if name in request.headers}
        query = parse_qsl(urlsplit(request.path).query)
        found = await slide.connection.request(
            request.method, path.removeprefix(API), query=query, body=request.body or None, headers=headers
        )
        return Reply(found.body, found.status, {"content-type": found.headers.get("content-type", "")})

    async def _coloured(self, slide: AsyncSlide, route: Route) -> Reply:
        if self._colour is None:
            profile = await slide.icc_profile()
            self._colour = Colour(None, "none") if profile is None else colour_of(profile)
        if route.rest == "/table.png" and self._colour.state == "table":
            return Reply(self._colour.table, headers={"content-type": "image/png"})
        if route.rest:
            raise NoProfile(slide.version.digest)
        return json_reply({"profile": self._colour.profile, "state": self._colour.state, "nodes": NODES})


async def manifest_of(slide: AsyncSlide) -> dict[str, Any]:
    """The slide as the service answers (WI7): of a store as of a service that knows no more than the store."""
    connection, version = slide.connection, slide.version
    name = slide.location.slide
    if connection is not None:
        served = (await connection.request("GET", f"/slides/{segment(name)}")).object()
        if served.get("digest") != version.digest:
            raise StaleVersion(version.digest, str(served.get("digest")))
        return {**served, "original": None}
    url = f"{API}/slides/{segment(name)}/v/{version.digest}"
    return {
        **version.manifest.stored_json(),
        "id": name,
        "title": name,
        "created": UNKNOWN_TIME,
        "updated": UNKNOWN_TIME,
        "status": "ready",
        "url": url,
        "thumbnail": f"{url}/thumbnail",
        "tags": {},
        "scale": None,
        "editable": False,
        "sizes": [],
        "allowed": ["edit annotations"],
    }


async def _stored(slide: AsyncSlide, route: Route, body: bytes) -> bytes:
    """Blocks, index pages and tiles."""
    version, blocks = slide.version, slide.blocks
    digest = version.digest
    if route.kind == "blocks:batch":
        return await _batch(slide, requests_of(body, version))
    layers = version.layer_range(route.number("from"), route.number("to"))
    match route.kind, route.numbers:
        case "layer-index", (z, c, level, page):
            return await blocks.index_page(digest, z, c, level, version.index_page(z, c, level, page))
        case "approximation", (z, c):
            return await blocks.approximation(digest, version.plane(z), version.group(c), layers)
        case "blocks", (z, c, level, x, y):
            return await blocks.get(digest, version.block(z, c, level, x, y), layers)
        case "tiles", (z, level, x, y):
            return encode_image(await slide.tile(z, level, x, y, route.number("layers")), "png")
    raise InvalidParameter("path", route.rest[:80], "numbers")


async def _batch(slide: AsyncSlide, requests: list[BlockRequest]) -> bytes:
    frames = []
    async with aclosing(slide.blocks.get_many(slide.version.digest, requests)) as answers:
        async for position, result in answers:
            frames.append(frame_of(position, result))
    return b"".join([*frames, LAST])


def requests_of(body: bytes, version: SlideVersion) -> list[BlockRequest]:
    """The entries of a batch, each inside of the slide. Raises InvalidParameter, TooLarge, OutOfRange."""
    try:
        entries = json.loads(body)["blocks"]
    except (ValueError, LookupError, TypeError, RecursionError) as cause:
        raise InvalidParameter("body", body[:80], "a JSON object with blocks") from cause
    if not isinstance(entries, list):
        raise InvalidParameter("blocks", type(entries).__name__, "a list")
    if len(entries) > MAX_ENTRIES:
        raise TooLarge("the number of entries in blocks", len(entries), MAX_ENTRIES)
    return [_entry(one, version) for one in entries]


def _entry(entry: object, version: SlideVersion) -> BlockRequest:
    if not isinstance(entry, list) or len(entry) != ENTRY or any(type(one) is not int for one in entry):
        raise InvalidParameter("blocks", str(entry)[:80], "seven integers")
    z, c, level, x, y, start, stop = entry
    return BlockRequest(version.block(z, c, level, x, y), version.layer_range(start, stop))


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise InvalidParameter(name, text[:80], "a number")
    return int(text)
