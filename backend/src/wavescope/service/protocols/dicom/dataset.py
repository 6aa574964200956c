"""The metadata of a level as an instance of VL Whole Slide Microscopy Image Storage (DW4 to DW8).

pydicom is imported when the first data set is made: it takes longer than a request. Call these functions in a thread.
"""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any, NamedTuple

from wavescope.channels.channel import Channel
from wavescope.geometry import TILE
from wavescope.service.protocols.dicom.uids import DIMENSIONS, FRAME_OF_REFERENCE, SPECIMEN, UidKind, uid_of
from wavescope.source.dicom.library import require_pydicom
from wavescope.store.version import SlideVersion

if TYPE_CHECKING:
    from pydicom.dataset import Dataset

WHOLE_SLIDE = "1.2.840.10008.5.1.4.1.1.77.1.6"
TEXT = 64  # characters of a short text (LO)
SHORT = 16  # and of a very short one (SH)
MICROMETRES = 1000.0  # per millimetre, DICOM's unit
UNKNOWN_SCALE = "The scale of this slide is not known: lengths are in level-0 pixels, one micrometre each."
THICKNESS = 0.001  # mm, of a plane of which it is not known
PLACEHOLDER = b"\0\0"
"""In place of a profile, which is not part of the metadata but has an address (DW8)."""
SHORT_TEXT = 1024  # characters of a short text (ST)
BRIGHTFIELD = ("111744", "DCM", "Brightfield illumination")
EPIFLUORESCENCE = ("111743", "DCM", "Epifluorescence illumination")
FULL_SPECTRUM = ("414298005", "SCT", "Full Spectrum")
GLASS = ("433466003", "SCT", "Microscope slide")


class DicomSlide(NamedTuple):
    """What is published of a slide: ``mpp`` in micrometres per level-0 pixel, also if a person entered it; None: not
    known. ``created``: when it was imported, in seconds since 1970.
    """

    version: SlideVersion
    id: str
    title: str
    mpp: tuple[float, float] | None
    created: float

    def uid(self, kind: UidKind, number: int = 0) -> str:
        """The UID of a part."""
        return uid_of(self.version.digest, kind, number)


def instance_dataset(slide: DicomSlide, level: int) -> Dataset:
    """Everything that is said of a level; no pixels. The level is one that the slide has. Raises MissingPackage."""
    require_pydicom("DICOMweb")
    parts = (_study(slide), _series(slide), _common(slide, level), _pixels(slide, level), _geometry(slide, level))
    return _item(**{keyword: value for part in parts for keyword, value in part.items()})


def _study(slide: DicomSlide) -> dict[str, Any]:
    """Patient and study: nothing of the file's, which is identifying data (DW5)."""
    empty = ("PatientName", "PatientID", "PatientBirthDate", "PatientSex", "StudyDate", "StudyTime", "AccessionNumber")
    return {
        "SpecificCharacterSet": "ISO_IR 192",
        **dict.fromkeys((*empty, "ReferringPhysicianName", "StudyID"), ""),
        "StudyInstanceUID": slide.uid(UidKind.STUDY),
        "StudyDescription": text(slide.title),
    }


def _series(slide: DicomSlide) -> dict[str, Any]:
    """The series, the glass, and what made the instances."""
    specimen = _item(
        SpecimenIdentifier=text(slide.id),
        IssuerOfTheSpecimenIdentifierSequence=[],
        SpecimenUID=slide.uid(UidKind.PART, SPECIMEN),
        SpecimenPreparationSequence=[],
    )
    return {
        "Modality": "SM",
        "SeriesInstanceUID": slide.uid(UidKind.SERIES),
        "SeriesNumber": 1,
        "SeriesDescription": text(slide.title),
        "FrameOfReferenceUID": slide.uid(UidKind.PART, FRAME_OF_REFERENCE),
        "PositionReferenceIndicator": "SLIDE_CORNER",
        "Manufacturer": "Wavescope",
        "ManufacturerModelName": "Wavescope",
        "DeviceSerialNumber": "none",
        "SoftwareVersions": metadata.version("wavescope"),
        "ContainerIdentifier": text(slide.id),
        "IssuerOfTheContainerIdentifierSequence": [],
        "ContainerTypeCodeSequence": [_code(GLASS)],
        "SpecimenDescriptionSequence": [specimen],
        "AcquisitionContextSequence": [],
    }


