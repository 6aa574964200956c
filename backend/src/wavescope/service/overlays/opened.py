"""Stored overlays as archives, and whether every byte of one is right (OV32)."""

from __future__ import annotations

from collections.abc import Iterator

from wavescope.errors import CorruptOverlay
from wavescope.overlays.archive import Archive
from wavescope.store.files.location import damage_of
from wavescope.store.files.stored import StoredFile, StoredFiles

MAX_NAMED = 100
"""Damaged tiles of an overlay that are named."""


def opened(files: StoredFiles, file: StoredFile) -> Archive:
    """A stored overlay; waits for the disk. Raises CorruptOverlay, Unavailable, OSError."""

    def read(start: int, length: int) -> bytes:
        length = min(length, file.size - start)
        if length <= 0:
            return b""
        try:
            return files.read_blocking(file.sha256, start, length)
        except (FileNotFoundError, ValueError) as cause:
            raise files.kind.damaged(file.sha256, "it is missing, or shorter than it was") from cause

    try:
        return Archive(read)
    except CorruptOverlay as error:
        raise files.kind.damaged(file.sha256, str(error)) from error


def damages_of(files: StoredFiles, file: StoredFile) -> Iterator[str]:
    """What is wrong with a stored overlay as a whole, then each damaged tile. Raises Unavailable, OSError."""
    whole = damage_of(files, file)
    if whole is None:
        return
    yield whole
    named = 0
    try:
        archive = opened(files, file)
        for level, x, y in archive.places():
            try:
                archive.check(level, x, y)
            except CorruptOverlay as error:
                yield f"tile {x}, {y} of level {level}: {error}"
                named += 1
                if named == MAX_NAMED:
                    return
    except CorruptOverlay as error:
        yield str(error)
