"""The worked example of shared/spec/codestream.md (section 11), made from a pinned vector by the reference decoder.

Usage: cd backend/tests && python -m kernel.worked_example --write        replaces it in the document
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest

from kernel.conftest import ROOT, vectors
from reference import decoder
from reference import planes as reference_planes
from reference.coder import Bits, Reader, Symbols
from reference.stream import Position, crc32c, parse, read_parameters

DOCUMENT = ROOT / "shared/spec/codestream.md"
BEGIN, END = "<!-- worked example: begin -->\n", "<!-- worked example: end -->\n"
VECTOR, BLOCK = "grey-visual", (0, 0, 0)
SHOWN = 10
BYTES_PER_ROW = 32


class Traced(Reader):
    """Writes down a row of the table for everything that is decoded."""

    def __init__(self, payload: bytes, rows: list[str]) -> None:
        super().__init__(payload)
        self._rows = rows
        self._interval = (0, 0)
        self._in_golomb = False

    def _code_interval(self, start: int, frequency: int) -> None:
        self._interval = start, frequency
        super()._code_interval(start, frequency)

    def _traced(self, what: str, decode: Callable[[], int]) -> int:
        slot = self.state & 32767
        value = decode()
        start, frequency = self._interval
        number, after = len(self._rows) + 1, f"{self.state:016x}"
        self._rows.append(f"| {number} | {what} | {slot} | [{start}, {start + frequency}) | {value} | `{after}` |")
        return value

    def bit(self, models: Bits, i: int) -> int:
        what = "bit of the plane (CS27)" if i == 0 else f"flag of a group, model {i - 1} of 12 (CS30)"
        if self._in_golomb:
            what = f"prefix bit of a number, model {i} of 16 (CS25)"
        return self._traced(what, lambda: super(Traced, self).bit(models, i))

    def golomb(self, models: Bits) -> int:
        self._in_golomb = True
        value = super().golomb(models)
        self._in_golomb = False
        return value

    def symbol(self, models: Symbols, i: int) -> int:
        ends = {80: "value", 155: "low bits", 175: "magnitude", 195: "large magnitude", 196: "size"}
        kind = next(kind for end, kind in ends.items() if i < end)
        return self._traced(f"symbol, {kind}, model {i} of 196", lambda: super(Traced, self).symbol(models, i))

    def plain(self, bits: int) -> int:
        return self._traced(f"plain bits, {bits}", lambda: super(Traced, self).plain(bits))


def crc_of(array: np.ndarray) -> str:
    """CRC-32C of the numbers as int16, in eight digits."""
    return f"`{crc32c(np.ascontiguousarray(array).astype('<i2').tobytes()):08x}`"


def hexadecimal(data: bytes) -> str:
    """Rows of an indented block."""
    rows = [data[i : i + BYTES_PER_ROW] for i in range(0, len(data), BYTES_PER_ROW)]
    return "".join(f"    {row.hex(' ', -4)}\n" for row in rows)


def results(prefixes: list[decoder.Coefficients]) -> str:
    """The table of checksums after each layer."""
    table = "| result | shape | not 0 | CRC-32C |\n|---|---|---|---|\n"
    header = prefixes[0][0]
    parent = np.zeros((header.channels, header.size.tile, header.size.tile), np.int16)
    _, x, y = BLOCK
    for layer, block in enumerate(prefixes):
        m = np.stack(block[1][0]).reshape(header.channels, 3, header.size.half, header.size.half)
        samples = decoder.refine(header, parent, (x % 2, y % 2), block, layer)
        for name, array in (("m", m), ("samples of the tile, from a parent of zeros,", samples)):
            shape = " x ".join(str(side) for side in array.shape)
            table += f"| {name} after layer {layer} | {shape} | {np.count_nonzero(array)} | {crc_of(array)} |\n"
    return table


def example() -> str:
    """The text between the two marks."""
    rows: list[str] = []
    layers = list(vectors()[VECTOR].blocks[BLOCK])
    level, x, y = BLOCK
    header, position = read_parameters(vectors()[VECTOR].parameters[level]), Position(0, x, y)
    _, (payload, *_) = parse(header, position, layers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference_planes, "Reader", lambda data: Traced(data, rows if data == payload else []))
        prefixes = list(decoder.decode_prefixes(header, position, layers))
    symbols = [row for row in rows[SHOWN:] if "symbol" in row and "| 0 |" not in row]
    listed = "".join(
        f"Layer {index}, {len(layer)} bytes:\n\n{hexadecimal(layer)}\n" for index, layer in enumerate(layers)
    )
    return (
        f"The block at level {level}, x = {x}, y = {y} of the vector `{VECTOR}`. Its parameter set, "
        f"{len(header.data)} bytes:\n\n{hexadecimal(header.data)}\n{listed}"
        f"The payload of layer 0 begins at byte {len(layers[0]) - 4 - len(payload)} and has {len(payload)} bytes. "
        f"The state begins as `{Reader(payload).state:016x}`.\n"
        f"The first {SHOWN} of the {len(rows)} values that are decoded from layer 0, and the next {SHOWN} symbols "
        "that are not 0:\n\n"
        "| | decoded | slot | interval | value | state after it |\n|---|---|---|---|---|---|\n"
        + "".join(f"{row}\n" for row in [*rows[:SHOWN], *symbols[:SHOWN]])
        + "\nThe results, as int16, little-endian, in the order of CS1:\n\n"
        + results(prefixes)
    )


def in_document(text: str) -> str:
    """The part of the document between the marks."""
    return text.split(BEGIN)[1].split(END)[0]


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    text = DOCUMENT.read_text()
    DOCUMENT.write_text(text.replace(f"{BEGIN}{in_document(text)}{END}", f"{BEGIN}\n{example()}\n{END}"))
