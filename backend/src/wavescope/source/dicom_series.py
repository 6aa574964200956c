"""The files of a DICOM whole slide: one series, one or more files per level. The only file that knows pydicom."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wavescope.errors import SourceError, UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits
from wavescope.source.dicom_frames import compressed_bytes

if TYPE_CHECKING:
    from pydicom.dataset import FileDataset

WHOLE_SLIDE = "1.2.840.10008.5.1.4.1.1.77.1.6"
PREAMBLE = 128
TAGS = [
    "SOPClassUID",
    "SeriesInstanceUID",
    "ImageType",
    "TotalPixelMatrixColumns",
    "TotalPixelMatrixRows",
    "Columns",
    "Rows",
    "NumberOfFrames",
    "ExtendedOffsetTable",
    "BitsAllocated",
    "SamplesPerPixel",
    "Manufacturer",
    "NumberOfOpticalPaths",
    "OpticalPathSequence",
]
# Modules that may tell of a person, an institution, a device or a day; what only describes the picture is left out.
PERSONAL_GROUPS = frozenset({0x0008, 0x0010, 0x0012, 0x0018, 0x0020, 0x0032, 0x0038, 0x0040, 0x4008})
BINARY = frozenset({"OB", "OW", "OD", "OF", "OL", "OV", "UN", "US", "UL", "FD", "FL", "AT"})
STRUCTURAL = frozenset(
    {
        "SpecificCharacterSet",
        "ImageType",
        "SOPClassUID",
        "Modality",
        "VolumetricProperties",
        "DimensionOrganizationType",
        "PositionReferenceIndicator",
    }
)
DEEPEST = 3  # sequences within sequences
PIXEL_DATA = (0x7FE0, 0x0010)
UNDEFINED = 0xFFFFFFFF
BYTES_PER_PIXEL = 4


@cache
def _pydicom() -> Any:
    """The library, imported when the first DICOM file is met: it takes as long as all other readers together.

    Odd values in fields that are not read here are none of our business; what is read is checked below.
    """
    import pydicom

    pydicom.config.settings.reading_validation_mode = pydicom.config.IGNORE
    return pydicom


@dataclass(frozen=True)
class Instance:
    """One file of a series, without its pixels."""

    path: Path
    series: str
    kind: str
    """VOLUME, LABEL, OVERVIEW, THUMBNAIL."""
    columns: int
    rows: int
    frame: tuple[int, int]
    bits: int
    samples: int
    optical_paths: int
    manufacturer: str | None
    objective_power: float | None
    icc_profile: bytes | None
    pixel_bytes: int


def is_dicom(head: bytes) -> bool:
    """Whether a file beginning like this is a DICOM file."""
    return head[PREAMBLE : PREAMBLE + 4] == b"DICM"


def whole_slide_of(path: Path, limits: Limits | None = None) -> list[Instance]:
    """The instances of the one whole slide that ``path`` (a file of it, or its folder) belongs to, sorted by file name.

    Raises UnsupportedSource if there is none or more than one, UnreadableSource if a file of it is truncated.
    """
    try:
        instances = _whole_slide_of(path)
    except (SourceError, OSError):
        raise
    except Exception as error:  # pydicom parses values late, and meets hostile files with exceptions of every kind
        raise UnreadableSource(path, f"not a valid DICOM file: {type(error).__name__}: {error}") from error
    for instance in instances:
        _check_frame(instance, limits or Limits())
    return instances


def _check_frame(instance: Instance, limits: Limits) -> None:
    """openslide ends the whole process when it cannot get the memory for a frame, so this is checked before."""
    needed = BYTES_PER_PIXEL * math.prod(instance.frame)
    if needed > limits.decoded_bytes:
        claim = f"frames of {instance.frame[0]} x {instance.frame[1]} pixels, {needed:,} bytes decoded"
        raise UnreadableSource(instance.path, f"it claims {claim}; the limit is {limits.decoded_bytes:,} bytes")


def _whole_slide_of(path: Path) -> list[Instance]:
    folder = path if path.is_dir() else path.parent
    wanted = None if path.is_dir() else _headers(path)
    if wanted is not None and str(wanted.get("SOPClassUID", "")) != WHOLE_SLIDE:
        raise UnsupportedSource(path, "a DICOM file, but no whole slide (VL Whole Slide Microscopy Image)")
    candidates = [path] if wanted is not None else []
    candidates += [
        file for file in sorted(folder.iterdir()) if file.is_file() and file != path and _begins_as_dicom(file)
    ]
    instances: list[Instance] = []
    for file in candidates:
        headers = wanted if wanted is not None and file == path else _headers(file)
        if str(headers.get("SOPClassUID", "")) != WHOLE_SLIDE:
            continue
        if wanted is None or headers.SeriesInstanceUID == wanted.SeriesInstanceUID:
            instances.append(_instance(file, headers))
    series = {instance.series for instance in instances}
    if len(series) != 1:
        found = (
            f"{len(series)} DICOM whole slides; name one file of the wanted one" if series else "no DICOM whole slide"
        )
        raise UnsupportedSource(path, f"this folder holds {found}")
    return sorted(instances, key=lambda instance: instance.path.name)


def identifying_instances(path: Path) -> list[Path]:
    """The files of the slide's series, those of its levels first. Raises SourceError."""
    instances = whole_slide_of(path)
    kept = {instance.path for instance in volumes(instances)}
    return sorted((instance.path for instance in instances), key=lambda file: file not in kept)


