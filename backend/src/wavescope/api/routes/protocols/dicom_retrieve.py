"""WADO-RS: metadata, rendered pictures, thumbnails and bulk data of whole slides (dicomweb.md)."""

from __future__ import annotations

import asyncio
import zlib
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.accepting import boundary_of, covers, end_of, media_ranges, multipart_type, part_of
from wavescope.api.http.disconnect import while_connected
from wavescope.api.http.fast_route import NOT_MODIFIED, FastRoute, binary
from wavescope.api.http.immutable import header, immutable, matches, not_modified
from wavescope.api.problems import NotAcceptable
from wavescope.api.routes.protocols.dicom_paths import (
    DICOM_JSON,
    DOCUMENTS,
    INSTANCE,
    SERIES,
    STUDY,
    accept_of,
    dicom_object,
    dicom_parameters,
    dicom_root,
    require_json,
)
from wavescope.api.routing import counted, new_router
from wavescope.api.state import limits_of, principal_of, services_of
from wavescope.errors import InvalidParameter, NoProfile
from wavescope.pixels.colour import srgb_profile
from wavescope.pixels.images import ImageFormat
from wavescope.pixels.renderer import SMALLEST_THUMBNAIL
from wavescope.service.protocols.dicom.dataset import has_profile
from wavescope.service.protocols.dicom.documents import metadata_json

router = new_router("dicomweb", "pixels", route_class=FastRoute, default_response_class=Response)

IMAGES: dict[str, ImageFormat] = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}
BYTES = "application/octet-stream"
THUMBNAIL = 256
STUDY_PATH, SERIES_PATH, INSTANCE_PATH = ("study",), ("study", "series"), ("study", "series", "instance")
WHOLE = binary("multipart/related", ranges=False)
IGNORED = ("quality", "window", "iccprofile")
VIEWPORT: dict[str, Any] = {"query": ("viewport", *IGNORED)}
WARNING = 'wavescope "the parameters {} are not supported: the picture is as without them"'


@router.get(STUDY + "/metadata", responses=DOCUMENTS | NOT_MODIFIED, openapi_extra=dicom_parameters(*STUDY_PATH))
@counted("reads")
async def get_dicom_study_metadata(request: Request) -> Response:
    """The metadata of all instances of a study (DW4 to DW8)."""
    return await _metadata(request)


@router.get(SERIES + "/metadata", responses=DOCUMENTS | NOT_MODIFIED, openapi_extra=dicom_parameters(*SERIES_PATH))
@counted("reads")
async def get_dicom_series_metadata(request: Request) -> Response:
    """The metadata of all instances of a series (DW4 to DW8)."""
    return await _metadata(request)


@router.get(INSTANCE + "/metadata", responses=DOCUMENTS | NOT_MODIFIED, openapi_extra=dicom_parameters(*INSTANCE_PATH))
@counted("reads")
async def get_dicom_instance_metadata(request: Request) -> Response:
    """The metadata of an instance (DW4 to DW8)."""
    return await _metadata(request)


@router.get(STUDY, responses=WHOLE, openapi_extra=dicom_parameters(*STUDY_PATH))
@counted("reads")
async def get_dicom_study(request: Request) -> Response:
    """Whole instances: not acceptable (DW21)."""
    return await _retrieve(request)


@router.get(SERIES, responses=WHOLE, openapi_extra=dicom_parameters(*SERIES_PATH))
@counted("reads")
async def get_dicom_series(request: Request) -> Response:
    """Whole instances: not acceptable (DW21)."""
    return await _retrieve(request)


@router.get(INSTANCE, responses=WHOLE, openapi_extra=dicom_parameters(*INSTANCE_PATH))
@counted("reads")
async def get_dicom_instance(request: Request) -> Response:
    """A whole instance: not acceptable (DW21)."""
    return await _retrieve(request)


@router.get(STUDY + "/rendered", responses=binary(*IMAGES), openapi_extra=dicom_parameters(*STUDY_PATH, **VIEWPORT))
async def get_dicom_rendered_study(request: Request) -> Response:
    """The slide as one picture (DW11)."""
    return await _rendered(request, limits_of(request).thumbnail_side)


@router.get(SERIES + "/rendered", responses=binary(*IMAGES), openapi_extra=dicom_parameters(*SERIES_PATH, **VIEWPORT))
async def get_dicom_rendered_series(request: Request) -> Response:
    """The slide as one picture (DW11)."""
    return await _rendered(request, limits_of(request).thumbnail_side)


@router.get(
    INSTANCE + "/rendered", responses=binary(*IMAGES), openapi_extra=dicom_parameters(*INSTANCE_PATH, **VIEWPORT)
)
async def get_dicom_rendered_instance(request: Request) -> Response:
    """The level as one picture, reduced if it is large (DW11)."""
    return await _rendered(request, limits_of(request).thumbnail_side)


