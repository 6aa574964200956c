"""Entropy decoding of layers: shared/spec/codestream.md, section 5. Slow and plain; imports nothing of the kernel."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .coder import Models, Reader
from .stream import Header

TABLES = Path(__file__).resolve().parents[3] / "shared/spec/codestream-tables.json"
START = json.loads(TABLES.read_text())["start"]
START_AGE = 6
# [later layer][chroma][band]: W WW N NW NE NN field, E S SX, A AX B BX, luma (CS31)
WEIGHTS = [
    [
        [
            [27, 3, 15, 2, 4, 4, 3, 0, 0, 0, 0, 0, 0, 0, 0],
            [17, 6, 25, 2, 5, 1, 2, 0, 0, 0, 4, 2, 0, 0, 0],
            [14, 4, 14, 3, 4, 2, 2, 0, 0, 0, 3, 1, 4, 1, 0],
        ],
        [
            [14, 6, 16, 9, 10, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            [10, 5, 12, 5, 6, 6, 1, 0, 0, 0, 3, 3, 0, 0, 0],
            [8, 2, 10, 3, 3, 4, 1, 0, 0, 0, 4, 3, 4, 2, 0],
        ],
    ],
    [
        [
            [12, 2, 8, 0, 2, 4, 3, 4, 2, 2, 0, 0, 0, 0, 0],
            [9, 5, 11, 0, 2, 1, 2, 2, 4, 0, 2, 2, 0, 0, 0],
            [10, 3, 9, 1, 2, 2, 1, 3, 3, 1, 2, 1, 4, 2, 0],
        ],
        [
            [20, 7, 14, 6, 8, 7, 2, 6, 11, 6, 0, 0, 0, 0, 0],
            [14, 6, 17, 6, 6, 5, 2, 5, 9, 6, 4, 5, 0, 0, 0],
            [14, 5, 12, 6, 6, 5, 1, 6, 8, 5, 3, 2, 4, 2, 0],
        ],
    ],
]
LEVEL_FROM = [
    *(1, 2, 3, 4, 6, 8, 11, 14, 18, 23, 29, 37, 47, 59, 75, 95, 120, 151, 190, 240, 302, 381, 480, 605, 762, 960),
    1210,
]
# Where the models of a band lie in its table (CS24)
PLANE, GROUP, ZERO, MORE, SIGN, LOW = 0, 1, 13, 41, 237, 264
UNARY = 14

Field = NDArray[np.int64]


@dataclass
class Plane:
    """One band of one channel at one depth; ``m`` with a margin of two all around, ``flags`` with one."""

    side: int
    q: Field
    m: Field
    flags: Field
    gain: int
    weights: list[int]
    models: Models


def level_table() -> list[int]:
    """Level of every sum 0..2047 (CS30): sums are compared without their last bit."""
    return [sum(limit <= (s & ~1) for limit in LEVEL_FROM) for s in range(2048)]


LEVELS = level_table()


def wrap16(value: int) -> int:
    """The int16 that is equal modulo 2^16."""
    return (value + 32768) % 65536 - 32768


def decode_layer(
    header: Header, layer: int, payload: bytes, planes: list[list[Field]], root: list[list[int]], offsets: Field
) -> None:
    """Takes ``planes`` [depth][channel * 3 + band] (signed m) from the layer before to this layer (CS25, CS26)."""
    reader, later = Reader(payload), int(layer > 0)
    models = [Models(START[later][int(i >= 3)][i % 3], START_AGE) for i in range(9)]
    if layer == 0 and header.kind == 1:
        for _ in range(header.channels):
            root.append(_decode_root(reader))
    for depth in reversed(range(header.depth)):
        loaded = [_load(header, layer, depth, i, planes[depth][i], models[i]) for i in range(3 * header.channels)]
        for i, plane in enumerate(loaded):
            if layer and not plane.gain:
                continue
            offsets[depth, i] = 0
            if not reader.bit(plane.models, PLANE):
                continue
            shift = header.shift[layer, depth, i // 3, i % 3]
            if header.step[depth, i // 3, i % 3] << shift > 1:
                for k in range(2):
                    byte = reader.number(8)
                    offsets[depth, i, k] = byte - 256 if byte > 127 else byte
            _decode_plane(reader, loaded, i, later)


def _load(header: Header, layer: int, depth: int, i: int, q: Field, models: Models) -> Plane:
    side = 256 >> depth
    shifts = header.shift[:, depth, i // 3, i % 3]
    gain = int(shifts[layer - 1] - shifts[layer]) if layer else 0
    m = np.zeros((side + 4, side + 4), np.int64)
    flags = np.zeros((side // 8 + 2, side // 8 + 2), np.int64)
    if layer:
        m[2:-2, 2:-2] = np.minimum(np.abs(q) << gain, 127)
        flags[1:-1, 1:-1] = m[2:-2, 2:-2].reshape(side // 8, 8, side // 8, 8).max((1, 3)) > 0
    else:
        q[:] = 0
    weights = WEIGHTS[int(layer > 0)][int(i >= 3)][i % 3]
    return Plane(side, q, m, flags, gain, weights, models)


def _decode_root(reader: Reader) -> list[int]:
    models, out = Models([32768] * 16, 0), []
    for i in range(256):
        x, y = i % 16, i // 16
        west, north = out[i - 1] if x else 0, out[i - 16] if y else 0
        guess = west + north - out[i - 17] if x and y else west if x else north
        folded = reader.golomb(models)
        out.append(wrap16(guess + (~(folded >> 1) if folded & 1 else folded >> 1)))
    return out


def _decode_plane(reader: Reader, planes: list[Plane], i: int, later: int) -> None:
    """CS27 to CS34."""
    p = planes[i]
    columns = np.zeros(p.side + 6, np.int64)
    for gy in range(p.side // 8):
        _decode_flags(reader, planes, i, gy)
        active = [gx for gx in range(p.side // 8) if p.flags[gy + 1, gx + 1]]
        if not active:
            columns[:] = 0
            continue
        for y in range(8 * gy, 8 * gy + 8):
            _decode_row(reader, planes, i, y, active, _row_sums(planes, i, y, columns, later))
            row = p.m[y + 2, 2:-2]
            columns[3:-3] = (columns[3:-3] * (2 if later else 3) >> 2) + 8 * row


def _decode_flags(reader: Reader, planes: list[Plane], i: int, gy: int) -> None:
    p = planes[i]
    before = planes[i % 3].flags if i >= 3 else planes[i - 1].flags if i else None
    for gx in range(p.side // 8):
        if p.flags[gy + 1, gx + 1]:
            continue
        around = int(p.flags[gy + 1, gx] + p.flags[gy, gx + 1] + p.flags[gy, gx + 2])
        other = 0 if before is None else 1 + int(before[gy + 1, gx + 1])
        p.flags[gy + 1, gx + 1] = reader.bit(p.models, GROUP + 4 * other + around)


def _row_sums(planes: list[Plane], i: int, y: int, columns: Field, later: int) -> list[int]:
    """Everything of CS31 but W and WW, for a whole row."""
    p, channel, band = planes[i], i // 3, i % 3
    _, _, n, nw, ne, nn, field, e, s, sx, a, ax, b, bx, luma = p.weights

    def at(plane: Plane, dy: int, dx: int) -> Field:
        return plane.m[y + 2 + dy, 2 + dx : 2 + dx + p.side]

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
    if channel:
        sums = sums + luma * at(planes[band], 0, 0)
    return [int(v) for v in sums]


def _decode_row(reader: Reader, planes: list[Plane], i: int, y: int, active: list[int], sums: list[int]) -> None:
    p = planes[i]
    kw, kww = p.weights[:2]
    m, q = p.m[y + 2].tolist(), p.q[y].tolist()
    bit, models = reader.bit, p.models
    sign = _sign_context(planes, i, y, m, q)
    for gx in active:
        for x in range(8 * gx, 8 * gx + 8):
            level = LEVELS[min(sums[x] + kw * m[x + 1] + kww * m[x], 2047)]
            before, result = q[x], 0
            if before:
                result = _low_bits(reader, p, level, before)
            elif bit(models, ZERO + level):
                size = _magnitude(reader, p, level)
                result = -size if bit(models, SIGN + sign(x)) else size
            q[x] = result = wrap16(result)
            m[x + 2] = min(abs(result), 127)
    p.m[y + 2], p.q[y] = m, q


def _magnitude(reader: Reader, p: Plane, level: int) -> int:
    limit = (1 << p.gain) - 1 if p.gain else 0
    size, more = 1, MORE + UNARY * (level >> 1)
    while size != limit:
        if size > UNARY:
            return size + reader.golomb()
        if not reader.bit(p.models, more + size - 1):
            break
        size += 1
    return size


def _low_bits(reader: Reader, p: Plane, level: int, before: int) -> int:
    old = abs(before)
    kind, size = min(old, 3) - 1, old
    for k in range(p.gain):
        size = size << 1 | reader.bit(p.models, LOW + 9 * (level >> 1) + 3 * kind + min(k, 2))
    return -size if before < 0 else size


def _sign_context(planes: list[Plane], i: int, y: int, m: list[int], q: list[int]) -> Callable[[int], int]:
    """Context of a sign from those of W, N and, for chroma, of luma's coefficient at the same place (CS34)."""
    p, luma = planes[i], planes[i % 3] if i >= 3 else None
    above = p.q[y - 1].tolist() if y else [0] * p.side
    under = luma.q[y].tolist() if luma else [0] * p.side

    def kind(value: int) -> int:
        return 0 if value == 0 else 1 if value < 0 else 2

    def context(x: int) -> int:
        return (kind(q[x - 1]) if x else 0) + 3 * kind(above[x]) + 9 * kind(under[x])

    return context
