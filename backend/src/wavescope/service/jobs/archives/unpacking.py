"""Slides of many files in one upload: a ZIP archive is checked, unpacked, and becomes the source that it contains."""

from __future__ import annotations

import os
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from wavescope.config import Limits
from wavescope.errors import StoreFull, TooLarge, UnreadableSource, UnsupportedSource
from wavescope.service.jobs.archives.contents import move_to_archive, source_in
from wavescope.store.durable import make_private_directory, sync_directory
from wavescope.store.private import open_new

MAGIC = b"PK\x03\x04"
CHUNK = 1 << 20
NAME_BYTES = 255  # of each part of a path
DEPTH = 16  # parts of a path
ENTRY_BYTES = 4096  # of the archive's directory, for each file at most
RATIO = 200  # expanded bytes for each byte of the archive
SMALL = 64 << 20  # archives may expand to this in any case
END, END64, LOCATOR64 = struct.Struct("<4s4H2LH"), struct.Struct("<4sQ2H2L4Q"), struct.Struct("<4sLQL")
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
IGNORED = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini"})
ZARR = frozenset({".zgroup", ".zattrs", ".zarray"})
"""Files of Zarr version 2 that are needed although they are hidden."""
UNPACKED = ".unpacked"  # no upload has such a name: safe_name removes the dot

Entry = tuple[zipfile.ZipInfo, PurePosixPath]


def is_archive(path: Path) -> bool:
    """Whether an uploaded file is a ZIP archive, by its content; a folder is none."""
    if path.is_dir():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def unpack(archive: Path, limits: Limits) -> Path:
    """Replaces an archive by its files, and returns the source among them, which lies where the archive was.

    Everything is checked before anything is written. Raises TooLarge, StoreFull, UnreadableSource, UnsupportedSource.
    """
    target = archive.parent / UNPACKED
    try:
        with archive.open("rb") as file:
            check_directory(archive, file, limits.archive_files)
            with zipfile.ZipFile(file) as opened:
                entries = checked_entries(archive, opened.infolist(), limits)
                make_private_directory(target)
                for info, path in entries:
                    _extract(opened, info, target.joinpath(*path.parts))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error) as cause:
        raise UnreadableSource(archive, f"the archive is damaged: {cause}") from cause
    placed = move_to_archive(source_in(archive, target, [path for _, path in entries]), archive)
    shutil.rmtree(target, ignore_errors=True)
    sync_directory(archive.parent)
    return placed


def check_directory(archive: Path, file: BinaryIO, limit: int) -> None:
    """Returns if the archive's directory is of a size that may be read into memory. Raises TooLarge, UnreadableSource.

    The numbers are those at the end of the file (APPNOTE 4.3.14 to 4.3.16).
    """
    size = os.fstat(file.fileno()).st_size
    tail_size = min(size, END.size + 0xFFFF + LOCATOR64.size)
    file.seek(size - tail_size)
    tail = file.read(tail_size)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + END.size:
        raise UnreadableSource(archive, "the archive is cut: its directory is missing")
    _, _, _, _, count, directory, _, _ = END.unpack_from(tail, at)
    locator = at - LOCATOR64.size
    if locator >= 0 and tail[locator : locator + 4] == b"PK\x06\x07":
        _, _, offset, _ = LOCATOR64.unpack_from(tail, locator)
        file.seek(min(offset, size))
        found = file.read(END64.size)
        if len(found) < END64.size or found[:4] != b"PK\x06\x06":
            raise UnreadableSource(archive, "the archive is damaged: its directory is not where it should be")
        count, directory = END64.unpack(found)[7:9]
    if count > limit:
        raise TooLarge("the number of files in the archive", count, limit)
    if directory > limit * ENTRY_BYTES:
        raise TooLarge("the archive's directory in bytes", directory, limit * ENTRY_BYTES)
    file.seek(0)


def checked_entries(archive: Path, infos: Sequence[zipfile.ZipInfo], limits: Limits) -> list[Entry]:
    """The files of an archive with their paths, which are relative and harmless. Raises as ``unpack``."""
    if len(infos) > limits.archive_files:
        raise TooLarge("the number of files in the archive", len(infos), limits.archive_files)
    entries: list[Entry] = []
    for info in infos:
        path = _checked_path(archive, info)
        if not (info.is_dir() or any(map(_is_needless, path.parts))):
            entries.append((info, path))
    if not entries:
        raise UnreadableSource(archive, "the archive has no files")
    if len({str(path).casefold() for _, path in entries}) < len(entries):
        raise UnsupportedSource(archive, "two files in the archive have the same name")
    expanded, packed = sum(info.file_size for info, _ in entries), archive.stat().st_size
    most = min(limits.upload_bytes, max(SMALL, RATIO * packed))
    if expanded > most:
        raise TooLarge("the archive's files in bytes", expanded, most)
    if expanded > shutil.disk_usage(archive.parent).free:
        raise StoreFull(archive.parent.parent)
    return entries


def _is_needless(part: str) -> bool:
    return part in IGNORED or (part.startswith(".") and part not in ZARR)


def _checked_path(archive: Path, info: zipfile.ZipInfo) -> PurePosixPath:
    """Raises UnsupportedSource for a path that leaves the folder, and for what is neither a file nor a folder."""
    name, kind = info.filename, stat.S_IFMT(info.external_attr >> 16)
    path = PurePosixPath(name)
    shown = name[:80]
    if (
        path.is_absolute()
        or ".." in path.parts
        or any(char in name for char in "\\:\0")
        or any(not part.isprintable() for part in path.parts)
    ):
        raise UnsupportedSource(archive, f"the path {shown!r} in the archive leads out of it")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise UnsupportedSource(
            archive, f"{shown!r} in the archive is neither a file nor a folder but a link or a device"
        )
    if len(path.parts) > DEPTH or any(len(part.encode()) > NAME_BYTES for part in path.parts):
        raise UnsupportedSource(archive, f"the path {shown!r} in the archive is too long")
    if info.flag_bits & 1:
        raise UnsupportedSource(archive, "the archive is encrypted")
    if info.compress_type not in METHODS:
        raise UnsupportedSource(archive, "the archive uses another compression than deflate")
    return path


def _extract(opened: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path) -> None:
    """Writes one file, of exactly the stated size. Raises BadZipFile."""
    target.parent.mkdir(parents=True, exist_ok=True)
    left = info.file_size
    with opened.open(info) as source, open_new(target) as out:
        while chunk := source.read(CHUNK):
            left -= len(chunk)
            if left < 0:
                raise zipfile.BadZipFile(f"{info.filename[:80]!r} is longer than stated")
            out.write(chunk)
        if left:
            raise zipfile.BadZipFile(f"{info.filename[:80]!r} is shorter than stated")
        out.flush()
        os.fsync(out.fileno())
