"""The files of a source, and the fingerprint of their content."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Sequence
from io import BufferedReader
from pathlib import Path

from wavescope.errors import SourceError, UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits
from wavescope.source.dicom.series import begins_as_dicom, is_dicom, series_of
from wavescope.source.ome_zarr.metadata import is_ome_zarr, zarr_files
from wavescope.source.tiff.chain import is_tiff
from wavescope.source.tiff.ome_files import is_companion, ome_files

HEAD = 256


KINDS = {
    stat.S_IFIFO: "a FIFO (named pipe)",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def check_regular(path: Path) -> None:
    """Raise UnsupportedSource unless this is a file with content of its own: others may never end or never begin."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        kind = KINDS.get(stat.S_IFMT(mode), "something else")
        raise UnsupportedSource(path, f"it is {kind}, neither a file nor a folder")


def open_regular(path: Path) -> BufferedReader:
    """Opens a regular file to read; never waits for a writer. Raises UnsupportedSource, OSError."""
    check_regular(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # it may be another file by now
    return os.fdopen(descriptor, "rb")


def head_of(path: Path) -> bytes:
    """The first bytes, by which a kind of file is known. Raises UnsupportedSource, OSError."""
    with open_regular(path) as stream:
        return stream.read(HEAD)


def folder_files(folder: Path) -> list[Path]:
    """The files directly in a folder, by name, without hidden ones."""
    return sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))


def source_files(path: Path) -> list[Path]:
    """All files of a source: the file itself, the files of a DICOM series or of another folder, the folder beside a
    MIRAX file. Raises SourceError kinds.
    """
    try:
        if path.is_dir():
            if is_ome_zarr(path):
                return zarr_files(path)
            files = folder_files(path)
            return [instance.path for instance in series_of(path).instances] if holds_dicom(files) else files
        companions = companion_files(path)
        if companions:
            return companions
        head = head_of(path)
        if is_dicom(head):
            return _series_files(path)
        if is_tiff(head) or is_companion(path):
            return _ome_files(path)
    except OSError as error:
        raise UnreadableSource(path, error.strerror or str(error)) from error
    return [path]


def companion_files(path: Path) -> list[Path]:
    """The files of a slide that a reader finds by their places: of MIRAX and Hamamatsu slides; none of other ones.

    Raises UnsupportedSource if one of them is no file: the reader would wait for it for ever.
    """
    folder = path.with_suffix("") if path.suffix.lower() == ".mrxs" else path.parent
    if path.suffix.lower() not in (".mrxs", ".vms", ".vmu") or not folder.is_dir():
        return []
    irregular = irregular_files(folder)
    if irregular:
        check_regular(irregular[0])
    return folder_files(folder) if folder == path.parent else [path, *folder_files(folder)]


def irregular_files(folder: Path) -> list[Path]:
    """FIFOs, sockets and devices in a folder."""
    return [file for file in sorted(folder.iterdir()) if file.exists() and not (file.is_file() or file.is_dir())]


def holds_dicom(files: Sequence[Path]) -> bool:
    """Whether one of the files is a DICOM file."""
    return any(begins_as_dicom(file) for file in files)


def _series_files(path: Path) -> list[Path]:
    try:
        return [instance.path for instance in series_of(path).instances]
    except SourceError:
        return [path]


def _ome_files(path: Path) -> list[Path]:
    """The files of an OME-TIFF; of a damaged one the file itself, for its reader to refuse."""
    try:
        slide = ome_files(path, Limits())
    except SourceError:
        return [path]
    return sorted(slide.files) if slide else [path]


def source_size(files: Sequence[Path]) -> int:
    """Bytes on disk."""
    return sum(file.stat().st_size for file in files)


def files_fingerprint(files: Sequence[Path], path: Path | None = None) -> str:
    """The fingerprint of a source (ST97): the SHA-256 of its file; of several, that of their names and hashes.
    ``path``: of the source; the files of an OME-Zarr are named by their places in it.

    Times of modification, places on disk and, for single files and DICOM instances, names play no part. It reads every
    byte: what is not read could differ between two sources with one fingerprint.
    """
    try:
        if len(files) == 1:
            return _sha256(files[0]).hex()
        digest = hashlib.sha256(b"wavescope folder 2")
        root = path if path is not None and path.is_dir() and is_ome_zarr(path) else None
        for name, content in sorted((_name_of(file, root), _sha256(file)) for file in files):
            digest.update(name + b"\0" + content)
    except OSError as error:
        raise UnreadableSource(files[0], error.strerror or str(error)) from error
    return digest.hexdigest()


def of_time(fingerprint: str, time: int) -> str:
    """The fingerprint of one time point of a file, from 0; that of the first is the file's own (ST97)."""
    return hashlib.sha256(f"wavescope time {time} {fingerprint}".encode()).hexdigest() if time else fingerprint


def _name_of(file: Path, root: Path | None) -> bytes:
    """Instances are sent without the names of their files."""
    if root is not None:
        return os.fsencode(file.relative_to(root).as_posix())
    return b"" if begins_as_dicom(file) else os.fsencode(file.name)


def _sha256(path: Path) -> bytes:
    with open_regular(path) as stream:
        return hashlib.file_digest(stream, "sha256").digest()
