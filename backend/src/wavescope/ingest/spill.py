"""LLs waiting on disk for their parent unit: one file per unit, one compressed piece per strip.

    "WSSP" u8 pieces, pieces x u32 length, the pieces, u32 CRC-32C of all before

A piece is the LL of one strip: u32 C, rows, columns, then int16 compressed by blosc (bit-shuffled LZ4). The files live
only as long as the ingest and are private to it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import imagecodecs
import numpy as np
from numpy.typing import NDArray

from wavescope.store.checksum import sealed, unsealed
from wavescope.store.durable import write_file

MAGIC = b"WSSP"
_START = 5


def compress(ll: NDArray[np.int16]) -> bytes:
    """One piece."""
    shape = struct.pack("<3I", *ll.shape)
    return shape + bytes(imagecodecs.blosc_encode(ll.tobytes(), level=1, compressor="lz4", shuffle=2, typesize=2))


def expand(piece: bytes) -> NDArray[np.int16]:
    """The LL in a piece."""
    shape = struct.unpack_from("<3I", piece)
    return np.frombuffer(imagecodecs.blosc_decode(piece[12:]), np.int16).reshape(shape)


def write_spill(path: Path, pieces: Sequence[bytes]) -> None:
    """Not synced: a spill that a power failure damaged is found out and made again."""
    head = MAGIC + bytes((len(pieces),)) + struct.pack(f"<{len(pieces)}I", *map(len, pieces))
    write_file(path, [sealed(b"".join([head, *pieces]))], sync=False)


def spill_is_whole(path: Path) -> bool:
    """Whether the file is there and undamaged."""
    try:
        return unsealed(path.read_bytes(), "the spill")[: len(MAGIC)] == MAGIC
    except (OSError, ValueError):
        return False


def read_pieces(path: Path, wanted: range) -> list[NDArray[np.int16]]:
    """The LLs of some strips, as far as the file has them."""
    with path.open("rb") as stream:
        count = stream.read(_START)[-1]
        lengths = struct.unpack(f"<{count}I", stream.read(4 * count))
        starts = [_START + 4 * count + end for end in accumulate(lengths, initial=0)]
        pieces = []
        for index in wanted[: max(0, count - wanted.start)]:
            stream.seek(starts[index])
            pieces.append(expand(stream.read(lengths[index])))
        return pieces
