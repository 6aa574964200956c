"""Pixels made by the service: the fallback's tiles, regions for REST clients, thumbnails."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, fields
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.disconnect import while_connected
from wavescope.api.http.fast_route import FastRoute, binary, described, version_of
from wavescope.api.http.immutable import immutable, not_modified
from wavescope.api.http.numbers import LONGEST, integer, one_of, query_integers, query_text
from wavescope.api.parameters import PixelsParameter, SlidesParameter, VersionParameter
from wavescope.api.routing import LateRoute, new_router
from wavescope.api.schemas.numbers import ParameterInteger
from wavescope.api.state import PrincipalParameter, version_services_of
from wavescope.channels.mixing import FORM, View, mix_of, raw_of
from wavescope.errors import InvalidParameter
from wavescope.pixels.images import IMAGE_FORMATS, REGION_FORMATS, ImageFormat, RegionFormat
from wavescope.pixels.region import FILLS, Fill, Region
from wavescope.store.version import SlideVersion

router = new_router("pixels", "pixels", default_response_class=Response)
fast = new_router("pixels", "pixels", route_class=FastRoute, default_response_class=Response)

IMAGES, NUMBERS = ("image/png", "image/jpeg", "image/webp"), "application/octet-stream"
LAYERS = ("layers",)
LONGEST_CHANNELS = 2048
MEDIA = {kind: media.encode() for kind, media in zip(("png", "jpg", "webp", "npy"), (*IMAGES, NUMBERS), strict=True)}


@dataclass(frozen=True)
class RegionParameters:
    """A region as clients send it: ``x, y`` in level-0 pixels, ``width, height`` in pixels of ``level``."""

    x: ParameterInteger
    y: ParameterInteger
    width: ParameterInteger
    height: ParameterInteger
    level: ParameterInteger = 0
    z: ParameterInteger | None = None
    layers: ParameterInteger | None = None
    format: RegionFormat = "png"
    fill: Fill | None = None
    channels: Annotated[str | None, Query(max_length=LONGEST_CHANNELS)] = None

    def region(self, version: SlideVersion) -> Region:
        """The rectangle in pixels of its level (WI23). Raises OutOfRange, InvalidParameter."""
        if self.format == "jpg" and self.fill == "transparent":
            raise InvalidParameter("fill", "transparent", "background, as a jpg has no transparency")
        level, z = version.level(self.level), version.middle_plane if self.z is None else self.z
        return Region(z, level, self.x >> level, self.y >> level, self.width, self.height, self.fill)

    def view(self, version: SlideVersion) -> View | None:
        """What is made of several channels (WI137). Raises InvalidParameter."""
        return view_of(version, self.channels, raw=self.format == "npy")


def view_of(version: SlideVersion, channels: str | None, *, raw: bool = False) -> View | None:
    """What a request makes of the channels of a slide; None: its pixels are a picture. Raises InvalidParameter."""
    if not version.manifest.descriptions:
        if channels is not None:
            raise InvalidParameter("channels", channels[:80], "nothing: this slide has no channels to choose from")
        return None
    if raw:
        return raw_of(channels, version.manifest.descriptions)
    return mix_of(channels, version.manifest.descriptions)


@fast.get(
    "/slides/{slide_id}/v/{digest}/tiles/{z}/{level}/{x}/{y}.{kind}",
    responses=binary(*IMAGES),
    openapi_extra=described(
        ("z", "level", "x", "y"),
        {"layers": "how many, default all"},
        {"kind": IMAGE_FORMATS},
        query_texts={"channels": FORM},
    ),
)
async def get_tile(request: Request) -> Response:
    """pixels(tile, layers): the fallback for browsers without the kernel (WI22)."""
    path, version = request.scope["path_params"], await version_of(request)
    address = version.tile(
        integer("z", path["z"]), integer("level", path["level"]), integer("x", path["x"]), integer("y", path["y"])
    )
    kind = one_of("kind", path["kind"], IMAGE_FORMATS)
    query = request.scope["query_string"]
    count = version.layer_count(*query_integers(query, LAYERS))
    view = view_of(version, query_text(query, "channels") if query else None)
    etag = b'"%b.t%d"' % (version.tag, count)
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    pixels = version_services_of(request).pixels
    body = pixels.cached_tile(version, address, count, kind, view)
    if body is None:
        body = await while_connected(request, pixels.tile_image(version, address, count, kind, view))
    return immutable(request, body, MEDIA[kind], etag)


REGION_NAMES = frozenset(field.name for field in fields(RegionParameters))
REQUIRED_NAMES = frozenset(("x", "y", "width", "height"))


def read_region(query: bytes) -> RegionParameters | None:
    """The parameters of a query that has them as usual; None leaves it to their declaration to read or refuse it."""
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    values = dict(pairs)
    if len(values) != len(pairs) or not REQUIRED_NAMES <= values.keys() <= REGION_NAMES:
        return None
    kind, fill, channels = values.pop("format", "png"), values.pop("fill", None), values.pop("channels", None)
    if not all(text.isascii() and text.isdigit() and len(text) <= LONGEST for text in values.values()):
        return None
    numbers = {name: int(text) for name, text in values.items()}
    format_ = next((known for known in REGION_FORMATS if known == kind), None)
    outside = next((known for known in FILLS if known == fill), None)
    if format_ is None or outside != fill or len(channels or "") > LONGEST_CHANNELS:
        return None
    return RegionParameters(**numbers, format=format_, fill=outside, channels=channels)


class RegionRoute(LateRoute):
    """Calls ``get_region`` directly where ``read_region`` can: solving dependencies takes long."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        declared = super().get_route_handler()

        async def handler(request: Request) -> Response:
            parameters = read_region(request.scope["query_string"])
            if parameters is None:
                return await declared(request)
            pixels = version_services_of(request).pixels
            return await get_region(parameters, request, pixels, await version_of(request))

        return handler


