"""Tiles: samples, layers and pixels as numpy arrays. One kernel call each; thread-safe; bad bytes raise CodecError."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import CodecError
from wavescope.geometry import HALF, TILE, Address
from wavescope.kernel.buffers import Kernel
from wavescope.kernel.native import native_kernel
from wavescope.kernel.parameter_set import ParameterSet, read_parameters
from wavescope.kernel.parameters import Codec
from wavescope.kernel.structs import ADDRESS, CHANNELS, LAYERS, WINDOW
from wavescope.kernel.wasm import instance

Samples = NDArray[np.int16]  # (C, 256, 256)
Pixels = NDArray[Any]  # (h, w, C), of the type of a parameter set: uint8, int8, uint16 or int16
Means = NDArray[np.int16]  # (C, 128, 128)
Details = NDArray[np.int16]  # (C, 3, 128, 128), bands HL, LH, HH
Quantised = NDArray[np.int16]  # like Details, in units of the steps
Size = tuple[int, int]  # width, height
Quadrant = tuple[int, int]  # x, y of a tile in its parent, 0 or 1 each
Corner = tuple[int, int]  # the first column and row of a window of a tile

DEFAULT_TOP_LEVEL = 4
REACH = 2  # means of its siblings that a tile's prediction looks at


def _shaped(array: NDArray[np.int16], *shape: int) -> NDArray[np.int16]:
    """The array if it has the shape (None for channels is 1 or 3); a caller's mistake otherwise."""
    if array.dtype != np.int16 or array.shape[1:] != shape or array.shape[0] not in (1, CHANNELS):
        raise ValueError(f"expected int16 of shape (1 or 3, {shape}), got {array.dtype} {array.shape}")
    return array


def samples_from_pixels(pixels: Pixels, codec: Codec, above: int = 1) -> Samples:
    """Samples of a tile from its pixels inside the slide (h <= 256, w <= 256, C), continued as by extended()."""
    height, width, channels = pixels.shape
    if pixels.dtype != codec.dtype or channels != codec.channels:
        raise ValueError(f"expected {codec.dtype} (h, w, {codec.channels}), got {pixels.dtype} {pixels.shape}")
    parameters = read_parameters(codec.parameter_set(0))
    kernel = _encoder()
    at = kernel.address
    source = kernel.put("pixels", pixels)
    kernel.write("parameters", parameters.raw)
    kernel.write("tuning", codec.tuning())
    to, samples = kernel.result("samples", channels, TILE, TILE)
    kernel.checked("ws_samples_from_pixels", source, width, height, at["parameters"], at["tuning"], to)
    kernel.checked("ws_extend", to, channels, width, height, above, at["scratch"])
    return samples if samples.base is None else samples.copy()


def means(samples: Samples) -> Means:
    """The means of 2 x 2 samples: the tile's quadrant of its parent."""
    channels = _shaped(samples, TILE, TILE).shape[0]
    kernel = _encoder()
    to, ll = kernel.result("ll", channels, HALF, HALF)
    kernel.checked("ws_means", kernel.put("samples", samples), channels, to)
    return ll if ll.base is None else ll.copy()


def extended(covered: Samples, above: int = 1) -> Samples:
    """The tile that begins with these samples (C, h <= 256, w <= 256), continued so that what is outside has few
    details. ``above``: how many levels are above the tile."""
    channels, height, width = covered.shape
    if not (1 <= height <= TILE and 1 <= width <= TILE):
        raise ValueError(f"expected 1 to {TILE} columns and rows, got {width} x {height}")
    kernel = _encoder()
    to, samples = kernel.result("samples", channels, TILE, TILE)
    samples[:, :height, :width] = covered
    kernel.checked("ws_extend", to, channels, width, height, above, kernel.address["scratch"])
    return samples if samples.base is None else samples.copy()


def parent_of(quarters: Mapping[Quadrant, Means], above: int = 1) -> Samples:
    """The tile whose quadrants these means are, continued as by extended() where no child is. (0, 0) is there."""
    width, height = (HALF * (1 + (other in quarters)) for other in ((1, 0), (0, 1)))
    covered = np.empty((quarters[0, 0].shape[0], height, width), np.int16)
    for (x, y), quarter in quarters.items():
        covered[:, y * HALF : (y + 1) * HALF, x * HALF : (x + 1) * HALF] = quarter
    return extended(covered, above)


def neighbourhood(quadrant: Quadrant) -> tuple[slice, slice, slice]:
    """What a tile's block depends on in its parent: its own quadrant and REACH samples of its siblings."""
    x, y = (slice(HALF - REACH, TILE) if side else slice(0, HALF + REACH) for side in quadrant)
    return slice(None), y, x


