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
GREY, MATRIX, YCOCG_G, YCOCG_R, YCOCG_B, SUBTRACT_G, SUBTRACT_R, SUBTRACT_B, STABILISED = range(9)

PARAMETERS = struct.Struct(f"<{12 + 9 + (LAYERS + 1) * DEPTH * CHANNELS * BANDS}i")
ADDRESS = struct.Struct("<3I")  # z, x, y
TUNING = struct.Struct("<13i")
WINDOW = struct.Struct("<5I")  # x, y, width, height, address of the pixels
OUTPUT = struct.Struct("<3I")  # addresses are 32 bits in wasm: bytes, capacity, sizes

MAGIC, VERSION_MAJOR = b"WS", 1
KEY_BYTES = 16
_FIXED = struct.Struct(f"<2s14B{KEY_BYTES}s")
_COLOUR = {GREY: "", MATRIX: "<9h", STABILISED: "<4i"}
_REVERSIBLE = "<3b"
_COLOUR_PARAMETERS = {GREY: 0, MATRIX: 9, STABILISED: 4}

Table = Sequence[Sequence[int]]  # [channel][band]


class ParameterFields(NamedTuple):
    """What a parameter set says (codestream.md, CS9): of blocks one analysis, of an approximation DEPTH."""

    kind: int
    level: int
    profile: str
    channels: int
    fraction_bits: int
    colour: int
    inverse: Sequence[int]
    shifts: Sequence[Sequence[Table]]  # [layer][analysis]
    steps: Sequence[Table]  # [analysis]
    key: bytes  # of the slide
    bits: int = 8
    signed: bool = False
    groups: int = 1
    group: int = 0

    @property
    def minor(self) -> int:
        """The oldest version that has what they say (CS13)."""
        return int(self.bits != 8 or self.signed or self.groups != 1 or self.colour == STABILISED)


def pack_parameters(fields: ParameterFields) -> bytes:
    """The parameter set (CS9)."""
    colour = _COLOUR.get(fields.colour, _REVERSIBLE)
    fixed = _FIXED.pack(
        MAGIC,
        VERSION_MAJOR,
        fields.minor,
        fields.kind,
        fields.level,
        TILE.bit_length() - 1,
        PROFILES.index(fields.profile),
        len(fields.shifts),
        fields.groups,
        fields.group,
        fields.channels,
        fields.bits | fields.signed << 7,
        fields.fraction_bits,
        fields.colour,
        0,
        fields.key,
    )
    planes = [
        bytes(layer[depth][channel][band] for layer in fields.shifts[:-1])
        + fields.steps[depth][channel][band].to_bytes(2, "little")
        for depth in range(len(fields.steps))
        for channel in range(fields.channels)
        for band in range(BANDS)
    ]
    parameters = struct.pack(colour, *fields.inverse[: _COLOUR_PARAMETERS.get(fields.colour, 3)])
    return b"".join([fixed, parameters, *planes])
