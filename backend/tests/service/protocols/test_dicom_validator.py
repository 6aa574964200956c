"""dicom-validator on our metadata, by the tables of the standard that highdicom carries (DW4)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from dicom_validator.validator.dicom_info import DicomInfo
from dicom_validator.validator.error_handler import NullValidationResultHandler
from dicom_validator.validator.iod_validator import IODValidator
from pydicom.dataset import Dataset

from service.protocols.dicom_standard import standard_of
from service.protocols.test_dicom_dataset import slide_of
from service.world import World
from wavescope.channels.channel import Channel, with_defaults
from wavescope.service.protocols.dicom.dataset import PLACEHOLDER, WHOLE_SLIDE, DicomSlide
from wavescope.service.protocols.dicom.documents import metadata_json


@pytest.fixture(scope="module")
def standard() -> DicomInfo:
    return standard_of(WHOLE_SLIDE)


def faults(described: Dataset, standard: DicomInfo) -> list[str]:
    """What the validator says of an instance."""
    result = IODValidator(described, standard, error_handler=NullValidationResultHandler()).validate()
    return sorted(
        f"{module} {tag} {error.code.name}"
        for module, errors in result.module_errors.items()
        for tag, error in errors.items()
    )


def read(slide: DicomSlide) -> list[Dataset]:
    """As a client reads the metadata of a study."""
    documents = json.loads(metadata_json(slide, range(slide.version.top + 1), "http://a"))
    return [Dataset.from_json(one, bulk_data_uri_handler=lambda *_: PLACEHOLDER) for one in documents]


@pytest.mark.parametrize("name", ["visual", "planes"])
def test_the_validator_accepts_every_level_dw4(world: World, standard: DicomInfo, name: str) -> None:
    for mpp in ((0.25, 0.5), None):
        for described in read(slide_of(world, name, mpp)):
            assert faults(described, standard) == []


def test_the_validator_accepts_a_slide_of_one_channel_dw4(world: World, standard: DicomInfo) -> None:
    slide = slide_of(world, "visual")
    grey = replace(slide.version, manifest=replace(slide.version.manifest, channels=1))
    for described in read(slide._replace(version=grey)):
        assert faults(described, standard) == []


@pytest.mark.parametrize(("channels", "profile"), [(1, "lossless"), (3, "visual")])
def test_the_validator_accepts_slides_of_channels_dw22(world: World, channels: int, profile: str) -> None:
    slide, standard = slide_of(world, "planes"), standard_of(WHOLE_SLIDE, lossy=profile != "lossless")
    described = with_defaults([Channel("CD8", "", bits=16, excitation_nm=488.0), *[Channel("", "", bits=16)] * 2])
    manifest = replace(
        slide.version.manifest,
        channels=channels,
        channel_groups=channels,
        bit_depth=16,
        signed=channels == 1,
        profile=profile,
        descriptions=described[:channels],
    )
    for found in read(slide._replace(version=replace(slide.version, manifest=manifest))):
        assert faults(found, standard) == []


@pytest.mark.parametrize(
    ("keyword", "value", "code"),
    [
        ("ImageOrientationSlide", None, "TagMissing"),
        ("ImagedVolumeWidth", None, "TagMissing"),
        ("ContainerIdentifier", "", "TagEmpty"),
        ("FocusMethod", "NONE", "EnumValueNotAllowed"),
        ("SeriesInstanceUID", "x.1", "InvalidValue"),
        ("ScanLength", 3, "TagUnexpected"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_the_validator_finds_faults(world: World, standard: DicomInfo, keyword: str, value: object, code: str) -> None:
    described = read(slide_of(world, "visual"))[0]
    if value is None:
        del described[keyword]
    else:
        setattr(described, keyword, value)
    assert [one.split()[-1] for one in faults(described, standard)] == [code]
