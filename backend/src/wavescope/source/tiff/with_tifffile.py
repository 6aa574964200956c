"""TIFF and OME-TIFF with focal planes, by tifffile's index and our own segment reading."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tifffile import TiffFile, TiffPageSeries

from wavescope.channels.channel import MAX_CHANNELS, Channel
from wavescope.channels.samples import Samples
from wavescope.errors import MissingPackage, SourceError, UnreadableSource, UnsupportedSource
from wavescope.geometry import MAX_PLANES
from wavescope.source.base import Limits, Pixels, SlideSource, SourceInfo, check_extent, check_region
from wavescope.source.channels import Channels, source_of
from wavescope.source.notices import check_time, time_of
from wavescope.source.picture import Picture
from wavescope.source.rendering import Rendering, check_samples, rendering_of
from wavescope.source.segment_cache import SegmentCache
from wavescope.source.tiff.channels import channels_of
from wavescope.source.tiff.claims import check_claims
from wavescope.source.tiff.metadata import metadata_of
from wavescope.source.tiff.ome_files import ome_files, open_ome_files
from wavescope.source.tiff.plane import Segments, TiffPlane, layout_of

UNLABELLED = "IQ"
PLANE_AXES = f"Z{UNLABELLED}"
"""Focal planes: a z axis, or the pages of a file that gives them no meaning."""


class TiffSource:
    """Planes of one or several files behind one description."""

    def __init__(
        self, info: SourceInfo, planes: Sequence[TiffPlane], rendering: Rendering, descriptors: Sequence[int]
    ) -> None:
        self._planes = planes
        self._rendering = rendering
        self._descriptors = list(descriptors)
        window = rendering.window()
        self._table = window.table() if window else None
        self._info = info if window is None else with_notice(replace(info, window=window), window.describe())

    @property
    def info(self) -> SourceInfo:
        return self._info

    def note(self, notice: str) -> None:
        """Adds to what the user should know of the files."""
        self._info = with_notice(self._info, notice)

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        check_region(self._info, z, l0_x, l0_y, width, height)
        return self._rendering.apply(self._planes[z].read(l0_x, l0_y, width, height), self._table)

    def close(self) -> None:
        while self._descriptors:
            os.close(self._descriptors.pop())


def open_tiff(path: Path, limits: Limits) -> SlideSource:
    """Open one TIFF file: its largest picture, with all planes and channels. Raises SourceError, MissingPackage."""
    spread = ome_files(path, limits)
    if spread is not None:
        return open_ome_files(path, spread, limits)
    return _open_channels(path, limits) or open_tiffs([path], path, limits)


def _open_channels(path: Path, limits: Limits) -> SlideSource | None:
    """The source, if the file has more channels than a picture of RGB. Raises SourceError, MissingPackage."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        source = _channels_of(path, descriptor, limits)
    except (SourceError, MissingPackage, MemoryError):
        os.close(descriptor)
        raise
    except Exception as error:  # as in _open_file
        os.close(descriptor)
        raise UnreadableSource(path, f"not a valid TIFF: {type(error).__name__}: {error}") from error
    if source is None:
        os.close(descriptor)
    return source


def _channels_of(path: Path, descriptor: int, limits: Limits) -> SlideSource | None:
    with TiffFile(path, _multifile=False) as tiff:
        check_claims(path, tiff)
        series = largest(path, tiff)
        count, planes, times = axes_of(path, series)[:3]
        if count == 1:
            return None
        check_samples(path, series.keyframe)
        pictures = list(pictures_of(path, descriptor, series, SegmentCache(limits.cache_bytes), limits))
        info = replace(metadata_of(path, tiff, series, count, planes), format=_format_of(tiff))
        described = channels_of(path, tiff, series, count)
    info = _timed(info, times, limits)
    check_extent(path, info)

    def read(z: int, c: int, *region: int) -> Samples:
        return pictures[c * planes + z].read(*region)[:, :, 0]

    return source_of(info, described, read, lambda: os.close(descriptor))


