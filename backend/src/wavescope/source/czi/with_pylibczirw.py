"""ZEISS CZI, by pylibCZIrw, which is an extra. The only file that knows it."""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, ParseError, fromstring

import numpy as np

from wavescope.channels.channel import MAX_CHANNELS, Channel
from wavescope.channels.samples import Samples
from wavescope.errors import MissingPackage, SourceError, UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits, Pixels, SlideSource, SourceInfo, check_extent
from wavescope.source.channels import source_of
from wavescope.source.czi.segments import check_segments
from wavescope.source.notices import check_time, first_of, largest_of, time_of
from wavescope.source.picture import Picture
from wavescope.source.properties import positive_number
from wavescope.source.window import FULL

GREY = {"Gray8": 8, "Gray16": 16}
COLOUR = {"Bgr24": 8, "Bgr48": 16}
BLACK, GLASS = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
"""Where no tile is: of channels and of colour."""
OTHER_AXES = {"R": "rotations", "I": "illuminations", "H": "phases", "V": "views", "B": "blocks"}
MAX_XML = 64 << 20
MICROMETRES = 1e6  # scales are in metres
MILLISECONDS = 1e-6  # exposures in nanoseconds


class _Place(NamedTuple):
    """The part of the document that is imported: a scene, or all of it."""

    scene: int | None
    x: int
    y: int
    width: int
    height: int


def open_czi(path: Path, limits: Limits) -> SlideSource:
    """The largest scene of a CZI file. Raises SourceError kinds, MissingPackage."""
    library = _require()
    check_segments(path, limits)
    reader = None
    try:
        cache = library.CacheOptions(type=library.CacheType.Standard, max_memory_usage=limits.cache_bytes)
        reader = library.CziReader(str(path), cache_options=cache)
        return _opened(path, reader, limits.time)
    except (SourceError, MemoryError):
        _close(reader)
        raise
    except Exception as error:  # libCZI meets hostile files with exceptions of every kind
        _close(reader)
        raise UnreadableSource(path, f"the file is damaged or incomplete (libCZI: {error})") from error


def _require() -> Any:
    try:
        return importlib.import_module("pylibCZIrw.czi")
    except ImportError as error:
        raise MissingPackage("pylibCZIrw", "this CZI file", "czi") from error


def _close(reader: Any) -> None:
    if reader is not None:
        reader.close()


def _opened(path: Path, reader: Any, time: int) -> SlideSource:
    axes = {axis: last - first for axis, (first, last) in reader.total_bounding_box_no_pyramid.items()}
    kinds = [kind for _, kind in sorted(reader.pixel_types.items())]
    if not kinds:
        raise UnreadableSource(path, "it has no pictures")
    place, scenes = _largest(reader)
    times = axes.get("T", 1)
    check_time(path, times, time)
    root = _metadata(path, reader)
    notices = [notice for axis, name in OTHER_AXES.items() for notice in first_of(axes.get(axis, 1), name)]
    info = SourceInfo(
        width=place.width,
        height=place.height,
        channels=len(kinds),
        format="czi",
        source_bytes=path.stat().st_size,
        properties={},
        planes=axes.get("Z", 1),
        plane_spacing_um=_scale(root, "Z") if axes.get("Z", 1) > 1 else None,
        mpp_x=_scale(root, "X"),
        mpp_y=_scale(root, "Y"),
        objective_power=positive_number(root.findtext(".//Objectives/Objective/NominalMagnification")),
        vendor="zeiss",
        notices=(*largest_of(scenes, "scenes"), *time_of(times, time), *notices),
        times=times,
    )
    check_extent(path, info)
    coloured = len(kinds) == 1 and kinds[0] in COLOUR
    read = _reading(path, reader, place, axes, time, GLASS if coloured else BLACK)
    if coloured:
        return _colour(info, kinds[0], read, reader.close)
    if any(kind not in GREY for kind in kinds):
        found = ", ".join(dict.fromkeys(kinds))
        raise UnsupportedSource(
            path, f"channels of {found} are not read; read are Gray8, Gray16, or one of Bgr24, Bgr48"
        )
    if len(kinds) > MAX_CHANNELS:
        raise UnsupportedSource(path, f"it has {len(kinds):,} channels; a slide can have at most {MAX_CHANNELS}")
    bits = max(GREY[kind] for kind in kinds)
    channels = _channels(root, [GREY[kind] for kind in kinds], bits)
    return source_of(info, channels, lambda z, c, *region: read(z, c, *region)[:, :, 0], reader.close)


