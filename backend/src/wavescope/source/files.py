"""Which files make up a source, and what identifies their content."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from wavescope.errors import SourceError, UnreadableSource
from wavescope.source.dicom_series import is_dicom, whole_slide_of

WHOLE = 4 << 20
END = 1 << 20
SAMPLE = 16 << 10
SAMPLES = 62
HEAD = 256


def head_of(path: Path) -> bytes:
    """The first bytes, by which a kind of file is known."""
    with path.open("rb") as stream:
        return stream.read(HEAD)


def folder_files(folder: Path) -> list[Path]:
    """The files directly in a folder, by name, without hidden ones."""
    return sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))


def source_files(path: Path) -> list[Path]:
    """All files of a source: the file itself, the files of a folder or a DICOM series, the folder beside a MIRAX
    file.
    """
    try:
        if path.is_dir():
            return folder_files(path)
        companion = path.with_suffix("")
        if path.suffix.lower() == ".mrxs" and companion.is_dir():
            return [path, *folder_files(companion)]
        if path.suffix.lower() in (".vms", ".vmu"):
            return folder_files(path.parent)
        if is_dicom(head_of(path)):
            return _series_files(path)
    except OSError as error:
        raise UnreadableSource(path, error.strerror or str(error)) from error
    return [path]


def _series_files(path: Path) -> list[Path]:
    try:
        return [instance.path for instance in whole_slide_of(path)]
    except SourceError:
        return [path]


def source_size(files: Sequence[Path]) -> int:
    """Bytes on disk."""
    return sum(file.stat().st_size for file in files)


def files_fingerprint(files: Sequence[Path]) -> str:
    """The identity of a source: of its files' names and contents if there are several, of the content alone if one.

    Times of modification, places on disk and, for single files, names play no part.
    """
    try:
        if len(files) == 1:
            return _file_fingerprint(files[0]).hex()
        digest = hashlib.sha256(b"wavescope folder 1")
        for file in files:
            digest.update(file.name.encode() + b"\0" + _file_fingerprint(file))
    except OSError as error:
        raise UnreadableSource(files[0], error.strerror or str(error)) from error
    return digest.hexdigest()


def _file_fingerprint(path: Path) -> bytes:
    """SHA-256 over the size and the content; above 4 MiB: the first and last MiB and 62 samples of 16 KiB between."""
    digest = hashlib.sha256(b"wavescope fingerprint 1")
    size = path.stat().st_size
    digest.update(size.to_bytes(8, "little"))
    with path.open("rb") as stream:
        if size <= WHOLE:
            digest.update(stream.read())
            return digest.digest()
        digest.update(stream.read(END))
        step = (size - 2 * END - SAMPLE) // (SAMPLES - 1)
        for index in range(SAMPLES):
            stream.seek(END + index * step)
            digest.update(stream.read(SAMPLE))
        stream.seek(size - END)
        digest.update(stream.read())
    return digest.digest()
