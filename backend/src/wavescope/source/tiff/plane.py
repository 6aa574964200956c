"""One focal plane of a TIFF: its tiles or strips, read by position, decoded and cached in a bounded cache."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tifffile import COMPRESSION, TiffFrame, TiffPage

from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits
from wavescope.source.codestreams import DamagedTile, check_jpeg2000, decode_jpeg, require_imagecodecs
from wavescope.source.rendering import UnsupportedCoding
from wavescope.source.segment_cache import SegmentCache

JPEG2000 = frozenset({COMPRESSION.APERIO_JP2000_RGB, COMPRESSION.JPEG2000})
READABLE = frozenset(
    {
        COMPRESSION.NONE,
        COMPRESSION.LZW,
        COMPRESSION.JPEG,
        COMPRESSION.ADOBE_DEFLATE,
        COMPRESSION.DEFLATE,
        COMPRESSION.PACKBITS,
        COMPRESSION.LZMA,
        COMPRESSION.ZSTD,
        *JPEG2000,
    }
)
BY_IMAGECODECS = frozenset({COMPRESSION.LZW, COMPRESSION.ZSTD, *JPEG2000})
"""Of these, what tifffile does not decode by itself."""
MIN_TILE = 16
"""A side of a tile, in pixels (TIFF 6.0, section 15). Of smaller ones a table is larger than the picture."""


@dataclass(frozen=True)
class Layout:
    """How the pixels of a page are cut into segments (tiles or strips) and coded."""

    width: int
    height: int
    segment_width: int
    segment_height: int
    samples: int
    separate: bool
    """Each sample (red, green, blue) has segments of its own."""
    dtype: np.dtype[Any]
    file_dtype: np.dtype[Any]
    tiled: bool
    compression: int
    ycbcr: bool

    @property
    def columns(self) -> int:
        return -(-self.width // self.segment_width)

    @property
    def rows(self) -> int:
        return -(-self.height // self.segment_height)

    @property
    def row_addressable(self) -> bool:
        """Uncompressed strips: any part of a row can be read where it lies, so strips may be of any size."""
        return not self.tiled and not self.separate and self.compression == COMPRESSION.NONE

    @property
    def row_bytes(self) -> int:
        return self.width * self.samples * self.dtype.itemsize


def layout_of(path: Path, page: TiffPage, limits: Limits) -> Layout:
    """The layout of a page; UnsupportedSource or UnreadableSource if it is one that cannot be read, MissingPackage if
    an extra is needed for it.
    """
    name = getattr(page.compression, "name", page.compression)
    if page.compression not in READABLE:
        raise UnsupportedCoding(path, f"TIFF compression {name} is not read")
    if page.dtype is None or page.imagedepth != 1 or page.fillorder != 1:
        raise UnsupportedSource(path, "TIFF with volumetric tiles, reversed bits or unknown samples is not read")
    separate = page.planarconfig == 2 and page.samplesperpixel > 1
    samples = 1 if separate else page.samplesperpixel
    other_jpeg = page.compression == COMPRESSION.JPEG and not _plain_jpeg(page.dtype, samples)
    if page.compression in BY_IMAGECODECS or other_jpeg:
        require_imagecodecs(f"TIFF compression {name}")
    layout = Layout(
        width=page.imagewidth,
        height=page.imagelength,
        segment_width=page.tilewidth if page.is_tiled else page.imagewidth,
        segment_height=page.tilelength if page.is_tiled else min(page.rowsperstrip, page.imagelength),
        samples=page.samplesperpixel,
        separate=separate,
        dtype=page.dtype,
        file_dtype=page.dtype.newbyteorder(page.parent.byteorder),
        tiled=page.is_tiled,
        compression=int(page.compression),
        ycbcr=page.photometric == 6,
    )
    _check_segment_size(path, layout, limits)
    return layout


def _plain_jpeg(dtype: np.dtype[Any], samples: int) -> bool:
    """Whether ``decode_jpeg`` reads such segments."""
    return dtype == np.uint8 and samples in (1, 3)


def _check_segment_size(path: Path, layout: Layout, limits: Limits) -> None:
    if min(layout.width, layout.height, layout.segment_width, layout.segment_height) < 1:
        raise UnreadableSource(path, "a side of the picture or of its tiles is zero")
    if layout.tiled and min(layout.segment_width, layout.segment_height) < MIN_TILE:
        size = f"{layout.segment_width} x {layout.segment_height}"
        raise UnreadableSource(path, f"its tiles have {size} pixels; a side of a TIFF tile has at least {MIN_TILE}")
    if layout.row_addressable:
        return
    samples = 1 if layout.separate else layout.samples
    needed = layout.segment_width * layout.segment_height * samples * layout.dtype.itemsize
    if needed > limits.decoded_bytes:
        kind = "tile" if layout.tiled else "compressed strip"
        raise UnreadableSource(
            path,
            f"one {kind} of {layout.segment_width} x {layout.segment_height} pixels needs {needed:,} bytes decoded; "
            f"the limit is {limits.decoded_bytes:,} (save it as a tiled TIFF)",
        )


class Segments(NamedTuple):
    """Where the tiles or strips of a plane lie in the file, in bytes."""

    offsets: Sequence[int]
    counts: Sequence[int]


class TiffPlane:
    """Reads regions of one plane from the open file ``descriptor``. ``segments`` replaces the page's own index."""

    def __init__(
        self,
        path: Path,
        descriptor: int,
        layout: Layout,
        page: TiffPage | TiffFrame,
        cache: SegmentCache,
        segments: Segments | None = None,
    ) -> None:
        self.layout = layout
        self._path = path
        self._descriptor = descriptor
        self._cache = cache
        self._offsets, self._counts = segments or Segments(page.dataoffsets, page.databytecounts)
        self._tables = page.jpegtables
        self._decode_other: Callable[..., Any] = page.decode
        self._check_index()

    def read(self, l0_x: int, l0_y: int, width: int, height: int) -> NDArray[Any]:
        """(height, width, samples) in the file's own sample type."""
        region = np.empty((height, width, self.layout.samples), dtype=self.layout.dtype)
        if self._by_rows:
            self._read_rows(region, l0_x, l0_y)
        else:
            self._read_segments(region, l0_x, l0_y)
        return region

    def _check_index(self) -> None:
        layout = self.layout
        expected = layout.columns * layout.rows * (layout.samples if layout.separate else 1)
        kind = "tiles" if layout.tiled else "strips"
        if len(self._counts) < expected or len(self._offsets) < expected:
            found = min(len(self._counts), len(self._offsets))
            raise UnreadableSource(self._path, f"damaged: the index names {found} of {expected} {kind}")
        starts = np.asarray(self._offsets[:expected], dtype=np.int64)
        counts = np.asarray(self._counts[:expected], dtype=np.int64)
        size = os.fstat(self._descriptor).st_size
        if ((counts < 0) | (starts < 0)).any():
            raise UnreadableSource(self._path, f"damaged: {kind} with negative offsets or lengths")
        if (starts + counts > size).any():
            raise UnreadableSource.cut_off(self._path, size, int((starts + counts).max()))
        self._by_rows = layout.row_addressable and bool(counts.all())
        if self._by_rows:
            rows = np.full(expected, layout.segment_height)
            rows[-1] = layout.height - layout.segment_height * (expected - 1)
            if (counts < rows * layout.row_bytes).any():
                raise UnreadableSource(self._path, "damaged: strips are shorter than the rows they stand for")

    def _read_rows(self, region: NDArray[Any], l0_x: int, l0_y: int) -> None:
        layout = self.layout
        pixel = layout.samples * layout.dtype.itemsize
        length = region.shape[1] * pixel
        for row in range(region.shape[0]):
            strip, below = divmod(l0_y + row, layout.segment_height)
            data = self._pread(self._offsets[strip] + below * layout.row_bytes + l0_x * pixel, length)
            region[row] = np.frombuffer(data, layout.file_dtype).reshape(region.shape[1:])

    def _read_segments(self, region: NDArray[Any], l0_x: int, l0_y: int) -> None:
        layout = self.layout
        wide, high = layout.segment_width, layout.segment_height
        bottom, right = l0_y + region.shape[0], l0_x + region.shape[1]
        for row in range(l0_y // high, math.ceil(bottom / high)):
            for column in range(l0_x // wide, math.ceil(right / wide)):
                x0, x1 = max(l0_x, column * wide), min(right, (column + 1) * wide)
                y0, y1 = max(l0_y, row * high), min(bottom, (row + 1) * high)
                target = region[y0 - l0_y : y1 - l0_y, x0 - l0_x : x1 - l0_x]
                part = (slice(y0 - row * high, y1 - row * high), slice(x0 - column * wide, x1 - column * wide))
                index = row * layout.columns + column
                if not layout.separate:
                    target[:] = self._segment(index)[part]
                    continue
                for sample in range(layout.samples):
                    target[..., sample] = self._segment(index + sample * layout.rows * layout.columns)[part][..., 0]

    def _segment(self, index: int) -> NDArray[Any]:
        return self._cache.get((id(self), index), lambda: self._decode(index))

    def _decode(self, index: int) -> NDArray[Any]:
        layout = self.layout
        samples = 1 if layout.separate else layout.samples
        row = index // layout.columns % layout.rows
        high = (
            layout.segment_height
            if layout.tiled
            else min(layout.segment_height, layout.height - row * layout.segment_height)
        )
        if self._counts[index] == 0:
            return np.full((high, layout.segment_width, samples), self._absent(), dtype=layout.dtype)
        data = self._pread(self._offsets[index], self._counts[index])
        try:
            segment = self._decode_bytes(index, data, high, samples)
        except DamagedTile as error:
            raise self._damaged(index, str(error)) from error
        except MemoryError:
            raise
        except Exception as error:  # whatever tifffile and imagecodecs raise on hostile bytes
            raise self._damaged(index, f"{type(error).__name__}: {error}") from error
        if segment.shape != (high, layout.segment_width, samples):
            raise self._damaged(index, f"it decodes to {segment.shape}")
        return segment

    def _decode_bytes(self, index: int, data: bytes, high: int, samples: int) -> NDArray[Any]:
        layout = self.layout
        if layout.compression == COMPRESSION.JPEG and _plain_jpeg(layout.dtype, samples):
            return decode_jpeg(data, self._tables, layout.ycbcr, layout.segment_width, high, samples)
        if layout.compression in JPEG2000:
            check_jpeg2000(data, layout.segment_width, high)
        extra = {"jpegtables": self._tables} if layout.compression == COMPRESSION.JPEG else {}
        decoded = self._decode_other(data, index, _fullsize=layout.tiled, **extra)[0]
        segment: NDArray[Any] = decoded[0]
        return segment

    def _absent(self) -> int:
        """What stands where the file says that a tile is not stored: glass in colour, black in grey."""
        return int(np.iinfo(self.layout.dtype).max) if self.layout.samples >= 3 else 0

    def _pread(self, start: int, length: int) -> bytes:
        data = os.pread(self._descriptor, length, start)
        if len(data) != length:
            raise UnreadableSource.cut_off(self._path, os.fstat(self._descriptor).st_size, start + length)
        return data

    def _damaged(self, index: int, reason: str) -> UnreadableSource:
        kind = "tile" if self.layout.tiled else "strip"
        return UnreadableSource(self._path, f"{kind} {index} is damaged: {reason}")