def _common(slide: DicomSlide, level: int) -> dict[str, Any]:
    """What names the instance; its dates are those of the import (DW5)."""
    imported = datetime.fromtimestamp(slide.created, UTC)
    date, time = imported.strftime("%Y%m%d"), imported.strftime("%H%M%S")
    comment = {} if slide.mpp is not None else {"ImageComments": UNKNOWN_SCALE}
    return {
        "SOPClassUID": WHOLE_SLIDE,
        "SOPInstanceUID": slide.uid(UidKind.INSTANCE, level),
        "InstanceNumber": level + 1,
        "TimezoneOffsetFromUTC": "+0000",
        "ContentDate": date,
        "ContentTime": time,
        "AcquisitionDateTime": date + time,
        "ImageType": image_type(level),
        **comment,
    }


def has_profile(version: SlideVersion) -> bool:
    """Whether the frames of a slide have colours that a profile describes (DW8)."""
    return not version.manifest.descriptions and version.picture_channels == 3


def _pixels(slide: DicomSlide, level: int) -> dict[str, Any]:
    """The samples, and the optical paths."""
    manifest = slide.version.manifest
    paths = [_channel_path(c, one) for c, one in enumerate(manifest.descriptions)] or [_brightfield(slide.version)]
    if manifest.objective_power:
        paths = [{**one, "ObjectiveLensPower": _decimal(manifest.objective_power)} for one in paths]
    bits = 8 * manifest.dtype.itemsize
    return {
        **(_colour() if has_profile(slide.version) else _grey()),
        "Rows": TILE,
        "Columns": TILE,
        "NumberOfFrames": frame_count(slide.version, level),
        **dict.fromkeys(("BitsAllocated", "BitsStored"), bits),
        "HighBit": bits - 1,
        "PixelRepresentation": int(manifest.signed),
        "BurnedInAnnotation": "NO",
        "SpecimenLabelInImage": "NO",
        **_losses(slide.version),
        "NumberOfOpticalPaths": len(paths),
        "OpticalPathSequence": [_item(**one) for one in paths],
    }


def _colour() -> dict[str, Any]:
    """As the frames have them that a client gets as JPEG."""
    return {"SamplesPerPixel": 3, "PhotometricInterpretation": "YBR_FULL_422", "PlanarConfiguration": 0}


def _grey() -> dict[str, Any]:
    grey = {"SamplesPerPixel": 1, "PhotometricInterpretation": "MONOCHROME2", "PresentationLUTShape": "IDENTITY"}
    return grey | {"RescaleIntercept": _decimal(0), "RescaleSlope": _decimal(1)}


def _losses(version: SlideVersion) -> dict[str, Any]:
    """A picture is sent as JPEG, channels as they are stored (DW22)."""
    if version.manifest.descriptions and version.manifest.profile == "lossless":
        return {"LossyImageCompression": "00"}
    method = "WAVESCOPE" if version.manifest.descriptions else "ISO_10918_1"
    ratio = {"LossyImageCompressionRatio": _decimal(_ratio(version)), "LossyImageCompressionMethod": method}
    return {"LossyImageCompression": "01", **ratio}


def _brightfield(version: SlideVersion) -> dict[str, Any]:
    optics: dict[str, Any] = {
        "OpticalPathIdentifier": path_identifier(0),
        "IlluminationTypeCodeSequence": [_code(BRIGHTFIELD)],
        "IlluminationColorCodeSequence": [_code(FULL_SPECTRUM)],
    }
    return {**optics, "ICCProfile": PLACEHOLDER} if has_profile(version) else optics


def _channel_path(c: int, channel: Channel) -> dict[str, Any]:
    """The optical path of a channel (DW22); the wavelength is that of its excitation."""
    light: dict[str, Any] = {"IlluminationColorCodeSequence": [_code(FULL_SPECTRUM)]}
    if channel.excitation_nm:
        light = {"IlluminationWaveLength": channel.excitation_nm}
    return {
        "OpticalPathIdentifier": path_identifier(c),
        "OpticalPathDescription": channel.name[:SHORT_TEXT],
        "IlluminationTypeCodeSequence": [_code(EPIFLUORESCENCE)],
        **light,
    }


