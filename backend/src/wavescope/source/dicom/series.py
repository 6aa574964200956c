"""The files of a DICOM whole slide: one series, one or more files per level."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wavescope.errors import SourceError, UnreadableSource, UnsupportedSource, WavescopeError
from wavescope.source.base import Limits
from wavescope.source.dicom.frames import Pieces, compressed_frames
from wavescope.source.dicom.library import require_pydicom

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
# Modules that may identify a person, an institution, a device or a day; what only describes the picture is left out.
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

    Invalid values in fields that are not used here do not matter; used ones are checked below. Raises MissingPackage.
    """
    pydicom = require_pydicom("a DICOM slide")
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
    paths: tuple[str, ...] = ()
    """The identifiers of its optical paths."""


def is_dicom(head: bytes) -> bool:
    """Whether a file beginning like this is a DICOM file."""
    return head[PREAMBLE : PREAMBLE + 4] == b"DICM"


@dataclass(frozen=True)
class Series:
    """One whole slide: its files, sorted by name. ``notices`` name the damaged files of others beside them."""

    instances: list[Instance]
    notices: tuple[str, ...] = ()


def whole_slide_of(path: Path, limits: Limits | None = None) -> Series:
    """``series_of``, with frames that may be decoded. Raises as it does, UnreadableSource for frames too large."""
    series = series_of(path)
    for instance in series.instances:
        _check_frame(instance, limits or Limits())
    return series


def series_of(path: Path) -> Series:
    """The one whole slide that ``path`` (a file of it, or its folder) belongs to.

    A damaged file that does not belong to it, or cannot be known to, is passed over with a notice. Raises
    UnsupportedSource if there is no slide or more than one, UnreadableSource if a file of it is truncated.
    """
    with _pydicom_errors(path):
        return _only(path, *_slides_of(path))


@contextmanager
def _pydicom_errors(path: Path) -> Iterator[None]:
    """Raises UnreadableSource for what pydicom raises: it parses values late, and hostile files raise anything."""
    try:
        yield
    except (WavescopeError, OSError, MemoryError):
        raise
    except Exception as error:
        raise UnreadableSource(path, f"not a valid DICOM file: {type(error).__name__}: {error}") from error


def _check_frame(instance: Instance, limits: Limits) -> None:
    """openslide ends the whole process when it cannot get the memory for a frame, so this is checked before."""
    needed = BYTES_PER_PIXEL * math.prod(instance.frame)
    if needed > limits.decoded_bytes:
        claim = f"frames of {instance.frame[0]} x {instance.frame[1]} pixels, {needed:,} bytes decoded"
        raise UnreadableSource(instance.path, f"it claims {claim}; the limit is {limits.decoded_bytes:,} bytes")


def count_slides(folder: Path) -> int:
    """The number of DICOM whole slides in a folder. Raises UnreadableSource, UnsupportedSource."""
    with _pydicom_errors(folder):
        return len(_slides_of(folder)[0])


def _slides_of(path: Path) -> tuple[list[list[Instance]], list[SourceError]]:
    """The files of each whole slide, and what is wrong with the damaged ones; with pydicom's errors."""
    wanted = None if path.is_dir() else _headers(path)
    if wanted is not None and str(wanted.get("SOPClassUID", "")) != WHOLE_SLIDE:
        raise UnsupportedSource(path, "a DICOM file, but no whole slide (VL Whole Slide Microscopy Image)")
    found: dict[str, list[tuple[Path, FileDataset]]] = {}
    if wanted is not None:
        found[str(wanted.SeriesInstanceUID)] = [(path, wanted)]
    damaged: list[SourceError] = []
    for file in _siblings(path):
        try:
            headers = _headers(file)
        except SourceError as error:
            damaged.append(error)
            continue
        uid = str(headers.SeriesInstanceUID)
        if str(headers.get("SOPClassUID", "")) == WHOLE_SLIDE and (wanted is None or uid in found):
            found.setdefault(uid, []).append((file, headers))
    whole: list[list[Instance]] = []
    for files in found.values():
        try:
            whole.append([_instance(file, headers) for file, headers in files])
        except UnreadableSource as error:
            damaged.append(error)
    return whole, damaged


