"""The manifest of an overlay (OV19)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import CorruptOverlay
from wavescope.overlays.raster import Raster, raster_of
from wavescope.overlays.shapes import MAX_CLASSES

FORMAT, VERSION, RASTER_VERSION = "wavescope-overlay", 5, 3
"""Of overlays of shapes and of rasters."""
READABLE = (1, 2, 3, 4, 5)
"""Versions that are read."""


@dataclass(frozen=True)
class OverlayClass:
    """A class of shapes; ``color`` is RRGGBB."""

    name: str
    color: str
    count: int


@dataclass(frozen=True)
class Score:
    """What the scores of 0 and 255 stand for."""

    name: str
    least: float
    most: float

    def values(self, scores: NDArray[np.number]) -> NDArray[np.float64]:
        """Stored scores (n,) in the source's unit (OV3)."""
        values: NDArray[np.float64] = scores.astype(np.float64) * ((self.most - self.least) / 255)
        values += self.least
        return values


@dataclass(frozen=True)
class OverlayManifest:
    """What a reader needs to know of an overlay before it reads a tile; lengths in pixels of level 0. ``outlines``: how
    many shapes belong to each level, the lowest first; None: not known. ``raster``: what it has instead of shapes.
    """

    width: int
    height: int
    top: int
    shapes: int
    classes: tuple[OverlayClass, ...]
    score: Score | None
    outlines: tuple[int, ...] | None = None
    raster: Raster | None = None

    def document(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION if self.raster is None else RASTER_VERSION,
            "width": self.width,
            "height": self.height,
            "top": self.top,
            "shapes": self.shapes,
            "classes": [{"name": one.name, "color": one.color, "count": one.count} for one in self.classes],
            "score": None
            if self.score is None
            else {"name": self.score.name, "least": self.score.least, "most": self.score.most},
            **({} if self.outlines is None else {"outlines": list(self.outlines)}),
            **({} if self.raster is None else {"raster": self.raster.document()}),
        }


def manifest_of(document: Any) -> OverlayManifest:
    """Raises CorruptOverlay for what is no manifest of a version that is read."""
    try:
        if document["format"] != FORMAT or document["version"] not in READABLE:
            raise CorruptOverlay(f"format {document['format']!r} version {document['version']!r} is not known here")
        classes = tuple(
            OverlayClass(str(one["name"]), str(one["color"]), int(one["count"])) for one in document["classes"]
        )
        score, outlines = document["score"], document.get("outlines")
        manifest = OverlayManifest(
            int(document["width"]),
            int(document["height"]),
            int(document["top"]),
            int(document["shapes"]),
            classes,
            None if score is None else Score(str(score["name"]), float(score["least"]), float(score["most"])),
            None if outlines is None else tuple(int(one) for one in outlines),
            raster_of(document.get("raster")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CorruptOverlay(f"the manifest is not one of an overlay: {error!r}") from error
    if not (1 <= len(classes) <= MAX_CLASSES and all(re.fullmatch("[0-9A-F]{6}", one.color) for one in classes)):
        raise CorruptOverlay("the manifest names no classes, too many, or one without a colour")
    if not (0 < manifest.width < 1 << 26 and 0 < manifest.height < 1 << 26 and 0 <= manifest.top < 20):
        raise CorruptOverlay("the manifest has an impossible size")
    if manifest.raster is not None and (
        manifest.top != manifest.raster.top
        or len(manifest.raster.labels) not in (0, len(classes))
        or (manifest.raster.kind == "values") != (manifest.score is not None)
    ):
        raise CorruptOverlay("the manifest does not fit its raster")
    return manifest
