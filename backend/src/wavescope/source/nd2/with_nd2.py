"""Nikon ND2, by nd2, which is an extra. The only file that knows it."""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from wavescope.caches import BoundedCache
from wavescope.channels.channel import MAX_CHANNELS, Channel
from wavescope.channels.samples import Samples
from wavescope.errors import MissingPackage, SourceError, UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits, Pixels, SlideSource, SourceInfo, check_extent
from wavescope.source.channels import source_of
from wavescope.source.decoded_size import zlib_size
from wavescope.source.nd2.chunks import check_chunks
from wavescope.source.notices import check_time, first_of, time_of
from wavescope.source.picture import Picture
from wavescope.source.properties import positive_number

POSITIONS = "P"
FRAME_AXES = "CYXS"
STAMP = 8
"""Bytes in front of the samples of a frame: its time."""
Pictures = Mapping[int, tuple[int, int]]
"""Where each is, and its length, by its number."""


class Compressed(NamedTuple):
    """What must be known of compressed frames; ``decoded_bytes``: of one."""

    pictures: Pictures
    decoded_bytes: int
    cache_bytes: int


def open_nd2(path: Path, limits: Limits) -> SlideSource:
    """The first position of an ND2 file. Raises SourceError kinds, MissingPackage."""
    try:
        library = importlib.import_module("nd2")
    except ImportError as error:
        raise MissingPackage("nd2", "this ND2 file", "nd2") from error
    pictures = check_chunks(path, limits)
    file = None
    try:
        file = library.ND2File(path)
        return _opened(path, file, pictures, limits)
    except BaseException as error:
        if file is not None:
            file.close()
        if isinstance(error, SourceError | MemoryError) or not isinstance(error, Exception):
            raise
        reason = str(error).replace(str(path), path.name)  # nd2 meets hostile files with exceptions of every kind
        raise UnreadableSource(path, f"the file is damaged or incomplete (nd2: {reason})") from error


def _opened(path: Path, file: Any, pictures: Pictures, limits: Limits) -> SlideSource:
    sizes = {str(axis): int(size) for axis, size in file.sizes.items()}
    unknown = [axis for axis in sizes if axis not in (*FRAME_AXES, "Z", "T", POSITIONS)]
    dtype, count, samples = np.dtype(file.dtype), sizes.get("C", 1), sizes.get("S", 1)
    colour = samples == 3 and count == 1 and dtype == np.uint8
    if unknown or dtype.name not in ("uint8", "uint16") or not (colour or samples == 1):
        found = f"{count} channels of {samples} {dtype.name} samples" + "".join(f", axis {axis}" for axis in unknown)
        raise UnsupportedSource(path, f"{found} are not read; read are channels of uint8 or uint16, or RGB of uint8")
    if count > MAX_CHANNELS:
        raise UnsupportedSource(path, f"it has {count:,} channels; a slide can have at most {MAX_CHANNELS}")
    line = sizes["X"] * count * samples * dtype.itemsize
    needed = sizes["Y"] * max(line, int(file.attributes.widthBytes or 0))
    compressed = file.attributes.compressionType == "lossless"
    if compressed and needed > limits.decoded_bytes:
        raise UnreadableSource(
            path, f"its compressed pictures need {needed:,} bytes; the limit is {limits.decoded_bytes:,}"
        )
    planes, times = sizes.get("Z", 1), sizes.get("T", 1)
    check_time(path, times, limits.time)
    info = replace(
        _info(path, file, sizes),
        notices=(*time_of(times, limits.time), *first_of(sizes.get(POSITIONS, 1), "positions")),
        times=times,
    )
    check_extent(path, info)
    packed = Compressed(pictures, needed, limits.cache_bytes) if compressed else None
    read = _Frames(path, file, sizes, _frames_of(path, file, planes, limits.time), packed)
    if colour:
        return Picture(replace(info, channels=3), lambda z, *region: _colour(read(z, 0, *region)), file.close)
    channels = _channels(file, count, 8 * dtype.itemsize)
    return source_of(info, channels, lambda z, c, *region: read(z, c, *region)[:, :, 0], file.close)


def _colour(samples: Samples) -> Pixels:
    return np.ascontiguousarray(samples[:, :, ::-1])  # ND2 has blue first


