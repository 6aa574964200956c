"""Label masks become outlines (OV60)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter, UnreadableSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.outlining import Outliner, Outlines
from wavescope.overlays.reading.columns import Transform, add_shapes
from wavescope.overlays.reading.files import Reading
from wavescope.overlays.reading.skipped import NO_CLASS, Skipped
from wavescope.overlays.shapes import MAX_CORNERS, Longs
from wavescope.source.base import Limits
from wavescope.source.masks import MaskClass, MaskLayer, open_mask

STRIP = 1 << 22
"""Pixels that are outlined at once."""


def placed_mask(path: Path, width: int, height: int) -> Transform | None:
    """A mask of the slide at another resolution covers it: the transform that scales it. None: it does not have the
    slide's proportions. Raises SourceError kinds, MissingPackage.
    """
    mask = open_mask(path, Limits())
    mask.close()
    return covering((mask.width, mask.height), (width, height))


def covering(mask: tuple[int, int], slide: tuple[int, int]) -> Transform | None:
    """By a power of two, else by any factor, so that each side is right within a pixel of the mask."""
    factor = slide[0] / mask[0]
    for scale in (2.0 ** round(np.log2(factor)), factor):
        if all(abs(side * scale - whole) < scale for side, whole in zip(mask, slide, strict=True)):
            return scale, 0.0, 0.0, 0.0, scale, 0.0
    return None


def read_mask(path: Path, builder: Builder, reading: Reading, share: Callable[[float], None]) -> Skipped:
    """Adds the areas of a mask, each an outline along the edges of its pixels. Raises SourceError kinds,
    MissingPackage, TooLarge.
    """
    if reading.score:
        raise UnreadableSource(path, f"it is a mask, without a score {reading.score!r}")
    mask, skipped = open_mask(path, Limits()), Skipped("area")
    try:
        step = max(1, STRIP // mask.width)
        for number, layer in enumerate(mask.layers):
            outliner = Outliner(mask.width)
            for first in range(0, mask.height, step):
                end = min(mask.height, first + step)
                _add(
                    builder,
                    outliner.add(layer.read(0, first, mask.width, end - first)),
                    layer,
                    reading.transform,
                    skipped,
                )
                share((number + end / mask.height) / len(mask.layers))
            _add(builder, outliner.end(), layer, reading.transform, skipped)
    except InvalidParameter as error:
        raise UnreadableSource(path, str(error)) from error
    finally:
        mask.close()
    return skipped


def _add(builder: Builder, found: Outlines, layer: MaskLayer, transform: Transform | None, skipped: Skipped) -> None:
    if len(found.labels) == 0:
        return
    ends = np.concatenate([[0], found.ring_ends])[found.shape_ends]
    few = np.diff(ends, prepend=0) <= MAX_CORNERS
    for one in np.flatnonzero(~few).tolist():
        skipped.add(one + 1, f"of label {found.labels[one]}: it has more than {MAX_CORNERS:,} corners")
    corners, ring_ends, shape_ends = found.corners, found.ring_ends, found.shape_ends
    labels = found.labels
    if not few.all():
        corners, ring_ends, shape_ends = _without(found, few)
        labels = labels[few]
    if len(labels):
        classes = _classes(builder, layer, labels)
        add_shapes(builder, corners, (ring_ends, shape_ends), classes, np.zeros(len(labels), np.float32), transform)


def _without(found: Outlines, kept: NDArray[np.bool_]) -> tuple[NDArray[np.float64], Longs, Longs]:
    rings = np.repeat(kept, np.diff(found.shape_ends, prepend=0))
    sizes = np.diff(found.ring_ends, prepend=0)
    corners = found.corners[np.repeat(rings, sizes)]
    return corners, np.cumsum(sizes[rings]), np.cumsum(np.diff(found.shape_ends, prepend=0)[kept])


def _classes(builder: Builder, layer: MaskLayer, labels: Longs) -> NDArray[np.uint8]:
    """The number of the class of each label (n,). Raises TooLarge."""
    distinct, inverse = np.unique(labels, return_inverse=True)
    if not layer.classes and layer.other is not None:
        return np.full(len(labels), _number(builder, layer.other), np.uint8)
    numbers = [
        _number(builder, layer.classes.get(one) or layer.other or MaskClass(str(one), None))
        for one in distinct.tolist()
    ]
    return np.array(numbers, np.uint8)[inverse]


def _number(builder: Builder, one: MaskClass) -> int:
    return builder.class_number(one.name, one.color) if one.name else builder.class_number(NO_CLASS, "999999")