regions = new_router("pixels", "pixels", route_class=RegionRoute, default_response_class=Response)


@regions.get("/slides/{slide_id}/v/{digest}/region", responses=binary(*IMAGES, NUMBERS))
async def get_region(
    parameters: Annotated[RegionParameters, Depends()],
    request: Request,
    pixels: PixelsParameter,
    version: VersionParameter,
) -> Response:
    """A rectangle of any level, across tiles (WI23)."""
    region, count, view = parameters.region(version), version.layer_count(parameters.layers), parameters.view(version)
    pixels.check_region(version, region)
    etag = b'"%b.r%d"' % (version.tag, count)
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    kind = parameters.format
    body = pixels.cached_region(version, region, count, kind, view)
    if body is None:
        body = await while_connected(request, pixels.region_image(version, region, count, kind, view))
    return immutable(request, body, MEDIA[kind], etag)


@dataclass(frozen=True)
class ThumbnailParameters:
    """How large, and as what."""

    max: ParameterInteger = 256
    format: ImageFormat = "webp"


ThumbnailParameter = Annotated[ThumbnailParameters, Depends()]


@router.get("/slides/{slide_id}/v/{digest}/thumbnail", responses=binary(*IMAGES))
async def get_version_thumbnail(
    parameters: ThumbnailParameter, request: Request, pixels: PixelsParameter, version: VersionParameter
) -> Response:
    """The slide within max x max pixels, immutable (WI11)."""
    etag = b'"%b.m"' % version.tag
    if (unchanged := not_modified(request, etag)) is not None:
        return unchanged
    body = await while_connected(request, pixels.thumbnail(version, parameters.max, parameters.format))
    return immutable(request, body, MEDIA[parameters.format], etag)


@router.get("/slides/{slide_id}/thumbnail", responses=binary(*IMAGES))
async def get_thumbnail(
    slide_id: str,
    parameters: ThumbnailParameter,
    request: Request,
    slides: SlidesParameter,
    pixels: PixelsParameter,
    principal: PrincipalParameter,
) -> Response:
    """The thumbnail of the current version; caches revalidate it (WI11)."""
    version = await slides.version(principal, slide_id, slides.current(principal, slide_id))
    response = await get_version_thumbnail(parameters, request, pixels, version)
    response.headers["cache-control"] = "no-cache"
    return response


router.routes[:0] = [*fast.routes, *regions.routes]
