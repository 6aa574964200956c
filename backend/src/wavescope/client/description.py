"""What openslide says of a slide, from a manifest. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from openslide import PROPERTY_NAME_MPP_X, PROPERTY_NAME_MPP_Y, PROPERTY_NAME_OBJECTIVE_POWER, PROPERTY_NAME_VENDOR
from PIL import Image

from wavescope.pixels.images import Pixels
from wavescope.store.version import SlideVersion


def level_dimensions(version: SlideVersion) -> tuple[tuple[int, int], ...]:
    """Width and height of each level, 0 .. L."""
    return tuple(version.pyramid.level_size(level) for level in range(version.top + 1))


def level_downsamples(version: SlideVersion) -> tuple[float, ...]:
    """Exact powers of two: a pixel of level n covers 2^n x 2^n of level 0, also where the sides are not multiples."""
    return tuple(float(1 << level) for level in range(version.top + 1))


def properties(version: SlideVersion, mpp: tuple[float, float] | None) -> Mapping[str, str]:
    """Under openslide's names, and the slide's own under ``wavescope.``. ``mpp``: of the manifest, or as entered."""
    manifest = version.manifest
    found: dict[str, str] = {
        "openslide.level-count": str(version.top + 1),
        "wavescope.digest": version.digest,
        "wavescope.profile": manifest.profile,
        "wavescope.layers": str(manifest.layers),
        "wavescope.planes": str(manifest.planes),
        "wavescope.source-format": manifest.source.format,
    }
    for level, (width, height) in enumerate(level_dimensions(version)):
        found[f"openslide.level[{level}].width"] = str(width)
        found[f"openslide.level[{level}].height"] = str(height)
        found[f"openslide.level[{level}].downsample"] = str(1 << level)
    if mpp is not None:
        found[PROPERTY_NAME_MPP_X], found[PROPERTY_NAME_MPP_Y] = str(mpp[0]), str(mpp[1])
    if manifest.objective_power is not None:
        found[PROPERTY_NAME_OBJECTIVE_POWER] = f"{manifest.objective_power:g}"
    if manifest.vendor is not None:
        found[PROPERTY_NAME_VENDOR] = manifest.vendor
    return found


def best_level(downsamples: Sequence[float], downsample: float) -> int:
    """As openslide chooses: the smallest level that is not coarser than wanted, level 0 at least."""
    return max((level for level, each in enumerate(downsamples) if each <= downsample), default=0)


def rgba(pixels: Pixels) -> Image.Image:
    """The picture of a region with ``fill="transparent"``, as openslide returns it."""
    if pixels.shape[2] == 2:
        pixels = np.concatenate([np.repeat(pixels[:, :, :1], 3, axis=2), pixels[:, :, 1:]], axis=2)
    return Image.fromarray(np.ascontiguousarray(pixels))
