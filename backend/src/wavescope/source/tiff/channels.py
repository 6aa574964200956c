"""What a TIFF says of its channels: OME-XML, and the descriptions of PerkinElmer's QPTIFF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError, fromstring

import numpy as np
from tifffile import TiffFile, TiffPage, TiffPageSeries

from wavescope.channels.channel import Channel
from wavescope.source.properties import positive_number
from wavescope.source.tiff.claims import ome_root

NANOMETRES = {"nm": 1.0, "µm": 1e3, "um": 1e3, "Å": 0.1}
MILLISECONDS = {"s": 1e3, "ms": 1.0, "µs": 1e-3, "us": 1e-3}


def channels_of(path: Path, tiff: TiffFile, series: TiffPageSeries, count: int) -> tuple[Channel, ...]:
    """The channels of a series that has ``count`` of them. Raises UnreadableSource."""
    dtype = np.dtype(series.keyframe.dtype)
    bits = 8 * dtype.itemsize
    plain = Channel("", "", bits, bits, dtype.kind == "i")
    if tiff.is_ome:
        every = list(ome_root(path, tiff).iterfind(".//{*}Pixels"))
        fitting = [pixels for pixels in every if pixels.get("SizeC") == str(count)]
        found = [one for pixels in (fitting or every)[:1] for one in ome_channels(pixels, plain)]
    elif tiff.is_qpi:
        found = [_qpi(page.description, plain) for page in list(series.pages)[:count] if isinstance(page, TiffPage)]
    else:
        found = []
    return (*found[:count], *[plain] * (count - len(found)))


def ome_channels(pixels: Element, plain: Channel) -> list[Channel]:
    """As an image of an OME description describes them."""
    significant = positive_number(pixels.get("SignificantBits")) or plain.bits
    planes = {plane.get("TheC"): plane for plane in reversed(pixels.findall("{*}Plane"))}
    return [
        Channel(
            name=element.get("Name", ""),
            colour=_ome_colour(element.get("Color")),
            bits=plain.bits,
            significant_bits=min(plain.bits, max(1, int(significant))),
            signed=plain.signed,
            emission_nm=_measure(element, "EmissionWavelength", NANOMETRES, "nm"),
            excitation_nm=_measure(element, "ExcitationWavelength", NANOMETRES, "nm"),
            exposure_ms=_measure(planes.get(str(c)), "ExposureTime", MILLISECONDS, "s"),
        )
        for c, element in enumerate(pixels.findall("{*}Channel"))
    ]


def _ome_colour(text: str | None) -> str:
    """RRGGBB of a signed 32-bit RGBA number. -1 is what writers put where they know no colour."""
    if text is None or re.fullmatch(r"-?\d{1,10}", text) is None or int(text) == -1:
        return ""
    return f"{int(text) >> 8 & 0xFFFFFF:06X}"


def _measure(element: Element | None, name: str, units: dict[str, float], unit: str) -> float | None:
    value = positive_number(element.get(name)) if element is not None else None
    scale = units.get(element.get(f"{name}Unit", unit)) if element is not None else None
    return value * scale if value and scale else None


def _qpi(description: str, plain: Channel) -> Channel:
    """Exposure times are microseconds, colours ``R,G,B``."""
    try:
        root = fromstring(description.encode("utf-16"))
    except (ParseError, ValueError):
        return plain
    text = {name: root.findtext(name) for name in ("Name", "Biomarker", "Color", "ExposureTime")}
    exposure = positive_number(text["ExposureTime"])
    bits = positive_number(root.findtext(".//Bits")) if plain.bits == 16 else None
    return Channel(
        name=text["Biomarker"] or text["Name"] or "",
        colour=_qpi_colour(text["Color"]),
        bits=plain.bits,
        significant_bits=min(plain.bits, int(bits)) if bits else plain.bits,
        signed=plain.signed,
        exposure_ms=exposure / 1e3 if exposure else None,
    )


def _qpi_colour(text: str | None) -> str:
    parts: Sequence[Any] = re.findall(r"\d+", text or "")
    if len(parts) != 3 or any(int(one) > 255 for one in parts):
        return ""
    return bytes(map(int, parts)).hex().upper()
