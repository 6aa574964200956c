"""The tables of the DICOM standard that highdicom contains, in the form of dicom-validator, which would fetch the
standard.
"""

from __future__ import annotations

import json
from importlib.metadata import files
from typing import Any

from dicom_validator.validator.dicom_info import DicomInfo
from pydicom._dicom_dict import DicomDictionary
from pydicom.datadict import tag_for_keyword

GROUPS = ("SharedFunctionalGroupsSequence", "PerFrameFunctionalGroupsSequence")
REQUIRED_GROUPS = ("PixelMeasuresSequence", "WholeSlideMicroscopyImageFrameTypeSequence")  # the others are conditional
TABLES = ("module_attribute_map", "iod_module_map", "sop_class_iod_map")
FULFILLED = {
    "ImageOrientationSlide",
    "ImagedVolumeWidth",
    "ImagedVolumeHeight",
    "ImagedVolumeDepth",
    "TotalPixelMatrixFocalPlanes",
    "PixelSpacing",
    "SliceThickness",
    "ContainerTypeCodeSequence",
}
"""Attributes of type 1C whose conditions our instances fulfil: the tables do not have the conditions."""
OF_LOSSY = {"LossyImageCompressionRatio", "LossyImageCompressionMethod"}
"""The same, of instances with losses."""
ENUMERATED = {
    "VolumetricProperties": ["VOLUME", "SAMPLED", "DISTORTED", "MIXED"],
    "DimensionOrganizationType": ["3D", "3D_TEMPORAL", "TILED_FULL", "TILED_SPARSE"],
    "PhotometricInterpretation": ["MONOCHROME2", "RGB", "YBR_FULL_422", "YBR_ICT", "YBR_RCT"],
    **{key: ["YES", "NO"] for key in ("BurnedInAnnotation", "SpecimenLabelInImage", "ExtendedDepthOfField")},
    "FocusMethod": ["AUTO", "MANUAL"],
    "LossyImageCompression": ["00", "01"],
    "PresentationLUTShape": ["IDENTITY"],
}
"""Values of PS3.3 C.8.12.4, which are not among the tables."""


def standard_of(sop_class: str, *, lossy: bool = True) -> DicomInfo:
    """What an instance of a class must and may have; ``lossy``: whether its picture has lost anything."""
    fulfilled = FULFILLED | (OF_LOSSY if lossy else set())
    attributes, modules, classes = (_table(f"{name}.json") for name in TABLES)
    used = modules[classes[sop_class]]
    iod = {"title": classes[sop_class], "group_macros": {}}
    iod["modules"] = {one["key"]: {"ref": one["key"], "use": one["usage"]} for one in used}
    described = {one["key"]: _nested(attributes[one["key"]], fulfilled) for one in used}
    dictionary = {
        _tag(tag): {"name": entry[2], "vr": entry[0], "vm": entry[1]} for tag, entry in DicomDictionary.items()
    }
    return DicomInfo(dictionary, {sop_class: iod}, described)


def _table(name: str) -> Any:
    """Without importing highdicom, which takes seconds."""
    (path,) = (one for one in files("highdicom") or () if one.name == name)
    return json.loads(path.read_text(encoding="utf-8"))


def _nested(rows: list[dict[str, Any]], fulfilled: set[str]) -> dict[str, Any]:
    """Attributes by tag; those of a sequence are its items."""
    found: dict[str, Any] = {}
    for row in sorted(rows, key=lambda one: len(one["path"])):
        place = found
        for keyword in row["path"]:
            place = place[_tag(_number(keyword))].setdefault("items", {})
        group = row["path"] and row["path"][-1] in GROUPS and row["keyword"] not in REQUIRED_GROUPS
        kind = "1" if row["type"] == "1C" and row["keyword"] in fulfilled else row["type"]
        described = {"name": row["keyword"], "type": "3" if group else kind}
        if row["keyword"] in ENUMERATED:
            described["enums"] = [{"val": ENUMERATED[row["keyword"]]}]
        place[_tag(_number(row["keyword"]))] = described
    return found


def _number(keyword: str) -> int:
    number = tag_for_keyword(keyword)
    assert number is not None, keyword
    return number


def _tag(number: int) -> str:
    return f"({number >> 16:04X},{number & 0xFFFF:04X})"
