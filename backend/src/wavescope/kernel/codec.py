"""The choice of a slide's encode parameters from a thumbnail of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter
from wavescope.geometry import TILE
from wavescope.kernel.noise import Noise, estimate_noise
from wavescope.kernel.parameter_set import pixel_dtype
from wavescope.kernel.parameters import (
    Codec,
    Profile,
    Steps,
    deep_codec,
    lossless_codec,
    noise_codec,
    reversible_candidates,
    visual_codec,
)
from wavescope.kernel.structs import CHANNELS, GREY
from wavescope.kernel.tiles import encode_approximation, samples_from_pixels

__all__ = ["Codec", "Noise", "Profile", "Steps", "choose_channel_codec", "choose_codec", "most_detailed"]


def choose_codec(
    profile: Profile,
    thumbnail: NDArray[np.uint8],
    quality: float = 1.0,
    steps: Steps = "even",
    side: int | None = None,
) -> Codec:
    """Encode parameters for a slide that looks like ``thumbnail`` (h, w, C). ``quality`` divides the visual steps.

    ``steps``, visual only: "even" for the least squared error, "perceptual" for the best score of SSIMULACRA 2.
    ``side``, visual only: the longer side of the slide in pixels, None for a large one; a small slide has all of its
    details in layer 0.
    """
    if profile not in ("visual", "lossless"):
        raise InvalidParameter("profile", profile, "visual or lossless")
    if thumbnail.ndim != 3 or thumbnail.shape[2] not in (1, CHANNELS):
        raise InvalidParameter("thumbnail", thumbnail.shape, "a shape (height, width, 1 or 3)")
    return visual_codec(thumbnail, quality, steps, side) if profile == "visual" else _lossless(thumbnail)


def choose_channel_codec(
    profile: Profile, values: NDArray[Any], bits: int | None = None, deviations: float = 1.0, noise: Noise | None = None
) -> Codec:
    """Encode parameters of one channel of 8 to 16 bits, unsigned or signed, that looks like ``values`` (h, w, 1), a
    part of level 0: its noise must be there. ``bits``: that are used, by default all of the type. ``deviations``,
    visual only: the steps in standard deviations of the noise, which is estimated if it is not given.
    """
    used = 8 * values.dtype.itemsize if bits is None else bits
    signed = values.dtype.kind == "i"
    if values.ndim != 3 or values.shape[2] != 1 or not 8 <= used <= 16 or values.dtype != pixel_dtype(used, signed):
        raise InvalidParameter("values", f"{values.dtype} {values.shape} of {used} bits", "(h, w, 1) of 8 to 16 bits")
    if not 0.01 <= deviations <= 100:
        raise InvalidParameter("deviations", deviations, "0.01 to 100")
    found = noise or estimate_noise(values[..., 0])
    if profile == "visual":
        return noise_codec(used, signed, found, deviations)
    return deep_codec(used, signed, float(np.median(found.deviation(values))))


def _lossless(thumbnail: NDArray[np.uint8]) -> Codec:
    """The reversible transform that codes the most detailed part of the thumbnail in the fewest bytes."""
    if thumbnail.shape[2] == 1:
        return lossless_codec(1, GREY, (0, 0, 0))
    part = most_detailed(thumbnail)
    codecs = [lossless_codec(CHANNELS, *candidate) for candidate in reversible_candidates(part)]
    return min(codecs, key=lambda codec: _coded_size(part, codec))


def _coded_size(part: NDArray[np.uint8], codec: Codec) -> int:
    shown = part.shape[1], part.shape[0]
    return sum(len(layer) for layer in encode_approximation(samples_from_pixels(part, codec, 0), codec, shown=shown))


def most_detailed(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The part of at most one tile, on a grid of such, whose neighbouring pixels differ most."""
    parts = [
        image[y : y + TILE, x : x + TILE]
        for y in range(0, max(1, image.shape[0] - TILE // 2), TILE)
        for x in range(0, max(1, image.shape[1] - TILE // 2), TILE)
    ]
    return max(parts, key=lambda part: int(np.abs(np.diff(part.astype(np.int32), axis=1)).sum()))