def _only(path: Path, whole: list[list[Instance]], damaged: list[SourceError]) -> Series:
    if not whole and damaged:
        raise damaged[-1]
    if len(whole) != 1:
        found = f"{len(whole)} DICOM whole slides; name one file of the wanted one" if whole else "no DICOM whole slide"
        raise UnsupportedSource(path, f"this folder holds {found}")
    notices = tuple(f"{error} (passed over: not known to belong to this slide)" for error in damaged)
    return Series(sorted(whole[0], key=lambda instance: instance.path.name), notices)


def _siblings(path: Path) -> list[Path]:
    """The DICOM files of a folder, or those beside a file."""
    folder = path if path.is_dir() else path.parent
    return [file for file in sorted(folder.iterdir()) if file.is_file() and file != path and begins_as_dicom(file)]


def identifying_instances(path: Path) -> list[Path]:
    """The files of the slide's series, those of its levels first. Raises SourceError."""
    instances = series_of(path).instances
    volume_files = {instance.path for instance in volumes(instances)}
    return sorted((instance.path for instance in instances), key=lambda file: file not in volume_files)


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


def begins_as_dicom(path: Path) -> bool:
    """Whether the file can be read and calls itself DICOM."""
    try:
        with path.open("rb") as stream:
            return is_dicom(stream.read(PREAMBLE + 4))
    except OSError:  # another's file
        return False


def _headers(path: Path) -> FileDataset:
    reader = _pydicom()
    try:
        headers: FileDataset = reader.dcmread(path, stop_before_pixels=True, specific_tags=list(TAGS))
    except MemoryError:
        raise
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
            pixel_bytes=sum(length for pieces in frames_of(path, headers) for _, length in pieces),
            paths=tuple(str(one.get("OpticalPathIdentifier", "")) for one in optics),
        )
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise UnreadableSource(path, f"a DICOM whole slide without the fields it must have: {error}") from error


def frames_of(path: Path, headers: FileDataset) -> list[Pieces]:
    """Where the pixels of each frame are, found by walking the file; UnreadableSource if they are not all there."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        headers_only = _pydicom().dcmread(stream, stop_before_pixels=True, specific_tags=["SOPClassUID"])
        syntax = headers_only.file_meta.TransferSyntaxUID
        if syntax.is_deflated or not syntax.is_little_endian:
            raise UnsupportedSource(path, f"DICOM slides in the transfer syntax {syntax.name} are not read")
        length = 8 if syntax.is_implicit_VR else 12
        head = stream.read(length)
        start = stream.tell()
    if len(head) < length or struct.unpack_from("<HH", head) != PIXEL_DATA:
        raise UnreadableSource(path, "the file is cut off: it has no pixels")
    (count,) = struct.unpack_from("<I", head, length - 4)
    frames = int(headers.NumberOfFrames)
    if frames < 1:
        raise UnreadableSource(path, f"damaged: it claims {frames} frames")
    if count == UNDEFINED:
        return compressed_frames(path, start, frames, bytes(headers.get("ExtendedOffsetTable") or b""))
    frame = int(headers.Rows) * int(headers.Columns) * int(headers.SamplesPerPixel) * int(headers.BitsAllocated) // 8
    if start + count > size:
        raise UnreadableSource.cut_off(path, size, start + count)
    if frame < 1 or count < frame * frames:
        raise UnreadableSource(path, "damaged: it has fewer pixels than its frames need")
    return [[(start + i * frame, frame)] for i in range(frames)]


def full_headers(path: Path) -> FileDataset:
    """All of a file but its pixels. Raises UnreadableSource."""
    with _pydicom_errors(path):
        headers: FileDataset = _pydicom().dcmread(path, stop_before_pixels=True)
        return headers
