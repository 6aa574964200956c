"""The parameters of an image request of the IIIF Image API, 2.1 and 3.0, as plain values (IF3 to IF6)."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal, NamedTuple, TypeVar, get_args

from wavescope.errors import InvalidImageRequest

Api = Literal["2", "3"]
APIS: tuple[Api, ...] = get_args(Api)
IiifQuality = Literal["default", "color", "gray", "bitonal"]
QUALITIES: tuple[IiifQuality, ...] = get_args(IiifQuality)
IiifFormat = Literal["jpg", "png", "webp", "avif"]
FORMATS: tuple[IiifFormat, ...] = get_args(IiifFormat)

Choice = TypeVar("Choice", bound=str)
INTEGER = r"[0-9]{1,18}"
DECIMAL = r"(?:[0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})"
REGION = re.compile(rf"({INTEGER}),({INTEGER}),({INTEGER}),({INTEGER})")
REGION_PERCENT = re.compile(rf"pct:({DECIMAL}),({DECIMAL}),({DECIMAL}),({DECIMAL})")
SIZE = re.compile(rf"(!?)({INTEGER})?,({INTEGER})?")
SIZE_PERCENT = re.compile(rf"pct:({DECIMAL})")
ROTATION = re.compile(rf"(!?)({DECIMAL})")


class Bounds(NamedTuple):
    """How large a picture may become."""

    side: int
    area: int


class Rectangle(NamedTuple):
    """In level-0 pixels, inside the slide; neither side is 0."""

    x: int
    y: int
    width: int
    height: int


class Size(NamedTuple):
    """Of the picture before it is rotated. ``upscaled``: larger than the region."""

    width: int
    height: int
    upscaled: bool


class Rotation(NamedTuple):
    """Mirrored at the vertical axis first, then turned clockwise; 0 <= ``degrees`` < 360."""

    mirrored: bool
    degrees: float


class ImageRequest(NamedTuple):
    """What a client requests of a slide."""

    region: Rectangle
    size: Size
    rotation: Rotation
    quality: IiifQuality
    format: IiifFormat


class RequestText(NamedTuple):
    """The five parts of a path, decoded."""

    region: str
    size: str
    rotation: str
    quality: str
    format: str


def parse_request(text: RequestText, slide: tuple[int, int], bounds: Bounds, api: Api) -> ImageRequest:
    """The request for a slide of this width and height. Raises InvalidImageRequest."""
    region = parse_region(text.region, *slide)
    size = parse_size(text.size, region, bounds, api)
    rotation = parse_rotation(text.rotation)
    turned = rotated_size(size, rotation)
    if turned[0] * turned[1] > 2 * bounds.area or max(turned) > 2 * bounds.side:
        raise InvalidImageRequest("rotation", text.rotation, "a smaller size for this angle")
    quality = _choice("quality", text.quality, QUALITIES)
    return ImageRequest(region, size, rotation, quality, _choice("format", text.format, FORMATS))


def parse_region(text: str, width: int, height: int) -> Rectangle:
    """The part of the region that lies inside the slide (IF3). Raises InvalidImageRequest."""
    if text == "full":
        return Rectangle(0, 0, width, height)
    if text == "square":
        side = min(width, height)
        return Rectangle((width - side) // 2, (height - side) // 2, side, side)
    if (match := REGION.fullmatch(text)) is not None:
        x, y, w, h = map(int, match.groups())
    elif (match := REGION_PERCENT.fullmatch(text)) is not None:
        left, top, wide, high = (Decimal(one) / 100 for one in match.groups())
        x, w = _rounded(left * width), _rounded(wide * width)
        y, h = _rounded(top * height), _rounded(high * height)
    else:
        raise InvalidImageRequest("region", text, "full, square, x,y,w,h or pct:x,y,w,h")
    w, h = min(w, width - x), min(h, height - y)
    if w < 1 or h < 1:
        raise InvalidImageRequest("region", text, f"a part of {width} x {height} pixels")
    return Rectangle(x, y, w, h)


def parse_size(text: str, region: Rectangle, bounds: Bounds, api: Api) -> Size:
    """The size that the region is scaled to (IF4). Raises InvalidImageRequest."""
    larger = api == "3" and text.startswith("^")
    form = text.removeprefix("^") if larger else text
    width, height = region.width, region.height
    if form == "max":
        return _size(*_within(width, height, bounds, enlarge=larger), region)
    if form == "full" and api == "2":
        return _checked(width, height, region, bounds, text)
    if (match := SIZE_PERCENT.fullmatch(form)) is not None:
        share = Decimal(match[1]) / 100
        size = (max(1, _rounded(share * width)), max(1, _rounded(share * height))) if share > 0 else (0, 0)
        too_large = share > 1
    elif (
        (match := SIZE.fullmatch(form)) is not None
        and (match[2] or match[3])
        and not (match[1] and None in match.groups())
    ):
        confined, size = bool(match[1]), _stated(match[2], match[3], region)
        too_large = size[0] > width or size[1] > height
        if confined and 0 not in size:
            too_large = size[0] > width and size[1] > height
            size = _confined(size, region, bounds, enlarge=larger or api == "2")
    else:
        raise InvalidImageRequest(
            "size", text, "max, w,  ,h  pct:n  w,h  or !w,h" + (", with ^ to enlarge" if api == "3" else "")
        )
    if api == "3" and too_large and not larger:
        raise InvalidImageRequest("size", text, f"at most {width},{height}, or ^ to enlarge")
    return _checked(*size, region, bounds, text)


def parse_rotation(text: str) -> Rotation:
    """Degrees from 0 to 360, with ! if mirrored (IF5). Raises InvalidImageRequest."""
    match = ROTATION.fullmatch(text)
    if match is None or Decimal(match[2]) > 360:
        raise InvalidImageRequest("rotation", text, "0 to 360, or ! before it to mirror")
    return Rotation(bool(match[1]), float(Decimal(match[2])) % 360)


def rotated_size(size: Size, rotation: Rotation) -> tuple[int, int]:
    """Width and height of the picture that contains the turned one."""
    if rotation.degrees % 90 == 0:
        return (size.height, size.width) if rotation.degrees % 180 else (size.width, size.height)
    sine, cosine = abs(math.sin(math.radians(rotation.degrees))), abs(math.cos(math.radians(rotation.degrees)))
    return math.ceil(size.width * cosine + size.height * sine), math.ceil(size.width * sine + size.height * cosine)


def canonical(request: ImageRequest, slide: tuple[int, int], bounds: Bounds, channels: int, api: Api) -> str:
    """The one path below the image's address that stands for this request (IF8)."""
    region, size, (mirrored, degrees) = request.region, request.size, request.rotation
    where = "full" if region == (0, 0, *slide) else ",".join(map(str, region))
    natural: IiifQuality = "color" if channels > 1 else "gray"
    quality = "default" if request.quality == natural else request.quality
    turned = f"{'!' if mirrored else ''}{degrees:.10f}".rstrip("0").rstrip(".")
    return f"{where}/{_canonical_size(region, size, bounds, api)}/{turned}/{quality}.{request.format}"


