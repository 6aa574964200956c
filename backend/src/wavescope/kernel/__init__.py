"""The codec of a tile: samples, layers and pixels. It runs in kernel.wasm, encoding in a library of this machine where
there is one, with the GIL released.
"""

from wavescope.kernel.codec import Codec, Profile, Steps, choose_channel_codec, choose_codec
from wavescope.kernel.layers import Binding, check_layer, split_layers
from wavescope.kernel.noise import Noise, estimate_noise
from wavescope.kernel.parameter_set import ParameterSet, read_parameters
from wavescope.kernel.tiles import (
    Details,
    Means,
    Samples,
    address_of,
    analyze,
    decode_approximation,
    decode_block,
    decode_tile,
    draw_samples,
    draw_tile,
    encode_approximation,
    encode_quantised,
    encode_tile,
    extended,
    means,
    neighbourhood,
    parent_of,
    pixels,
    samples_from_pixels,
    synthesize,
)
from wavescope.kernel.wasm import prepare

__all__ = [
    "Binding",
    "Codec",
    "Details",
    "Means",
    "Noise",
    "ParameterSet",
    "Profile",
    "Samples",
    "Steps",
    "address_of",
    "analyze",
    "check_layer",
    "choose_channel_codec",
    "choose_codec",
    "decode_approximation",
    "decode_block",
    "decode_tile",
    "draw_samples",
    "draw_tile",
    "encode_approximation",
    "encode_quantised",
    "encode_tile",
    "estimate_noise",
    "extended",
    "means",
    "neighbourhood",
    "parent_of",
    "pixels",
    "prepare",
    "read_parameters",
    "samples_from_pixels",
    "split_layers",
    "synthesize",
]
