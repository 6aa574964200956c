"""Tiles of overlays: the route that a viewer asks most (shared/spec/overlays.md, OV29)."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.fast_route import FastRoute, binary, described, version_of
from wavescope.api.http.immutable import immutable, not_modified
from wavescope.api.http.numbers import integer
from wavescope.api.routing import new_router
from wavescope.api.state import services_of

BYTES = "application/octet-stream"

router = new_router("overlays", "blocks", route_class=FastRoute, default_response_class=Response)


async def get_overlay_tile(request: Request) -> Response:
    """The gzip member of a tile, as stored; 204 if nothing is there (OV29)."""
    path = request.scope["path_params"]
    await version_of(request)  # checks that the slide may be seen
    level, x, y = (integer(name, path[name]) for name in ("level", "x", "y"))
    overlays = services_of(request).overlays
    record = await overlays.of_slide(path["slide_id"], path["overlay_id"])
    etag = f'"{record.file.sha256[:16]}.{level}.{x}.{y}"'.encode()
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    return immutable(request, await overlays.tile(record, level, x, y), BYTES.encode(), etag)


router.get(
    "/slides/{slide_id}/overlays/{overlay_id}/tiles/{level}/{x}/{y}",
    responses=binary(BYTES, empty=True),
    openapi_extra=described(
        ("level", "x", "y"), texts=("overlay_id",), version=False, query_texts={"v": "the digest of the overlay"}
    ),
)(get_overlay_tile)
