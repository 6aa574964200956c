"""A slow, readable decoder written from shared/spec/codestream.md: numpy and plain integers, nothing of the kernel.

header = read_parameters(data)                              the parameter set of a level
top = decode_approximation(header, TOP, layers)             samples of the top tile
tile = decode_tile(header, position, parent, layers)        one step down the chain; [] is an empty block
picture = pixels(tile, header, width, height)               uint8 (h, w, C)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .planes import Field, Reconstruction, decode_layer
from .stream import APPROXIMATION, DETAILS, ROOT, Header, Malformed, Position, parse

Samples = NDArray[np.int16]


def wrap(values: Field) -> Field:
    """Each value as the int16 equal to it modulo 2^16 (CS2)."""
    return (values + 32768) % 65536 - 32768


def clamp(values: Field) -> Field:
    """Each value, or the nearest int16 (CS49)."""
    return np.clip(values, -32768, 32767)


def narrow(header: Header) -> Callable[[Field], Field]:
    """What makes an int16 of a sum."""
    return clamp if header.deep else wrap


Coefficients = tuple[Header, list[list[Field]], list[list[int]], list[list[Reconstruction]]]


def decode_coefficients(header: Header, position: Position | None, layers: list[bytes]) -> Coefficients:
    """m of the last layer given, per depth and plane; the root of an approximation; its reconstruction (CS27)."""
    *_, last = decode_prefixes(header, position, layers)
    return last


def decode_prefixes(header: Header, position: Position | None, layers: list[bytes]) -> Iterator[Coefficients]:
    """The same after each layer in turn, so that every layer is decoded once. Each block has a header of its own."""
    _, payloads = parse(header, position, layers)
    header = replace(header)
    size, count = header.size, 3 * header.channels
    planes = [[np.zeros((size.half >> d, size.half >> d), np.int64) for _ in range(count)] for d in range(header.depth)]
    ll_root: list[list[int]] = []
    reconstruction = [[Reconstruction() for _ in range(count)] for _ in range(header.depth)]
    for layer, payload in enumerate(payloads):
        decode_layer(header, layer, payload, planes, ll_root, reconstruction)
        copied = [[plane.copy() for plane in depth] for depth in planes]
        yield header, copied, ll_root, [list(depth) for depth in reconstruction]


def _of_kind(header: Header, kind: int) -> Header:
    if header.kind != kind:
        raise Malformed("kind")
    return header


def decode_block(header: Header, position: Position, layers: list[bytes]) -> NDArray[np.int16]:
    """Quantised coefficients (C, 3, n, n), n half a tile: m times 2^shift."""
    _, planes, _, _ = decode_coefficients(_of_kind(header, DETAILS), position, layers)
    size = header.size
    shift = header.shift[len(layers) - 1, 0].reshape(-1, 1, 1)
    return wrap(np.stack(planes[0]) << shift).astype(np.int16).reshape(header.channels, 3, size.half, size.half)


def dequantize(m: Field, step: int, offsets: list[int], deep: bool) -> Field:
    """CS36; ``step`` already includes the layer's shift."""
    step &= 0xFFFF
    one, more = (offset * step >> 7 for offset in offsets)
    size = np.abs(m)
    if deep:  # CS49
        one, more = (max(-32767, min(v, 32767)) for v in (one, more))
        size = np.minimum(size, 32767 // step if step else 32767)
    size = size * step + np.where(m == 0, 0, np.where(np.abs(m) == 1, one, more))
    if deep:
        size = clamp(size)
    return wrap(np.where(m < 0, -size, size))


def _q15(a: Field, b: int) -> Field:
    return wrap(a) * b + 16384 >> 15


def reconstruct(detail: Field, r: Reconstruction, luma: Field | None, fit: Callable[[Field], Field] = wrap) -> Field:
    """CS37: corrects details from their neighbourhood and from luma's details."""

    def crossed(plane: Field) -> list[Field]:
        p = np.pad(plane, 1)
        return [plane, p[1:-1, :-2], p[1:-1, 2:], p[:-2, 1:-1], p[2:, 1:-1]]

    _, west, east, north, south = crossed(detail)
    zero, other = (
        fit(_q15(fit(west + east), 256 * across) + _q15(fit(north + south), 256 * down))
        for across, down in (r.around[:2], r.around[2:])
    )
    if luma is not None:
        zero = zero + sum(_q15(v, 64 * k) for v, k in zip(crossed(luma), r.luma, strict=True))
    return fit(detail + np.where(detail == 0, zero, other))


def _details(block: Coefficients, layer: int, depth: int) -> list[list[Field]]:
    """[channel][band] of one depth."""
    header, planes, _, reconstruction = block
    made: list[list[Field]] = []
    for i in range(3 * header.channels):
        channel, band = i // 3, i % 3
        step = int(header.step[depth, channel, band]) << int(header.shift[layer, depth, channel, band])
        r = reconstruction[depth][i]
        luma, found = made[0][band] if channel else None, dequantize(planes[depth][i], step, r.offsets, header.deep)
        detail = reconstruct(found, r, luma, narrow(header))
        made = [*made, [detail]] if band == 0 else [*made[:-1], [*made[-1], detail]]
    return made


def _predict(means: Field, axis: int, ends: tuple[int, int], header: Header, flat: int) -> Field:
    """The predicted difference within each pair from the means around it along ``axis`` (CS15, CS47); ``flat``: the
    largest differences of means that predict none.

    The first and the last ``ends`` means (2 or 0) are those of siblings and have no pairs here (CS18).
    """
    before, after = ends
    pad = [(2 - before, 2 - after) if a == axis else (0, 0) for a in range(2)]
    s, n = np.pad(means, pad, mode="reflect"), means.shape[axis] - before - after
    m2, m1, p1, p2 = (np.take(s, range(k, k + n), axis) for k in (0, 1, 3, 4))
    near, far = narrow(header)(m1 - p1), narrow(header)(m2 - p2)
    predicted = wrap((near * 11264 + 16384 >> 15) - (far * 1536 + 16384 >> 15))
    return np.where(np.maximum(np.abs(near), np.abs(far)) <= flat, 0, predicted) if flat else predicted


Inner = tuple[int, int]  # of a quadrant: where its siblings lie, -1 left or above, 1 right or below
ALONE: Inner = (0, 0)


def _columns(means: Field, details: Field, ends: tuple[int, int], header: Header, flat: int) -> Field:
    """CS16: twice as many rows."""
    own, fit = means[ends[0] : means.shape[0] - ends[1]], narrow(header)
    d = fit(details + _predict(means, 0, ends, header, flat))
    top = fit(own + (d >> 1))
    return np.stack([top, fit(top - d)], 1).reshape(2 * own.shape[0], -1)


def synthesize(around: Field, bands: list[Field], header: Header, flat: int, inner: Inner = ALONE) -> Field:
    """Means and details (HL, LH, HH) to the plane twice as wide and high (CS16 to CS18, ``flat``: CS47, CS50).

    ``around`` holds two rows and columns of means more towards the siblings.
    """
    hl, lh, hh = bands
    left, above, right, below = (2 * (side == end) for end in (-1, 1) for side in inner)
    columns = slice(left, around.shape[1] - right)
    n = hl.shape[0]
    predicted = np.zeros((n, around.shape[1]), np.int64)
    predicted[:, columns] = lh
    low, high = _columns(around, predicted, (above, below), header, flat), _columns(hl, hh, (0, 0), header, flat)
    fit = narrow(header)
    d = fit(high + _predict(low, 1, (left, right), header, flat))
    first = fit(fit(low[:, columns] + (d >> 1)) + (d & 1))
    return np.stack([first, fit(first - d)], 2).reshape(2 * n, 2 * n)


def decode_tile(header: Header, position: Position, parent: Samples, layers: list[bytes]) -> Samples:
    """The tile in its quadrant of its parent with the first K layers of its block (CS18)."""
    _of_kind(header, DETAILS)
    if header.channels != parent.shape[0]:
        raise Malformed("channel-count")
    block = decode_coefficients(header, position, layers) if layers else None
    return refine(header, parent, position.quadrant, block, len(layers) - 1)


def refine(
    header: Header, parent: Samples, quadrant: tuple[int, int], block: Coefficients | None, layer: int
) -> Samples:
    """The same from coefficients already decoded up to ``layer``; None is an empty block."""
    channels, (qx, qy) = parent.shape[0], quadrant
    tile = parent.shape[1]
    n = tile // 2
    columns, rows = (slice(n - 2, tile) if side else slice(0, n + 2) for side in quadrant)
    around, inner = parent[:, rows, columns].astype(np.int64), (1 - 2 * qx, 1 - 2 * qy)
    bands, flat = [[np.zeros((n, n), np.int64)] * 3] * channels, 0
    if block is not None:
        bands, flat = _details(block, layer, 0), block[0].flat_limit
    tile_of = [synthesize(around[c], bands[c], header, flat, inner) for c in range(channels)]
    return _corrected(block[0] if block else header, layer, np.stack(tile_of))


def _corrected(header: Header, layer: int, samples: Field) -> Samples:
    """With the corrections that the last layer brings (CS51)."""
    if header.corrections is not None and layer == header.layers - 1:
        samples = wrap(samples + header.corrections)
    return samples.astype(np.int16)


def decode_approximation(header: Header, position: Position, layers: list[bytes]) -> Samples:
    """The top tile from its first K layers (CS19)."""
    block = decode_coefficients(_of_kind(header, APPROXIMATION), position, layers)
    return approximate(block, len(layers) - 1)


def approximate(block: Coefficients, layer: int) -> Samples:
    """The same from coefficients already decoded up to ``layer``."""
    header, _, ll_root, _ = block
    tiles = [np.array(means, np.int64).reshape(ROOT, ROOT) for means in ll_root]
    for depth in reversed(range(header.depth)):
        details = _details(block, layer, depth)
        tiles = [synthesize(tile, bands, header, header.flat_limit) for tile, bands in zip(tiles, details, strict=True)]
    return _corrected(header, layer, np.stack(tiles))


def values(samples: Samples, header: Header, width: int, height: int) -> NDArray[Any]:
    """The top left pixels of a tile of one channel of any depth (CS38, CS52)."""
    s, f = samples[0, :height, :width].astype(np.int64), header.fraction_bits
    lowest = -(1 << header.bits - 1) if header.signed else 0
    if header.colour == 8:
        black, slope, bend, base = header.noise
        found = np.vectorize(lambda t: black + _above_black(16 * (int(t) + base), slope, bend), otypes=[np.int64])(s)
    else:
        found = (s + (1 << f >> 1) >> f) + lowest + (1 << header.bits - 1)
    dtype = np.dtype(f"{'i' if header.signed else 'u'}{2 if header.deep else 1}")
    return np.clip(found, lowest, lowest + (1 << header.bits) - 1).astype(dtype)[..., None]


def _above_black(t: int, slope: int, bend: int) -> int:
    """CS52."""
    if t < 0:
        return -((-t * bend + 4 * slope) // (8 * slope))
    return (t * (t + 2 * bend) + 8 * slope) // (16 * slope)


def pixels(samples: Samples, header: Header, width: int, height: int) -> NDArray[Any]:
    """The top left pixels of a tile (CS38 to CS40)."""
    if header.channels == 1:
        return values(samples, header, width, height)
    s = samples[:, :height, :width].astype(np.int64)
    if header.colour == 1:
        down = 14 + header.fraction_bits
        total = np.tensordot(header.inverse, s, 1) + (1 << (down - 1))
        rgb = ((total + 2**31) % 2**32 - 2**31) >> down
    else:
        a, b, centre = ((0, 2, 1), (1, 2, 0), (0, 1, 2))[(header.colour - 2) % 3]
        rgb = np.empty_like(s)
        k10, k20, k21 = header.lifting
        s[1] += k10 * s[0] >> 4
        s[2] += k20 * s[0] + k21 * s[1] >> 4
        if header.colour <= 4:
            mean = s[0] - (s[2] >> 1)
            rgb[centre], rgb[b] = s[2] + mean, mean - (s[1] >> 1)
            rgb[a] = s[1] + rgb[b]
        else:
            rgb[centre], rgb[a], rgb[b] = s[0], s[1] + s[0], s[2] + s[0]
    return np.clip(rgb + 128, 0, 255).astype(np.uint8).transpose(1, 2, 0)