def _format_of(tiff: TiffFile) -> str:
    return "ome-tiff" if tiff.is_ome else "qptiff" if tiff.is_qpi else "tiff"


def open_tiffs(files: Sequence[Path], path: Path, limits: Limits) -> TiffSource | Picture | Channels:
    """Open several files as the planes of one slide, in this order. ``path`` is what the user named."""
    cache = SegmentCache(limits.cache_bytes)
    parts: list[Part] = []
    descriptors: list[int] = []
    try:
        for file in files:
            descriptors.append(os.open(file, os.O_RDONLY))
            parts.append(_open_file(file, descriptors[-1], cache, limits))
            check_extent(path, _joined(path, parts))
        planes = [plane for part in parts for plane in part.planes]
        if parts[0].rendering.deep:
            return _grey(_joined(path, parts), planes, parts[0], descriptors)
        return TiffSource(_joined(path, parts), planes, parts[0].rendering, descriptors)
    except BaseException:
        for descriptor in descriptors:
            os.close(descriptor)
        raise


class Part(NamedTuple):
    """What one file has of a slide. ``described``: the channel, if it is grey of 16 bits."""

    info: SourceInfo
    planes: list[TiffPlane]
    rendering: Rendering
    described: tuple[Channel, ...]


def _grey(info: SourceInfo, planes: Sequence[TiffPlane], part: Part, descriptors: list[int]) -> Picture | Channels:
    """Grey of 16 bits: one channel."""

    def read(z: int, _: int, *region: int) -> Samples:
        return part.rendering.apply(planes[z].read(*region), None)[:, :, 0]

    def close() -> None:
        while descriptors:
            os.close(descriptors.pop())

    return source_of(info, part.described, read, close)


def _open_file(path: Path, descriptor: int, cache: SegmentCache, limits: Limits) -> Part:
    try:
        # _multifile: a hostile OME description must not open other files of this machine
        with TiffFile(path, _multifile=False) as tiff:
            check_claims(path, tiff)
            series = largest(path, tiff)
            page = series.keyframe
            _plane_count(path, series)
            rendering = rendering_of(path, page)
            planes = list(planes_of(path, descriptor, series, cache, limits))
            info = metadata_of(path, tiff, series, rendering.channels, len(planes))
            described = channels_of(path, tiff, series, 1) if rendering.deep else ()
            info = _timed(info, axes_of(path, series).times, limits)
            if any(axis in UNLABELLED and size > 1 for axis, size in zip(series.axes, series.shape, strict=True)):
                info = with_notice(info, f"its {len(planes)} pages have no labels and are taken for focal planes")
    except (SourceError, MissingPackage, MemoryError):
        raise
    except Exception as error:  # tifffile meets hostile files with exceptions of every kind
        raise UnreadableSource(path, f"not a valid TIFF: {type(error).__name__}: {error}") from error
    return Part(info, planes, rendering, described)


def _timed(info: SourceInfo, times: int, limits: Limits) -> SourceInfo:
    """With what is to be said of time points."""
    return replace(info, times=times, notices=(*info.notices, *time_of(times, limits.time)))


def largest(path: Path, tiff: TiffFile) -> TiffPageSeries:
    """The series with the largest picture. Raises UnreadableSource."""
    if not tiff.series:
        raise UnreadableSource(path, "a TIFF without pictures")
    return max(tiff.series, key=lambda series: series.keyframe.imagewidth * series.keyframe.imagelength)


def planes_of(
    path: Path, descriptor: int, series: TiffPageSeries, cache: SegmentCache, limits: Limits
) -> Iterator[TiffPlane]:
    """The focal planes of a series of one channel, or of one of its reduced levels."""
    _plane_count(path, series)
    return pictures_of(path, descriptor, series, cache, limits)


