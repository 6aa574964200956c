"""Pictures of numbers become rasters: values or labels of each pixel (OV66)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import TooLarge, UnreadableSource, UnsupportedSource
from wavescope.overlays.manifest import OverlayClass, OverlayManifest, Score
from wavescope.overlays.raster import MAX_SAMPLE, MAX_SIDE, SIDE, Affine, Kind, Raster, Samples, colors_of
from wavescope.overlays.raster_builder import RasterBuilder, Window
from wavescope.overlays.reading.files import Reading
from wavescope.overlays.reading.skipped import Skipped
from wavescope.overlays.shapes import MAX_CLASSES
from wavescope.service.overlays.masks import covering
from wavescope.source.base import Limits
from wavescope.source.masks import INTEGERS, NUMBERS, Mask, MaskClass, MaskLayer, open_mask

STEPS = MAX_SAMPLE - 1
"""Between the least and the most value, where values are rounded."""
IDENTITY: Affine = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
WIDE = 8 * SIDE
"""Columns that are read at once, of a row of tiles."""
CACHE = 384 << 20
"""Bytes of what is decoded of a source: strips of 512 rows that are so wide are decoded once (OV75)."""
SCANNED = 0.4
"""The part of the work after which all rows were read once."""
Numbers = NDArray[np.number]
Share = Callable[[float], None]


class Written(NamedTuple):
    """An overlay that was written. ``reported``: what was left out, and notes."""

    digest: str
    manifest: OverlayManifest
    transform: Affine
    reported: Skipped


class RasterSource(NamedTuple):
    """A file whose numbers become a raster."""

    path: Path
    reading: Reading

    def write(self, work: Path, content: Path, size: tuple[int, int], share: Share) -> Written:
        """Writes the overlay of a slide of this width and height to ``content``; ``work`` is an empty folder. Raises
        SourceError kinds, MissingPackage, TooLarge.
        """
        with _opened(self.path, self.reading) as mask:
            return _written(mask, self, work, content, size, share)


class LabelSource(NamedTuple):
    """Labels that the service has found itself, 0 for none (height, width), and what they are called."""

    name: Path
    reading: Reading
    labels: NDArray[np.uint16]
    classes: Mapping[int, MaskClass]

    def write(self, work: Path, content: Path, size: tuple[int, int], share: Share) -> Written:
        """As that of RasterSource."""

        def read(x: int, y: int, width: int, height: int) -> NDArray[np.uint16]:
            return self.labels[y : y + height, x : x + width]

        height, width = self.labels.shape
        mask = Mask(width, height, [MaskLayer(read, self.classes, None)], lambda: None)
        return _written(mask, RasterSource(self.name, self.reading), work, content, size, share)


def _written(
    mask: Mask, source: RasterSource, work: Path, content: Path, size: tuple[int, int], share: Share
) -> Written:
    path, reading = source
    if max(mask.width, mask.height) > MAX_SIDE:
        raise TooLarge("a side of a raster, in pixels", max(mask.width, mask.height), MAX_SIDE)
    reported = Skipped("pixel")
    transform = reading.transform or _placed(mask, size, reported)
    shape = _Shape(mask.width, mask.height, transform, size)

    def scan() -> Iterator[Numbers]:
        return (numbers for _, _, numbers in _windows(path, mask, lambda part: share(SCANNED * part)))

    if reading.content == "labels":
        manifest, samples = _of_labels(mask, scan, shape, reported)
    else:
        name = reading.score or "".join(one.name for one in mask.layers[0].classes.values())
        manifest, samples = _of_values(path, scan, shape, name, reported)
    read = _windows(path, mask, lambda part: share(SCANNED + (1 - SCANNED) * part))
    windows: Iterator[Window] = ((left, top, samples(numbers)) for left, top, numbers in read)
    return Written(*RasterBuilder(work, manifest).build(windows, content), transform, reported)


def _placed(mask: Mask, size: tuple[int, int], reported: Skipped) -> Affine:
    found = covering((mask.width, mask.height), size)
    if found is None:
        reported.notes.append(
            f"its {mask.width:,} x {mask.height:,} pixels have other proportions than the slide: it lies at the "
            "corner, pixel on pixel; a transform places it"
        )
    elif found != IDENTITY:
        reported.notes.append(f"it covers the slide: a pixel is {found[0]:g} pixels of the slide wide")
    return found or IDENTITY


class _Shape(NamedTuple):
    width: int
    height: int
    transform: Affine
    slide: tuple[int, int]

    def manifest(
        self, kind: Kind, last: int, exact: bool, classes: list[tuple[int, OverlayClass]], score: Score | None
    ) -> OverlayManifest:
        labels = tuple(label for label, _ in classes if label)
        raster = Raster(kind, self.width, self.height, last, self.transform, exact, labels)
        return OverlayManifest(*self.slide, raster.top, 0, tuple(one for _, one in classes), score, None, raster)


@contextmanager
def _opened(path: Path, reading: Reading) -> Iterator[Mask]:
    """Labels with all segments, values with one."""
    is_labels = reading.content == "labels"
    mask = open_mask(path, Limits(cache_bytes=CACHE), INTEGERS if is_labels else NUMBERS)
    try:
        yield mask if is_labels or len(mask.layers) == 1 else _of_segment(path, mask, reading.score)
    finally:
        mask.close()


def _of_segment(path: Path, mask: Mask, name: str) -> Mask:
    """The segment with this label alone. Raises UnsupportedSource."""
    labels = [layer.classes[1].name for layer in mask.layers]
    if labels.count(name) != 1:
        each = ", ".join(labels)[:200]
        raise UnsupportedSource(path, f"it has the segments {each}: score names the one that has the values")
    return mask._replace(layers=[mask.layers[labels.index(name)]])


def _windows(path: Path, mask: Mask, share: Share) -> Iterator[tuple[int, int, Numbers]]:
    """All pixels in windows of whole tiles, row of tiles by row of tiles: left column, top row, numbers."""
    done = 0
    for top in range(0, mask.height, SIDE):
        for left in range(0, mask.width, WIDE):
            width, height = min(WIDE, mask.width - left), min(SIDE, mask.height - top)
            found = _numbers(mask.layers, left, top, width, height)
            if found.shape != (height, width):
                raise UnreadableSource(path, f"its pixels from {left}, {top} on have the shape {found.shape}")
            yield left, top, found
            done += width * height
            share(done / (mask.width * mask.height))


def _numbers(layers: Sequence[MaskLayer], *window: int) -> Numbers:
    """Of several segments the number of the last that a pixel belongs to."""
    first, *others = (layer.read(*window) for layer in layers)
    if not others:
        return first
    found = (first > 0).astype(np.uint16)
    for number, part in enumerate(others, 2):
        found[part > 0] = number
    return found


def _of_labels(
    mask: Mask, scan: Callable[[], Iterator[Numbers]], shape: _Shape, reported: Skipped
) -> tuple[OverlayManifest, Callable[[Numbers], Samples]]:
    """The manifest of labels, and what makes samples of rows: labels below 0 are none."""
    counts = np.zeros(MAX_SAMPLE + 1, np.int64)
    for rows in scan():
        most = int(rows.max())
        if most > MAX_SAMPLE:
            raise TooLarge("a label of a raster", most, MAX_SAMPLE)
        counts += np.bincount(np.maximum(rows, 0).ravel(), minlength=MAX_SAMPLE + 1)
    counts[0] = 0
    found = np.flatnonzero(counts).tolist()
    named = _named(mask)
    classes = [(one, _class(one, named.get(one), int(counts[one]))) for one in found]
    if not 0 < len(found) <= MAX_CLASSES:
        classes = [(0, OverlayClass("", "999999", int(counts.sum())))]
        if found:
            reported.notes.append(f"it has {len(found):,} labels: each has a colour of its own, and no name")
    manifest = shape.manifest("labels", max(found, default=1), True, classes, None)
    return manifest, lambda rows: np.maximum(rows, 0).astype(np.uint16)


def _named(mask: Mask) -> dict[int, MaskClass]:
    if len(mask.layers) == 1:
        return dict(mask.layers[0].classes)
    return {number: layer.classes[1] for number, layer in enumerate(mask.layers, 1) if 1 in layer.classes}


def _class(label: int, named: MaskClass | None, count: int) -> OverlayClass:
    name, color = named or (str(label), None)
    return OverlayClass(name or str(label), color or colors_of([label])[0], count)


def _of_values(
    path: Path, scan: Callable[[], Iterator[Numbers]], shape: _Shape, name: str, reported: Skipped
) -> tuple[OverlayManifest, Callable[[Numbers], Samples]]:
    """The manifest of values, and what makes samples of rows. Integers are exact if they fit."""
    least, most, absent, integers = np.inf, -np.inf, 0, False
    for rows in scan():
        integers = rows.dtype.kind in "ui"
        finite = rows if integers else rows[np.isfinite(rows)]
        absent += rows.size - finite.size
        if finite.size:
            least, most = min(least, float(finite.min())), max(most, float(finite.max()))
    if least > most:
        raise UnreadableSource(path, "it has no value")
    if absent:
        reported.notes.append(f"{absent:,} pixels have no finite value: they are transparent")
    if not integers and least >= 0 and most <= 1:
        least, most = 0.0, 1.0  # a probability
    most = most if most > least else least + 1
    if not np.isfinite(most - least):
        raise UnreadableSource(path, f"its values from {least:g} to {most:g} are too far apart")
    exact = integers and most - least <= STEPS
    last = 1 + (int(most - least) if exact else STEPS)
    scale = (last - 1) / (most - least)

    def samples(rows: Numbers) -> Samples:
        steps = np.floor((rows.astype(np.float64) - least) * scale + 0.5)
        there = np.isfinite(steps)
        return np.where(there, 1 + np.clip(np.where(there, steps, 0), 0, last - 1), 0).astype(np.uint16)

    score = Score(name, least, most)
    classes = [(0, OverlayClass("", "999999", 0))]
    return shape.manifest("values", last, exact, classes, score), samples