def analyze(samples: Samples) -> tuple[Means, Details]:
    """One step of the transform of a tile without siblings: LL (C, 128, 128), the 2 x 2 means, and the details.

    Sums are clamped (CS49); samples that span at most 8000 are restored exactly."""
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


def _encoder() -> Kernel:
    """What encodes in this thread: the library, or the wasm module where there is none."""
    return native_kernel() or instance()


def _encode(
    kernel: Kernel, samples: Samples, codec: Codec, parameters: ParameterSet, shown: Size, address: Address
) -> list[bytes]:
    if len(samples) != codec.channels:
        raise ValueError(f"expected {codec.channels} channels, got {len(samples)}")
    at = kernel.address
    source = kernel.put("samples", samples)
    kernel.write("tuning", codec.tuning(*shown))
    _put_block(kernel, parameters, address)
    names = ("parameters", "tuning", "parent", "address", "output", "scratch")
    kernel.checked("ws_encode", source, *(at[name] for name in names))
    return _layers(kernel)


def _put_block(kernel: Kernel, parameters: ParameterSet, address: Address) -> tuple[int, int]:
    """Writes what a call must know of a block; the addresses of both structures."""
    kernel.write("parameters", parameters.raw)
    kernel.write("address", ADDRESS.pack(address.z, address.x, address.y))
    return kernel.address["parameters"], kernel.address["address"]


def _layers(kernel: Kernel) -> list[bytes]:
    """The layers an encode call left in the buffer; [] if every coefficient was zero."""
    sizes = kernel.view("sizes").view(np.uint32)[:LAYERS].tolist()
    layers, start = [], 0
    for size in sizes:
        if size:
            layers.append(kernel.view("bytes")[start : start + size].tobytes())
        start += size
    return layers


def encode_tile(
    samples: Samples, parent: Samples, address: Address, codec: Codec, shown: Size = (TILE, TILE)
) -> list[bytes]:
    """Analyze, quantise and encode the tile at ``address``, a quadrant of ``parent`` (parent_of()): its layers, [] if
    empty.

    Of the tile, ``shown`` (width, height) lies inside the slide; what only the padding needs is not coded.
    """
    _shaped(samples, TILE, TILE)
    parameters = read_parameters(codec.parameter_set(address.level))
    kernel = _encoder()
    _put_parent(kernel, parent, address.quadrant())
    return _encode(kernel, samples, codec, parameters, shown, address)


def _put_parent(kernel: Kernel, parent: Samples, quadrant: Quadrant) -> int:
    """Copies what a call with this quadrant looks at; returns the number of channels."""
    channels: int = _shaped(parent, TILE, TILE).shape[0]
    own = neighbourhood(quadrant)
    kernel.shorts("parent", channels, TILE, TILE)[own] = parent[own]
    return channels


def encode_approximation(
    samples: Samples, codec: Codec, level: int = DEFAULT_TOP_LEVEL, shown: Size = (TILE, TILE), z: int = 0
) -> list[bytes]:
    """The top tile of plane ``z``. ``level`` is L; without it, the steps are fine enough for any pyramid below it."""
    _shaped(samples, TILE, TILE)
    parameters = read_parameters(codec.parameter_set(level, approximation=True))
    return _encode(_encoder(), samples, codec, parameters, shown, Address(z, 0, level, 0, 0))


def encode_quantised(quantised: Quantised, parameters: ParameterSet, address: Address) -> list[bytes]:
    """Layers of coefficients that are quantised already; [] if all are zero."""
    _shaped(quantised, 3, HALF, HALF)
    if not quantised.any():
        return []
    kernel = instance()
    at = kernel.address
    kernel.shorts("details", parameters.channels, 3, HALF, HALF)[...] = quantised
    kernel.view("sizes")[:] = 0
    block = _put_block(kernel, parameters, address)
    kernel.checked("ws_encode_quantised", at["details"], *block, at["output"], at["scratch"])
    return _layers(kernel)


def address_of(layers: Sequence[bytes], parameters: ParameterSet) -> Address:
    """The address in the first layer of a block; decoding proves it. Raises CodecError."""
    kernel = instance()
    at = kernel.address
    kernel.write("parameters", parameters.raw)
    size = kernel.write("bytes", layers[0] if layers else b"")
    kernel.checked("ws_read_address", at["bytes"], size, at["parameters"], at["address"])
    z, x, y = ADDRESS.unpack(kernel.view("address").tobytes())
    return Address(z, parameters.group, parameters.level, x, y)


