"""Data sets as DICOM JSON (PS3.18 F): metadata of instances, results of searches. Call these functions in a thread."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from wavescope.service.protocols.dicom.dataset import DicomSlide, instance_dataset
from wavescope.service.protocols.dicom.transfer import transfers_of
from wavescope.service.protocols.dicom.uids import UidKind

if TYPE_CHECKING:
    from pydicom.dataelem import DataElement
    from pydicom.dataset import Dataset

Document = dict[str, Any]
STUDY = frozenset(
    [
        "SpecificCharacterSet",
        "StudyDate",
        "StudyTime",
        "AccessionNumber",
        "ReferringPhysicianName",
        "TimezoneOffsetFromUTC",
        "PatientName",
        "PatientID",
        "PatientBirthDate",
        "PatientSex",
        "StudyInstanceUID",
        "StudyID",
        "StudyDescription",
    ]
)
SERIES = frozenset(["Modality", "SeriesDescription", "SeriesInstanceUID", "SeriesNumber", "Manufacturer"])
INSTANCE = frozenset(
    [
        "SOPClassUID",
        "SOPInstanceUID",
        "InstanceNumber",
        "Rows",
        "Columns",
        "BitsAllocated",
        "NumberOfFrames",
        "ImageType",
        "ContainerIdentifier",
        "TotalPixelMatrixColumns",
        "TotalPixelMatrixRows",
    ]
)
ANSWERED: Mapping[UidKind, frozenset[str]] = {
    UidKind.STUDY: STUDY,
    UidKind.SERIES: SERIES,
    UidKind.INSTANCE: INSTANCE,
}
"""What a result says without being asked."""


def metadata_json(slide: DicomSlide, levels: Iterable[int], root: str) -> bytes:
    """The metadata of instances. ``root``: the address of the DICOMweb service."""
    documents = list[Document]()
    for level in levels:
        profile = f"{address(slide, root, UidKind.INSTANCE, level)}/bulkdata/icc"
        documents.append(_json(instance_dataset(slide, level), profile))
    return json.dumps(documents).encode()


def result(slide: DicomSlide, kind: UidKind, level: int, wanted: frozenset[str], root: str) -> Document:
    """A result of a search; ``wanted``: keywords of what it says. The level is 0 if it is no instance."""
    found = instance_dataset(slide, level)
    for element in list(found):
        if element.keyword not in wanted:
            del found[element.tag]
    for keyword, value in _computed(slide, kind, address(slide, root, kind, level)).items():
        setattr(found, keyword, value)
    return _json(found, "")


def _computed(slide: DicomSlide, kind: UidKind, url: str) -> dict[str, Any]:
    """What a result says beside attributes of instances. ``url``: where to retrieve it."""
    everywhere = {"InstanceAvailability": "ONLINE", "RetrieveURL": url}
    count = slide.version.top + 1
    if kind is UidKind.STUDY:
        counts = {"NumberOfStudyRelatedSeries": 1, "NumberOfStudyRelatedInstances": count}
        return {**everywhere, **counts, "ModalitiesInStudy": ["SM"]}
    if kind is UidKind.SERIES:
        return {**everywhere, "NumberOfSeriesRelatedInstances": count}
    return {**everywhere, "AvailableTransferSyntaxUID": [one.uid for one in transfers_of(slide.version)]}


def _json(found: Dataset, profile: str) -> Document:
    """``profile``: the address of the profile."""

    def bulk(_: DataElement) -> str:
        return profile

    document: Document = found.to_json_dict(bulk_data_threshold=0, bulk_data_element_handler=bulk)
    return document


def address(slide: DicomSlide, root: str, kind: UidKind, level: int = 0) -> str:
    """Where a study, a series or an instance is."""
    found = f"{root}/studies/{slide.uid(UidKind.STUDY)}"
    if kind is UidKind.STUDY:
        return found
    found += f"/series/{slide.uid(UidKind.SERIES)}"
    return found if kind is UidKind.SERIES else f"{found}/instances/{slide.uid(UidKind.INSTANCE, level)}"
