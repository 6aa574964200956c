"""The codec of a tile: samples, layers and pixels. Everything runs in kernel.wasm, with the GIL released."""

from wavescope.kernel.codec import Aim, Codec, Profile, Steps, choose_codec
from wavescope.kernel.layers import CodecHeader, check_layer, parse_header, split_layers
from wavescope.kernel.tiles import (
    Details,
    Samples,
    analyze,
    decode_approximation,
    decode_block,
    decode_tile,
    encode_approximation,
    encode_quantised,
    encode_tile,
    pixels,
    samples_from_pixels,
    synthesize,
)

__all__ = [
    "Aim",
    "Codec",
    "CodecHeader",
    "Details",
    "Profile",
    "Samples",
    "Steps",
    "analyze",
    "check_layer",
    "choose_codec",
    "decode_approximation",
    "decode_block",
    "decode_tile",
    "encode_approximation",
    "encode_quantised",
    "encode_tile",
    "parse_header",
    "pixels",
    "samples_from_pixels",
    "split_layers",
    "synthesize",
]
