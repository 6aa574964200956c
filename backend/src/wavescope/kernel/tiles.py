"""Tiles: samples, layers and pixels as numpy arrays. One kernel call each; thread-safe; bad bytes raise CodecError."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import CodecError
from wavescope.geometry import HALF, TILE
from wavescope.kernel.layers import CodecHeader, header_of
from wavescope.kernel.parameters import Codec
from wavescope.kernel.structs import CHANNELS, LAYERS
from wavescope.kernel.wasm import Instance, instance

Samples = NDArray[np.int16]  # (C, 256, 256)
Means = NDArray[np.int16]  # (C, 128, 128)
Details = NDArray[np.int16]  # (C, 3, 128, 128), bands HL, LH, HH
Quantised = NDArray[np.int16]  # like Details, in units of the steps
Size = tuple[int, int]  # width, height
Quadrant = tuple[int, int]  # x, y of a tile in its parent, 0 or 1 each

DEFAULT_TOP_LEVEL = 4
REACH = 2  # means of its siblings that a tile's prediction looks at


def _shaped(array: NDArray[np.int16], *shape: int) -> NDArray[np.int16]:
    """The array if it has the shape (None for channels is 1 or 3); a caller's mistake otherwise."""
    if array.dtype != np.int16 or array.shape[1:] != shape or array.shape[0] not in (1, CHANNELS):
        raise ValueError(f"expected int16 of shape (1 or 3, {shape}), got {array.dtype} {array.shape}")
    return array


def samples_from_pixels(pixels: NDArray[np.uint8], codec: Codec) -> Samples:
    """Samples of a tile from its pixels inside the slide (h <= 256, w <= 256, C); padded by repeating the edge."""
    height, width, channels = pixels.shape
    if pixels.dtype != np.uint8 or channels != codec.channels:
        raise ValueError(f"expected uint8 (h, w, {codec.channels}), got {pixels.dtype} {pixels.shape}")
    kernel = instance()
    at = kernel.address
    kernel.view("pixels")[: pixels.size].reshape(pixels.shape)[...] = pixels
    kernel.write("header", codec.header(0))
    kernel.write("tuning", codec.tuning())
    kernel.checked("ws_samples_from_pixels", at["pixels"], width, height, at["header"], at["tuning"], at["samples"])
    return kernel.shorts("samples", channels, TILE, TILE).copy()


def means(samples: Samples) -> Means:
    """The means of 2 x 2 samples: the tile's quadrant of its parent."""
    channels = _shaped(samples, TILE, TILE).shape[0]
    kernel = instance()
    kernel.shorts("samples", channels, TILE, TILE)[...] = samples
    kernel.checked("ws_means", kernel.address["samples"], channels, kernel.address["ll"])
    return kernel.shorts("ll", channels, HALF, HALF).copy()


def parent_of(quarters: Mapping[Quadrant, Means]) -> Samples:
    """The tile whose quadrants these means are; what no child covers repeats the nearest sample. (0, 0) is there."""
    tile = np.empty((quarters[0, 0].shape[0], TILE, TILE), np.int16)
    for (x, y), quarter in quarters.items():
        tile[:, y * HALF : (y + 1) * HALF, x * HALF : (x + 1) * HALF] = quarter
    if (1, 0) not in quarters:
        tile[:, :, HALF:] = tile[:, :, HALF - 1 : HALF]
    if (0, 1) not in quarters:
        tile[:, HALF:] = tile[:, HALF - 1 : HALF]
    return tile


def neighbourhood(quadrant: Quadrant) -> tuple[slice, slice, slice]:
    """What a tile's block depends on in its parent: its own quadrant and REACH samples of its siblings."""
    x, y = (slice(HALF - REACH, TILE) if side else slice(0, HALF + REACH) for side in quadrant)
    return slice(None), y, x


def analyze(samples: Samples) -> tuple[Means, Details]:
    """One step of the transform of a tile without siblings: LL (C, 128, 128), the 2 x 2 means, and the details."""
    channels = _shaped(samples, TILE, TILE).shape[0]
    kernel = instance()
    at = kernel.address
    kernel.shorts("samples", channels, TILE, TILE)[...] = samples
    kernel.checked("ws_analyze", at["samples"], channels, at["ll"], at["details"], at["scratch"])
    ll = kernel.shorts("ll", channels, HALF, HALF).copy()
    return ll, kernel.shorts("details", channels, 3, HALF, HALF).copy()


def synthesize(ll: Means, details: Details) -> Samples:
    """The inverse of analyze()."""
    channels = _shaped(ll, HALF, HALF).shape[0]
    _shaped(details, 3, HALF, HALF)
    kernel = instance()
    at = kernel.address
    kernel.shorts("ll", channels, HALF, HALF)[...] = ll
    kernel.shorts("details", channels, 3, HALF, HALF)[...] = details
    kernel.checked("ws_synthesize", at["ll"], at["details"], channels, at["samples"], at["scratch"])
    return kernel.shorts("samples", channels, TILE, TILE).copy()


