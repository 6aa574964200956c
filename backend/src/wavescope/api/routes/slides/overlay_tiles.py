"""Tiles of overlays: the route that a viewer asks most, and its like for other software (OV29, OV39)."""

from __future__ import annotations

from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.codings import DIGEST, digest_field
from wavescope.api.http.fast_route import FastRoute, binary, described, version_of
from wavescope.api.http.immutable import Headers, immutable, not_modified
from wavescope.api.http.numbers import integer
from wavescope.api.routing import new_router
from wavescope.api.state import services_of
from wavescope.catalog.overlays import OverlayRecord

BYTES = "application/octet-stream"
VECTORS = "application/vnd.mapbox-vector-tile"

router = new_router("overlays", "blocks", route_class=FastRoute, default_response_class=Response)


async def get_overlay_tile(request: Request) -> Response:
    """The gzip member of a tile, as stored; 204 if nothing is there (OV29)."""
    record, (level, x, y) = await _asked(request, "level")
    etag = f'"{record.file.sha256[:16]}.{level}.{x}.{y}"'.encode()
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    tile = await services_of(request).overlays.tile(record, level, x, y)
    return immutable(request, tile, BYTES.encode(), etag, stated(tile))


async def get_overlay_vectors(request: Request) -> Response:
    """A tile as Mapbox Vector Tile; zoom 0 is the top level. 204 if nothing is there (OV39)."""
    record, (zoom, x, y) = await _asked(request, "zoom")
    etag = f'"{record.file.sha256[:16]}.{zoom}.{x}.{y}.vectors"'.encode()
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    tile = await services_of(request).overlays.vector_tile(record, record.manifest["top"] - zoom, x, y)
    return immutable(request, tile, VECTORS.encode(), etag, stated(tile))


def stated(tile: bytes) -> Headers | None:
    """What the tile is, so that an edge stores no other (ED23); None: nothing is there."""
    return [(DIGEST, digest_field(sha256(tile).digest()))] if tile else None


async def _asked(request: Request, level: str) -> tuple[OverlayRecord, tuple[int, int, int]]:
    """The overlay, and the numbers of a tile. Raises Forbidden, UnknownSlide, UnknownOverlay, InvalidParameter."""
    path = request.scope["path_params"]
    await version_of(request)  # checks that the slide may be seen
    z, x, y = (integer(name, path[name]) for name in (level, "x", "y"))
    return await services_of(request).overlays.of_slide(path["slide_id"], path["overlay_id"]), (z, x, y)


router.get(
    "/slides/{slide_id}/overlays/{overlay_id}/tiles/{level}/{x}/{y}",
    responses=binary(BYTES, empty=True),
    openapi_extra=described(
        ("level", "x", "y"), texts=("overlay_id",), version=False, query_texts={"v": "the digest of the overlay"}
    ),
)(get_overlay_tile)
router.get(
    "/slides/{slide_id}/overlays/{overlay_id}/vectors/{zoom}/{x}/{y}",
    responses=binary(VECTORS, empty=True),
    openapi_extra=described(
        ("zoom", "x", "y"), texts=("overlay_id",), version=False, query_texts={"v": "the digest of the overlay"}
    ),
)(get_overlay_vectors)