def decode_block(layers: Sequence[bytes], parameters: ParameterSet, address: Address) -> Quantised:
    """Quantised coefficients (C, 3, 128, 128) from the first K layers of a block that is not empty."""
    kernel = instance()
    at = kernel.address
    block = _put_block(kernel, parameters, address)
    size = kernel.write("bytes", b"".join(layers))
    kernel.checked("ws_decode_block", *block, at["bytes"], size, at["details"], at["scratch"])
    return kernel.shorts("details", parameters.channels, 3, HALF, HALF).copy()


def decode_approximation(layers: Sequence[bytes], parameters: ParameterSet, z: int = 0) -> Samples:
    """Samples of the top tile of plane ``z`` from its first K layers."""
    kernel = instance()
    at = kernel.address
    block = _put_block(kernel, parameters, Address(z, 0, parameters.level, 0, 0))
    size = kernel.write("bytes", b"".join(layers))
    kernel.checked("ws_decode_approximation", *block, at["bytes"], size, at["samples"], at["scratch"])
    return kernel.shorts("samples", parameters.channels, TILE, TILE).copy()


def decode_tile(parent: Samples, layers: Sequence[bytes], parameters: ParameterSet, address: Address) -> Samples:
    """The tile at ``address``, in its quadrant of its parent, refined by the first K layers of its block ([]: none)."""
    kernel = instance()
    at = kernel.address
    if _put_parent(kernel, parent, address.quadrant()) != parameters.channels:
        raise CodecError("channel-count", f"{len(parent)} channels of the parent, {parameters.channels} of the block")
    block = _put_block(kernel, parameters, address)
    size = kernel.write("bytes", b"".join(layers))
    if layers and not size:
        raise CodecError("order", "a layer of no bytes")
    kernel.checked("ws_decode_tile", at["parent"], *block, at["bytes"], size, at["samples"], at["scratch"])
    return kernel.shorts("samples", parameters.channels, TILE, TILE).copy()


def pixels(samples: Samples, parameters: ParameterSet, width: int, height: int) -> Pixels:
    """The pixels (height, width, C) of a tile's part inside the slide."""
    out = np.empty((height, width, parameters.channels), parameters.dtype)
    draw_samples(samples, parameters, (0, 0), out)
    return out


def draw_samples(samples: Samples, parameters: ParameterSet, corner: Corner, out: Pixels) -> None:
    """The pixels of a window of a tile: ``out`` (height, width, C) receives those from column and row ``corner`` on."""
    channels = _shaped(samples, TILE, TILE).shape[0]
    height, width = _window(corner, parameters, out)
    if channels != parameters.channels:
        raise CodecError("channel-count", f"{channels} channels of samples, {parameters.channels} of the slide")
    kernel = instance()
    at = kernel.address
    x, y = corner
    kernel.shorts("samples", channels, TILE, TILE)[:, :height, :width] = samples[:, y : y + height, x : x + width]
    kernel.write("parameters", parameters.raw)
    kernel.checked("ws_pixels_from_samples", at["samples"], at["parameters"], width, height, channels, at["pixels"])
    out[...] = kernel.view("pixels")[: out.nbytes].view(out.dtype).reshape(out.shape)


def draw_tile(
    parent: Samples, block: bytes, parameters: ParameterSet, address: Address, corner: Corner, out: Pixels
) -> None:
    """The pixels of a window of the tile at ``address``, refined by the layers of ``block`` ("": empty).

    ``corner`` and ``out`` as in draw_samples(). What is outside the window is not made.
    """
    height, width = _window(corner, parameters, out)
    kernel = instance()
    at = kernel.address
    _put_parent(kernel, parent, address.quadrant())
    call = _put_block(kernel, parameters, address)
    size = kernel.write("bytes", block)
    kernel.write("window", WINDOW.pack(*corner, width, height, at["pixels"]))
    kernel.checked("ws_decode_window", at["parent"], *call, at["bytes"], size, at["window"], at["scratch"])
    out[...] = kernel.view("pixels")[: out.nbytes].view(out.dtype).reshape(out.shape)


def _window(corner: Corner, parameters: ParameterSet, out: Pixels) -> tuple[int, int]:
    """Height and width of a window inside a tile; a caller's mistake otherwise."""
    height, width, channels = out.shape
    inside = 0 <= corner[0] <= TILE - width and 0 <= corner[1] <= TILE - height and min(height, width) > 0
    if out.dtype != parameters.dtype or channels != parameters.channels or not inside:
        raise ValueError(
            f"expected {parameters.dtype} (h, w, {parameters.channels}) inside a tile, got {out.shape} at {corner}"
        )
    return height, width