def identifying_texts(path: Path) -> dict[str, str]:
    """Everything in the modules of patient, study, series, specimen and equipment, and private elements, by name.

    Raises SourceError.
    """
    file = identifying_instances(path)[0]
    try:
        headers = _pydicom().dcmread(file, stop_before_pixels=True)
        return dict(_leaves(headers, "dicom.", 0))
    except Exception as error:  # as above
        raise UnreadableSource(file, f"not a valid DICOM file: {type(error).__name__}: {error}") from error


def _leaves(dataset: Any, prefix: str, depth: int) -> Iterator[tuple[str, str]]:
    for element in dataset:
        if not (element.tag.is_private or element.tag.group in PERSONAL_GROUPS or depth):
            continue
        name = prefix + (element.keyword or f"{element.tag.group:04X},{element.tag.element:04X}")
        if element.VR == "SQ":
            for number, item in enumerate(element.value if depth < DEEPEST else ()):
                yield from _leaves(item, f"{name}[{number}].", depth + 1)
        elif element.VR not in BINARY and element.keyword not in STRUCTURAL:
            yield name, str(element.value)


def volumes(instances: list[Instance]) -> list[Instance]:
    """The levels of the slide: never the label or the overview."""
    return [instance for instance in instances if instance.kind in ("VOLUME", "THUMBNAIL")]


def _begins_as_dicom(path: Path) -> bool:
    with path.open("rb") as stream:
        return is_dicom(stream.read(PREAMBLE + 4))


def _headers(path: Path) -> FileDataset:
    try:
        headers: FileDataset = _pydicom().dcmread(path, stop_before_pixels=True, specific_tags=list(TAGS))
    except Exception as error:  # pydicom meets hostile files with exceptions of every kind
        raise UnreadableSource(path, f"not a valid DICOM file: {type(error).__name__}: {error}") from error
    if "SOPClassUID" not in headers or "SeriesInstanceUID" not in headers:
        raise UnreadableSource(path, "not a valid DICOM file: it does not say what it is")
    return headers


def _instance(path: Path, headers: FileDataset) -> Instance:
    try:
        optics = headers.get("OpticalPathSequence") or [_pydicom().Dataset()]
        power = optics[0].get("ObjectiveLensPower")
        profile = optics[0].get("ICCProfile")
        return Instance(
            path=path,
            series=str(headers.SeriesInstanceUID),
            kind=str(headers.ImageType[2]),
            columns=int(headers.TotalPixelMatrixColumns),
            rows=int(headers.TotalPixelMatrixRows),
            frame=(int(headers.Columns), int(headers.Rows)),
            bits=int(headers.BitsAllocated),
            samples=int(headers.SamplesPerPixel),
            optical_paths=max(len(optics), int(headers.get("NumberOfOpticalPaths") or 1)),
            manufacturer=str(headers.get("Manufacturer") or "") or None,
            objective_power=float(power) if power else None,
            icc_profile=bytes(profile) if profile else None,
            pixel_bytes=_pixel_bytes(path, headers),
        )
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise UnreadableSource(path, f"a DICOM whole slide without the fields it must have: {error}") from error


def _pixel_bytes(path: Path, headers: FileDataset) -> int:
    """Bytes of the pixels as they are stored, found by walking the file; UnreadableSource if they are not all there."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        syntax = (
            _pydicom()
            .dcmread(stream, stop_before_pixels=True, specific_tags=["SOPClassUID"])
            .file_meta.TransferSyntaxUID
        )
        if syntax.is_deflated or not syntax.is_little_endian:
            raise UnsupportedSource(path, f"DICOM slides in the transfer syntax {syntax.name} are not read")
        length = 8 if syntax.is_implicit_VR else 12
        head = stream.read(length)
        start = stream.tell()
    if len(head) < length or struct.unpack_from("<HH", head) != PIXEL_DATA:
        raise UnreadableSource(path, "truncated: it has no pixels")
    (count,) = struct.unpack_from("<I", head, length - 4)
    frames = int(headers.NumberOfFrames)
    if count == UNDEFINED:
        return compressed_bytes(path, start, frames, bytes(headers.get("ExtendedOffsetTable") or b""))
    samples = int(headers.Rows) * int(headers.Columns) * int(headers.SamplesPerPixel) * frames
    if start + count > size or count < samples * int(headers.BitsAllocated) // 8:
        raise UnreadableSource(path, "truncated: its pixels are not all there")
    return int(count)
