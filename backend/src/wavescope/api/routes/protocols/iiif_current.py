"""The image of a slide's current version, whose address has no version (IF16)."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from wavescope.api.credentials import credentials_of
from wavescope.api.http.fast_route import FastRoute, binary, described
from wavescope.api.routes.protocols.iiif import (
    INFORMATION,
    api_of,
    image_address,
    information_headers,
    information_of,
    media_type,
)
from wavescope.api.routing import new_router
from wavescope.api.state import principal_of, services_of
from wavescope.service.protocols.iiif_request import APIS

router = new_router("iiif", "reads", route_class=FastRoute, default_response_class=Response)

IMAGE = "/slides/{slide_id}/iiif/{api}"
PLANE = IMAGE + "/planes/{z}"


@router.get(IMAGE, status_code=303, openapi_extra=described((), choices={"api": APIS}, version=False))
async def get_current_iiif_image(request: Request) -> Response:
    """The address of the current version's image leads to its information (IF16)."""
    return await _to_information(request)


@router.get(PLANE, status_code=303, openapi_extra=described(("z",), choices={"api": APIS}, version=False))
async def get_current_iiif_plane(request: Request) -> Response:
    """The same of one focal plane (IF14, IF16)."""
    return await _to_information(request)


@router.get(
    IMAGE + "/info.json",
    responses={**binary(ranges=False), **INFORMATION},
    openapi_extra=described((), choices={"api": APIS}, version=False),
)
async def get_current_iiif_information(request: Request) -> Response:
    """Sizes, tiles and what can be requested, of the current version (IF2, IF16)."""
    return await _information(request)


@router.get(
    PLANE + "/info.json",
    responses={**binary(ranges=False), **INFORMATION},
    openapi_extra=described(("z",), choices={"api": APIS}, version=False),
)
async def get_current_iiif_plane_information(request: Request) -> Response:
    """The same of one focal plane (IF14, IF16)."""
    return await _information(request)


async def _to_information(request: Request) -> Response:
    api_of(request)
    await _digest(request)
    return RedirectResponse(f"{image_address(request)}/info.json", 303)


async def _information(request: Request) -> Response:
    api, services, slide_id = api_of(request), services_of(request), request.path_params["slide_id"]
    digest = await _digest(request)
    version = (await services.versions.open(credentials_of(request), slide_id, digest)).version
    answer = Response(information_of(request, version, api), 200, {"cache-control": "no-cache"})
    answer.raw_headers.extend([(b"content-type", media_type(request, api)), *information_headers(api)])
    return answer


async def _digest(request: Request) -> str:
    """Of the current version. Raises Forbidden, UnknownSlide."""
    services, slide_id = services_of(request), request.path_params["slide_id"]
    return await services.lookups.of(lambda: services.slides.current(principal_of(request), slide_id))
