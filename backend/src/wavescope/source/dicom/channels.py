"""DICOM whole slides of several optical paths, or of 16-bit samples: each optical path is a channel (ST110).

Frames are decoded by pydicom, which is part of an extra, with the decoders that are installed: JPEG 2000 and HTJ2K
by pylibjpeg-openjpeg.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wavescope.channels.channel import MAX_CHANNELS, Channel
from wavescope.channels.samples import Samples
from wavescope.errors import SourceError, UnreadableSource, UnsupportedSource
from wavescope.geometry import ceil_div
from wavescope.source.base import Limits, SlideSource, SourceInfo, check_extent
from wavescope.source.channels import source_of
from wavescope.source.codestreams import DamagedTile, check_jpeg2000, check_jpeg_size
from wavescope.source.dicom.frames import Pieces
from wavescope.source.dicom.library import require_pydicom
from wavescope.source.dicom.series import Instance, Series, frames_of, full_headers, volumes
from wavescope.source.properties import positive_number, publishable
from wavescope.source.segment_cache import SegmentCache

JPEG2000 = tuple(f"1.2.840.10008.1.2.4.{number}" for number in (90, 91, 201, 202, 203))  # also high-throughput
JPEG = "1.2.840.10008.1.2.4."
MICROMETRES = 1e3


class _Place(NamedTuple):
    """Of a frame in the slide."""

    path: tuple[str, str]
    """Identifier and description of the optical path."""
    z: float
    row: int
    column: int


@dataclass(frozen=True)
class _File:
    """One instance of the largest level."""

    path: Path
    descriptor: int
    frames: Sequence[Pieces]
    options: Mapping[str, Any]
    """What a decoder must know."""
    syntax: Any


def has_channels(series: Series) -> bool:
    """Whether the slide is more than a grey or RGB picture of 8 bits."""
    largest = _largest(series)
    grey = all(one.samples == 1 for one in largest)
    return bool(largest) and grey and (largest[0].bits == 16 or len({key for one in largest for key in one.paths}) > 1)


def open_channels(path: Path, series: Series, limits: Limits) -> SlideSource:
    """The slide. Raises SourceError kinds."""
    descriptors: list[int] = []
    try:
        return _opened(path, series, limits, descriptors)
    except BaseException as error:
        _close(descriptors)
        if isinstance(error, SourceError | MemoryError) or not isinstance(error, Exception):
            raise
        reason = f"not a valid DICOM slide: {type(error).__name__}: {error}"  # as in series.py
        raise UnreadableSource(path, reason) from error


def _close(descriptors: list[int]) -> None:
    while descriptors:
        os.close(descriptors.pop())


def _largest(series: Series) -> list[Instance]:
    levels = [one for one in volumes(series.instances) if one.kind == "VOLUME"]
    most = max((one.columns for one in levels), default=0)
    return [one for one in levels if one.columns == most]


def _opened(path: Path, series: Series, limits: Limits, descriptors: list[int]) -> SlideSource:
    instances = _largest(series)
    first = instances[0]
    found: dict[_Place, tuple[_File, int]] = {}
    channels: dict[tuple[str, str], Channel] = {}
    for instance in instances:
        headers = full_headers(instance.path)
        _check(path, instance, headers, first)
        described = _described(headers)
        channels |= {key: one for key, one in described.items() if key not in channels}
        descriptors.append(os.open(instance.path, os.O_RDONLY))
        file = _file(instance.path, descriptors[-1], headers)
        places = _places(instance, headers, list(described))
        found |= {place: (file, number) for number, place in enumerate(places) if number < len(file.frames)}
    heights = sorted({place.z for place in found})
    if not 1 <= len(channels) <= MAX_CHANNELS:
        raise UnsupportedSource(path, f"it has {len(channels):,} channels; a slide can have at most {MAX_CHANNELS}")
    if len({(one.bits, one.signed) for one in channels.values()}) != 1:
        raise UnsupportedSource(path, "optical paths of different kinds of samples are not read")
    info = replace(_info(series, first, headers), channels=len(channels), planes=len(heights))
    if len(heights) > 1:
        info = replace(info, plane_spacing_um=(heights[-1] - heights[0]) / (len(heights) - 1))
    check_extent(path, info)
    keys = list(channels)
    tiles = {(heights.index(at.z), keys.index(at.path), at.row, at.column): frame for at, frame in found.items()}
    read = _Tiles(first.frame, np.dtype(_dtype_of(channels[keys[0]])), tiles, SegmentCache(limits.cache_bytes))
    return source_of(info, list(channels.values()), read, lambda: _close(descriptors))


def _dtype_of(channel: Channel) -> str:
    return f"{'i' if channel.signed else 'u'}{channel.bits // 8}"


def _check(path: Path, instance: Instance, headers: Any, first: Instance) -> None:
    if (instance.columns, instance.rows, instance.frame) != (first.columns, first.rows, first.frame):
        raise UnsupportedSource(path, "its optical paths differ in size or in the size of their frames")
    kind = str(headers.PhotometricInterpretation)
    stored, high = int(headers.BitsStored), int(headers.HighBit)
    if kind != "MONOCHROME2" or instance.bits not in (8, 16) or not 1 <= stored <= instance.bits or high != stored - 1:
        found = f"{kind} of {instance.bits} bits, {stored} of them in use up to bit {high},"
        raise UnsupportedSource(path, f"DICOM slides of {found} are not read; MONOCHROME2 of 8 or 16 bits is")
    if min(instance.columns, instance.rows, *instance.frame) < 1:
        raise UnreadableSource(path, "a side of the slide or of its frames is zero")


def _described(headers: Any) -> dict[tuple[str, str], Channel]:
    """The optical paths, by identifier and description, in the order of the file."""
    found = {}
    for optics in headers.OpticalPathSequence:
        key = (str(optics.get("OpticalPathIdentifier", "")), str(optics.get("OpticalPathDescription", "") or ""))
        found[key] = Channel(
            key[1].strip() or key[0].strip(),
            "",
            bits=int(headers.BitsAllocated),
            significant_bits=int(headers.BitsStored),
            signed=int(headers.PixelRepresentation) == 1,
            emission_nm=_wavelength(optics, "ImagePathFilterPassThroughWavelength"),
            excitation_nm=_wavelength(optics, "IlluminationWaveLength"),
        )
    return found


def _wavelength(optics: Any, name: str) -> float | None:
    value = optics.get(name)
    return positive_number(str(value)) if value is not None else None


def _places(instance: Instance, headers: Any, paths: Sequence[tuple[str, str]]) -> Iterator[_Place]:
    """Where each frame lies, in the order of the file."""
    columns, rows = (ceil_div(*side) for side in zip((instance.columns, instance.rows), instance.frame, strict=True))
    if str(headers.get("DimensionOrganizationType", "")) != "TILED_FULL":
        yield from _sparse(instance, headers, paths)
        return
    planes = int(headers.get("TotalPixelMatrixFocalPlanes") or 1)
    measures = headers.SharedFunctionalGroupsSequence[0].PixelMeasuresSequence[0]
    spacing = float(measures.get("SpacingBetweenSlices") or 0) * MICROMETRES or 1.0
    origin = headers.TotalPixelMatrixOriginSequence[0]
    bottom = float(origin.get("ZOffsetInSlideCoordinateSystem") or 0)
    start = int(headers.get("ConcatenationFrameOffsetNumber") or 0)
    count = int(headers.NumberOfFrames)
    for number in range(start, start + min(count, columns * rows * planes * len(paths) - start)):
        rest, column = divmod(number, columns)
        rest, row = divmod(rest, rows)
        channel, z = divmod(rest, planes)
        yield _Place(paths[channel], round(bottom + z * spacing, 3), row, column)


def _sparse(instance: Instance, headers: Any, paths: Sequence[tuple[str, str]]) -> Iterator[_Place]:
    named = {key[0]: key for key in paths}
    shared = headers.SharedFunctionalGroupsSequence[0]
    width, height = instance.frame
    for group in headers.PerFrameFunctionalGroupsSequence:
        at = group.PlanePositionSlideSequence[0]
        optics = group.get("OpticalPathIdentificationSequence") or shared.get("OpticalPathIdentificationSequence")
        key = named[str(optics[0].OpticalPathIdentifier)] if optics else paths[0]
        x, y = int(at.ColumnPositionInTotalImagePixelMatrix) - 1, int(at.RowPositionInTotalImagePixelMatrix) - 1
        if x % width or y % height:
            raise UnsupportedSource(instance.path, "its frames do not lie side by side")
        z = round(float(at.get("ZOffsetInSlideCoordinateSystem") or 0), 3)
        yield _Place(key, z, y // height, x // width)


def _info(series: Series, first: Instance, headers: Any) -> SourceInfo:
    measures = headers.SharedFunctionalGroupsSequence[0].get("PixelMeasuresSequence")
    spacing = measures[0].get("PixelSpacing") if measures else None
    down, across = (positive_number(str(side)) for side in spacing) if spacing else (None, None)
    return SourceInfo(
        width=first.columns,
        height=first.rows,
        channels=1,
        format="dicom",
        source_bytes=sum(instance.path.stat().st_size for instance in series.instances),
        properties=publishable({"dicom.Manufacturer": first.manufacturer or ""}),
        mpp_x=across and across * MICROMETRES,
        mpp_y=down and down * MICROMETRES,
        objective_power=first.objective_power,
        vendor="dicom",
        notices=series.notices,
    )


def _file(path: Path, descriptor: int, headers: Any) -> _File:
    options = {
        "rows": int(headers.Rows),
        "columns": int(headers.Columns),
        "number_of_frames": 1,
        "samples_per_pixel": 1,
        "photometric_interpretation": "MONOCHROME2",
        "bits_allocated": int(headers.BitsAllocated),
        "bits_stored": int(headers.BitsStored),
        "pixel_representation": int(headers.PixelRepresentation),
        "pixel_keyword": "PixelData",
    }
    syntax = headers.file_meta.TransferSyntaxUID
    if syntax.is_compressed:
        decoder = _decoder(path, syntax)
        if not decoder.is_available:
            raise UnsupportedSource(path, f"DICOM frames of {syntax.name} need a decoder that is not installed")
    return _File(path, descriptor, frames_of(path, headers), options, syntax)


def _decoder(path: Path, syntax: Any) -> Any:
    from pydicom.pixels.decoders import base  # it is imported with pydicom's decoders

    require_pydicom("a DICOM slide")
    try:
        return base.get_decoder(syntax)
    except NotImplementedError as error:
        raise UnsupportedSource(path, f"DICOM frames of {syntax.name} are not read") from error


class _Tiles:
    """(z, c, l0_x, l0_y, width, height) to samples (height, width). Where no frame is, they are zero."""

    def __init__(
        self,
        frame: tuple[int, int],
        dtype: np.dtype[Any],
        tiles: Mapping[tuple[int, int, int, int], tuple[_File, int]],
        cache: SegmentCache,
    ) -> None:
        self._frame, self._dtype, self._tiles, self._cache = frame, dtype, tiles, cache

    def __call__(self, z: int, c: int, *region: int) -> Samples:
        l0_x, l0_y, width, height = region
        wide, high = self._frame
        out: Samples = np.zeros((height, width), self._dtype)
        for row in range(l0_y // high, ceil_div(l0_y + height, high)):
            for column in range(l0_x // wide, ceil_div(l0_x + width, wide)):
                key = (z, c, row, column)
                if key not in self._tiles:
                    continue
                tile = self._cache.get(key, lambda key=key: self._decoded(*self._tiles[key]))  # type: ignore[misc]
                y0, y1 = max(l0_y, row * high), min(l0_y + height, (row + 1) * high)
                x0, x1 = max(l0_x, column * wide), min(l0_x + width, (column + 1) * wide)
                inside = tile[y0 - row * high : y1 - row * high, x0 - column * wide : x1 - column * wide]
                out[y0 - l0_y : y1 - l0_y, x0 - l0_x : x1 - l0_x] = inside
        return out

    def _decoded(self, file: _File, number: int) -> Samples:
        width, height = self._frame
        data = b"".join(os.pread(file.descriptor, length, position) for position, length in file.frames[number])
        with _damage(file.path, number):
            if not file.syntax.is_compressed:
                samples: Samples = np.frombuffer(data, self._dtype.newbyteorder("<")).reshape(height, width)
            else:
                _check_frame(file.syntax, data, width, height)
                samples = _decompressed(file, data)
            if samples.shape != (height, width):
                raise DamagedTile(f"it decodes to {samples.shape}")
            unused = 8 * self._dtype.itemsize - file.options["bits_stored"]
            found: Samples = samples.astype(self._dtype) << unused >> unused  # what lies above them has no meaning
            return found


@contextmanager
def _damage(path: Path, number: int) -> Iterator[None]:
    try:
        yield
    except (SourceError, MemoryError):
        raise
    except Exception as error:  # decoders meet hostile bytes with exceptions of every kind
        raise UnreadableSource(path, f"frame {number} is damaged: {error}") from error


def _check_frame(syntax: Any, data: bytes, width: int, height: int) -> None:
    if syntax in JPEG2000:
        check_jpeg2000(data, width, height)
    elif syntax.startswith(JPEG):
        check_jpeg_size(data, width, height)


def _decompressed(file: _File, data: bytes) -> Samples:
    from pydicom.encaps import encapsulate

    decoder = _decoder(file.path, file.syntax)
    samples: Samples = decoder.as_array(encapsulate([data]), index=0, raw=True, **file.options)[0]
    return samples
