"""Where original files are: beside the slide versions (ST90, ST91); whether they are what was stored."""

from __future__ import annotations

from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import ObjectBackend, sha256_of
from wavescope.store.originals.folder import FolderOriginals
from wavescope.store.originals.objects import ObjectOriginals
from wavescope.store.originals.original import OriginalFile, Originals


def originals_at(paths: StorePaths, backend: ObjectBackend | None) -> Originals:
    """``backend``: the object store with the slide versions; None: the folder of the store has them."""
    return FolderOriginals(paths) if backend is None else ObjectOriginals(backend.objects)


def damage_of(originals: Originals, file: OriginalFile) -> str | None:
    """What is wrong with a stored file, None if every byte is right. Raises Unavailable, OSError."""
    size = originals.size(file.sha256)
    if size is None:
        return "the file is missing"
    if size != file.size:
        return f"it has {size} bytes instead of {file.size}"
    try:
        return None if sha256_of(originals.chunks(file.sha256)).hex() == file.sha256 else "its SHA-256 does not match"
    except FileNotFoundError:
        return "the file is missing"