def _info(path: Path, file: Any, sizes: dict[str, int]) -> SourceInfo:
    planes = sizes.get("Z", 1)
    channels = getattr(file.metadata, "channels", None) or []
    microscope = channels[0].microscope if channels else None
    scale: list[float | None] = [None] * 3
    if channels:
        volume = channels[0].volume
        known = zip(volume.axesCalibration, volume.axesCalibrated, strict=True)
        scale = [_positive(step) if calibrated else None for step, calibrated in known]
    return SourceInfo(
        width=sizes["X"],
        height=sizes["Y"],
        channels=sizes.get("C", 1),
        format="nd2",
        source_bytes=path.stat().st_size,
        properties={},
        planes=planes,
        plane_spacing_um=scale[2] if planes > 1 else None,
        mpp_x=scale[0],
        mpp_y=scale[1],
        objective_power=_positive(getattr(microscope, "objectiveMagnification", None)),
        vendor="nikon",
    )


def _positive(value: float | None) -> float | None:
    return positive_number(str(value)) if value is not None else None


def _frames_of(path: Path, file: Any, planes: int, time: int) -> list[int]:
    """The number of the frame of each focal plane, of the first position."""
    loops: tuple[dict[str, int], ...] = file.loop_indices or ({},)
    found = {
        int(at.get("Z", 0)): number
        for number, at in reversed(list(enumerate(loops)))
        if at.get("T", 0) == time and not any(place for axis, place in at.items() if axis not in ("Z", "C", "T"))
    }
    if sorted(found) != list(range(planes)):
        raise UnreadableSource(path, f"damaged: it has {len(found)} of {planes} focal planes")
    return [found[z] for z in range(planes)]


def _channels(file: Any, count: int, bits: int) -> list[Channel]:
    described = getattr(file.metadata, "channels", None) or []
    significant = int(file.attributes.bitsPerComponentSignificant or bits)
    plain = Channel("", "", bits=bits, significant_bits=max(1, min(bits, significant)))
    found = [plain] * count
    for c, one in enumerate(described[:count]):
        meta = one.channel
        colour = bytes(int(part) & 0xFF for part in (meta.color.r, meta.color.g, meta.color.b)).hex().upper()
        found[c] = replace(
            plain,
            name=str(meta.name or ""),
            colour="" if colour == "000000" else colour,
            emission_nm=_positive(meta.emissionLambdaNm),
            excitation_nm=_positive(meta.excitationLambdaNm),
        )
    return found


class _Frames:
    """(z, c, l0_x, l0_y, width, height) to samples (height, width, samples).

    Frames that are not compressed are mapped: only the region is read. Others are measured, then decoded whole; one at
    least is cached.
    """

    def __init__(
        self, path: Path, file: Any, sizes: dict[str, int], frames: list[int], compressed: Compressed | None
    ) -> None:
        self._path, self._file, self._frames, self._compressed = path, file, frames, compressed
        self._shape = tuple(sizes.get(axis, 1) for axis in FRAME_AXES)
        self._cache: BoundedCache[int, Samples] | None = None
        if compressed is not None:
            size = 2 * math.prod(self._shape)
            self._cache = BoundedCache(max(compressed.cache_bytes, size), lambda frame: int(frame.nbytes))
        self._lock = Lock()

    def __call__(self, z: int, c: int, l0_x: int, l0_y: int, width: int, height: int) -> Samples:
        frame = self._cache.get(z, lambda: self._frame(z)) if self._cache else self._frame(z)
        found: Samples = np.array(frame[c, l0_y : l0_y + height, l0_x : l0_x + width])
        return found

    def _frame(self, z: int) -> Samples:
        """(channels, height, width, samples); a view of the file, if it is not compressed."""
        self._check(z)
        try:
            with self._lock:
                frame: Samples = self._file.read_frame(self._frames[z])
            whole = frame[tuple(slice(None) if side > 1 else None for side in self._shape)]  # without axes of one place
        except MemoryError:
            raise
        except Exception as error:  # as above
            raise UnreadableSource(self._path, f"focal plane {z + 1} is damaged (nd2: {error})") from error
        if whole.shape != self._shape:
            raise UnreadableSource(self._path, f"focal plane {z + 1} is damaged: it has {whole.shape} samples")
        return whole

    def _check(self, z: int) -> None:
        """Raises UnreadableSource for a compressed frame that decodes to more than its samples."""
        if self._compressed is None:
            return
        position, length = self._compressed.pictures.get(self._frames[z], (0, 0))
        with self._path.open("rb") as stream:
            stream.seek(position + STAMP)
            data = stream.read(max(0, length - STAMP))
        if zlib_size(data, self._compressed.decoded_bytes) > self._compressed.decoded_bytes:
            found = f"decodes to more than its {self._compressed.decoded_bytes:,} bytes"
            raise UnreadableSource(self._path, f"focal plane {z + 1} is damaged: it {found}")