@router.get(STUDY + "/thumbnail", responses=binary(*IMAGES), openapi_extra=dicom_parameters(*STUDY_PATH, **VIEWPORT))
async def get_dicom_thumbnail_of_study(request: Request) -> Response:
    """A small picture of the slide (DW11)."""
    return await _rendered(request, THUMBNAIL)


@router.get(SERIES + "/thumbnail", responses=binary(*IMAGES), openapi_extra=dicom_parameters(*SERIES_PATH, **VIEWPORT))
async def get_dicom_thumbnail_of_series(request: Request) -> Response:
    """A small picture of the slide (DW11)."""
    return await _rendered(request, THUMBNAIL)


@router.get(
    INSTANCE + "/thumbnail", responses=binary(*IMAGES), openapi_extra=dicom_parameters(*INSTANCE_PATH, **VIEWPORT)
)
async def get_dicom_thumbnail_of_instance(request: Request) -> Response:
    """A small picture of the slide (DW11)."""
    return await _rendered(request, THUMBNAIL)


@router.get(
    INSTANCE + "/bulkdata/icc",
    responses=binary(BYTES, "multipart/related"),
    openapi_extra=dicom_parameters(*INSTANCE_PATH),
)
@counted("reads")
async def get_dicom_bulk_data(request: Request) -> Response:
    """The ICC profile; that of sRGB if the slide has none (DW8)."""
    found = await dicom_object(request)
    if not has_profile(found.version):
        raise NoProfile(found.version.digest)
    chosen = next((one for one in media_ranges(accept_of(request)) if covers(one.part, BYTES)), None)
    if chosen is None:
        raise NotAcceptable(accept_of(request))
    tag = b'"%b.p%d"' % (found.version.tag, chosen.multipart)
    answer = not_modified(request, tag)
    if answer is None:
        colours = services_of(request).colours
        profile = await colours.profile(found.version) if found.version.manifest.icc else srgb_profile()
        if chosen.multipart:
            boundary = boundary_of(found.version.digest, "icc")
            body = part_of(profile, BYTES, boundary) + end_of(boundary)
            answer = immutable(request, body, multipart_type(BYTES, boundary).encode(), tag)
        else:
            answer = immutable(request, profile, BYTES.encode(), tag)
    answer.raw_headers.append((b"vary", b"Accept"))
    return answer


def image_format(request: Request) -> tuple[str, ImageFormat]:
    """The media type and format of a rendered picture. Raises NotAcceptable."""
    for wanted in media_ranges(accept_of(request)):
        for media, kind in IMAGES.items():
            if not wanted.multipart and covers(wanted.media, media):
                return media, kind
    raise NotAcceptable(accept_of(request))


async def _retrieve(request: Request) -> Response:
    """Whole instances are not made (DW21). Raises UnknownDicomObject, NotAcceptable."""
    await dicom_object(request)
    raise NotAcceptable(accept_of(request) or "application/dicom")


async def _metadata(request: Request) -> Response:
    """Of what the path names. Titles and scales may change, so caches revalidate it."""
    require_json(request)
    found = await dicom_object(request)
    slide = await services_of(request).dicom.described(principal_of(request), found)
    body = await asyncio.to_thread(metadata_json, slide, found.levels, dicom_root(request))
    etag = f'"{found.version.digest}-{zlib.crc32(body):08x}"'
    headers = {"cache-control": "no-cache", "etag": etag}
    condition = header(request, b"if-none-match")
    if condition is not None and matches(condition, etag.encode()):
        return Response(status_code=304, headers=headers)
    return Response(body, 200, headers, DICOM_JSON)


async def _rendered(request: Request, longest: int) -> Response:
    """The middle plane within a square or, if the client names it, within its viewport."""
    found = await dicom_object(request)
    media, kind = image_format(request)
    longest = _viewport(request, longest)
    if found.level is not None:
        longest = min(longest, max(found.version.pyramid.level_size(found.level)))
    tag = b'"%b.w%b"' % (found.version.tag, kind.encode())
    answer = not_modified(request, tag)
    if answer is None:
        pixels = services_of(request).pixels
        work = pixels.thumbnail(found.version, max(SMALLEST_THUMBNAIL, longest), kind)
        answer = immutable(request, await while_connected(request, work), media.encode(), tag)
    answer.raw_headers.extend([(b"vary", b"Accept"), *ignored(request)])
    return answer


def ignored(request: Request) -> list[tuple[bytes, bytes]]:
    """A warning of the parameters that change nothing (DW20)."""
    names = [name for name in IGNORED if name in request.query_params]
    return [(b"warning", f"299 {WARNING.format(', '.join(names))}".encode())] if names else []


def _viewport(request: Request, longest: int) -> int:
    """The longer side that fits into ``viewport=WIDTH,HEIGHT``. Raises InvalidParameter."""
    text = request.query_params.get("viewport")
    if text is None:
        return longest
    sides = text.split(",")
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() and 1 <= len(side) <= 5 for side in sides):
        raise InvalidParameter("viewport", text[:80], "WIDTH,HEIGHT")
    return max(SMALLEST_THUMBNAIL, min(limits_of(request).thumbnail_side, *map(int, sides)))
