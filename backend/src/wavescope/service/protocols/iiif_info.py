"""The image information of the IIIF Image API: sizes, tiles, and what can be requested beyond level 2 (IF2)."""

from __future__ import annotations

from typing import Any

from wavescope.geometry import TILE
from wavescope.service.protocols.iiif_request import FORMATS, QUALITIES, Api, Bounds
from wavescope.store.version import SlideVersion

PROTOCOL = "http://iiif.io/api/image"
CONTEXT: dict[Api, str] = {"2": f"{PROTOCOL}/2/context.json", "3": f"{PROTOCOL}/3/context.json"}
PROFILE: dict[Api, str] = {"2": f"{PROTOCOL}/2/level2.json", "3": f"{PROTOCOL}/3/level2.json"}
LEVEL_2_FORMATS = ("jpg", "png")
FEATURES = ["canonicalLinkHeader", "mirroring", "profileLinkHeader", "rotationArbitrary"]


def information(version: SlideVersion, image_id: str, bounds: Bounds, api: Api) -> dict[str, Any]:
    """The document ``info.json`` of an image whose address is ``image_id``."""
    width, height = version.pyramid
    common = {"protocol": PROTOCOL, "width": width, "height": height}
    tiles = [{"width": TILE, "height": TILE, "scaleFactors": [1 << level for level in range(version.top + 1)]}]
    shape = {"sizes": _sizes(version, bounds), "tiles": tiles}
    largest = {"maxWidth": bounds.side, "maxHeight": bounds.side, "maxArea": bounds.area}
    qualities = [one for one in QUALITIES if one != "default" and (one != "color" or version.picture_channels > 1)]
    if api == "2":
        features = {
            "formats": list(FORMATS),
            "qualities": ["default", *qualities],
            "supports": [*FEATURES, "regionSquare", "sizeAboveFull"],
            **largest,
        }
        return {"@context": CONTEXT["2"], "@id": image_id, **common, **shape, "profile": [PROFILE["2"], features]}
    return {
        "@context": CONTEXT["3"],
        "id": image_id,
        "type": "ImageService3",
        "profile": "level2",
        **common,
        **largest,
        **shape,
        "extraFormats": [one for one in FORMATS if one not in LEVEL_2_FORMATS],
        "extraQualities": qualities,
        "extraFeatures": [*FEATURES, "sizeUpscaling"],
    }


def _sizes(version: SlideVersion, bounds: Bounds) -> list[dict[str, int]]:
    """The levels that can be requested whole, the smallest first."""
    levels = (version.pyramid.level_size(level) for level in range(version.top, -1, -1))
    allowed = (size for size in levels if max(size) <= bounds.side and size[0] * size[1] <= bounds.area)
    return [{"width": width, "height": height} for width, height in allowed]
