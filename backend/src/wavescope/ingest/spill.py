"""LLs waiting on disk for their parent unit: one file per unit, one piece per strip.

    "WSSP" u8 pieces 0 0 0, pieces x (u32 C, rows, columns), the pieces, u32 CRC-32C of all before

A piece is the LL of one strip, int16. The files live only as long as the ingest and are private to it. They are not
compressed: most are deleted before the system writes them to the disk.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import prod
from pathlib import Path

import google_crc32c
import numpy as np
from numpy.typing import NDArray

from wavescope.store.checksum import checked_body
from wavescope.store.durable import full_disk_reported

MAGIC = b"WSSP"
_START = struct.Struct("<4sB3x")
_CHUNK = 1 << 18
_SHAPE = struct.Struct("<3I")


def write_spill(path: Path, strips: Sequence[NDArray[np.int16]]) -> None:
    """Not synced: a spill that a power failure damaged is found out and made again."""
    head = _START.pack(MAGIC, len(strips)) + b"".join(_SHAPE.pack(*strip.shape) for strip in strips)
    temporary = path.with_name(path.name + ".tmp")
    checksum = 0
    with full_disk_reported(path):
        try:
            with temporary.open("wb", buffering=0) as stream:
                for part in (head, *(np.ascontiguousarray(strip).data.cast("B") for strip in strips)):
                    for start in range(0, len(part), _CHUNK):
                        chunk = bytes(part[start : start + _CHUNK])  # the checksum takes nothing else
                        stream.write(chunk)
                        checksum = google_crc32c.extend(checksum, chunk)
                stream.write(checksum.to_bytes(4, "little"))
            temporary.rename(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise


def spill_is_whole(path: Path) -> bool:
    """Whether the file is there and undamaged."""
    try:
        return checked_body(path.read_bytes(), "the spill")[: len(MAGIC)] == MAGIC
    except (OSError, ValueError):
        return False


def read_strips(path: Path, wanted: range) -> list[NDArray[np.int16]]:
    """The LLs of some strips, as far as the file has them; they are read from the disk when they are looked at."""
    with path.open("rb") as stream:
        count = _START.unpack(stream.read(_START.size))[1]
        shapes = [_SHAPE.unpack(stream.read(_SHAPE.size)) for _ in range(count)]
    sizes = [2 * prod(shape) for shape in shapes]
    start = _START.size + count * _SHAPE.size
    return [
        np.memmap(path, np.int16, "r", start + sum(sizes[:index]), shapes[index])
        for index in wanted[: max(0, count - wanted.start)]
    ]
