"""OME-TIFF of several files: channels, focal planes and time points spread over the files of one folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, ParseError, fromstring

import numpy as np
from tifffile import TiffFile

from wavescope.channels.channel import MAX_CHANNELS, Channel
from wavescope.channels.samples import Samples
from wavescope.errors import MissingPackage, SourceError, UnreadableSource, UnsupportedSource
from wavescope.geometry import MAX_PLANES
from wavescope.source.base import Limits, SlideSource, SourceInfo, check_extent
from wavescope.source.channels import source_of
from wavescope.source.notices import check_time, largest_of, time_of
from wavescope.source.rendering import check_samples
from wavescope.source.segment_cache import SegmentCache
from wavescope.source.tiff.chain import MAX_DESCRIPTION_BYTES, check_chain
from wavescope.source.tiff.channels import ome_channels
from wavescope.source.tiff.claims import MAX_IMAGES, ome_root
from wavescope.source.tiff.metadata import described_by
from wavescope.source.tiff.plane import TiffPlane, layout_of

COMPANION = ".companion.ome"
MAX_FILES = 1 << 12


class _Part(NamedTuple):
    file: Path
    directory: int


@dataclass(frozen=True)
class OmeFiles:
    """The description of a slide in several files, and these: that of the description first."""

    root: Element
    pixels: Element
    """The largest image."""
    images: int
    files: tuple[Path, ...]
    parts: dict[tuple[int, int], _Part]
    """Of one time point, by channel and focal plane."""


def is_companion(path: Path) -> bool:
    """Whether it is a description without pictures."""
    return path.name.lower().endswith(COMPANION)


def ome_files(path: Path, limits: Limits) -> OmeFiles | None:
    """The slide of which ``path`` is a file; None if it is a whole one. Raises UnreadableSource, UnsupportedSource."""
    described = path
    if not is_companion(path):
        root = _description(path, limits)
        if root is None:
            return None
        only = root.find("{*}BinaryOnly")
        if only is None and not _others(path, root):
            return None
        if only is not None:
            described = _beside(path, only.get("MetadataFile", ""))
    if described != path or is_companion(path):
        root = _companion(described) if is_companion(described) else _description(described, limits)
    if root is None:
        raise UnreadableSource(described, "it has no OME description")
    return _of(path, described, root, limits.time)


def _description(path: Path, limits: Limits) -> Element | None:
    """The OME description of a TIFF, if it has one."""
    check_chain(path, limits)
    try:
        with TiffFile(path, _multifile=False) as tiff:
            return ome_root(path, tiff) if tiff.is_ome else None
    except (SourceError, MemoryError):
        raise
    except Exception as error:  # tifffile meets hostile files with exceptions of every kind
        raise UnreadableSource(path, f"not a valid TIFF: {type(error).__name__}: {error}") from error


def _companion(path: Path) -> Element:
    size = path.stat().st_size
    if size > MAX_DESCRIPTION_BYTES:
        raise UnreadableSource(path, f"it has {size:,} bytes; the limit is {MAX_DESCRIPTION_BYTES:,}")
    try:
        return fromstring(path.read_bytes())
    except (ParseError, ValueError) as error:
        raise UnreadableSource(path, f"it is not XML: {error}") from error


def _others(path: Path, root: Element) -> bool:
    """Whether a description names other files. One whose only file has another name was renamed."""
    named = {(one.text or "", one.get("FileName", "")) for one in root.iterfind(".//{*}TiffData/{*}UUID")}
    own = {one for one in named if one[0] == root.get("UUID") or one[1].lower() == path.name.lower()}
    return len(named) > 1 and bool(named - own)


def _beside(path: Path, name: str) -> Path:
    """A file of the same folder, by a name that a description has."""
    if not name or name in (".", "..") or any(mark in name for mark in "/\\\0"):
        raise UnsupportedSource(path, f"it names the file {name[:80]!r}, which is not in its folder")
    file = path.parent / name
    if not file.is_file():
        raise UnreadableSource(path, f"its file {name} is missing; put all files of the slide in one folder")
    if not file.resolve().is_relative_to(path.parent.resolve()):
        raise UnsupportedSource(path, f"it names the file {name[:80]!r}, which is not in its folder")
    return file


def _of(path: Path, described: Path, root: Element, time: int) -> OmeFiles:
    every = list(root.iterfind("{*}Image/{*}Pixels"))
    if not every:
        raise UnreadableSource(path, "its OME description has no image")
    pixels = max(every, key=lambda one: _number(path, one, "SizeX", 1) * _number(path, one, "SizeY", 1))
    order = pixels.get("DimensionOrder", "XYZCT")[2:]
    if sorted(order) != ["C", "T", "Z"]:
        raise UnreadableSource(path, f"its OME description has the order {order[:20]!r}")
    sizes = [_number(path, pixels, f"Size{axis}", 1) for axis in order]
    if not 0 < int(np.prod(sizes, dtype=object)) <= MAX_IMAGES:
        raise UnreadableSource(path, f"its OME description claims {sizes} pictures; the limit is {MAX_IMAGES:,}")
    parts: dict[tuple[int, int], _Part] = {}
    files = {described: None}
    for data in pixels.iterfind("{*}TiffData"):
        uuid = data.find("{*}UUID")
        own = uuid is None or (uuid.text or "") == root.get("UUID") or not uuid.get("FileName")
        file = described if own else _beside(path, str(uuid.get("FileName")) if uuid is not None else "")
        files[file] = None
        if len(files) > MAX_FILES:
            raise UnsupportedSource(path, f"it has more than {MAX_FILES:,} files")
        first = [_number(path, data, f"First{axis}", 0) for axis in order]
        at = int(np.ravel_multi_index([min(i, n - 1) for i, n in zip(first, sizes, strict=True)], sizes, order="F"))
        directory = _number(path, data, "IFD", 0)
        for step in range(min(_number(path, data, "PlaneCount", 1), MAX_IMAGES)):
            if at + step < int(np.prod(sizes)):
                place = dict(zip(order, np.unravel_index(at + step, sizes, order="F"), strict=True))
                if place["T"] == time:
                    parts[int(place["C"]), int(place["Z"])] = _Part(file, directory + step)
    return OmeFiles(root, pixels, len(every), tuple(files), parts)


def _number(path: Path, element: Element, name: str, default: int) -> int:
    text = element.get(name, str(default))
    if not text.isascii() or not text.isdigit() or len(text) > 10:
        raise UnreadableSource(path, f"its OME description says {name} is {text[:40]!r}")
    return int(text)


def open_ome_files(path: Path, slide: OmeFiles, limits: Limits) -> SlideSource:
    """Opens it. Raises SourceError kinds, MissingPackage."""
    descriptors: list[int] = []
    try:
        return _opened(path, slide, limits, descriptors)
    except BaseException as error:
        _close(descriptors)
        if isinstance(error, SourceError | MissingPackage | MemoryError) or not isinstance(error, Exception):
            raise
        raise UnreadableSource(path, f"not a valid TIFF: {type(error).__name__}: {error}") from error


def _close(descriptors: list[int]) -> None:
    while descriptors:
        os.close(descriptors.pop())


def _opened(path: Path, slide: OmeFiles, limits: Limits, descriptors: list[int]) -> SlideSource:
    channels, planes, times = (_number(path, slide.pixels, f"Size{axis}", 1) for axis in "CZT")
    check_time(path, times, limits.time)
    if channels > MAX_CHANNELS or planes > MAX_PLANES:
        found = f"{channels:,} channels and {planes:,} focal planes"
        raise UnsupportedSource(path, f"it has {found}; a slide can have at most {MAX_CHANNELS} and {MAX_PLANES:,}")
    absent = [(c, z) for c in range(channels) for z in range(planes) if (c, z) not in slide.parts]
    if absent:
        c, z = absent[0]
        raise UnreadableSource(path, f"its OME description names no picture of channel {c + 1}, focal plane {z + 1}")
    pictures, plain, info = _pictures(path, slide, limits, descriptors)
    info = replace(
        info,
        channels=channels,
        planes=planes,
        plane_spacing_um=info.plane_spacing_um if planes > 1 else None,
        source_bytes=sum(file.stat().st_size for file in slide.files),
        notices=(*largest_of(slide.images, "images"), *time_of(times, limits.time)),
        times=times,
    )
    check_extent(path, info)

    def read(z: int, c: int, *region: int) -> Samples:
        return pictures[c, z].read(*region)[:, :, 0]

    described = ome_channels(slide.pixels, plain)[:channels]
    described += [plain] * (channels - len(described))
    return source_of(info, described, read, lambda: _close(descriptors))


def _pictures(
    path: Path, slide: OmeFiles, limits: Limits, descriptors: list[int]
) -> tuple[dict[tuple[int, int], TiffPlane], Channel, SourceInfo]:
    """By channel and focal plane, what a channel is without its description, and what the files say of all."""
    cache = SegmentCache(limits.cache_bytes)
    found: dict[tuple[int, int], TiffPlane] = {}
    kinds, info = set(), None
    for file in dict.fromkeys(part.file for part in slide.parts.values()):
        check_chain(file, limits)
        descriptors.append(os.open(file, os.O_RDONLY))
        with TiffFile(file, _multifile=False) as tiff:
            count = len(tiff.pages)
            for place, part in slide.parts.items():
                if part.file != file:
                    continue
                if part.directory >= count:
                    raise UnreadableSource(file, f"it has {count} pictures; the OME description names more")
                page = tiff.pages[part.directory].aspage()
                check_samples(file, page)
                kinds.add((page.imagewidth, page.imagelength, page.dtype))
                found[place] = TiffPlane(file, descriptors[-1], layout_of(file, page, limits), page, cache)
                info = info or described_by(page, slide.root, slide.pixels)
    if len(kinds) != 1 or info is None:
        raise UnsupportedSource(path, "its pictures differ in size or kind, so they are not of one slide")
    return found, _plain(np.dtype(kinds.pop()[2])), info


def _plain(dtype: np.dtype[Any]) -> Channel:
    bits = 8 * dtype.itemsize
    return Channel("", "", bits, bits, dtype.kind == "i")


def whole_slide(files: Sequence[Path], limits: Limits) -> OmeFiles | None:
    """The slide that all these files are, if they name each other."""
    slide = ome_files(files[0], limits) if len(files) > 1 else None
    return slide if slide is not None and set(slide.files) >= set(files) else None
