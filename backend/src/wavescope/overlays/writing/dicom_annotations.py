"""Shapes as DICOM Microscopy Bulk Simple Annotations, written by highdicom (OV33)."""

from __future__ import annotations

import importlib
import io
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavescope.cielab import lab_of
from wavescope.errors import MissingPackage, TooLarge
from wavescope.overlays.manifest import OverlayClass, OverlayManifest
from wavescope.overlays.reading.wkb import LINE, POINT, POLYGON
from wavescope.overlays.shapes import Floats, Shapes
from wavescope.overlays.writing.geometry import geometry_of, rings_of_shape

GRAPHICS = {POINT: "POINT", LINE: "POLYLINE", POLYGON: "POLYGON"}
MAX_CORNERS = 1 << 25
"""Of one file, which is made in memory."""
EXACT_SINGLE = 1 << 22
"""Below it, quarters of a pixel are exact in 32 bits."""
SCHEME = "99WAVESCOPE"
LABEL = 64
"""Characters of a label, and of the meaning of a code."""


def dicom_annotations(parts: Iterable[Shapes], manifest: OverlayManifest, image: Any, name: str, source: str) -> bytes:
    """A file about ``image``, the data set of the slide's level 0. A group for each class and kind of shape; polygons
    of DICOM have no holes, so those of a shape are left out, and each of its outer rings is an annotation.

    ``name``: of the overlay; ``source``: what is exported, of which the UIDs are made. Raises MissingPackage, TooLarge,
    and what ``parts`` raises.
    """
    try:
        highdicom = importlib.import_module("highdicom")
    except ImportError as error:
        raise MissingPackage("highdicom", "DICOM annotations", "dicom") from error
    uids = (f"2.25.{uuid.uuid5(uuid.NAMESPACE_OID, f'{source} {n}').int}" for n in range(1 << 30))
    series, instance = next(uids), next(uids)
    groups: list[Any] = []
    for (of_class, kind), (outlines, scores) in sorted(_grouped(parts).items()):
        chosen = manifest.classes[of_class]
        groups.append(
            highdicom.ann.AnnotationGroup(
                number=len(groups) + 1,
                uid=next(uids),
                label=chosen.name[:LABEL] or str(of_class),
                annotated_property_category=highdicom.sr.CodedConcept("91723000", "SCT", "Anatomical structure"),
                annotated_property_type=_code(highdicom, f"class-{of_class}", chosen.name),
                graphic_type=GRAPHICS[kind],
                graphic_data=outlines,
                algorithm_type="AUTOMATIC",
                algorithm_identification=_algorithm(highdicom, name),
                measurements=_measurements(highdicom, manifest, scores),
                display_color=_color(highdicom, chosen),
            )
        )
    made = highdicom.ann.MicroscopyBulkSimpleAnnotations(
        source_images=[image],
        annotation_coordinate_type="2D",
        annotation_groups=groups,
        series_instance_uid=series,
        series_number=2,
        sop_instance_uid=instance,
        instance_number=1,
        manufacturer=image.Manufacturer,
        manufacturer_model_name=image.ManufacturerModelName,
        software_versions=image.SoftwareVersions,
        device_serial_number=image.DeviceSerialNumber,
        content_description=name[:LABEL],
        content_label="OVERLAY",
    )
    file = io.BytesIO()
    made.save_as(file)
    return file.getvalue()


def _grouped(parts: Iterable[Shapes]) -> dict[tuple[int, int], tuple[list[NDArray[Any]], list[int]]]:
    """Outlines and stored scores by class and kind. Raises TooLarge."""
    groups: dict[tuple[int, int], tuple[list[NDArray[Any]], list[int]]] = defaultdict(lambda: ([], []))
    corners = 0
    for shapes in parts:
        corners += len(shapes.corners)
        if corners > MAX_CORNERS:
            raise TooLarge("the number of corners in a file of DICOM annotations", corners, MAX_CORNERS)
        for of_class, score, kind, ring in _outer_rings(shapes):
            outlines, scores = groups[of_class, kind]
            outlines.append(ring)
            scores.append(score)
    for outlines, _ in groups.values():
        single = max(np.abs(one).max() for one in outlines) < EXACT_SINGLE
        outlines[:] = [one.astype(np.float32 if single else np.float64) for one in outlines]
    return groups


def _outer_rings(shapes: Shapes) -> Iterator[tuple[int, int, int, Floats]]:
    for n, (of_class, score) in enumerate(zip(shapes.classes.tolist(), shapes.scores.tolist(), strict=True)):
        kind, polygons = geometry_of(rings_of_shape(shapes, n))
        yield from ((of_class, score, kind, part[0]) for part in polygons)


def _measurements(highdicom: Any, manifest: OverlayManifest, scores: list[int]) -> list[Any] | None:
    if manifest.score is None:
        return None
    values = manifest.score.values(np.array(scores))
    name, none = _code(highdicom, "score", manifest.score.name), highdicom.sr.CodedConcept("1", "UCUM", "no units")
    return [highdicom.ann.Measurements(name=name, values=values.astype(np.float32), unit=none)]


def _algorithm(highdicom: Any, name: str) -> Any:
    """Overlays do not say what made them."""
    family = highdicom.sr.CodedConcept("123110", "DCM", "Artificial Intelligence")
    return highdicom.AlgorithmIdentificationSequence(name=name[:LABEL], family=family, version="unknown")


def _code(highdicom: Any, value: str, meaning: str) -> Any:
    return highdicom.sr.CodedConcept(value[:16], SCHEME, meaning[:LABEL] or value)


def _color(highdicom: Any, chosen: OverlayClass) -> Any:
    return highdicom.color.CIELabColor.from_dicom_value(lab_of(chosen.color))
