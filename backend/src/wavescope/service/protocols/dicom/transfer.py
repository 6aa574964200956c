"""Frames: which tile each one is, and the transfer syntaxes that it can be had in (DW9, DW10)."""

from __future__ import annotations

from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from wavescope.channels.mixing import Mix, Raw, shown_channel
from wavescope.errors import InvalidParameter, OutOfRange
from wavescope.geometry import TILE
from wavescope.pixels.images import Pixels, encode_image
from wavescope.pixels.region import Region
from wavescope.pixels.renderer import DerivedImage
from wavescope.service.protocols.dicom.dataset import frame_count
from wavescope.source.codestreams import require_imagecodecs
from wavescope.store.version import SlideVersion

Coding = Literal["jpg", "raw", "j2k", "htj2k"]
MAX_FRAMES = 1000
"""In one request."""
MAX_DIGITS = 10


class Transfer(NamedTuple):
    """A transfer syntax; ``media``: the media type of a frame in it."""

    uid: str
    media: str
    coding: Coding


JPEG = Transfer("1.2.840.10008.1.2.4.50", "image/jpeg", "jpg")
UNCOMPRESSED = Transfer("1.2.840.10008.1.2.1", "application/octet-stream", "raw")
HTJ2K = Transfer("1.2.840.10008.1.2.4.201", "image/jphc", "htj2k")
JPEG_2000 = Transfer("1.2.840.10008.1.2.4.90", "image/jp2", "j2k")
TRANSFERS = (JPEG, UNCOMPRESSED, HTJ2K, JPEG_2000)
"""In the order in which the service chooses one where the client has no preference."""
EXACT = TRANSFERS[1:]
"""Those of channels: their samples are never made a JPEG (DW22)."""


class Frame(NamedTuple):
    """A tile of an optical path: ``c`` is the channel, 0 of a picture."""

    c: int
    region: Region


def transfers_of(version: SlideVersion) -> tuple[Transfer, ...]:
    """Those in which the frames of a slide can be had."""
    return EXACT if version.manifest.descriptions else TRANSFERS


def frame_numbers(text: str, version: SlideVersion, level: int) -> list[int]:
    """The frames of a list such as ``1,5``, numbered from 1. Raises InvalidParameter, OutOfRange."""
    parts = text.split(",", MAX_FRAMES)
    if len(parts) > MAX_FRAMES:
        raise OutOfRange("frames", f"more than {MAX_FRAMES}", f"at most {MAX_FRAMES} in one request")
    count = frame_count(version, level)
    numbers = []
    for part in parts:
        if not (part.isascii() and part.isdigit() and len(part) <= MAX_DIGITS):
            raise InvalidParameter("frames", text[:80], "numbers from 1, separated by commas")
        number = int(part)
        if not 1 <= number <= count:
            raise OutOfRange("frames", number, f"1 to {count}")
        numbers.append(number)
    return numbers


def frame_of(version: SlideVersion, level: int, number: int) -> Frame:
    """What a frame is: row by row, plane by plane, channel by channel. All have the same size (DW9). The frame is one
    of the level's.
    """
    columns, rows = version.grids[level]
    plane, rest = divmod(number - 1, columns * rows)
    row, column = divmod(rest, columns)
    c, z = divmod(plane, version.planes)
    return Frame(c, Region(z, level, TILE * column, TILE * row, TILE, TILE, "background"))


def frame_image(version: SlideVersion, frame: Frame, coding: Coding) -> DerivedImage:
    """How a frame is made that is not a JPEG: that one is the region's own."""
    c, region = frame
    view = Raw((c,)) if version.manifest.descriptions else None
    made = partial(encode_frame, coding)
    return DerivedImage(region, ("frame", frame, coding), region.width * region.height, made, view)


def shown_frame(version: SlideVersion, frame: Frame) -> Mix | None:
    """How a frame is made a picture: a channel by itself, in its colour and window; None: it is one already."""
    return (shown_channel(version.manifest.descriptions, frame.c),) if version.manifest.descriptions else None


def encode_frame(coding: Coding, pixels: Pixels) -> bytes:
    """The bytes of a frame of (height, width, channels). All but JPEG are lossless. Raises MissingPackage."""
    if coding == "jpg":
        return encode_image(pixels, "jpg")
    if coding == "raw":
        return np.ascontiguousarray(pixels).tobytes()
    require_imagecodecs("a frame in JPEG 2000")
    import imagecodecs

    flat = np.ascontiguousarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
    if coding == "htj2k":
        return bytes(imagecodecs.htj2k_encode(flat, reversible=True, rgb=flat.ndim == 3))
    return bytes(imagecodecs.jpeg2k_encode(flat, level=0, codecformat="j2k", reversible=True))
