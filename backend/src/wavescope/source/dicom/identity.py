"""What a DICOM file says that it is, read without its pixels."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.source.dicom.library import require_pydicom

UIDS = ["SOPClassUID", "SOPInstanceUID", "StudyInstanceUID", "SeriesInstanceUID"]
LONGEST = 64  # characters of a UID


class InstanceIdentity(NamedTuple):
    """UIDs; empty where the file states none."""

    sop_class: str
    sop_instance: str
    study: str
    series: str


def identity_of(path: Path) -> InstanceIdentity:
    """Raises UnreadableSource for what is no DICOM file, UnsupportedSource for one that must be inflated to be read,
    MissingPackage.
    """
    require_pydicom("a DICOM file")
    from pydicom import dcmread
    from pydicom.filereader import read_file_meta_info

    try:
        syntax = read_file_meta_info(path).TransferSyntaxUID
        if syntax.is_deflated:
            raise UnsupportedSource(path, "DICOM files in a deflated transfer syntax are not read")
        headers = dcmread(path, stop_before_pixels=True, specific_tags=list(UIDS))
        return InstanceIdentity(*(str(headers.get(name, ""))[:LONGEST] for name in UIDS))
    except (UnsupportedSource, OSError, MemoryError):
        raise
    except Exception as error:  # pydicom meets hostile files with exceptions of every kind
        raise UnreadableSource(path, f"not a valid DICOM file: {type(error).__name__}") from error
