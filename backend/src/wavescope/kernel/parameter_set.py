"""Parameter sets: what a reader must know of a level before it decodes a block (codestream.md, CS9-CS11)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from wavescope.kernel.layers import Binding
from wavescope.kernel.structs import APPROXIMATION, BANDS, CHANNELS, DEPTH, LAYERS, PARAMETERS, PROFILES
from wavescope.kernel.wasm import instance

_STEPS = 21 + LAYERS * DEPTH * CHANNELS * BANDS  # the field of ws_parameters with the first step


@dataclass(frozen=True)
class ParameterSet:
    """A parameter set as stored (``data``), as the kernel's own structure (``raw``), and what it says."""

    data: bytes
    raw: bytes
    kind: str
    level: int
    profile: str
    channels: int
    layers: int
    fraction_bits: int
    bit_depth: int
    signed: bool
    colour: int
    inverse: tuple[int, ...]
    groups: int
    group: int
    steps: tuple[tuple[int, ...], ...]  # [channel][band HL, LH, HH] of the finest analysis, in units of the samples

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the pixels."""
        return pixel_dtype(self.bit_depth, self.signed)

    @property
    def binding(self) -> Binding:
        """What the checksums of its layers cover."""
        return Binding.of(self.data)


def pixel_dtype(bits: int, signed: bool) -> np.dtype[Any]:
    """The type of pixels with so many bits."""
    return np.dtype(f"{'i' if signed else 'u'}{1 if bits <= 8 else 2}")


@lru_cache(maxsize=1024)
def read_parameters(data: bytes) -> ParameterSet:
    """The parameter set in these bytes. Raises CodecError, for what is not implemented with a code of its own."""
    kernel = instance()
    at = kernel.address
    size = kernel.write("bytes", data)
    kernel.checked("ws_read_parameters", at["bytes"], size, at["parameters"])
    raw = kernel.view("parameters").tobytes()
    fields = PARAMETERS.unpack(raw)
    return ParameterSet(
        data=data,
        raw=raw,
        kind="approximation" if fields[0] == APPROXIMATION else "details",
        profile=PROFILES[fields[1]],
        channels=fields[2],
        bit_depth=fields[3],
        signed=bool(fields[4]),
        fraction_bits=fields[5],
        colour=fields[6],
        layers=fields[7],
        level=fields[8],
        groups=fields[9],
        group=fields[10],
        inverse=tuple(fields[12:21]),
        steps=tuple(fields[_STEPS + 3 * channel : _STEPS + 3 * channel + 3] for channel in range(fields[2])),
    )
