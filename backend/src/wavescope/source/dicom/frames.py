"""The compressed frames of a DICOM file, walked undecoded: are they all there, and are their tables correct?

libdicom, by which openslide reads DICOM, trusts the tables and ends the process if they point elsewhere.
"""

from __future__ import annotations

import itertools
import struct
from pathlib import Path
from typing import BinaryIO

import numpy as np

from wavescope.errors import UnreadableSource

ITEM = (0xFFFE, 0xE000)
MAX_ITEMS = 1 << 22
"""Frames of one file with their fragments: a slide of 400,000 x 400,000 pixels in tiles of 200 x 200."""


Pieces = list[tuple[int, int]]
"""(position, length) of each fragment of a frame."""


def compressed_frames(path: Path, start: int, frames: int, extended_table: bytes) -> list[Pieces]:
    """Where each frame is; UnreadableSource if some are missing or wrongly indexed.

    ``start`` is where the items of the pixel data begin: the offset table, which may be empty, then the frames.
    """
    with path.open("rb") as stream:
        items = _items(path, stream, start)
        if not items or len(items) - 1 < frames or frames < 1:
            raise UnreadableSource(path, f"damaged: {max(0, len(items) - 1)} of {frames} frames are there")
        stream.seek(items[0][0])
        table = stream.read(items[0][1])
    fragments = items[1:]
    offsets = {position - fragments[0][0] for position, _ in fragments}
    tables = [
        np.frombuffer(table[: len(table) // 4 * 4], "<u4").tolist(),
        np.frombuffer(extended_table[: len(extended_table) // 8 * 8], "<u8").tolist(),
    ]
    for one in tables:
        _check_table(path, one, offsets, frames)
    begins = set(tables[1] or tables[0])
    if not begins:
        return [[one] for one in fragments[: frames - 1]] + [fragments[frames - 1 :]]
    found: list[Pieces] = []
    for position, length in fragments:
        if position - fragments[0][0] in begins:
            found.append([])
        found[-1].append((position, length))
    return found


def _items(path: Path, stream: BinaryIO, start: int) -> list[tuple[int, int]]:
    """(position, length) of the content of each item up to the delimiter."""
    size = path.stat().st_size
    items: list[tuple[int, int]] = []
    position = start
    while True:
        stream.seek(position)
        head = stream.read(8)
        if len(head) < 8:
            raise UnreadableSource.cut_off(path, size, position + 8)
        group, element, length = struct.unpack("<HHI", head)
        if (group, element) != ITEM:
            return items
        if position + 8 + length > size:
            raise UnreadableSource.cut_off(path, size, position + 8 + length)
        if len(items) >= MAX_ITEMS:
            raise UnreadableSource(path, f"its pixels are in more than {MAX_ITEMS:,} pieces")
        items.append((position + 8, length))
        position += 8 + length


def _check_table(path: Path, table: list[int], offsets: set[int], frames: int) -> None:
    """An offset table is empty or names the beginning of each frame, in order."""
    if not table:
        return
    ascending = all(before < after for before, after in itertools.pairwise(table))
    if len(table) != frames or table[0] != 0 or not ascending or not offsets.issuperset(table):
        raise UnreadableSource(path, "damaged: its table of frames points elsewhere than to frames")
