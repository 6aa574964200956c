"""Layers and the layer index: bytes from disk to wire, never decoded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.batch_frames import MEDIA_TYPE, FrameStream, after_head, parse_batch
from wavescope.api.http.begun import Waiting, begin
from wavescope.api.http.body import json_body, read_body
from wavescope.api.http.disconnect import quick_while_connected
from wavescope.api.http.fast_route import FastRoute, binary, described, version_of
from wavescope.api.http.immutable import immutable, not_modified
from wavescope.api.http.numbers import integer, query_integers
from wavescope.api.routing import counted, new_router
from wavescope.api.schemas.slides import BatchBody
from wavescope.api.state import limits_of, state_of, version_services_of
from wavescope.errors import InvalidParameter, OutOfRange
from wavescope.geometry import MAX_PLANES, Address
from wavescope.service.slides.first_view import MAX_BLOCKS, MAX_SIDE, View, first_blocks, part_of
from wavescope.store.manifest import canonical
from wavescope.store.version import SlideVersion

router = new_router("blocks", "blocks", route_class=FastRoute, default_response_class=Response)

LAYERS = "application/vnd.wavescope.layers"
INDEX = "application/vnd.wavescope.index"
MANIFEST = "application/vnd.wavescope.manifest+json"
RANGE_QUERY = {"from": "the first layer, default 0", "to": "the layer after the last, default all"}
FIRST_VIEW_PATH = "/slides/{slide_id}/first-view"
FIRST_VIEW = "application/vnd.wavescope.first-view"
SIDES, EDGES = ("width", "height"), ("x", "y")
VIEW_QUERY = (*SIDES, "level", *EDGES, "z", "part", "parts")
EDGE, MAX_LEVEL = 1 << 25, 24  # of a first view: level-0 pixels of its edges, its level, at most
MAX_PARTS = 6  # of a first view: as many requests as browsers have underway at one time over HTTP/1.1
PLACE, FROM_TO = ("z", "c", "level", "x", "y"), ("from", "to")


@router.get(
    "/slides/{slide_id}/v/{digest}/blocks/{z}/{c}/{level}/{x}/{y}",
    responses=binary(LAYERS, empty=True),
    openapi_extra=described(PLACE, RANGE_QUERY),
)
async def get_block(request: Request) -> Response:
    """The layers [from, to) of one block, as stored (WI15)."""
    path, version = request.scope["path_params"], await version_of(request)
    place = [integer(name, path[name]) for name in PLACE]
    address, layers = asked_block(version, place, request.scope["query_string"])
    etag = b'"%b.%d-%d"' % (version.tag, layers.start, layers.stop)
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    body = begin(version_services_of(request).blocks.get(version.digest, address, layers))
    if isinstance(body, Waiting):
        body = await quick_while_connected(request, body)
    state_of(request).metrics.block(len(body))
    return immutable(request, body, LAYERS.encode(), etag)


def asked_block(version: SlideVersion, place: Sequence[int], query: bytes) -> tuple[Address, range]:
    """The address and the layers of a block, by the numbers of PLACE and a query. Raises OutOfRange,
    InvalidParameter.
    """
    return version.block(*place), version.layer_range(*query_integers(query, FROM_TO))


@router.get("/slides/{slide_id}/v/{digest}/manifest", responses=binary(MANIFEST), openapi_extra=described(()))
async def get_stored_manifest(request: Request) -> Response:
    """The manifest as it is stored, from which anyone can compute the digest (WI120)."""
    version = await version_of(request)
    etag = b'"%b.s"' % version.tag
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    return immutable(request, canonical(version.manifest.stored_json()), MANIFEST.encode(), etag)


@router.get(
    "/slides/{slide_id}/v/{digest}/layer-index/{z}/{c}/{level}/{page}",
    responses=binary(INDEX),
    openapi_extra=described(("z", "c", "level", "page")),
)
async def get_index_page(request: Request) -> Response:
    """The lengths of all layers of 32 x 32 blocks (WI13)."""
    path, version = request.scope["path_params"], await version_of(request)
    z, c, level, page = (integer(name, path[name]) for name in ("z", "c", "level", "page"))
    version.index_page(z, c, level, page)
    etag = b'"%b.i"' % version.tag
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    work = version_services_of(request).blocks.index_page(version.digest, z, c, level, page)
    body = await quick_while_connected(request, work)
    return immutable(request, body, INDEX.encode(), etag)


@router.get(
    "/slides/{slide_id}/v/{digest}/approximation/{z}/{c}",
    responses=binary(LAYERS),
    openapi_extra=described(("z", "c"), RANGE_QUERY),
)
async def get_approximation(request: Request) -> Response:
    """The layers [from, to) of the approximation (WI15)."""
    path, version = request.scope["path_params"], await version_of(request)
    z, c = version.plane(integer("z", path["z"])), version.group(integer("c", path["c"]))
    layers = version.layer_range(*query_integers(request.scope["query_string"], FROM_TO))
    etag = b'"%b.a%d-%d"' % (version.tag, layers.start, layers.stop)
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    work = version_services_of(request).blocks.approximation(version.digest, z, c, layers)
    body = await quick_while_connected(request, work)
    return immutable(request, body, LAYERS.encode(), etag)


@router.post(
    "/slides/{slide_id}/v/{digest}/blocks:batch",
    responses=binary(MEDIA_TYPE, ranges=False),
    openapi_extra={**described(()), **json_body(BatchBody)},
)
@counted("blocks")
async def post_batch(request: Request) -> Response:
    """Many blocks and layer ranges in one request, streamed as they come (WI17)."""
    limits, version = limits_of(request), await version_of(request)
    body = await read_body(request, limits.batch_body)
    requests = parse_batch(body, version, limits.batch_entries)
    blocks, metrics = version_services_of(request).blocks, state_of(request).metrics
    return FrameStream(blocks.get_many(version.digest, requests), metrics.frame)


def described_view() -> dict[str, Any]:
    """OpenAPI parameters: the sides are required, edges may lie outside of the slide."""
    description = described((), dict.fromkeys(VIEW_QUERY, ""), version=False)
    for one in description["parameters"]:
        one["required"] |= one["name"] in SIDES
        if one["name"] in EDGES:
            one["schema"] = {"type": "integer"}
    return description


@router.get(
    FIRST_VIEW_PATH,
    responses=binary(FIRST_VIEW, ranges=False),
    openapi_extra=described_view(),
)
async def get_first_view(request: Request) -> Response:
    """The blocks of the view with which a slide opens, without waiting for its manifest (WI138), or one part of them
    (WI144).
    """
    (view, part, parts), limits, version = _view_of(request), limits_of(request), await version_of(request)
    requests = part_of(first_blocks(version, view, min(MAX_BLOCKS, limits.batch_entries)), part, parts)
    blocks = [[*address, layers.start, layers.stop] for address, layers in requests]
    head = json.dumps({"digest": version.digest, "blocks": blocks}, separators=(",", ":")).encode()
    found = version_services_of(request).blocks.get_many(version.digest, requests)
    results = after_head(found, limits.first_view // parts)
    return FrameStream(results, state_of(request).metrics.frame, head, FIRST_VIEW)


def _view_of(request: Request) -> tuple[View, int, int]:
    """The view, which part of its blocks, of how many parts. Raises InvalidParameter, OutOfRange."""
    width, height, level, x, y, z, part, parts = query_integers(request.scope["query_string"], VIEW_QUERY)
    view = View(
        _within("width", width, 1, MAX_SIDE),
        _within("height", height, 1, MAX_SIDE),
        None if level is None else _within("level", level, 0, MAX_LEVEL),
        _within("x", x or 0, -EDGE, EDGE),
        _within("y", y or 0, -EDGE, EDGE),
        None if z is None else _within("z", z, 0, MAX_PLANES),
    )
    parts = _within("parts", 1 if parts is None else parts, 1, MAX_PARTS)
    return view, _within("part", part or 0, 0, parts - 1), parts


def _within(name: str, value: int | None, least: int, most: int) -> int:
    """The number. Raises InvalidParameter without one, OutOfRange."""
    if value is None:
        raise InvalidParameter(name, "", "an integer in decimal digits")
    if not least <= value <= most:
        raise OutOfRange(name, value, f"{least} to {most}")
    return value
