"""The reader of napari: a slide as a pyramid of dask arrays, and its annotations (NB10 to NB12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wavescope.client import Slide, open_slide
from wavescope.client.locations import RemoteLocation
from wavescope.napari.annotations import Layer, layers_of

CHUNK = 1024  # pixels of a side


def get_reader(path: str | Sequence[str]) -> Callable[[str], list[Layer]] | None:
    """The reader of a slide; None: the path looks like none."""
    if not isinstance(path, str) or Slide.detect_format(path) is None:
        return None
    return read


def read(path: str) -> list[Layer]:
    """The layers of a slide: see ``layers``."""
    return layers(open_slide(path))


def layers(slide: Slide) -> list[Layer]:
    """The slide as layers of napari, in micrometres if its scale is known: one image, or one for each channel; then its
    annotations. Pixels are read when they are looked at.
    """
    manifest = slide.version.manifest
    placed = _placed(slide)
    given: dict[str, Any] = {"multiscale": True, **placed}
    levels = [_level(slide, level) for level in range(slide.level_count)]
    name = slide.location.slide
    if manifest.descriptions:
        found: list[Layer] = [
            (
                [level[..., c] for level in levels],
                {
                    **given,
                    "name": f"{name}: {channel.name}",
                    "colormap": [[0, 0, 0], [int(channel.colour[i : i + 2], 16) / 255 for i in (0, 2, 4)]],
                    "contrast_limits": [channel.display.low, channel.display.high],
                    "blending": "additive",
                    "visible": channel.display.on,
                },
                "image",
            )
            for c, channel in enumerate(manifest.descriptions)
        ]
    else:
        is_grey = manifest.channels == 1
        found = [
            (
                [level[..., 0] if is_grey else level for level in levels],
                {**given, "name": name, "rgb": not is_grey, "contrast_limits": [0, 255]},
                "image",
            )
        ]
    if isinstance(slide.location, RemoteLocation):
        found += layers_of(slide.annotations, manifest.planes, **placed)
    return found


def _level(slide: Slide, level: int) -> Any:
    """(height, width, channels), with the focal planes before where there are several."""
    planes = slide.version.planes
    if planes == 1:
        return slide.to_dask(level, chunk=CHUNK)
    import dask.array as da

    return da.stack([slide.to_dask(level, plane=z, chunk=CHUNK) for z in range(planes)])  # type: ignore[no-untyped-call]


def _placed(slide: Slide) -> dict[str, Any]:
    """Scale and units of y and x, of the focal planes before."""
    manifest = slide.version.manifest
    mpp = slide.properties.get("openslide.mpp-x"), slide.properties.get("openslide.mpp-y")
    if mpp[0] is None or mpp[1] is None:
        return {}
    scale, units = [float(mpp[1]), float(mpp[0])], ["um", "um"]
    if manifest.planes > 1:
        scale, units = [manifest.plane_spacing_um or 1.0, *scale], ["um", *units]
    return {"scale": scale, "units": units}
