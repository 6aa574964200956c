"""Entropy decoding of layers: shared/spec/codestream.md, section 5. Slow and plain; imports nothing of the kernel."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from . import lossless_contexts as contexts
from .coder import Bits, Reader, Symbols
from .plane import LEVELS, SIGN_WEIGHTS, Field, Plane, cross, moved, row_above, scaled, wrap16
from .stream import ROOT, Header

TABLES = Path(__file__).resolve().parents[3] / "shared/spec/codestream-tables.json"
START = json.loads(TABLES.read_text())["start"]
START_AGES = [28, 12]  # with one model for a symbol, with two
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
# Where the models of symbols and of bits lie in a band's table (CS26)
LOW, MORE, LARGE, SIZE, SYMBOLS = 80, 155, 175, 195, 196
PLANE, GROUP = 0, 1
# Kinds of fitted parameters (CS46)
OFFSETS, NEIGHBOURS, LUMA, CROSS_CHANNEL, FITTED_KINDS = range(5)
LARGEST = 32767  # of |m| * 2^shift (CS20)


@dataclass
class Reconstruction:
    """How the details of a plane are made of m (CS36): offsets of |m| = 1 and above, weights around and in luma."""

    offsets: list[int] = field(default_factory=lambda: [0, 0])
    around: list[int] = field(default_factory=lambda: [0] * 4)
    luma: list[int] = field(default_factory=lambda: [0] * 5)


def decode_layer(
    header: Header,
    layer: int,
    payload: bytes,
    planes: list[list[Field]],
    ll_root: list[list[int]],
    reconstruction: list[list[Reconstruction]],
) -> None:
    """Takes ``planes`` [depth][channel * 3 + band] (signed m) from the layer before to this layer (CS27, CS28)."""
    reader, later = Reader(payload), int(layer > 0)
    two_models = header.two_models
    age, starts = START_AGES[two_models], [START[two_models][later][chroma][hh] for chroma in (0, 1) for hh in (0, 1)]
    sets = [(Symbols(s[: 7 * SYMBOLS], age), Bits(s[7 * SYMBOLS :], age)) for s in starts]
    models = [sets[2 * int(i >= 3) + int(i % 3 == 2)] for i in range(9)]  # CS26
    fresh = [Symbols.fresh(contexts.SECOND) if two_models else None for _ in range(4)]
    seconds = [fresh[2 * int(i >= 3) + int(i % 3 == 2)] for i in range(9)]
    coefficient_models = Bits([32768] * 16, 0)
    fitted = [Bits([32768] * 16, 0) for _ in range(FITTED_KINDS)]
    if layer == 0 and header.profile == 0:
        header.flat = reader.plain(4 if header.deep else 1)
    if layer == 0 and header.kind == 1:
        for _ in range(header.channels):
            ll_root.append(_decode_root(reader))
    for depth in reversed(range(header.depth)):
        loaded = [_load(header, layer, (depth, i), planes[depth][i], *models[i]) for i in range(3 * header.channels)]
        for plane, second in zip(loaded, seconds, strict=False):
            plane.second = second
        for i, plane in enumerate(loaded):
            if layer and not plane.gain:
                continue
            filled = reader.bit(plane.bits, PLANE)
            lossy = int(header.step[depth, i // 3, i % 3]) << plane.whole_shift > 1
            reconstruction[depth][i] = _reconstruction(reader, fitted, filled, i >= 3) if lossy else Reconstruction()
            if filled:
                if two_models:
                    plane.coefficients = contexts.read_coefficients(reader, coefficient_models, i // 3, i % 3, later)
                elif i >= 3 and reader.plain(1):
                    plane.cross_channel = reader.fitted(fitted[CROSS_CHANNEL], 5)
                _decode_plane(reader, loaded, i, later)
                _decode_raw_bits(reader, plane)
            else:
                plane.q <<= plane.gain + plane.raw  # CS27
    if header.deep and header.profile == 0 and layer == header.layers - 1:
        header.corrections = _decode_corrections(reader, header.size.tile)


def _decode_corrections(reader: Reader, side: int) -> Field:
    """CS51."""
    corrections = np.zeros(side * side, np.int64)
    if reader.plain(1):
        models, at = Bits([32768] * 16, 0), 0
        while (at := at + reader.golomb(models)) < side * side:
            high = reader.plain(8)
            corrections[at] = high << 8 | reader.plain(8)
            at += 1
    return corrections.reshape(side, side)


def _reconstruction(reader: Reader, fitted: list[Bits], filled: int, chroma: bool) -> Reconstruction:
    """CS28."""
    r = Reconstruction()
    if filled:
        r.offsets = reader.fitted(fitted[OFFSETS], 2)
        if reader.plain(1):
            r.around = [max(-127, k) for k in reader.fitted(fitted[NEIGHBOURS], 4)]
    if chroma and reader.plain(1):
        r.luma = reader.fitted(fitted[LUMA], 5)
    return r


def _load(header: Header, layer: int, plane: tuple[int, int], q: Field, symbols: Symbols, bits: Bits) -> Plane:
    depth, i = plane
    side = header.size.half >> depth
    shifts = header.shift[:, depth, i // 3, i % 3]
    gain = int(shifts[layer - 1] - shifts[layer]) if layer else 0
    raw = max(0, gain - 3) if header.deep and header.profile == 0 else 0
    gain -= raw
    mag = np.zeros((side + 4, side + 4), np.int64)
    flags = np.zeros((side // 8 + 2, side // 8 + 2), np.int64)
    if layer:
        mag[2:-2, 2:-2] = np.minimum(np.abs(q) << gain, 127)
        flags[1:-1, 1:-1] = mag[2:-2, 2:-2].reshape(side // 8, 8, side // 8, 8).max((1, 3)) > 0
    else:
        q[:] = 0
    weights = WEIGHTS[int(layer > 0)][int(i >= 3)][i % 3]
    small = np.zeros_like(mag)
    return Plane(
        side, q, mag, small, flags, int(shifts[layer]) + raw, gain, weights, symbols, None, bits, [0] * 5, [], raw
    )


def _decode_root(reader: Reader) -> list[int]:
    out: list[int] = []
    models = Bits([32768] * 16, 0)
    for i in range(ROOT * ROOT):
        x, y = i % ROOT, i // ROOT
        west, north = out[i - 1] if x else 0, out[i - ROOT] if y else 0
        guess = west + north - out[i - ROOT - 1] if x and y else west if x else north
        signed_golomb = reader.golomb(models)
        out.append(wrap16(guess + (~(signed_golomb >> 1) if signed_golomb & 1 else signed_golomb >> 1)))
    return out


def _decode_plane(reader: Reader, planes: list[Plane], i: int, later: int) -> None:
    """CS29 to CS35."""
    p = planes[i]
    columns = np.zeros(p.side + 6, np.int64)
    known = _known_sums(planes, i, later)
    if p.second is None:
        known_predictions, known_activities = _known_predictions(planes, i, later), np.zeros_like(known)
    else:
        known_predictions = contexts.known_predictions(planes, i, later)
        known_activities = contexts.known_activities(planes, i, later)
    for gy in range(p.side // 8):
        _decode_flags(reader, planes, i, gy)
        active = [gx for gx in range(p.side // 8) if p.flags[gy + 1, gx + 1]]
        if not active:
            columns[:] = 0
            continue
        for y in range(8 * gy, 8 * gy + 8):
            sums = known[y] + _row_sums(p, y, columns)
            if p.second is None:
                predictions = known_predictions[y] + SIGN_WEIGHTS[i % 3][1] * row_above(p.small, y, 1, 0)
                activities = known_activities[y]
            else:
                predictions = known_predictions[y] + contexts.row_predictions(p, y)
                activities = known_activities[y] + 8 * row_above(p.mag, y, 1, 0)
            row = sums.tolist(), wrap16(predictions).tolist(), activities.tolist()
            _decode_row(reader, p, (i % 3, later, y), active, row)
            columns[3:-3] = (columns[3:-3] * (2 if later else 3) >> 2) + 8 * p.mag[y + 2, 2:-2]


def _decode_raw_bits(reader: Reader, p: Plane) -> None:
    """CS53."""
    for y in range(p.side if p.raw else 0):
        for x in range(0, p.side, 2):
            if p.flags[y // 8 + 1, x // 8 + 1]:
                both = reader.plain(2 * p.raw)
                for at, low in ((x, both >> p.raw), (x + 1, both & (1 << p.raw) - 1)):
                    m = int(p.q[y, at])
                    negative = m < 0 or (m == 0 and low > 0 and reader.plain(1) == 1)
                    size = abs(m) << p.raw | low
                    p.q[y, at] = -size if negative else size


def _decode_flags(reader: Reader, planes: list[Plane], i: int, gy: int) -> None:
    p = planes[i]
    before = planes[i % 3].flags if i >= 3 else planes[i - 1].flags if i else None
    for gx in range(p.side // 8):
        if p.flags[gy + 1, gx + 1]:
            continue
        around = int(p.flags[gy + 1, gx] + p.flags[gy, gx + 1] + p.flags[gy, gx + 2])
        other = 0 if before is None else 1 + int(before[gy + 1, gx + 1])
        p.flags[gy + 1, gx + 1] = reader.bit(p.bits, GROUP + 4 * other + around)


def _known_sums(planes: list[Plane], i: int, later: int) -> Field:
    """What CS31 adds of other planes and of this one as the layers before left it: known before its first row."""
    p, channel, band = planes[i], i // 3, i % 3
    e, s, sx, a, ax, b, bx = p.weights[7:]
    sums = np.zeros((p.side, p.side), np.int64)
    if later:
        sums += e * moved(p.mag, 0, 1) + s * moved(p.mag, 1, 0) + sx * (moved(p.mag, 1, -1) + moved(p.mag, 1, 1))
        if p.second is None:
            sums += p.weights[0] * moved(p.mag, 0, -1) + p.weights[1] * moved(p.mag, 0, -2)
    if band:
        sums += cross(planes[3 * channel], a, ax)
    if band == 2:
        sums += cross(planes[3 * channel + 1], b, bx)
    return sums


def _row_sums(p: Plane, y: int, columns: Field) -> Field:
    """What CS31 adds of the rows above."""
    n, nw, ne, nn, field = p.weights[2:7]

    def above(up: int, dx: int) -> Field:
        return row_above(p.mag, y, up, dx)

    sums = n * above(1, 0) + nw * above(1, -1) + ne * above(1, 1) + nn * above(2, 0)
    return sums + field * (sum(columns[k : k + p.side] for k in range(7)) >> 3)


def _known_predictions(planes: list[Plane], i: int, later: int) -> Field:
    """What CS33 adds of luma and of this plane as the layers before left it."""
    p, (w, _, e, s) = planes[i], SIGN_WEIGHTS[i % 3]
    predictions = np.zeros((p.side, p.side), np.int64)
    if later:
        before = scaled(p.q, p.gain, 0)
        predictions += w * moved(before, 0, -1) + e * moved(before, 0, 1) + s * moved(before, 1, 0)
    if any(p.cross_channel):
        luma = planes[i % 3]
        found = scaled(luma.q, max(0, luma.whole_shift - p.shift), max(0, p.shift - luma.whole_shift))
        for k, (dy, dx) in zip(p.cross_channel, ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0)), strict=True):
            predictions += k * moved(found, dy, dx) >> 3
    return predictions


def _west_weights(p: Plane, band: int, later: int) -> tuple[int, int, int, int]:
    """Weights of W and WW as this layer decodes them: in the sum, then in the prediction."""
    if p.second is not None:
        return p.weights[0], p.weights[1], p.coefficients[0], p.coefficients[4]
    return (0, 0, 0, 0) if later else (p.weights[0], 0, SIGN_WEIGHTS[band][0], 0)


def _decode_row(
    reader: Reader, p: Plane, at: tuple[int, int, int], active: list[int], row: Sequence[list[int]]
) -> None:
    """Row y of a band, ``at`` (band, later, y); ``row``: the sums, predictions and activities of its coefficients."""
    (band, later, y), (sums, predictions, activities) = at, row
    kw, kww, weight_w, weight_ww = _west_weights(p, band, later)
    mag, q = p.mag[y + 2].tolist(), p.q[y].tolist()
    small = [0] * (p.side + 4)
    for gx in active:
        for x in range(8 * gx, 8 * gx + 8):
            before, west = q[x], mag[x + 1]
            total = sums[x] + kw * west + kww * mag[x]
            if total > 2047:
                total = 2047
            prediction = predictions[x] + weight_w * small[x + 1] + weight_ww * small[x]
            decode = _low_bits if before else _coefficient
            value = decode(reader, p, before, total, prediction, activities[x] + 8 * west)
            if value or before:
                q[x] = value
                small[x + 2] = max(-127, min(value, 127))
            mag[x + 2] = abs(small[x + 2])
    p.mag[y + 2], p.q[y], p.small[y + 2] = mag, q, small


def _coefficient(reader: Reader, p: Plane, _: int, total: int, prediction: int, activity: int) -> int:
    """CS34: of a coefficient that was zero."""
    level, strength = LEVELS[total], 16 * abs(prediction)
    model = 4 * level + (strength >= total) + (strength >= 3 * total) + (strength >= 8 * total)
    if p.second is None:
        symbol = reader.symbol(p.symbols, model)
    else:
        symbol = reader.symbol_mixed(p.symbols, model, p.second, contexts.second_value_model(prediction, activity))
    if symbol < 7:
        size, against = symbol + 1 >> 1, 1 - symbol % 2
    else:
        size, against = _escaped(reader, p, level)
    return -size if (prediction < 0) != against else size


def _escaped(reader: Reader, p: Plane, level: int) -> tuple[int, int]:
    """A magnitude of 4 or more, and whether its sign is not the predicted one (CS34)."""
    symbol = reader.symbol(p.symbols, MORE + level)
    size, against = 4 + symbol // 2, symbol % 2
    if size == 7:
        size += reader.symbol(p.symbols, LARGE + level)
    if size == 14:
        bits = reader.symbol(p.symbols, SIZE)
        bits += reader.plain(3) if bits == 7 else 0
        size = min(13 + (1 << bits | reader.plain(bits)), LARGEST >> p.shift)
    return size, against


def _low_bits(reader: Reader, p: Plane, before: int, total: int, prediction: int, _: int) -> int:
    """CS35: of a coefficient that was not zero."""
    old, first = abs(before), min(p.gain, 3)
    offset = 2 * ((-prediction if before < 0 else prediction) - (2 * old + 1 << p.gain + 5))
    far = (offset < 0) + (offset < -total) + (offset < -2 * total) + (offset < -4 * total)
    model = LOW + ((LEVELS[total] >> 2) * 3 + min(old, 3) - 1) * 5 + far
    if p.second is None:
        symbol = reader.symbol(p.symbols, model)
    else:
        symbol = reader.symbol_mixed(p.symbols, model, p.second, contexts.second_low_bit_model(old, offset))
    size = old << first | symbol
    if p.gain > first:
        size = size << p.gain - first | reader.plain(p.gain - first)
    return -size if before < 0 else size
