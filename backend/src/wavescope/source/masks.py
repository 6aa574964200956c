"""Pictures of one number a pixel: masks, which say to what it belongs (OV60), and values (OV66)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tifffile import TiffFile

from wavescope.errors import MissingPackage, SourceError, UnreadableSource, UnsupportedSource
from wavescope.geometry import MAX_SIDE
from wavescope.source.base import Limits
from wavescope.source.dicom.segments import is_segmentation, open_segmentation
from wavescope.source.files import head_of
from wavescope.source.ome_zarr.metadata import attributes_of, is_ome_zarr
from wavescope.source.ome_zarr.with_zarr import open_labels
from wavescope.source.segment_cache import SegmentCache
from wavescope.source.tiff.chain import check_chain, is_tiff
from wavescope.source.tiff.claims import check_claims
from wavescope.source.tiff.plane import TiffPlane
from wavescope.source.tiff.with_tifffile import largest, planes_of
from wavescope.source.with_pillow import open_grey

Labels = NDArray[np.integer]
PNG = b"\x89PNG\r\n\x1a\n"
INTEGERS, NUMBERS = "ui", "uif"
"""Kinds of samples, as NumPy names them."""


class MaskClass(NamedTuple):
    """``color``: RRGGBB, None: none is given."""

    name: str
    color: str | None


class MaskLayer(NamedTuple):
    """``read``: (x, y, width, height) to these labels (height, width); 0 and less: none. ``classes``: of the labels;
    of those that are not there ``other``, None: each is a class by its number.
    """

    read: Callable[[int, int, int, int], Labels]
    classes: Mapping[int, MaskClass]
    other: MaskClass | None


class Mask(NamedTuple):
    """An open mask, in pixels of its own. ``integers``: whether its samples are."""

    width: int
    height: int
    layers: Sequence[MaskLayer]
    close: Callable[[], None]
    integers: bool = True


def is_mask(path: Path) -> bool:
    """Whether a file or folder is a mask by its kind: TIFF, PNG, OME-Zarr, DICOM segmentation. Raises OSError."""
    if path.is_dir():
        return (is_ome_zarr(path) and "multiscales" in attributes_of(path)) or bool(_label_names(path))
    head = head_of(path)
    return is_tiff(head) or head.startswith(PNG) or is_segmentation(path, head)


def raster_content(path: Path, limits: Limits) -> Literal["shapes", "values", "labels"]:
    """What a mask becomes where nobody says it: values of real numbers and of PNGs, labels of PNGs with a palette, else
    shapes. Raises SourceError kinds, MissingPackage.
    """
    if path.is_dir():
        return "shapes"
    head = head_of(path)
    if head.startswith(PNG):
        return "labels" if open_mask(path, limits).layers[0].classes else "values"
    if not is_tiff(head):
        return "shapes"
    mask = open_mask(path, limits, NUMBERS)
    try:
        return "shapes" if mask.integers else "values"
    finally:
        mask.close()


def open_mask(path: Path, limits: Limits, samples: str = INTEGERS) -> Mask:
    """Of what ``is_mask`` says yes to. ``samples``: what they may be. Raises SourceError kinds, MissingPackage."""
    try:
        if path.is_dir():
            mask = _ome_zarr(path, limits)
        elif is_tiff(head := head_of(path)):
            mask = _tiff(path, limits, samples)
        elif head.startswith(PNG):
            mask = _png(path, limits)
        else:
            found = open_segmentation(path, limits, samples == NUMBERS)
            named = [MaskLayer(read, {1: MaskClass(*label)}, None) for read, label in found.segments]
            mask = Mask(found.width, found.height, named, lambda: None, not found.fractional)
    except OSError as error:
        raise UnreadableSource(path, error.strerror or str(error)) from error
    if not (1 <= mask.width <= MAX_SIDE and 1 <= mask.height <= MAX_SIDE):
        mask.close()
        raise UnreadableSource(path, f"it has {mask.width:,} x {mask.height:,} pixels; a side has 1 to {MAX_SIDE:,}")
    return mask


SECOND_STAIN = "A second stain is imported as a slide, and compared with this one"
"""Of a picture in colours, which is no overlay (OV84)."""


def _tiff(path: Path, limits: Limits, samples: str) -> Mask:
    check_chain(path, limits)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        with TiffFile(path, _multifile=False) as tiff:
            check_claims(path, tiff)
            planes = list(planes_of(path, descriptor, largest(path, tiff), SegmentCache(limits.cache_bytes), limits))
        plane = planes[0]
        layout = plane.layout
        if len(planes) > 1 or layout.samples > 1 or layout.dtype.kind not in samples:
            kind = f"{len(planes)} pictures of {layout.samples} samples of {layout.dtype}"
            numbers = "integers" if samples == INTEGERS else "numbers"
            raise UnsupportedSource(path, f"it has {kind}; a mask is one picture of {numbers}. {SECOND_STAIN}")
    except (SourceError, MissingPackage, MemoryError):
        os.close(descriptor)
        raise
    except Exception as error:  # tifffile meets hostile files with exceptions of every kind
        os.close(descriptor)
        raise UnreadableSource(path, f"not a valid TIFF: {type(error).__name__}: {error}") from error
    return Mask(
        layout.width, layout.height, [_tiff_layer(plane)], lambda: os.close(descriptor), layout.dtype.kind in INTEGERS
    )


def _tiff_layer(plane: TiffPlane) -> MaskLayer:
    layout = plane.layout

    def read(*window: int) -> Labels:
        found: Labels = plane.read(*window)[:, :, 0]
        return found

    return MaskLayer(read, {}, _other(layout.dtype))


def _png(path: Path, limits: Limits) -> Mask:
    grey = open_grey(path, limits)
    colors = {n: MaskClass(str(n), color) for n, color in enumerate(grey.palette)}

    def read(x: int, y: int, width: int, height: int) -> Labels:
        return grey.read((x, y, x + width, y + height))

    other = _other(read(0, 0, 1, 1).dtype)
    return Mask(grey.width, grey.height, [MaskLayer(read, colors, other)], lambda: None)


def _ome_zarr(path: Path, limits: Limits) -> Mask:
    names = _label_names(path)
    if len(names) > 1:
        each = ", ".join(f"{path.name}/labels/{name}" for name in names[:5])
        raise UnsupportedSource(path, f"it has several label images; name one of them: {each}")
    group = path / "labels" / names[0] if names else path
    if not group.resolve().is_relative_to(path.resolve()):
        raise UnsupportedSource(path, f"its labels {names[0][:60]!r} lie outside of its folder")
    attributes = attributes_of(group)
    if "image-label" not in attributes:
        raise UnsupportedSource(
            path, "it is an image; a mask is a label image (image-label), mostly in its folder labels"
        )
    width, height, read = open_labels(group, limits)
    classes = _described(path, attributes["image-label"])
    other = MaskClass("", None) if classes else _other(read(0, 0, 0, 0, 1, 1).dtype)
    layer = MaskLayer(partial(read, 0, 0), classes, other)
    return Mask(width, height, [layer], lambda: None)


def _label_names(path: Path) -> list[str]:
    """Of the label images of an image of OME-Zarr."""
    folder = path / "labels"
    if not is_ome_zarr(folder):
        return []
    names = attributes_of(folder).get("labels")
    return [str(name) for name in names] if isinstance(names, list) else []


def _described(path: Path, said: Any) -> dict[int, MaskClass]:
    """The labels that have a class among their properties, with their colours. Raises UnreadableSource."""
    try:
        colors = {int(one["label-value"]): _color(one.get("rgba")) for one in said.get("colors") or ()}
        names = {int(one["label-value"]): str(one.get("class") or "")[:200] for one in said.get("properties") or ()}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UnreadableSource(path, f"its image-label is damaged: {type(error).__name__}: {error}") from error
    return {label: MaskClass(name, colors.get(label)) for label, name in names.items() if name}


def _color(rgba: Any) -> str | None:
    text = "".join(f"{int(one):02X}" for one in (rgba or ())[:3])
    return text if re.fullmatch("[0-9A-F]{6}", text) else None


def _other(dtype: np.dtype[Any]) -> MaskClass | None:
    """Labels of 8 bits are classes, others number objects, unless the file names them."""
    return None if dtype.itemsize == 1 else MaskClass("", None)
