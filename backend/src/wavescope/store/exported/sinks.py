"""Where an exported slide is written: a folder, or one archive without compression (SH1, SH10). All or nothing."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Protocol

from wavescope.errors import InvalidParameter
from wavescope.store.durable import (
    full_disk_reported,
    make_directory,
    sync_directory,
    sync_tree_directories,
    write_file,
)

DOCUMENT = "export.json"
"""The file that an exported slide is opened by; a folder with it is an export (SH2)."""
ARCHIVE = ".wsz"
DATE = (1980, 1, 1, 0, 0, 0)
"""Of every entry: the same slide gives the same bytes."""
MAX_ENTRY = 2_000_000_000
"""Bytes of one entry: for a larger one zipfile writes fields that readers refuse (SH12)."""


class Sink(Protocol):
    """Takes the files of an export, one after another."""

    def add(self, path: str, length: int, chunks: Iterable[bytes]) -> None:
        """``length``: of all pieces together. Raises OSError, StoreFull."""
        ...


class FolderSink:
    """Files in a folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def add(self, path: str, length: int, chunks: Iterable[bytes]) -> None:
        make_directory((self._root / path).parent)
        write_file(self._root / path, chunks)


class ArchiveSink:
    """Entries of a ZIP archive, stored as they are, one directly after another (SH10, SH11)."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    def add(self, path: str, length: int, chunks: Iterable[bytes]) -> None:
        if length > MAX_ENTRY:
            raise InvalidParameter("the slide", path, f"files of at most {MAX_ENTRY} bytes; export it to a folder")
        entry = zipfile.ZipInfo(path, DATE)
        entry.file_size = length
        entry.external_attr = 0o644 << 16
        with self._archive.open(entry, "w") as stream:
            for chunk in chunks:
                stream.write(chunk)


@contextmanager
def archive_in(stream: IO[bytes]) -> Iterator[Sink]:
    """A sink whose archive is complete in ``stream`` once the block ends without an error."""
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        yield ArchiveSink(archive)


@contextmanager
def exporting(target: Path, *, replace: bool) -> Iterator[Sink]:
    """A sink whose files are at ``target`` once the block ends without an error; ``.wsz`` is an archive.

    Raises InvalidParameter if something else is there, or an export and not ``replace``; OSError, StoreFull.
    """
    check_target(target, replace=replace)
    work = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with full_disk_reported(target.parent):
            if is_archive(target):
                with work.open("wb") as stream:
                    with archive_in(stream) as sink:
                        yield sink
                    stream.flush()
                    os.fsync(stream.fileno())
                work.replace(target)
            else:
                work.mkdir()
                yield FolderSink(work)
                sync_tree_directories(work)
                _put_folder(work, target)
            sync_directory(target.parent)
    finally:
        _removed(work)


def is_archive(target: Path) -> bool:
    """Whether the name is that of the one-file form."""
    return target.suffix.lower() == ARCHIVE


def check_target(target: Path, *, replace: bool) -> None:
    """Raises InvalidParameter if nothing may be written there."""

    def rejected(expected: str) -> InvalidParameter:
        return InvalidParameter("the target", str(target), expected)

    if not target.parent.is_dir():
        raise rejected("a path in a folder that exists")
    if not target.exists():
        return
    if is_archive(target) != target.is_file():
        raise rejected("a folder, or a file whose name ends in .wsz")
    empty = target.is_dir() and not any(target.iterdir())
    if not empty and not replace:
        raise rejected("a path that does not exist yet (or --replace)")
    if target.is_dir() and not empty and not (target / DOCUMENT).is_file():
        raise rejected("a folder with an export of before: another one is not replaced")


def _put_folder(work: Path, target: Path) -> None:
    """Renames; an export of before is removed afterwards."""
    before = target.with_name(f".{target.name}.{os.getpid()}.before.tmp")
    if target.exists():
        target.rename(before)
    work.rename(target)
    _removed(before)


def _removed(path: Path) -> None:
    with suppress(FileNotFoundError):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
