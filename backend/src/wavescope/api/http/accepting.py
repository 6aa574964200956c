"""The Accept header of DICOMweb (PS3.18 8.3.3, 8.7.4): media ranges with their parameters, and multipart bodies."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

LONGEST = 8192  # characters of a header that are read
MAX_RANGES = 64  # media ranges
MULTIPART = "multipart/related"
ANY = "*/*"
PART = re.compile(r'((?:[^;,"]|"[^"]*")+)|([;,])')


class MediaRange(NamedTuple):
    """A media range with its parameters in lower case; ``quality``: 0 to 1."""

    media: str
    parameters: Mapping[str, str]
    quality: float

    @property
    def multipart(self) -> bool:
        """Whether it is of bodies of several parts."""
        return self.media == MULTIPART

    @property
    def part(self) -> str:
        """The media type of the parts, or of a body that has none."""
        return self.parameters.get("type", ANY) if self.multipart else self.media


def media_ranges(header: str) -> list[MediaRange]:
    """The media ranges of an Accept header, the preferred first; an empty header accepts everything."""
    ranges, current = list[MediaRange](), list[str]()
    for match in PART.finditer(header[:LONGEST].lower() + ","):
        if match[2] == ",":
            if current and len(ranges) < MAX_RANGES:
                ranges.append(_range(current))
            current = []
        elif match[1] and match[1].strip():
            current.append(match[1].strip())
    acceptable = [one for one in ranges if one.quality > 0]
    return sorted(acceptable, key=lambda one: -one.quality) if ranges else [MediaRange(ANY, {}, 1.0)]


def covers(wanted: str, media: str) -> bool:
    """Whether a media range such as ``image/*`` includes a media type."""
    return wanted in (ANY, media) or (wanted.endswith("/*") and media.startswith(wanted[:-1]))


def part_of(body: bytes, media: str, boundary: str) -> bytes:
    """A part of a multipart body."""
    head = f"--{boundary}\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body + b"\r\n"


def end_of(boundary: str) -> bytes:
    """What a multipart body ends with."""
    return f"--{boundary}--\r\n".encode()


def boundary_of(*names: str) -> str:
    """The same boundary for the same body, so that it can be cached; by chance in no body."""
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:40]


def multipart_type(media: str, boundary: str, more: str = "") -> str:
    """The media type of a multipart body."""
    return f'{MULTIPART}; type="{media}"; boundary={boundary}{more}'


def _range(parts: Iterable[str]) -> MediaRange:
    media, *rest = parts
    pairs = (part.partition("=") for part in rest)
    parameters = {name.strip(): value.strip().strip('"') for name, _, value in pairs}
    try:
        quality = min(1.0, max(0.0, float(parameters.get("q", "1"))))
    except ValueError:
        quality = 0.0
    return MediaRange(media, parameters, quality)
