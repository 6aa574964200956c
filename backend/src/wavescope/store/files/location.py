"""Where files are: beside the slide versions (ST90, ST91); whether they are what was stored."""

from __future__ import annotations

from wavescope.store.files.folder import FolderStoredFiles
from wavescope.store.files.objects import ObjectStoredFiles
from wavescope.store.files.stored import Kind, StoredFile, StoredFiles
from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import ObjectBackend, sha256_of


def files_at(paths: StorePaths, backend: ObjectBackend | None, kind: Kind) -> StoredFiles:
    """``backend``: the object store with the slide versions; None: the folder of the store has them."""
    return FolderStoredFiles(paths, kind) if backend is None else ObjectStoredFiles(backend.objects, kind)


def damage_of(files: StoredFiles, file: StoredFile) -> str | None:
    """What is wrong with a stored file, None if every byte is right. Raises Unavailable, OSError."""
    size = files.size(file.sha256)
    if size is None:
        return "the file is missing"
    if size != file.size:
        return f"it has {size} bytes instead of {file.size}"
    try:
        return None if sha256_of(files.chunks(file.sha256)).hex() == file.sha256 else "its SHA-256 does not match"
    except FileNotFoundError:
        return "the file is missing"
