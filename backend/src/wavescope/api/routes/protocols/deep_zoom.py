"""Deep Zoom, and tiles by z/x/y for maps (deep-zoom.md)."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.disconnect import while_connected
from wavescope.api.http.fast_route import FastRoute, binary, described, plane_of, version_of
from wavescope.api.http.immutable import immutable, not_modified
from wavescope.api.http.numbers import integer, one_of
from wavescope.api.routes.slides.pixels import IMAGES, MEDIA
from wavescope.api.routing import counted, new_router
from wavescope.api.state import version_services_of
from wavescope.errors import InvalidParameter
from wavescope.pixels.images import IMAGE_FORMATS
from wavescope.service.protocols.deep_zoom import (
    FORMATS,
    DeepZoomTile,
    deep_zoom_image,
    descriptor,
    xyz_region,
)

router = new_router("deep zoom", "pixels", route_class=FastRoute, default_response_class=Response)

DEEP_ZOOM = "/slides/{slide_id}/v/{digest}/deepzoom/{overlap}/{kind}"
XML = b"application/xml"
PLANE = {"z": "the focal plane, default the middle one"}


@router.get(
    DEEP_ZOOM + ".dzi",
    responses=binary("application/xml"),
    openapi_extra=described(("overlap",), PLANE, choices={"kind": FORMATS}),
)
@counted("reads")
async def get_deep_zoom(request: Request) -> Response:
    """The descriptor of a Deep Zoom image (DZ1, DZ6)."""
    path, version = request.scope["path_params"], await version_of(request)
    plane_of(request, version)  # viewers pass the query on to the tiles
    kind = one_of("kind", path["kind"], FORMATS)
    body = descriptor(version, integer("overlap", path["overlap"]), kind)
    etag = b'"%b.d"' % version.tag
    return not_modified(request, etag) or immutable(request, body, XML, etag)


@router.get(
    DEEP_ZOOM + "_files/{level}/{column}_{row}.{suffix}",
    responses=binary("image/jpeg", "image/png"),
    openapi_extra=described(("overlap", "level", "column", "row"), PLANE, {"kind": FORMATS, "suffix": FORMATS}),
)
async def get_deep_zoom_tile(request: Request) -> Response:
    """A tile of a Deep Zoom image (DZ2 to DZ4, DZ6)."""
    path, version = request.scope["path_params"], await version_of(request)
    kind = one_of("kind", path["kind"], FORMATS)
    if path["suffix"] != kind:
        raise InvalidParameter("suffix", path["suffix"][:80], f"{kind}, as the descriptor says")
    tile = DeepZoomTile(*(integer(name, path[name]) for name in ("overlap", "level", "column", "row")))
    picture = deep_zoom_image(version, tile, kind, plane_of(request, version))
    pixels = version_services_of(request).pixels
    etag = b'"%b.d"' % version.tag
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    body = pixels.cached_derived_image(version, picture)
    if body is None:
        body = await while_connected(request, pixels.derived_image(version, picture))
    return immutable(request, body, MEDIA[kind], etag)


@router.get(
    "/slides/{slide_id}/v/{digest}/xyz/{zoom}/{column}/{row}.{kind}",
    responses=binary(*IMAGES),
    openapi_extra=described(("zoom", "column", "row"), PLANE, choices={"kind": IMAGE_FORMATS}),
)
async def get_xyz_tile(request: Request) -> Response:
    """A tile of a map whose zoom 0 is the whole slide (DZ5, DZ6)."""
    path, version = request.scope["path_params"], await version_of(request)
    kind = one_of("kind", path["kind"], IMAGE_FORMATS)
    zoom, column, row = (integer(name, path[name]) for name in ("zoom", "column", "row"))
    region = xyz_region(version, zoom, column, row, plane_of(request, version))
    etag, pixels = b'"%b.x"' % version.tag, version_services_of(request).pixels
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    body = pixels.cached_region(version, region, version.layers, kind)
    if body is None:
        body = await while_connected(request, pixels.region_image(version, region, version.layers, kind))
    return immutable(request, body, MEDIA[kind], etag)
