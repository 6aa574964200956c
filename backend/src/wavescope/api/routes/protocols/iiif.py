"""The IIIF Image API, 2.1 and 3.0 (iiif.md)."""

from __future__ import annotations

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from wavescope.api.http.addresses import slide_address
from wavescope.api.http.disconnect import while_connected
from wavescope.api.http.fast_route import FastRoute, binary, described, version_of
from wavescope.api.http.immutable import header, immutable, not_modified
from wavescope.api.http.numbers import integer
from wavescope.api.routing import counted, new_router
from wavescope.api.state import limits_of, version_services_of
from wavescope.service.protocols.iiif_image import bounds_of, image_of
from wavescope.service.protocols.iiif_info import CONTEXT, PROFILE, information
from wavescope.service.protocols.iiif_request import APIS, Api, RequestText, canonical, parse_request
from wavescope.store.version import SlideVersion

router = new_router("iiif", "pixels", route_class=FastRoute, default_response_class=Response)

IMAGE = "/slides/{slide_id}/v/{digest}/iiif/{api}"
PLANE = IMAGE + "/planes/{z}"
IMAGE_PATH = "/{region}/{size}/{rotation}/{quality}.{format}"
PARTS = ("region", "size", "rotation", "quality", "format")
MEDIA = {"jpg": b"image/jpeg", "png": b"image/png", "webp": b"image/webp", "avif": b"image/avif"}
MEDIA_TYPES = [media.decode() for media in MEDIA.values()]
JSON, LINKED = "application/json", "application/ld+json"
INFORMATION: dict[int | str, dict[str, Any]] = {
    200: {"content": {JSON: {"schema": {"type": "object"}}, LINKED: {"schema": {"type": "object"}}}}
}


@router.get(IMAGE, status_code=303, openapi_extra=described((), choices={"api": APIS}))
@counted("reads")
async def get_iiif_image(request: Request) -> Response:
    """The address of an image leads to its information (IF1)."""
    return await _to_information(request)


@router.get(PLANE, status_code=303, openapi_extra=described(("z",), choices={"api": APIS}))
@counted("reads")
async def get_iiif_plane(request: Request) -> Response:
    """The address of a focal plane as an image leads to its information (IF14)."""
    return await _to_information(request)


@router.get(
    IMAGE + "/info.json",
    responses={**binary(), **INFORMATION},
    openapi_extra=described((), choices={"api": APIS}),
)
@counted("reads")
async def get_iiif_information(request: Request) -> Response:
    """Sizes, tiles and what can be requested (IF2)."""
    return await _information(request)


@router.get(
    PLANE + "/info.json",
    responses={**binary(), **INFORMATION},
    openapi_extra=described(("z",), choices={"api": APIS}),
)
@counted("reads")
async def get_iiif_plane_information(request: Request) -> Response:
    """The same of one focal plane (IF14)."""
    return await _information(request)


@router.get(
    IMAGE + IMAGE_PATH,
    responses=binary(*MEDIA_TYPES),
    openapi_extra=described((), choices={"api": APIS}, texts=PARTS),
)
async def get_iiif_picture(request: Request) -> Response:
    """A region of the slide, scaled, turned, in a quality and format (IF3 to IF8)."""
    return await _image_response(request)


@router.get(
    PLANE + IMAGE_PATH,
    responses=binary(*MEDIA_TYPES),
    openapi_extra=described(("z",), choices={"api": APIS}, texts=PARTS),
)
async def get_iiif_plane_picture(request: Request) -> Response:
    """The same of one focal plane (IF14)."""
    return await _image_response(request)


async def _to_information(request: Request) -> Response:
    _plane(request, await version_of(request))
    api_of(request)
    return RedirectResponse(f"{image_address(request)}/info.json", 303)


async def _information(request: Request) -> Response:
    version, api = await version_of(request), api_of(request)
    etag = b'"%b.f%b"' % (version.tag, api.encode())
    answer = not_modified(request, etag)
    if answer is None:
        answer = immutable(request, information_of(request, version, api), media_type(request, api), etag)
    answer.raw_headers.extend(information_headers(api))
    return answer


async def _image_response(request: Request) -> Response:
    path, version, api = request.scope["path_params"], await version_of(request), api_of(request)
    limits, slide = limits_of(request), (version.pyramid.width, version.pyramid.height)
    bounds, plane = bounds_of(limits), _plane(request, version)
    wanted = parse_request(RequestText(*(path[name] for name in PARTS)), slide, bounds, api)
    etag = b'"%b.f"' % version.tag
    answer = not_modified(request, etag)
    if answer is None:
        picture, pixels = image_of(version, wanted, limits, plane), version_services_of(request).pixels
        body = pixels.cached_derived_image(version, picture)
        if body is None:
            body = await while_connected(request, pixels.derived_image(version, picture))
        answer = immutable(request, body, MEDIA[wanted.format], etag)
    name = canonical(wanted, slide, bounds, version.picture_channels, api)
    links = (_link(PROFILE[api], "profile"), _link(f"{image_address(request)}/{name}", "canonical"))
    answer.raw_headers.append((b"link", b", ".join(links)))
    return answer


def information_of(request: Request, version: SlideVersion, api: Api) -> bytes:
    """The document ``info.json`` of the image, or the focal plane, that the path names. Raises as _plane."""
    _plane(request, version)
    return json.dumps(information(version, image_address(request), bounds_of(limits_of(request)), api)).encode()


def information_headers(api: Api) -> list[tuple[bytes, bytes]]:
    """Beside those of every answer."""
    return [(b"vary", b"Accept"), (b"link", _link(PROFILE[api], "profile"))]


def _plane(request: Request, version: SlideVersion) -> int:
    """The focal plane that the path names, else the middle one. Raises InvalidParameter, OutOfRange."""
    z = request.scope["path_params"].get("z")
    return version.middle_plane if z is None else version.plane(integer("z", z))


def api_of(request: Request) -> Api:
    """The version of the Image API that the path names; 404 for any other."""
    for api in APIS:
        if api == request.scope["path_params"]["api"]:
            return api
    raise HTTPException(404)


def image_address(request: Request) -> str:
    """The image's id (IF1, IF14)."""
    path = request.scope["path_params"]
    plane = f"/planes/{integer('z', path['z'])}" if "z" in path else ""
    return f"{slide_address(request, path['slide_id'], path.get('digest'))}/iiif/{path['api']}{plane}"


def media_type(request: Request, api: Api) -> bytes:
    """JSON-LD with its profile, or plain JSON where the client asks for that, or the API has it so (IF2)."""
    accepted = (header(request, b"accept") or b"").decode("latin-1")
    linked = LINKED in accepted or (api == "3" and JSON not in accepted)
    return f'{LINKED};profile="{CONTEXT[api]}"'.encode() if linked else JSON.encode()


def _link(address: str, relation: str) -> bytes:
    return f'<{address}>;rel="{relation}"'.encode()
