"""Entropy decoding of layers: shared/spec/codestream.md, section 5. Slow and plain; imports nothing of the kernel."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .coder import Bits, Reader, Symbols
from .stream import Header

TABLES = Path(__file__).resolve().parents[3] / "shared/spec/codestream-tables.json"
START = json.loads(TABLES.read_text())["start"]
START_AGE = 18
# [later layer][chroma][band]: W WW N NW NE NN field, E S SX, A AX B BX (CS31)
WEIGHTS = [
    [
        [
            [27, 3, 15, 2, 4, 4, 3, 0, 0, 0, 0, 0, 0, 0],
            [17, 6, 25, 2, 5, 1, 2, 0, 0, 0, 4, 2, 0, 0],
            [14, 4, 14, 3, 4, 2, 2, 0, 0, 0, 3, 1, 4, 1],
        ],
        [
            [14, 6, 16, 9, 10, 7, 1, 0, 0, 0, 0, 0, 0, 0],
            [10, 5, 12, 5, 6, 6, 1, 0, 0, 0, 3, 3, 0, 0],
            [8, 2, 10, 3, 3, 4, 1, 0, 0, 0, 4, 3, 4, 2],
        ],
    ],
    [
        [
            [12, 2, 8, 0, 2, 4, 3, 4, 2, 2, 0, 0, 0, 0],
            [9, 5, 11, 0, 2, 1, 2, 2, 4, 0, 2, 2, 0, 0],
            [10, 3, 9, 1, 2, 2, 1, 3, 3, 1, 2, 1, 4, 2],
        ],
        [
            [20, 7, 14, 6, 8, 7, 2, 6, 11, 6, 0, 0, 0, 0],
            [14, 6, 17, 6, 6, 5, 2, 5, 9, 6, 4, 5, 0, 0],
            [14, 5, 12, 6, 6, 5, 1, 6, 8, 5, 3, 2, 4, 2],
        ],
    ],
]
LEVEL_FROM = [1, 2, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024]
LEANING = [(-20, 12, -18, 11), (9, -22, 8, -19), (-12, -15, -11, -13)]  # of W, N, E, S by band (CS33)
# Where the models of symbols and of bits lie in a band's table (CS26)
LOW, MORE, SIZE, SYMBOLS = 80, 155, 175, 176
PLANE, GROUP = 0, 1

Field = NDArray[np.int64]


@dataclass
class Rebuilding:
    """How the details of a plane are made of m (CS36): offsets of |m| = 1 and above, weights around and in luma."""

    offsets: list[int] = field(default_factory=lambda: [0, 0])
    around: list[int] = field(default_factory=lambda: [0] * 4)
    luma: list[int] = field(default_factory=lambda: [0] * 5)


@dataclass
class Plane:
    """One band of one channel at one depth; ``mag`` with a margin of two all around, ``flags`` with one."""

    side: int
    q: Field
    mag: Field
    flags: Field
    shift: int
    gain: int
    weights: list[int]
    symbols: Symbols
    bits: Bits
    pull: list[int]


def level_table() -> list[int]:
    """Level of every sum 0..2047 (CS30)."""
    return [sum(limit <= s for limit in LEVEL_FROM) for s in range(2048)]


LEVELS = level_table()


def wrap16(value: int) -> int:
    """The int16 that is equal modulo 2^16."""
    return (value + 32768) % 65536 - 32768


def decode_layer(
    header: Header,
    layer: int,
    payload: bytes,
    planes: list[list[Field]],
    root: list[list[int]],
    rebuilding: list[list[Rebuilding]],
) -> None:
    """Takes ``planes`` [depth][channel * 3 + band] (signed m) from the layer before to this layer (CS27, CS28)."""
    reader, later = Reader(payload), int(layer > 0)
    starts = [START[later][int(i >= 3)][i % 3] for i in range(9)]
    models = [(Symbols(s[: 7 * SYMBOLS], START_AGE), Bits(s[7 * SYMBOLS :], START_AGE)) for s in starts]
    if layer == 0 and header.kind == 1:
        for _ in range(header.channels):
            root.append(_decode_root(reader))
    for depth in reversed(range(header.depth)):
        loaded = [_load(header, layer, depth, i, planes[depth][i], *models[i]) for i in range(3 * header.channels)]
        for i, plane in enumerate(loaded):
            if layer and not plane.gain:
                continue
            filled = reader.bit(plane.bits, PLANE)
            lossy = int(header.step[depth, i // 3, i % 3]) << plane.shift > 1
            rebuilding[depth][i] = _rebuilding(reader, filled, i >= 3) if lossy else Rebuilding()
            if filled:
                if i >= 3 and reader.plain(1):
                    plane.pull = reader.signed_bytes(5)
                _decode_plane(reader, loaded, i, later)


def _rebuilding(reader: Reader, filled: int, chroma: bool) -> Rebuilding:
    """CS28."""
    r = Rebuilding()
    if filled:
        r.offsets = reader.signed_bytes(2)
        if reader.plain(1):
            r.around = reader.signed_bytes(4)
    if chroma and reader.plain(1):
        r.luma = reader.signed_bytes(5)
    return r


def _load(header: Header, layer: int, depth: int, i: int, q: Field, symbols: Symbols, bits: Bits) -> Plane:
    side = 256 >> depth
    shifts = header.shift[:, depth, i // 3, i % 3]
    gain = int(shifts[layer - 1] - shifts[layer]) if layer else 0
    mag = np.zeros((side + 4, side + 4), np.int64)
    flags = np.zeros((side // 8 + 2, side // 8 + 2), np.int64)
    if layer:
        mag[2:-2, 2:-2] = np.minimum(np.abs(q) << gain, 127)
        flags[1:-1, 1:-1] = mag[2:-2, 2:-2].reshape(side // 8, 8, side // 8, 8).max((1, 3)) > 0
    else:
        q[:] = 0
    weights = WEIGHTS[int(layer > 0)][int(i >= 3)][i % 3]
    return Plane(side, q, mag, flags, int(shifts[layer]), gain, weights, symbols, bits, [0] * 5)


def _decode_root(reader: Reader) -> list[int]:
    models, out = Bits([32768] * 16, 0), []
    for i in range(256):
        x, y = i % 16, i // 16
        west, north = out[i - 1] if x else 0, out[i - 16] if y else 0
        guess = west + north - out[i - 17] if x and y else west if x else north
        folded = reader.golomb(models)
        out.append(wrap16(guess + (~(folded >> 1) if folded & 1 else folded >> 1)))
    return out


def _decode_plane(reader: Reader, planes: list[Plane], i: int, later: int) -> None:
    """CS29 to CS35."""
    p = planes[i]
    columns = np.zeros(p.side + 6, np.int64)
    for gy in range(p.side // 8):
        _decode_flags(reader, planes, i, gy)
        active = [gx for gx in range(p.side // 8) if p.flags[gy + 1, gx + 1]]
        if not active:
            columns[:] = 0
            continue
        for y in range(8 * gy, 8 * gy + 8):
            sums, leans = _row_sums(planes, i, y, columns, later), _row_leans(planes, i, y, later)
            _decode_row(reader, p, i % 3, y, active, sums, leans)
            columns[3:-3] = (columns[3:-3] * (2 if later else 3) >> 2) + 8 * p.mag[y + 2, 2:-2]


def _decode_flags(reader: Reader, planes: list[Plane], i: int, gy: int) -> None:
    p = planes[i]
    before = planes[i % 3].flags if i >= 3 else planes[i - 1].flags if i else None
    for gx in range(p.side // 8):
        if p.flags[gy + 1, gx + 1]:
            continue
        around = int(p.flags[gy + 1, gx] + p.flags[gy, gx + 1] + p.flags[gy, gx + 2])
        other = 0 if before is None else 1 + int(before[gy + 1, gx + 1])
        p.flags[gy + 1, gx + 1] = reader.bit(p.bits, GROUP + 4 * other + around)


def _row_sums(planes: list[Plane], i: int, y: int, columns: Field, later: int) -> list[int]:
    """Everything of CS31 but W and WW, for a whole row."""
    p, channel, band = planes[i], i // 3, i % 3
    _, _, n, nw, ne, nn, field, e, s, sx, a, ax, b, bx = p.weights

    def at(plane: Plane, dy: int, dx: int) -> Field:
        return plane.mag[y + 2 + dy, 2 + dx : 2 + dx + p.side]

    def cross(plane: Plane, centre: int, beside: int) -> Field:
        return centre * at(plane, 0, 0) + beside * (
            at(plane, -1, 0) + at(plane, 1, 0) + at(plane, 0, -1) + at(plane, 0, 1)
        )

    sums = n * at(p, -1, 0) + nw * at(p, -1, -1) + ne * at(p, -1, 1) + nn * at(p, -2, 0)
    sums = sums + field * (sum(columns[k : k + p.side] for k in range(7)) >> 3)
    if later:
        sums = sums + e * at(p, 0, 1) + s * at(p, 1, 0) + sx * (at(p, 1, -1) + at(p, 1, 1))
    if band:
        sums = sums + cross(planes[3 * channel], a, ax)
    if band == 2:
        sums = sums + cross(planes[3 * channel + 1], b, bx)
    return [int(v) for v in sums]


def _near(q: Field, y: int, dx: int, up: int, down: int) -> Field:
    """Row y moved by dx, as small signed numbers: CS32. Zeros outside."""
    row = np.zeros(q.shape[1] + 2, np.int64)
    if 0 <= y < q.shape[0]:
        size = np.minimum(np.abs(q[y]) >> down, 127 >> up)
        row[1:-1] = np.sign(q[y]) * ((size << up) + np.where(size > 0, 1 << up >> 1, 0))
    return row[1 + dx : 1 + dx + q.shape[1]]


def _row_leans(planes: list[Plane], i: int, y: int, later: int) -> list[int]:
    """Everything of CS33 but W, for a whole row."""
    p, (_, n, e, s) = planes[i], LEANING[i % 3]
    leans = n * _near(p.q, y - 1, 0, 0, 0)
    if later:
        leans = leans + e * _near(p.q, y, 1, p.gain, 0) + s * _near(p.q, y + 1, 0, p.gain, 0)
    if any(p.pull):
        luma = planes[i % 3]
        up, down = max(0, luma.shift - p.shift), max(0, p.shift - luma.shift)
        for k, (dy, dx) in zip(p.pull, ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0)), strict=True):
            leans = leans + (k * _near(luma.q, y + dy, dx, up, down) >> 3)
    return [wrap16(int(v)) for v in leans]


def _decode_row(
    reader: Reader, p: Plane, band: int, y: int, active: list[int], sums: list[int], leans: list[int]
) -> None:
    kw, kww = p.weights[:2]
    mag, q, pull = p.mag[y + 2].tolist(), p.q[y].tolist(), LEANING[band][0]
    for gx in active:
        for x in range(8 * gx, 8 * gx + 8):
            total = min(sums[x] + kw * mag[x + 1] + kww * mag[x], 2047)
            west = q[x - 1] if x else 0
            lean = leans[x] + pull * max(-127, min(west, 127))
            decode = _low_bits if q[x] else _coefficient
            q[x] = wrap16(decode(reader, p, q[x], total, lean))
            mag[x + 2] = min(abs(q[x]), 127)
    p.mag[y + 2], p.q[y] = mag, q


def _coefficient(reader: Reader, p: Plane, _: int, total: int, lean: int) -> int:
    """CS34: of a coefficient that was zero."""
    level, strength = LEVELS[total], 16 * abs(lean)
    clear = (strength >= total) + (strength >= 3 * total) + (strength >= 8 * total)
    symbol = reader.symbol(p.symbols, 4 * level + clear)
    size = symbol + 1 >> 1
    if size == 3:
        size += reader.symbol(p.symbols, MORE + level)
        if size == 10:
            bits = reader.symbol(p.symbols, SIZE)
            bits += reader.plain(3) if bits == 7 else 0
            size = 9 + (1 << bits | reader.plain(bits))
    return -size if (lean < 0) == (symbol & 1) else size


def _low_bits(reader: Reader, p: Plane, before: int, total: int, lean: int) -> int:
    """CS35: of a coefficient that was not zero."""
    old, first = abs(before), min(p.gain, 3)
    off = 2 * ((-lean if before < 0 else lean) - (2 * old + 1 << p.gain + 5))
    far = (off < 0) + (off < -total) + (off < -2 * total) + (off < -4 * total)
    size = old << first | reader.symbol(p.symbols, LOW + ((LEVELS[total] >> 2) * 3 + min(old, 3) - 1) * 5 + far)
    if p.gain > first:
        size = size << p.gain - first | reader.plain(p.gain - first)
    return -size if before < 0 else size
