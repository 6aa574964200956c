"""WADO-RS: frames of whole slides, in the transfer syntaxes that the client accepts (dicomweb.md)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from wavescope.api.http.accepting import (
    ANY,
    MediaRange,
    boundary_of,
    covers,
    end_of,
    media_ranges,
    multipart_type,
    part_of,
)
from wavescope.api.http.disconnect import while_connected
from wavescope.api.http.fast_route import FastRoute, binary
from wavescope.api.http.immutable import cache_control_of, immutable, not_modified
from wavescope.api.problems import NotAcceptable
from wavescope.api.routes.protocols.dicom_paths import INSTANCE, accept_of, dicom_object, dicom_parameters
from wavescope.api.routes.protocols.dicom_retrieve import IGNORED, IMAGES, ignored, image_format
from wavescope.api.routing import new_router
from wavescope.api.state import services_of
from wavescope.errors import OutOfRange
from wavescope.pixels.images import ImageFormat
from wavescope.service.protocols.dicom.objects import DicomObject
from wavescope.service.protocols.dicom.transfer import (
    JPEG,
    TRANSFERS,
    UNCOMPRESSED,
    Transfer,
    frame_image,
    frame_numbers,
    frame_of,
    shown_frame,
    transfers_of,
)

router = new_router("dicomweb", "pixels", route_class=FastRoute, default_response_class=Response)

PATH = ("study", "series", "instance", "frames")
FRAMES = INSTANCE + "/frames/{frames}"


class Chosen(NamedTuple):
    """How frames are answered; ``multipart``: else the body is the one frame itself; ``media``: what a frame is called,
    bytes of any kind if the client asks for such.
    """

    transfer: Transfer
    multipart: bool
    media: str


@router.get(
    FRAMES,
    responses=binary("multipart/related", *(one.media for one in TRANSFERS)),
    openapi_extra=dicom_parameters(*PATH),
)
async def get_dicom_frames(request: Request) -> Response:
    """Frames by their numbers, such as ``1`` or ``4,5,9`` (DW9, DW10)."""
    found = await dicom_object(request)
    assert found.level is not None
    numbers = frame_numbers(request.scope["path_params"]["frames"], found.version, found.level)
    chosen = choose(accept_of(request), len(numbers), transfers_of(found.version))
    named = chosen.transfer.coding if chosen.media == chosen.transfer.media else f"{chosen.transfer.coding}-bytes"
    tag = b'"%b.%b%d"' % (found.version.tag, named.encode(), chosen.multipart)
    answer = not_modified(request, tag)
    if answer is None:
        first = await while_connected(request, frame(request, found, numbers[0], chosen.transfer))
        answer = _response(request, found, numbers, chosen, first, tag)
    answer.raw_headers.append((b"vary", b"Accept"))
    return answer


@router.get(FRAMES + "/rendered", responses=binary(*IMAGES), openapi_extra=dicom_parameters(*PATH, query=IGNORED))
async def get_dicom_rendered_frame(request: Request) -> Response:
    """One frame as a picture (DW11)."""
    return await _rendered(request)


@router.get(FRAMES + "/thumbnail", responses=binary(*IMAGES), openapi_extra=dicom_parameters(*PATH, query=IGNORED))
async def get_dicom_frame_thumbnail(request: Request) -> Response:
    """One frame as a picture: a frame is no larger than a thumbnail (DW11)."""
    return await _rendered(request)


def choose(accept: str, count: int, transfers: Sequence[Transfer] = TRANSFERS) -> Chosen:
    """The transfer syntax of these that the client prefers; their order decides where it does not (DW10).

    Raises NotAcceptable.
    """
    ranges = media_ranges(accept)
    for quality in sorted({one.quality for one in ranges}, reverse=True):
        preferred = [
            one for one in ranges if one.quality == quality and (one.multipart or one.media == ANY or count == 1)
        ]
        for transfer in transfers:
            for one in preferred:
                if _accepts(one, transfer, transfers[0]):
                    media = one.part if one.part == UNCOMPRESSED.media else transfer.media
                    return Chosen(transfer, one.multipart or one.media == ANY, media)
    raise NotAcceptable(accept)


async def frame(request: Request, found: DicomObject, number: int, transfer: Transfer) -> bytes:
    """The bytes of a frame; a JPEG is that of the region route."""
    assert found.level is not None
    pixels = services_of(request).pixels
    if transfer is JPEG:
        return await _region(request, found, number, "jpg")
    own = frame_of(found.version, found.level, number)
    return await pixels.derived_image(found.version, frame_image(found.version, own, transfer.coding))


def _accepts(wanted: MediaRange, transfer: Transfer, first: Transfer) -> bool:
    """Whether a media range, with its transfer syntax, includes this one. Frames are uncompressed where it does not say
    how they are coded; ``*`` leaves the choice to the service, which takes the ``first``.
    """
    syntax = wanted.parameters.get("transfer-syntax")
    if wanted.part in (ANY, UNCOMPRESSED.media):
        return transfer is first if syntax == "*" else transfer.uid == (syntax or UNCOMPRESSED.uid)
    return covers(wanted.part, transfer.media) and syntax in (None, "*", transfer.uid)


def _response(
    request: Request, found: DicomObject, numbers: list[int], chosen: Chosen, first: bytes, tag: bytes
) -> Response:
    transfer, media = chosen.transfer, chosen.media
    syntax = f"; transfer-syntax={transfer.uid}"
    if not chosen.multipart:
        return immutable(request, first, (media + syntax).encode(), tag)
    boundary = boundary_of(found.version.digest, transfer.uid, media, request.scope["path"])
    whole = multipart_type(media, boundary, syntax)
    if len(numbers) == 1:
        body = part_of(first, media + syntax, boundary) + end_of(boundary)
        return immutable(request, body, whole.encode(), tag)

    async def parts() -> AsyncIterator[bytes]:
        yield part_of(first, media + syntax, boundary)
        for number in numbers[1:]:
            yield part_of(await frame(request, found, number, transfer), media + syntax, boundary)
        yield end_of(boundary)

    headers = {"cache-control": cache_control_of(request).decode(), "etag": tag.decode(), "content-type": whole}
    return StreamingResponse(parts(), 200, headers)


async def _rendered(request: Request) -> Response:
    found = await dicom_object(request)
    assert found.level is not None
    numbers = frame_numbers(request.scope["path_params"]["frames"], found.version, found.level)
    if len(numbers) > 1:
        raise OutOfRange("frames", f"{len(numbers)} frames", "one frame a picture")
    media, kind = image_format(request)
    tag = b'"%b.w%b"' % (found.version.tag, kind.encode())
    answer = not_modified(request, tag)
    if answer is None:
        body = await while_connected(request, _region(request, found, numbers[0], kind))
        answer = immutable(request, body, media.encode(), tag)
    answer.raw_headers.extend([(b"vary", b"Accept"), *ignored(request)])
    return answer


async def _region(request: Request, found: DicomObject, number: int, kind: ImageFormat) -> bytes:
    """The file that the region route makes of a frame's rectangle."""
    assert found.level is not None
    version, pixels = found.version, services_of(request).pixels
    own = frame_of(version, found.level, number)
    view = shown_frame(version, own)
    body = pixels.cached_region(version, own.region, version.layers, kind, view)
    return body if body is not None else await pixels.region_image(version, own.region, version.layers, kind, view)
