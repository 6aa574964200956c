"""OME-Zarr by zarr-python, which is an extra. Only the largest level is read, chunk by chunk."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from wavescope.channels.channel import MAX_CHANNELS
from wavescope.channels.samples import Samples
from wavescope.errors import MissingPackage, SourceError, UnreadableSource, UnsupportedSource
from wavescope.geometry import ceil_div
from wavescope.source.base import Limits, Pixels, SlideSource, SourceInfo, check_extent
from wavescope.source.channels import source_of
from wavescope.source.notices import check_time, largest_of, time_of
from wavescope.source.ome_zarr.chunks import Chunks, checked_codecs
from wavescope.source.ome_zarr.metadata import Image, described, displays, images_of, is_rgb, read_json, zarr_files
from wavescope.source.picture import Picture
from wavescope.source.rendering import KINDS
from wavescope.source.segment_cache import SegmentCache


def open_ome_zarr(path: Path, limits: Limits) -> SlideSource:
    """The largest image of an OME-Zarr. Raises SourceError kinds, MissingPackage."""
    files = zarr_files(path)
    images = images_of(path)
    zarr = require_zarr("this OME-Zarr")
    try:
        opened = [(image, _chunks_of(path, zarr, image, limits)) for image in images]
        image, chunks = max(opened, key=lambda one: math.prod(one[1].array.shape[-2:]))
        return _source(path, image, chunks, files, len(images), limits)
    except (SourceError, MemoryError):
        raise
    except Exception as error:  # zarr meets hostile files with exceptions of every kind
        raise UnreadableSource(path, f"not a valid OME-Zarr: {type(error).__name__}: {error}") from error


def require_zarr(what: str) -> Any:
    """The library. Raises MissingPackage: ``what`` needs it."""
    try:
        return importlib.import_module("zarr")
    except ImportError as error:
        raise MissingPackage("zarr", what, "zarr") from error


def open_labels(path: Path, limits: Limits) -> tuple[int, int, Callable[..., Samples]]:
    """Width, height and (z, c, l0_x, l0_y, width, height) to labels (height, width) of a group of OME-Zarr that is a
    label image. Raises SourceError kinds, MissingPackage.
    """
    zarr_files(path)
    zarr = require_zarr("this OME-Zarr")
    try:
        (image,) = images_of(path)
        chunks = _chunks_of(path, zarr, image, limits)
        array = chunks.array
        sizes = dict(zip(image.axes, array.shape, strict=True))
        if array.dtype.kind not in "ui" or math.prod(array.shape) != sizes["x"] * sizes["y"]:
            raise UnsupportedSource(
                path, f"it has {array.shape} samples of {array.dtype}; labels are one plane of integers"
            )
        _check_chunk(path, array, limits)
        return sizes["x"], sizes["y"], _Reading(path, image.axes, chunks, limits)
    except (SourceError, MemoryError):
        raise
    except Exception as error:  # as above
        raise UnreadableSource(path, f"not a valid OME-Zarr: {type(error).__name__}: {error}") from error


def _chunks_of(path: Path, zarr: Any, image: Image, limits: Limits) -> Chunks:
    found = {form: image.level / name for form, name in ((3, "zarr.json"), (2, ".zarray"))}
    formats = [form for form, file in found.items() if file.is_file()]
    if not formats:
        raise UnreadableSource(path, f"its level {image.level.name} is missing")
    document = read_json(path, found[formats[0]])
    checked_codecs(path, document)
    array = zarr.open_array(str(image.level), mode="r", zarr_format=formats[0])
    if len(array.shape) != len(image.axes):
        raise UnreadableSource(path, f"its array has {len(array.shape)} axes, its description {len(image.axes)}")
    return Chunks(path, image.level, document, array, limits)


def _source(
    path: Path, image: Image, chunks: Chunks, files: Sequence[Path], images: int, limits: Limits
) -> SlideSource:
    array = chunks.array
    if array.dtype.name not in KINDS:
        raise UnsupportedSource(path, f"samples of type {array.dtype} are not read; read are {', '.join(KINDS)}")
    sizes = dict(zip(image.axes, array.shape, strict=True))
    count = sizes.get("c", 1)
    if not 1 <= count <= MAX_CHANNELS:
        raise UnsupportedSource(path, f"it has {count:,} channels; a slide can have at most {MAX_CHANNELS}")
    _check_chunk(path, array, limits)
    planes = sizes.get("z", 1)
    info = SourceInfo(
        width=sizes["x"],
        height=sizes["y"],
        channels=count,
        format="ome-zarr",
        source_bytes=sum(file.stat().st_size for file in files),
        properties={},
        planes=planes,
        plane_spacing_um=image.scale.get("z") if planes > 1 else None,
        mpp_x=image.scale.get("x"),
        mpp_y=image.scale.get("y"),
        notices=(*largest_of(images, "images"), *time_of(sizes.get("t", 1), limits.time)),
        times=sizes.get("t", 1),
    )
    check_extent(path, info)
    check_time(path, info.times, limits.time)
    if min(sizes.values()) < 1:
        raise UnreadableSource(path, "one of its axes has no places")
    read = _Reading(path, image.axes, chunks, limits)
    channels = described(image, count, 8 * array.dtype.itemsize, array.dtype.kind == "i")
    if array.dtype == np.uint8 and is_rgb(channels):
        return _colour(info, read)
    return source_of(info, channels, read, displays=displays(image, channels))


def _check_chunk(path: Path, array: Any, limits: Limits) -> None:
    unit = math.prod(array.chunks) * array.dtype.itemsize
    if unit > limits.decoded_bytes:
        raise UnreadableSource(path, f"its chunks need {unit:,} bytes decoded; the limit is {limits.decoded_bytes:,}")


def _colour(info: SourceInfo, read: _Reading) -> Picture:
    def pixels(z: int, *region: int) -> Pixels:
        return np.stack([read(z, c, *region) for c in range(3)], axis=2)

    notice = "its three channels are taken for red, green and blue"
    return Picture(replace(info, notices=(*info.notices, notice)), pixels, lambda: None)


class _Reading:
    """(z, c, l0_x, l0_y, width, height) to samples (height, width), by whole chunks, each decoded once."""

    def __init__(self, path: Path, axes: str, chunks: Chunks, limits: Limits) -> None:
        array = chunks.array
        self._path, self._axes, self._array, self._check = path, axes, array, chunks.check
        self._chunks: dict[str, int] = dict(zip(axes, array.chunks, strict=True))
        self._cache, self._time = SegmentCache(limits.cache_bytes), limits.time

    def __call__(self, z: int, c: int, *region: int) -> Samples:
        l0_x, l0_y, width, height = region
        out: Samples = np.empty((height, width), self._array.dtype.newbyteorder("="))
        high, wide = self._chunks["y"], self._chunks["x"]
        for row in range(l0_y // high, ceil_div(l0_y + height, high)):
            for column in range(l0_x // wide, ceil_div(l0_x + width, wide)):
                y0, y1 = max(l0_y, row * high), min(l0_y + height, (row + 1) * high)
                x0, x1 = max(l0_x, column * wide), min(l0_x + width, (column + 1) * wide)
                part = self._chunk({"z": z, "c": c, "t": self._time}, row, column)
                inside = part[y0 - row * high : y1 - row * high, x0 - column * wide : x1 - column * wide]
                out[y0 - l0_y : y1 - l0_y, x0 - l0_x : x1 - l0_x] = inside
        return out

    def _chunk(self, at: Mapping[str, int], row: int, column: int) -> Samples:
        """The part of a chunk that is of one channel, focal plane and time point."""
        place = {axis: index // self._chunks[axis] for axis, index in at.items() if axis in self._chunks}
        place |= {"y": row, "x": column}
        key = tuple(place[axis] for axis in self._axes)
        chunk = self._cache.get(key, lambda: self._decoded(key))
        found: Samples = chunk[tuple(at[axis] % self._chunks[axis] for axis in self._axes[:-2])]
        return found

    def _decoded(self, key: tuple[int, ...]) -> Samples:
        region = tuple(slice(i * side, (i + 1) * side) for i, side in zip(key, self._array.chunks, strict=True))
        try:
            self._check(key)
            found: Samples = np.asarray(self._array[region])
        except (SourceError, MemoryError):
            raise
        except Exception as error:  # as above
            raise UnreadableSource(
                self._path, f"its chunk {key} is damaged: {type(error).__name__}: {error}"
            ) from error
        return found
