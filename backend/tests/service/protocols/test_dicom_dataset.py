"""What is said of a level (DW1, DW2, DW4 to DW6)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import Any

import pydicom
import pytest
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import UID, JPEGBaseline8Bit

from service.world import HEIGHT, WIDTH, World
from wavescope.service.protocols.dicom.dataset import PLACEHOLDER, UNKNOWN_SCALE, DicomSlide, instance_dataset
from wavescope.service.protocols.dicom.documents import metadata_json
from wavescope.service.protocols.dicom.uids import UidKind, UidParts, read_uid, uid_of
from wavescope.store.manifest import load_manifest
from wavescope.store.version import SlideVersion

DIGEST = "9f2c4a7be1d0558300112233445566ff"
REQUIRED = {  # of types 1 and 2 in the modules that the IOD of whole slides requires (PS3.3 A.32.8), by module
    "patient": "PatientName PatientID PatientBirthDate PatientSex",
    "study": "StudyInstanceUID StudyDate StudyTime ReferringPhysicianName StudyID AccessionNumber",
    "series": "Modality SeriesInstanceUID SeriesNumber",
    "frame of reference": "FrameOfReferenceUID PositionReferenceIndicator",
    "equipment": "Manufacturer ManufacturerModelName DeviceSerialNumber SoftwareVersions",
    "image pixel": "SamplesPerPixel PhotometricInterpretation Rows Columns BitsAllocated BitsStored HighBit "
    "PixelRepresentation",
    "acquisition context": "AcquisitionContextSequence",
    "functional groups": "SharedFunctionalGroupsSequence InstanceNumber ContentDate ContentTime NumberOfFrames",
    "dimensions": "DimensionOrganizationSequence DimensionOrganizationType",
    "specimen": "ContainerIdentifier IssuerOfTheContainerIdentifierSequence ContainerTypeCodeSequence "
    "SpecimenDescriptionSequence",
    "whole slide": "ImageType ImagedVolumeWidth ImagedVolumeHeight ImagedVolumeDepth TotalPixelMatrixColumns "
    "TotalPixelMatrixRows TotalPixelMatrixOriginSequence ImageOrientationSlide AcquisitionDateTime "
    "LossyImageCompression LossyImageCompressionRatio LossyImageCompressionMethod VolumetricProperties "
    "SpecimenLabelInImage BurnedInAnnotation FocusMethod ExtendedDepthOfField",
    "optical path": "NumberOfOpticalPaths OpticalPathSequence TotalPixelMatrixFocalPlanes",
    "common": "SOPClassUID SOPInstanceUID SpecificCharacterSet",
}
MAY_BE_EMPTY = [*REQUIRED["patient"].split(), "IssuerOfTheContainerIdentifierSequence", "AcquisitionContextSequence"]
MAY_BE_EMPTY += ["StudyDate", "StudyTime", "ReferringPhysicianName", "StudyID", "AccessionNumber"]


def slide_of(world: World, name: str, mpp: tuple[float, float] | None = (0.25, 0.5)) -> DicomSlide:
    digest = world.digests[name]
    version = SlideVersion.of(digest, load_manifest(world.store / "slides", digest))
    return DicomSlide(version, name, f"The {name} \\ one", mpp, 1_700_000_000.0)


def read(documents: bytes | str) -> list[Dataset]:
    """As pydicom reads DICOM JSON; bulk data stay where they are."""
    return [Dataset.from_json(one, bulk_data_uri_handler=lambda *_: PLACEHOLDER) for one in json.loads(documents)]


@pytest.mark.parametrize("kind", UidKind)
def test_a_uid_says_what_it_names_dw2(kind: UidKind) -> None:
    for number in (0, 7, 255):
        uid = uid_of(DIGEST, kind, number)
        assert UID(uid).is_valid
        assert len(uid) <= 64
        assert read_uid(uid) == UidParts(DIGEST[:28], kind, number)
        assert f"{int(uid.removeprefix('2.25.')):032x}"[12] == "8"
        assert read_uid(uid_of("0" * 32, kind, number)) == UidParts("0" * 28, kind, number)


@pytest.mark.parametrize(
    "text", ["", "1.2.3", "2.25.", "2.25.0", "2.25.x", "2.25.1", f"2.25.{1 << 128}", "2.25." + "9" * 39]
)
def test_other_uids_name_nothing_dw2(text: str) -> None:
    assert read_uid(text) is None


@pytest.mark.parametrize("name", ["visual", "planes"])
def test_every_required_attribute_is_there_dw1_dw4(world: World, name: str) -> None:
    slide = slide_of(world, name)
    for level in range(slide.version.top + 1):
        found = instance_dataset(slide, level)
        for module, keywords in REQUIRED.items():
            for keyword in keywords.split():
                assert keyword in found, (module, keyword)
                assert found[keyword].value or keyword in MAY_BE_EMPTY or found[keyword].value == 0, keyword
        assert found.InstanceNumber == level + 1


def test_pydicom_writes_and_reads_an_instance_dw4(world: World) -> None:
    slide = slide_of(world, "planes")
    (described,) = read(metadata_json(slide, [1], "http://a"))
    described.file_meta = FileMetaDataset()
    described.file_meta.TransferSyntaxUID = JPEGBaseline8Bit
    file = BytesIO()
    settings: Any = pydicom.config.settings  # its mode may be None, which its types deny
    settings.writing_validation_mode = pydicom.config.RAISE
    try:
        pydicom.dcmwrite(file, described, enforce_file_format=True)
    finally:
        settings.writing_validation_mode = None
    again = pydicom.dcmread(BytesIO(file.getvalue()))
    assert again.SOPInstanceUID == slide.uid(UidKind.INSTANCE, 1)
    assert again.StudyDescription == "The planes / one"
    assert again.SharedFunctionalGroupsSequence[0].PixelMeasuresSequence[0].SpacingBetweenSlices > 0


def test_levels_cover_the_same_area_dw6(world: World) -> None:
    slide = slide_of(world, "visual")
    base, small = (instance_dataset(slide, level) for level in (0, 3))
    assert (base.ImagedVolumeWidth, base.ImagedVolumeHeight) == (WIDTH * 0.25e-3, HEIGHT * 0.5e-3)
    assert (small.ImagedVolumeWidth, small.TotalPixelMatrixOriginSequence) == (
        base.ImagedVolumeWidth, base.TotalPixelMatrixOriginSequence,
    )  # fmt: skip
    spacing = [one.SharedFunctionalGroupsSequence[0].PixelMeasuresSequence[0].PixelSpacing for one in (base, small)]
    assert spacing == [[0.0005, 0.00025], [0.004, 0.002]]
    assert "ImageComments" not in base
    assert instance_dataset(slide_of(world, "visual", None), 0).ImageComments == UNKNOWN_SCALE


def test_nothing_says_where_the_file_is_from_dw5(world: World) -> None:
    slide = slide_of(world, "visual")
    source = replace(slide.version.manifest.source, name="Doe 1955.svs")
    version = replace(slide.version, manifest=replace(slide.version.manifest, source=source, vendor="a scanner"))
    text = metadata_json(slide._replace(version=version), range(4), "http://a").decode()
    assert not re.search("Doe|1955|scanner|svs", text)
    assert {str(one.get(keyword)) for one in read(text) for keyword in ("PatientName", "PatientID", "StudyDate")} == {
        ""
    }


def test_a_slide_of_one_channel_has_no_profile_dw8(world: World) -> None:
    slide = slide_of(world, "visual")
    grey = replace(slide.version, manifest=replace(slide.version.manifest, channels=1))
    found = instance_dataset(slide._replace(version=grey), 0)
    assert (found.PhotometricInterpretation, found.SamplesPerPixel) == ("MONOCHROME2", 1)
    assert "ICCProfile" not in found.OpticalPathSequence[0]


@pytest.mark.parametrize("mpp", [(1.3, 1.3), (0.1 + 0.2, 1 / 3), (0.2498, 0.2501), (1e-4 / 3, 7e-7)])
def test_a_decimal_has_at_most_16_characters_in_dicom_json_too_dw4(world: World, mpp: tuple[float, float]) -> None:
    slide = slide_of(world, "planes", mpp)
    documents = json.loads(metadata_json(slide, range(slide.version.top + 1), "http://h"), parse_float=str)

    def decimals(document: dict[str, Any]) -> Iterator[str]:
        for element in document.values():
            for value in element.get("Value", ()):
                if element["vr"] == "SQ":
                    yield from decimals(value)
                elif element["vr"] == "DS":
                    yield str(value)

    found = [text for document in documents for text in decimals(document)]
    assert len(found) > 10
    assert [text for text in found if len(text) > 16] == []
    spacing = [float(text) for text in list(decimals(documents[0])) if 0 < float(text) < 1]
    assert mpp[0] / 1000 == pytest.approx(min(spacing, key=lambda one: abs(one - mpp[0] / 1000)), rel=1e-9)
