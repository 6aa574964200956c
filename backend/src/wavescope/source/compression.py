"""How the pixels of a source file are compressed, read from the file: what quality does the source itself deserve?"""

from __future__ import annotations

import mmap
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from tifffile import TiffFile

from wavescope.source.base import Pixels
from wavescope.source.dicom.series import is_dicom
from wavescope.source.files import head_of, open_regular, source_files
from wavescope.source.tiff.chain import is_tiff

Kind = Literal["lossless", "jpeg", "lossy", "unknown"]
Table = NDArray[np.float64]
"""(8, 8) quantisation steps, rows of vertical frequency."""

TIFF_LOSSLESS = frozenset({1, 5, 8, 32773, 32946, 34925, 50000})
TIFF_JPEG = frozenset({6, 7})
TIFF_JPEG_2000 = frozenset({33003, 33004, 33005, 34712})
DICOM_LOSSLESS = frozenset(
    {"1.2.840.10008.1.2", "1.2.840.10008.1.2.1", "1.2.840.10008.1.2.5", "1.2.840.10008.1.2.4.90"}
)
DICOM_JPEG = frozenset({"1.2.840.10008.1.2.4.50", "1.2.840.10008.1.2.4.51"})
DICOM_HEAD = 1 << 12
TILE_HEAD = 1 << 14
MAX_SEARCHED = 1 << 26
ZIGZAG = sorted(range(64), key=lambda at: (at // 8 + at % 8, at // 8 if (at // 8 + at % 8) % 2 else at % 8))
# What an error of 1 in Y, Cb, Cr adds to the mean squared error of R, G and B.
YCBCR_WEIGHTS = (1.0, (0.344136**2 + 1.772**2) / 3, (1.402**2 + 0.714136**2) / 3)


@dataclass(frozen=True)
class Compression:
    """``tables`` of luma and chroma, JPEG only; ``halved``: chroma has half as many columns and rows."""

    kind: Kind
    tables: tuple[Table, Table] | None = None
    halved: bool = False


def compression_of(path: Path) -> Compression:
    """The compression of level 0; "unknown" where the file does not say, or is of a kind that is not read here."""
    try:
        file = max(source_files(path), key=lambda each: each.stat().st_size)
        head = head_of(file)
        if is_tiff(head):
            return _of_tiff(file)
        if is_dicom(head):
            return _of_dicom(file)
        if head.startswith(b"\xff\xd8\xff"):
            return _of_jpeg(file.read_bytes()[: 1 << 20])
        return Compression("lossless" if head.startswith((b"\x89PNG", b"BM")) else "unknown")
    except Exception:  # it only advises; the reader of the source has the last word on damage
        return Compression("unknown")


def _of_tiff(path: Path) -> Compression:
    with TiffFile(path, _multifile=False, _useframes=False) as tiff:
        page = max(tiff.pages, key=lambda each: each.imagewidth * each.imagelength)  # type: ignore[union-attr]
        compression = int(page.compression)
        if compression in TIFF_LOSSLESS:
            return Compression("lossless")
        longest = int(np.argmax(page.databytecounts))
        tiff.filehandle.seek(page.dataoffsets[longest])
        data = tiff.filehandle.read(min(page.databytecounts[longest], TILE_HEAD))
        if compression in TIFF_JPEG:
            return _of_jpeg((page.jpegtables or b"")[:-2] + data)
        if compression in TIFF_JPEG_2000 and _is_reversible(data):
            return Compression("lossless")
    return Compression("lossy")


def _of_dicom(path: Path) -> Compression:
    with open_regular(path) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = re.search(rb"\x02\x00\x10\x00UI..([0-9.]+)", data[:DICOM_HEAD], re.DOTALL)
        syntax = found[1].decode() if found else ""
        if syntax in DICOM_LOSSLESS:
            return Compression("lossless")
        if syntax in DICOM_JPEG:
            start = data.find(b"\xff\xd8\xff", data.find(b"\xe0\x7f\x10\x00"), MAX_SEARCHED)
            return _of_jpeg(data[start : start + TILE_HEAD]) if start >= 0 else Compression("lossy")
    return Compression("lossy" if syntax else "unknown")


def _of_jpeg(data: bytes) -> Compression:
    """From the markers before the first scan; damaged tables make it "lossy"."""
    tables: dict[int, Table] = {}
    components: list[tuple[int, int]] = []
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker, size = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == 0xD8:  # a tile after the tables it shares with others
            at += 2
            continue
        segment = data[at + 4 : at + 2 + size]
        if marker == 0xDB:
            tables |= _tables(segment)
        elif marker in (0xC0, 0xC1, 0xC2):
            components = [(segment[6 + 3 * i + 1], segment[6 + 3 * i + 2]) for i in range(segment[5])]
        elif marker == 0xDA:
            break
        at += 2 + size
    if not components or any(table not in tables for _, table in components):
        return Compression("lossy")
    luma, chroma = components[0], components[min(1, len(components) - 1)]
    return Compression("jpeg", (tables[luma[1]], tables[chroma[1]]), luma[0] == 0x22 and chroma[0] == 0x11)


def _tables(segment: bytes) -> dict[int, Table]:
    found: dict[int, Table] = {}
    at = 0
    while at < len(segment):
        wide, number = segment[at] >> 4, segment[at] & 15
        width = 2 if wide else 1
        steps = np.frombuffer(segment[at + 1 : at + 1 + 64 * width], ">u2" if wide else "u1").astype(np.float64)
        table = np.empty(64)
        table[ZIGZAG] = steps
        found[number] = table.reshape(8, 8)
        at += 1 + 64 * width
    return found


def _is_reversible(data: bytes) -> bool:
    """Whether a JPEG 2000 codestream has the 5/3 transform and one layer: then nothing was cut off, most likely."""
    at = data.find(b"\xff\x52")
    return at >= 0 and len(data) > at + 13 and data[at + 13] == 1 and data[at + 6 : at + 8] == b"\0\1"


def own_error(pixels: Pixels, compression: Compression) -> float | None:
    """The mean squared error that JPEG's tables make in these pixels, at least 0; None for other compressions.

    They are quantised once more on two grids of blocks, at most one of which is the source's own; the larger counts.
    """
    if compression.tables is None:
        return None
    planes = pixels.astype(np.float64)
    if planes.shape[2] == 3:
        red, green, blue = np.moveaxis(planes, 2, 0)
        y = 0.299 * red + 0.587 * green + 0.114 * blue
        channels = [y, (blue - y) / 1.772, (red - y) / 1.402]
    else:
        channels = [planes[..., 0]]
    return max(_error_at(channels, compression, shift) for shift in (0, 4))


def _error_at(channels: list[NDArray[np.float64]], compression: Compression, shift: int) -> float:
    assert compression.tables is not None
    total = 0.0
    for number, (plane, weight) in enumerate(zip(channels, YCBCR_WEIGHTS, strict=False)):
        if number and compression.halved:
            height, width = (side // 2 for side in plane.shape)
            plane = plane[: 2 * height, : 2 * width].reshape(height, 2, width, 2).mean(axis=(1, 3))
        total += weight * _quantisation_error(plane[shift:, shift:], compression.tables[min(number, 1)])
    return total


def _quantisation_error(plane: NDArray[np.float64], table: Table) -> float:
    rows, columns = (side // 8 for side in plane.shape)
    if not rows or not columns:
        return 0.0
    blocks = plane[: 8 * rows, : 8 * columns].reshape(rows, 8, columns, 8).transpose(0, 2, 1, 3)
    place = np.arange(8)
    cosines = np.cos((2 * place[None] + 1) * place[:, None] * np.pi / 16) / 2
    cosines[0] = np.sqrt(1 / 8)
    details = cosines @ (blocks - 128) @ cosines.T
    return float(np.mean((details - np.rint(details / table) * table) ** 2))
