"""An export on its way back: the files of its version, from the folder or from the archive (SH25)."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from wavescope.errors import UnreadableSource
from wavescope.store.exported.sinks import DOCUMENT, is_archive
from wavescope.store.objects.backend import Files, FolderFiles
from wavescope.store.objects.client import CHUNK

MAX_DOCUMENT = 16 << 20
DIGEST = re.compile(r"[0-9a-f]{32}")


class Export(NamedTuple):
    """``title``: what the slide was called where it was exported."""

    files: Files
    digest: str
    title: str


def is_export(path: Path) -> bool:
    """Whether a file or folder looks like an export, by names alone."""
    return (path / DOCUMENT).is_file() if path.is_dir() else is_archive(path)


@contextmanager
def opened_export(path: Path) -> Iterator[Export]:
    """The version in an export, of which only its description was read. Raises UnreadableSource."""
    try:
        if path.is_dir():
            yield _described(path, FolderFiles(path))
        else:
            with zipfile.ZipFile(path) as archive:
                yield _described(path, ArchiveFiles(archive))
    except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
        raise UnreadableSource(path, f"it is no export that can be read: {error}") from error


class ArchiveFiles:
    """The files of a version in an archive without compression (SH10, SH11)."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._entries = {one.filename: one for one in archive.infolist() if one.compress_type == zipfile.ZIP_STORED}

    def size(self, path: str) -> int | None:
        entry = self._entries.get(path)
        return None if entry is None else entry.file_size

    def chunks(self, path: str) -> Iterator[bytes]:
        with self._archive.open(self._entry(path)) as stream:
            while chunk := stream.read(CHUNK):
                yield chunk

    def read(self, path: str, start: int, length: int) -> bytes:
        with self._archive.open(self._entry(path)) as stream:
            stream.seek(start)
            data = stream.read(length)
        if len(data) != length:
            raise ValueError(f"the file ends at byte {start + len(data)}, {start + length} were expected")
        return data

    def whole(self, path: str, max_bytes: int) -> bytes:
        entry = self._entry(path)
        if entry.file_size > max_bytes:
            raise ValueError(f"it has {entry.file_size} bytes, {max_bytes} are allowed")
        return self._archive.read(entry)

    def _entry(self, path: str) -> zipfile.ZipInfo:
        entry = self._entries.get(path)
        if entry is None:
            raise FileNotFoundError(path)
        return entry


def _described(path: Path, files: Files) -> Export:
    try:
        slide = json.loads(files.whole(DOCUMENT, MAX_DOCUMENT))["slide"]
        digest, title = slide["digest"], slide["title"]
    except (FileNotFoundError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise UnreadableSource(path, f"its {DOCUMENT} cannot be read") from error
    if not isinstance(digest, str) or not DIGEST.fullmatch(digest) or not isinstance(title, str):
        raise UnreadableSource(path, f"its {DOCUMENT} describes no slide")
    return Export(files, digest, title)