def _canonical_size(region: Rectangle, size: Size, bounds: Bounds, api: Api) -> str:
    width, height, upscaled = size
    if api == "3":
        if not upscaled and (width, height) == _within(region.width, region.height, bounds, enlarge=False):
            return "max"
        return f"{'^' if upscaled else ''}{width},{height}"
    if (width, height) == (region.width, region.height):
        return "full"
    return f"{width}," if height == _other(width, region.width, region.height) else f"{width},{height}"


def _stated(width: str | None, height: str | None, region: Rectangle) -> tuple[int, int]:
    """Width and height; the one that is not stated follows from the other."""
    if width is None:
        assert height is not None
        return _other(int(height), region.height, region.width), int(height)
    if height is None:
        return int(width), _other(int(width), region.width, region.height)
    return int(width), int(height)


def _other(side: int, of: int, other: int) -> int:
    """How long the other side is at the same aspect ratio; 0 only if this one is."""
    return max(1, _rounded(Decimal(side) * other / of)) if side else 0


def _confined(box: tuple[int, int], region: Rectangle, bounds: Bounds, *, enlarge: bool) -> tuple[int, int]:
    """The largest size of the region's aspect ratio inside a box and the bounds."""
    scale = min(box[0] / region.width, box[1] / region.height)
    if scale > 1 and not enlarge:
        scale = 1.0
    width, height = region.width * scale, region.height * scale
    wide, high = max(1, min(box[0], round(width))), max(1, min(box[1], round(height)))
    return _within(wide, high, bounds, enlarge=False)


def _within(width: int, height: int, bounds: Bounds, *, enlarge: bool) -> tuple[int, int]:
    """The largest size of this aspect ratio that the bounds allow; only if ``enlarge``, larger than it is."""
    scale = min(bounds.side / max(width, height), math.sqrt(bounds.area / (width * height)))
    if scale >= 1 and not enlarge:
        return width, height
    wide, high = max(1, math.floor(width * scale)), max(1, math.floor(height * scale))
    return min(wide, bounds.side), min(high, bounds.side)


def _checked(width: int, height: int, region: Rectangle, bounds: Bounds, text: str) -> Size:
    if width < 1 or height < 1:
        raise InvalidImageRequest("size", text, "at least 1 x 1 pixel")
    if max(width, height) > bounds.side or width * height > bounds.area:
        raise InvalidImageRequest("size", text, f"at most {bounds.area} pixels, and {bounds.side} a side")
    return _size(width, height, region)


def _size(width: int, height: int, region: Rectangle) -> Size:
    return Size(width, height, width > region.width or height > region.height)


def _rounded(value: Decimal) -> int:
    return int(value.to_integral_value(ROUND_HALF_UP))


def _choice(name: str, text: str, values: tuple[Choice, ...]) -> Choice:
    for value in values:
        if value == text:
            return value
    raise InvalidImageRequest(name, text, ", ".join(values))