def path_identifier(c: int) -> str:
    """Of the optical path of a channel."""
    return str(c + 1)


def _geometry(slide: DicomSlide, level: int) -> dict[str, Any]:
    """Where the level lies: all levels cover the same area; a pixel of a level is a square of level 0 (DW6)."""
    version = slide.version
    columns, rows = version.pyramid.level_size(level)
    x, y = slide.mpp or (1.0, 1.0)
    width, height = version.pyramid.width * x / MICROMETRES, version.pyramid.height * y / MICROMETRES
    spacing_um = version.manifest.plane_spacing_um
    between = THICKNESS if spacing_um is None else spacing_um / MICROMETRES
    scale = (1 << level) / MICROMETRES
    apart = {"SpacingBetweenSlices": _decimal(between)} if version.planes > 1 else {}
    measures = {"PixelSpacing": [_decimal(y * scale), _decimal(x * scale)], "SliceThickness": _decimal(between)}
    groups: dict[str, Any] = {
        "PixelMeasuresSequence": [_item(**measures, **apart)],
        "WholeSlideMicroscopyImageFrameTypeSequence": [_item(FrameType=image_type(level))],
    }
    if version.groups == 1:
        groups["OpticalPathIdentificationSequence"] = [_item(OpticalPathIdentifier=path_identifier(0))]
    if level:
        groups["DerivationImageSequence"] = []
    axes = "XYZ" if version.planes > 1 else "XY"
    origin = {f"{axis}OffsetInSlideCoordinateSystem": _decimal(0) for axis in axes}
    return {
        "ImagedVolumeWidth": width,
        "ImagedVolumeHeight": height,
        "ImagedVolumeDepth": between * MICROMETRES * version.planes,
        "TotalPixelMatrixColumns": columns,
        "TotalPixelMatrixRows": rows,
        "TotalPixelMatrixFocalPlanes": version.planes,
        "TotalPixelMatrixOriginSequence": [_item(**origin)],
        "ImageOrientationSlide": [0, 1, 0, 1, 0, 0],  # rows along y, columns along x: shown as they are
        "VolumetricProperties": "VOLUME",
        "ExtendedDepthOfField": "NO",
        "FocusMethod": "AUTO",
        "DimensionOrganizationType": "TILED_FULL",
        "DimensionOrganizationSequence": [_item(DimensionOrganizationUID=slide.uid(UidKind.PART, DIMENSIONS))],
        "SharedFunctionalGroupsSequence": [_item(**groups)],
    }


def image_type(level: int) -> list[str]:
    """Level 0 is the scanned picture, the others are made of it."""
    return ["DERIVED", "PRIMARY", "VOLUME", "RESAMPLED"] if level else ["ORIGINAL", "PRIMARY", "VOLUME", "NONE"]


def frame_count(version: SlideVersion, level: int) -> int:
    """A frame for each tile of each focal plane and channel group."""
    columns, rows = version.grids[level]
    return columns * rows * version.planes * version.groups


def text(value: str) -> str:
    """As a value of DICOM: a backslash would separate two values."""
    return value.replace("\\", "/").strip()[:TEXT]


def _ratio(version: SlideVersion) -> float:
    """How many times smaller the stored slide is than its pixels."""
    manifest = version.manifest
    pixels = manifest.width * manifest.height * manifest.channels * manifest.planes * manifest.dtype.itemsize
    stored = sum(sum(sums) for sums in manifest.bytes)
    return max(1.0, round(4 / 3 * pixels / max(1, stored), 2))


def _item(**values: Any) -> Dataset:
    from pydicom.dataset import Dataset

    made = Dataset()
    for keyword, value in values.items():
        setattr(made, keyword, value)
    return made


def _code(code: tuple[str, str, str]) -> Dataset:
    value, scheme, meaning = code
    return _item(CodeValue=value, CodingSchemeDesignator=scheme, CodeMeaning=meaning)


def _decimal(value: float) -> Any:
    """A decimal of at most 16 characters, as a number too: DICOM JSON has the number."""
    from pydicom.valuerep import DSfloat, format_number_as_ds

    return DSfloat(float(format_number_as_ds(float(value))), auto_format=True)
