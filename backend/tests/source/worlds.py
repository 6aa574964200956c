"""Small slide files, made inside the tests."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pydicom
import tifffile
from numpy.typing import NDArray
from PIL import Image
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.encaps import encapsulate
from pydicom.uid import UID, ExplicitVRLittleEndian, JPEGBaseline8Bit, generate_uid

APERIO = (
    "Aperio Image Library v11.2.1\r\n"
    "{width}x{height} [0,0 {width}x{height}] (64x64) JPEG/RGB Q=90|AppMag = 20|MPP = 0.5"
)
PATIENT = "|User = jane-doe|Filename = DOE^JANE 1955|Date = 12/29/09"


def tissue(height: int, width: int, channels: int = 3, seed: int = 0) -> NDArray[np.uint8]:
    """A smooth picture with some noise: colours of every brightness, and no two pixels' places alike."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width]
    waves = [128 + 90 * np.sin(x / (9 + c) + seed) * np.cos(y / (13 + 2 * c)) for c in range(channels)]
    noisy = np.stack(waves, axis=2) + rng.normal(0, 6, (height, width, channels))
    picture: NDArray[np.uint8] = np.clip(noisy, 0, 255).astype(np.uint8)
    return picture if channels > 1 else picture[..., 0]


def write_svs(path: Path, picture: NDArray[np.uint8], **options: Any) -> Path:
    """A minimal Aperio slide: tiles of 64 x 64 as JPEG, the directory in front of the tiles."""
    height, width, _ = picture.shape
    description = APERIO.format(width=width, height=height) + PATIENT
    settings: dict[str, Any] = {"compression": "jpeg", "compressionargs": {"level": 90}, **options}
    tifffile.imwrite(
        path, picture, tile=(64, 64), photometric="rgb", description=description, metadata=None, **settings
    )
    return path


def jpeg_of(picture: NDArray[np.uint8]) -> bytes:
    """A picture as baseline JPEG."""
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "JPEG", quality=95)
    return stream.getvalue()


def decoded(jpeg: bytes) -> NDArray[np.uint8]:
    """What a JPEG holds."""
    return np.asarray(Image.open(io.BytesIO(jpeg)))


def write_dicom(
    path: Path, tiles: list[bytes], size: tuple[int, int], *, side: int, planes: int = 1, series: str = ""
) -> Path:
    """One level of a DICOM whole slide (TILED_FULL, JPEG baseline); ``tiles`` go row by row, plane by plane."""
    width, height = size
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = UID("1.2.840.10008.5.1.4.1.1.77.1.6")
    meta.MediaStorageSOPInstanceUID = generate_uid()
    meta.TransferSyntaxUID = JPEGBaseline8Bit
    data = FileDataset(str(path), {}, file_meta=meta, preamble=b"\0" * 128)
    data.SOPClassUID, data.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
    data.SeriesInstanceUID = series or generate_uid()
    data.StudyInstanceUID = generate_uid()
    data.FrameOfReferenceUID = generate_uid()
    data.Modality, data.Manufacturer, data.SeriesNumber, data.InstanceNumber = "SM", "Wavescope", 1, 1
    data.ManufacturerModelName, data.DeviceSerialNumber, data.SoftwareVersions = "test", "1", "1"
    data.ContentDate, data.ContentTime, data.AcquisitionDateTime = "20200101", "000000", "20200101000000"
    data.PatientName, data.PatientID = "Doe^Jane", "1955"
    data.StudyDate, data.StudyTime, data.AccessionNumber, data.StudyID = "20200101", "000000", "", ""
    data.ImageType = ["ORIGINAL", "PRIMARY", "VOLUME", "NONE"]
    data.ImagedVolumeWidth, data.ImagedVolumeHeight, data.ImagedVolumeDepth = width * 5e-4, height * 5e-4, 0.001
    data.TotalPixelMatrixColumns, data.TotalPixelMatrixRows = width, height
    data.TotalPixelMatrixFocalPlanes, data.NumberOfOpticalPaths = planes, 1
    data.Rows = data.Columns = side
    data.NumberOfFrames = len(tiles)
    data.SamplesPerPixel, data.PhotometricInterpretation, data.PlanarConfiguration = 3, "YBR_FULL_422", 0
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = 8, 8, 7, 0
    data.LossyImageCompression, data.BurnedInAnnotation, data.SpecimenLabelInImage = "01", "NO", "NO"
    data.LossyImageCompressionMethod, data.LossyImageCompressionRatio = "ISO_10918_1", 10
    data.VolumetricProperties, data.FocusMethod, data.ExtendedDepthOfField = "VOLUME", "AUTO", "NO"
    data.DimensionOrganizationType = "TILED_FULL"
    data.ImageOrientationSlide = [0, -1, 0, -1, 0, 0]
    origin = Dataset()
    origin.XOffsetInSlideCoordinateSystem, origin.YOffsetInSlideCoordinateSystem = 0.0, 0.0
    data.TotalPixelMatrixOriginSequence = [origin]
    measures = Dataset()
    measures.PixelSpacing, measures.SliceThickness, measures.SpacingBetweenSlices = [5e-4, 5e-4], 0.001, 0.002
    frame_type = Dataset()
    frame_type.FrameType = data.ImageType
    shared = Dataset()
    shared.PixelMeasuresSequence = [measures]
    shared.WholeSlideMicroscopyImageFrameTypeSequence = [frame_type]
    data.SharedFunctionalGroupsSequence = [shared]
    data.OpticalPathSequence = [_optical_path()]
    data.DimensionOrganizationSequence = [Dataset()]
    data.DimensionOrganizationSequence[0].DimensionOrganizationUID = generate_uid()
    data.PixelData = encapsulate(tiles)
    data["PixelData"].is_undefined_length = True
    pydicom.dcmwrite(path, data, enforce_file_format=True)
    return path


def _optical_path() -> Dataset:
    path = Dataset()
    path.OpticalPathIdentifier = "0"
    path.ObjectiveLensPower = 20
    for name, value, scheme, meaning in (
        ("IlluminationTypeCodeSequence", "111744", "DCM", "Brightfield illumination"),
        ("IlluminationColorCodeSequence", "414298005", "SCT", "Full Spectrum"),
    ):
        code = Dataset()
        code.CodeValue, code.CodingSchemeDesignator, code.CodeMeaning = value, scheme, meaning
        setattr(path, name, [code])
    return path


def write_dicom_text(path: Path) -> Path:
    """A DICOM file that is no picture."""
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = UID("1.2.840.10008.5.1.4.1.1.88.11")
    meta.MediaStorageSOPInstanceUID = generate_uid()
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data = FileDataset(str(path), {}, file_meta=meta, preamble=b"\0" * 128)
    data.SOPClassUID, data.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
    data.SeriesInstanceUID = generate_uid()
    pydicom.dcmwrite(path, data, enforce_file_format=True)
    return path