def _largest(reader: Any) -> tuple[_Place, int]:
    """The place of the largest scene, and how many scenes there are."""
    scenes: Mapping[int, Any] = reader.scenes_bounding_rectangle_no_pyramid
    if not scenes:
        return _Place(None, *reader.total_bounding_rectangle_no_pyramid), 1
    number, rectangle = max(scenes.items(), key=lambda scene: (math.prod(scene[1][2:4]), -scene[0]))
    return _Place(number, *rectangle), len(scenes)


Read = Callable[..., Samples]


def _reading(
    path: Path, reader: Any, place: _Place, axes: Mapping[str, int], time: int, nothing: tuple[float, ...]
) -> Read:
    """(z, c, l0_x, l0_y, width, height) to samples (height, width, 1), or 3: blue, green and red."""
    lock = Lock()
    first = {axis: 0 for axis in OTHER_AXES if axis in axes} | ({"T": time} if "T" in axes else {})

    def read(z: int, c: int, l0_x: int, l0_y: int, width: int, height: int) -> Samples:
        region = (place.x + l0_x, place.y + l0_y, width, height)
        plane = first | {axis: at for axis, at in (("Z", z), ("C", c)) if axis in axes}
        try:
            with lock:
                pixels: Samples = reader.read(roi=region, plane=plane, scene=place.scene, background_pixel=nothing)
        except MemoryError:
            raise
        except Exception as error:  # as above
            where = f"{width} x {height} pixels at ({l0_x}, {l0_y})"
            raise UnreadableSource(path, f"damaged: {where} cannot be read (libCZI: {error})") from error
        return pixels

    return read


def _colour(info: SourceInfo, kind: str, read: Read, close: Callable[[], None]) -> Picture:
    table = FULL.table() if COLOUR[kind] == 16 else None

    def pixels(z: int, *region: int) -> Pixels:
        samples = read(z, 0, *region)[:, :, ::-1]
        return np.ascontiguousarray(samples if table is None else table[samples])

    window = None if table is None else FULL
    notices = (*info.notices, FULL.describe()) if window else info.notices
    return Picture(replace(info, channels=3, window=window, notices=notices), pixels, close)


def _metadata(path: Path, reader: Any) -> Element:
    text = reader.raw_metadata
    if len(text) > MAX_XML:
        raise UnreadableSource(path, f"it claims {len(text):,} characters of metadata; the limit is {MAX_XML:,}")
    try:
        return fromstring(text or "<ImageDocument/>")
    except (ParseError, ValueError) as error:
        raise UnreadableSource(path, f"its metadata is not XML: {error}") from error


def _channels(root: Element, own: list[int], bits: int) -> list[Channel]:
    """``own``: bits of a sample of each; ``bits``: of those that are stored."""
    said = root.findall("./Metadata/Information/Image/Dimensions/Channels/Channel")
    shown = root.findall("./Metadata/DisplaySetting/Channels/Channel")
    channels = []
    for c, depth in enumerate(own):
        one = said[c] if c < len(said) else Element("Channel")
        other = shown[c] if c < len(shown) else Element("Channel")
        exposure = positive_number(one.findtext("ExposureTime"))
        significant = positive_number(one.findtext("ComponentBitCount")) or depth
        channels.append(
            Channel(
                one.get("Name") or other.get("Name") or "",
                _rgb(one.findtext("Color")) or _rgb(other.findtext("Color")),
                bits=bits,
                significant_bits=max(1, min(depth, int(significant))),
                emission_nm=positive_number(one.findtext("EmissionWavelength")),
                excitation_nm=positive_number(one.findtext("ExcitationWavelength")),
                exposure_ms=exposure * MILLISECONDS if exposure else None,
            )
        )
    return channels


def _rgb(text: str | None) -> str:
    """``#AARRGGBB`` or ``#RRGGBB``."""
    found = re.fullmatch(r"#(?:[0-9A-Fa-f]{2})?([0-9A-Fa-f]{6})", text or "")
    return found[1].upper() if found else ""


def _scale(root: Element, axis: str) -> float | None:
    metres = positive_number(root.findtext(f"./Metadata/Scaling/Items/Distance[@Id='{axis}']/Value"))
    return metres * MICROMETRES if metres else None
