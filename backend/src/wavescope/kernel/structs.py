"""The kernel's structures as bytes: int32 fields in the order of shared/kernel/include/wavescope_kernel.h."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from wavescope.geometry import TILE

LAYERS, CHANNELS, BANDS = 4, 3, 3
LL_ROOT = 16
DEPTH = (TILE // LL_ROOT).bit_length() - 1
"""Analyses inside an approximation."""
DETAILS, APPROXIMATION = 0, 1
PROFILES = ("lossless", "visual")
GREY, MATRIX, YCOCG_G, YCOCG_R, YCOCG_B, SUBTRACT_G, SUBTRACT_R, SUBTRACT_B = range(8)

HEADER = struct.Struct(f"<{8 + 9 + (LAYERS + 1) * DEPTH * CHANNELS * BANDS}i")
TUNING = struct.Struct("<13i")
OUTPUT = struct.Struct("<3I")  # addresses are 32 bits in wasm: bytes, capacity, sizes

Table = Sequence[Sequence[int]]  # [channel][band]


def _padded(table: Table) -> list[int]:
    """A [channel][band] table filled up to three channels."""
    flat = [value for row in table for value in row]
    return flat + [0] * (CHANNELS * BANDS - len(flat))


class HeaderFields(NamedTuple):
    """What a ws_header says of a block: details have one analysis, a top tile DEPTH."""

    kind: int
    profile: str
    channels: int
    fraction_bits: int
    colour: int
    inverse: Sequence[int]
    shifts: Sequence[Sequence[Table]]  # [layer][analysis]
    steps: Sequence[Table]  # [analysis]


def pack_header(header: HeaderFields) -> bytes:
    """A ws_header."""
    shifts = header.shifts
    fields = [header.kind, PROFILES.index(header.profile), header.channels, 8, 0]
    fields += [header.fraction_bits, header.colour, len(shifts), *header.inverse]
    for tables in (*shifts, *[[]] * (LAYERS - len(shifts)), header.steps):
        for table in tables:
            fields += _padded(table)
        fields += [0] * (CHANNELS * BANDS * (DEPTH - len(tables)))
    return HEADER.pack(*fields)
