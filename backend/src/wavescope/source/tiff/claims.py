"""What the description of a TIFF claims is compared with the content of the file, before tables are made of it.

tifffile makes one entry for each picture that an OME description mentions: SizeZ="1000000000" takes 8 GB.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from tifffile import TiffFile, TiffPage

from wavescope.errors import UnreadableSource

STEPS = (("Start", "0"), ("End", "0"), ("Step", "1"))
MAX_IMAGES = 1 << 16
"""That all images of one OME description may speak of; a slide can have 4,096 planes."""


def check_claims(path: Path, tiff: TiffFile) -> None:
    """Raise UnreadableSource if the OME description of a TIFF is no XML or claims more pictures than can be read."""
    if not tiff.is_ome:
        return
    root = ome_root(path, tiff)
    areas = [page.imagewidth * page.imagelength for page in tiff.pages if isinstance(page, TiffPage)]
    claimed = sum(_claimed(path, areas, pixels) for pixels in root.iter() if _named(pixels, "Pixels"))
    steps = max((_steps(path, element) for element in root.iter() if element.tag[:-1].endswith("Along")), default=0)
    if max(claimed, steps) > MAX_IMAGES:
        raise UnreadableSource(
            path,
            f"its OME description claims {max(claimed, steps):,} pictures, the file holds {len(areas):,}; "
            f"the limit is {MAX_IMAGES:,}",
        )


def ome_root(path: Path, tiff: TiffFile) -> ElementTree.Element:
    """The OME description. Raises UnreadableSource."""
    try:
        return ElementTree.fromstring(tiff.ome_metadata or "")
    except ElementTree.ParseError as error:
        raise UnreadableSource(path, f"its OME description is not XML: {error}") from error


def _named(element: ElementTree.Element, name: str) -> bool:
    """Whether it has this name in any namespace."""
    return element.tag.rpartition("}")[2] == name


def _claimed(path: Path, areas: Sequence[int], pixels: ElementTree.Element) -> int:
    """Entries that tifffile would make for an element Pixels: its whole size by that of the smallest picture it names,
    or as many as its parts declare.
    """
    size = math.prod(_integer(path, pixels, f"Size{axis}", 1) for axis in "XYZCT")
    smallest, requested = areas[0], 0
    for part in pixels:
        if _named(part, "TiffData"):
            first = _integer(path, part, "IFD", 0)
            count = max(_integer(path, part, name, 0) for name in ("NumPlanes", "PlaneCount"))
            count = count or (1 if "IFD" in part.attrib else len(areas))
            smallest = min([smallest, *areas[first : first + count]])
            requested += count
    return max(size // max(1, smallest), requested)


def _integer(path: Path, element: ElementTree.Element, name: str, default: int) -> int:
    text = element.get(name, str(default))
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise UnreadableSource(path, f"its OME description says {name} is {text[:40]!r}")
    return number


def _steps(path: Path, along: ElementTree.Element) -> int:
    """Places along an axis that a modulo annotation divides."""
    try:
        start, end, step = (float(along.get(name, fallback)) for name, fallback in STEPS)
        return math.ceil(abs((end - start) / step)) + 1
    except (ValueError, ZeroDivisionError, OverflowError) as error:
        raise UnreadableSource(path, f"its OME description divides an axis without sense: {error}") from error