def pictures_of(
    path: Path, descriptor: int, series: TiffPageSeries, cache: SegmentCache, limits: Limits
) -> Iterator[TiffPlane]:
    """The planes of one time point of a series: all of a channel, then those of the next."""
    page = series.keyframe
    layout = layout_of(path, page, limits)
    channels, planes, times, steps = axes_of(path, series)
    check_time(path, times, limits.time)
    count, first = channels * planes * times, limits.time * steps["T"]
    wanted = [first + c * steps["C"] + z * steps["Z"] for c in range(channels) for z in range(planes)]
    pages = list(series.pages)
    if len(pages) == 1 < count and series.dataoffset is not None:
        # ImageJ writes one directory and all planes behind it
        size = layout.row_bytes * layout.height
        whole = replace(layout, segment_height=layout.height)
        for at in wanted:
            start = series.dataoffset + at * size
            yield TiffPlane(path, descriptor, whole, page, cache, Segments([start], [size]))
        return
    if len(pages) != count or any(item is None for item in pages):
        raise UnsupportedSource(
            path, "it is one part of a slide spread over several TIFF files; give the folder or one file"
        )
    for at in wanted:
        item = pages[at]
        assert item is not None
        yield TiffPlane(path, descriptor, layout, item, cache)


def _plane_count(path: Path, series: TiffPageSeries) -> int:
    """The number of focal planes of a series of one channel. Raises UnsupportedSource."""
    channels, planes = axes_of(path, series)[:2]
    if channels > 1:
        raise UnsupportedSource(path, f"several files with {channels} channels each are not read; give one file")
    return planes


class Axes(NamedTuple):
    """How many there are, and how far the pictures of the next channel, focal plane or time point are, in pictures."""

    channels: int
    planes: int
    times: int
    steps: dict[str, int]


def axes_of(path: Path, series: TiffPageSeries) -> Axes:
    """What the pictures of a series are; UnsupportedSource if it has other axes, named in the message."""
    sizes = dict(zip(series.axes, series.shape, strict=True))
    others = {axis: size for axis, size in sizes.items() if axis not in "YXS" and size > 1}
    unknown = {axis: size for axis, size in others.items() if axis not in f"CT{PLANE_AXES}"}
    planes = [size for axis, size in others.items() if axis in PLANE_AXES]
    coloured = "C" in others and sizes.get("S", 1) > 1
    if unknown or len(planes) > 1 or coloured:
        names = {"C": "channels of several samples", "T": "time points", "Z": "focal planes"}
        found = ", ".join(f"{size} {names.get(axis, f'along axis {axis}')}" for axis, size in others.items())
        raise UnsupportedSource(path, f"{found} are not read; read are channels, or an RGB picture, and focal planes")
    channels, count = others.get("C", 1), planes[0] if planes else 1
    if channels > MAX_CHANNELS:
        raise UnsupportedSource(path, f"it has {channels:,} channels; a slide can have at most {MAX_CHANNELS}")
    if count > MAX_PLANES:
        raise UnsupportedSource(path, f"it has {count:,} focal planes; a slide can have at most {MAX_PLANES:,}")
    steps, step = {"C": 0, "Z": 0, "T": 0}, 1
    for axis, size in reversed(others.items()):
        steps["Z" if axis in PLANE_AXES else axis] = step
        step *= size
    return Axes(channels, count, others.get("T", 1), steps)


def _joined(path: Path, parts: Sequence[Part]) -> SourceInfo:
    first, planes = parts[0].info, parts[0].planes
    for info, others, _, _ in parts[1:]:
        same = (info.width, info.height, info.channels) == (first.width, first.height, first.channels)
        if not same or others[0].layout.dtype != planes[0].layout.dtype:
            raise UnsupportedSource(
                path, "its TIFF files differ in size or kind, so they are not the planes of one slide"
            )
    if len(parts) == 1:
        return first
    return replace(
        first,
        planes=sum(part.info.planes for part in parts),
        source_bytes=sum(part.info.source_bytes for part in parts),
        tile_bytes=None,
        format="focus-series",
    )


def with_notice(info: SourceInfo, notice: str) -> SourceInfo:
    return replace(info, notices=(*info.notices, notice))
