"""A slide as a group of OME-Zarr 0.5 (ome-zarr.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.disconnect import while_connected
from wavescope.api.http.fast_route import FastRoute, binary, described, version_of
from wavescope.api.http.immutable import immutable, not_modified
from wavescope.api.http.numbers import integer
from wavescope.api.routes.slides.pixels import NUMBERS
from wavescope.api.routing import counted, new_router
from wavescope.api.state import version_services_of
from wavescope.errors import InvalidParameter, OutOfRange
from wavescope.service.protocols.ome_zarr import ChunkAddress, array_metadata, chunk_image, group_metadata
from wavescope.store.version import SlideVersion

router = new_router("ome-zarr", "pixels", route_class=FastRoute, default_response_class=Response)

GROUP = "/slides/{slide_id}/v/{digest}/ome.zarr"
ADDRESS = ("level", "c", "z", "y", "x")
METADATA: dict[int | str, dict[str, Any]] = {
    **binary(),
    200: {"content": {"application/json": {"schema": {"type": "object"}}}},
}


@router.get(GROUP + "/zarr.json", responses=METADATA, openapi_extra=described(()))
@counted("reads")
async def get_ome_zarr(request: Request) -> Response:
    """The metadata of the group: levels, axes, scales, channels (OZ1 to OZ4)."""
    version = await version_of(request)
    return _metadata(request, version, group_metadata(version, request.scope["path_params"]["slide_id"]))


@router.get(GROUP + "/{level}/zarr.json", responses=METADATA, openapi_extra=described(("level",)))
@counted("reads")
async def get_ome_zarr_array(request: Request) -> Response:
    """The metadata of a level (OZ2)."""
    version = await version_of(request)
    with missing_keys():
        document = array_metadata(version, integer("level", request.scope["path_params"]["level"]))
    return _metadata(request, version, document)


@router.get(
    GROUP + "/{level}/c/{c}/{z}/{y}/{x}",
    responses=binary(NUMBERS),
    openapi_extra=described(ADDRESS),
)
async def get_ome_zarr_chunk(request: Request) -> Response:
    """A chunk: the pixels of one tile, compressed (OZ5)."""
    path, version = request.scope["path_params"], await version_of(request)
    with missing_keys():
        picture = chunk_image(version, ChunkAddress(*(integer(name, path[name]) for name in ADDRESS)))
    pixels = version_services_of(request).pixels
    etag = b'"%b.z"' % version.tag
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    body = pixels.cached_derived_image(version, picture)
    if body is None:
        body = await while_connected(request, pixels.derived_image(version, picture))
    return immutable(request, body, NUMBERS.encode(), etag)


@contextmanager
def missing_keys() -> Iterator[None]:
    """What is not part of the group is 404: clients of Zarr ask for keys that may not be there (OZ1)."""
    try:
        yield
    except (InvalidParameter, OutOfRange) as cause:
        raise HTTPException(404, str(cause)) from cause


def _metadata(request: Request, version: SlideVersion, document: Mapping[str, Any]) -> Response:
    etag = b'"%b.z"' % version.tag
    return not_modified(request, etag) or immutable(request, json.dumps(document).encode(), b"application/json", etag)