def _encode(
    kernel: Instance, samples: Samples, codec: Codec, header: bytes, shown: Size, quadrant: Quadrant = (0, 0)
) -> list[bytes]:
    at = kernel.address
    kernel.shorts("samples", codec.channels, TILE, TILE)[...] = samples
    kernel.write("header", header)
    kernel.write("tuning", codec.tuning(*shown))
    buffers = (at[name] for name in ("samples", "header", "tuning", "parent"))
    kernel.checked("ws_encode", *buffers, *quadrant, at["output"], at["scratch"])
    return _layers(kernel)


def _layers(kernel: Instance) -> list[bytes]:
    """The layers an encode call left in the buffer; [] if every coefficient was zero."""
    sizes = kernel.view("sizes").view(np.uint32)[:LAYERS].tolist()
    layers, start = [], 0
    for size in sizes:
        if size:
            layers.append(kernel.view("bytes")[start : start + size].tobytes())
        start += size
    return layers


def encode_tile(
    samples: Samples,
    parent: Samples,
    quadrant: Quadrant,
    codec: Codec,
    level: int,
    shown: Size = (TILE, TILE),
) -> list[bytes]:
    """Analyze, quantise and encode the tile in ``quadrant`` of ``parent`` (parent_of()): its layers, [] if empty.

    Of the tile, ``shown`` (width, height) lies inside the slide; what only the padding needs is not coded.
    """
    _shaped(samples, TILE, TILE)
    kernel = instance()
    _put_parent(kernel, parent, quadrant)
    return _encode(kernel, samples, codec, codec.header(level), shown, quadrant)


def _put_parent(kernel: Instance, parent: Samples, quadrant: Quadrant) -> int:
    """Copies what a call with this quadrant looks at; returns the number of channels."""
    channels: int = _shaped(parent, TILE, TILE).shape[0]
    own = neighbourhood(quadrant)
    kernel.shorts("parent", channels, TILE, TILE)[own] = parent[own]
    return channels


def encode_approximation(
    samples: Samples, codec: Codec, level: int | None = None, shown: Size = (TILE, TILE)
) -> list[bytes]:
    """The top tile, whole. ``level`` is L; without it, the steps are fine enough for any pyramid below it."""
    _shaped(samples, TILE, TILE)
    top = DEFAULT_TOP_LEVEL if level is None else level
    return _encode(instance(), samples, codec, codec.header(top, approximation=True), shown)


def encode_quantised(quantised: Quantised, header: CodecHeader) -> list[bytes]:
    """Layers of coefficients that are quantised already, with the parameters of another block; [] if all are zero."""
    _shaped(quantised, 3, HALF, HALF)
    if not quantised.any():
        return []
    kernel = instance()
    at = kernel.address
    kernel.shorts("details", header.channels, 3, HALF, HALF)[...] = quantised
    kernel.write("header", header.raw)
    kernel.view("sizes")[:] = 0
    kernel.checked("ws_encode_quantised", *(at[name] for name in ("details", "header", "output", "scratch")))
    return _layers(kernel)


def decode_block(layers: Sequence[bytes]) -> Quantised:
    """Quantised coefficients (C, 3, 128, 128) from the first K layers of a block that is not empty."""
    kernel = instance()
    at = kernel.address
    size = kernel.write("bytes", b"".join(layers))
    kernel.checked("ws_decode_block", at["bytes"], size, at["details"], at["header"], at["scratch"])
    channels = int(kernel.view("header").view(np.int32)[2])
    return kernel.shorts("details", channels, 3, HALF, HALF).copy()


def decode_approximation(layers: Sequence[bytes]) -> tuple[Samples, CodecHeader]:
    """Samples of the top tile from its first K layers, and the header that pixels() needs."""
    kernel = instance()
    at = kernel.address
    size = kernel.write("bytes", b"".join(layers))
    kernel.checked("ws_decode_approximation", at["bytes"], size, at["samples"], at["header"], at["scratch"])
    header = header_of(kernel.view("header").tobytes())
    return kernel.shorts("samples", header.channels, TILE, TILE).copy(), header


def decode_tile(parent: Samples, quadrant: Quadrant, layers: Sequence[bytes]) -> Samples:
    """The tile in quadrant (x, y) of its parent, refined by the first K layers of its block ([]: empty block)."""
    kernel = instance()
    at = kernel.address
    channels = _put_parent(kernel, parent, quadrant)
    size = kernel.write("bytes", b"".join(layers))
    if layers and not size:
        raise CodecError("truncated", "a layer of no bytes")
    kernel.checked("ws_decode_tile", at["parent"], *quadrant, channels, at["bytes"], size, at["samples"], at["scratch"])
    return kernel.shorts("samples", channels, TILE, TILE).copy()


def pixels(samples: Samples, header: CodecHeader, width: int, height: int) -> NDArray[np.uint8]:
    """The pixels (height, width, C) of a tile's part inside the slide."""
    channels = _shaped(samples, TILE, TILE).shape[0]
    if channels != header.channels:
        raise CodecError("channel-count", f"{channels} channels of samples, {header.channels} in the header")
    kernel = instance()
    at = kernel.address
    kernel.shorts("samples", channels, TILE, TILE)[...] = samples
    kernel.write("header", header.raw)
    kernel.checked("ws_pixels_from_samples", at["samples"], at["header"], width, height, channels, at["pixels"])
    return kernel.view("pixels")[: height * width * channels].reshape(height, width, channels).copy()
